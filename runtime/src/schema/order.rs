//! The order in which failures are told: that of the document's fields.

use serde_json::Value;

use crate::failure::Failure;
use crate::path::{FieldPath, Segment};
use crate::schema::reference;

/// Sorts by place in declared order; at one place by layer.
pub(crate) fn sort(failures: &mut Vec<Failure>, schema: &Value) {
    failures.sort_by_cached_key(|failure| (rank(failure.path(), schema), failure.layer()));
    failures.dedup();
}

/// Where a place comes in declared order: each step's position; keys that the
/// schema does not name come after those it does.
fn rank(path: &FieldPath, schema: &Value) -> Vec<(usize, String)> {
    let mut here = vec![schema];
    let mut ranks = Vec::new();
    for segment in path.segments() {
        let (rank, below) = match segment {
            Segment::Index(index) => ((*index, String::new()), elements(&here, schema, *index)),
            Segment::Key(key) => match property(&here, schema, key) {
                Some((place, below)) => ((place, String::new()), vec![below]),
                None => ((usize::MAX, key.to_string()), others(&here, schema)),
            },
        };
        ranks.push(rank);
        here = below;
    }
    ranks
}

/// The schemas of a place, with all that stand beside them.
pub(crate) fn schemas<'s>(path: &FieldPath, root: &'s Value) -> Vec<&'s Value> {
    let mut here = vec![root];
    for segment in path.segments() {
        here = match segment {
            Segment::Index(index) => elements(&here, root, *index),
            Segment::Key(key) => match property(&here, root, key) {
                Some((_, below)) => vec![below],
                None => others(&here, root),
            },
        };
    }
    beside(&here, root, |_| true)
}

/// How many references and branches are followed for one step.
const BRANCHES: usize = 64;

/// A schema and those that stand beside it: its branches and what it refers to, as far as they are
/// to be kept.
pub(crate) fn beside<'s>(
    here: &[&'s Value],
    root: &'s Value,
    keep: impl Fn(&Value) -> bool,
) -> Vec<&'s Value> {
    let mut all: Vec<&Value> = here.to_vec();
    let mut at = 0;
    while let Some(schema) = all.get(at).copied() {
        at += 1;
        for keyword in ["allOf", "anyOf", "oneOf"] {
            all.extend(
                schema
                    .get(keyword)
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
                    .filter(|branch| keep(branch)),
            );
        }
        let reference = schema.get("$ref");
        let target = reference.and_then(|one| reference::target(root, one).ok());
        all.extend(target.filter(|target| keep(target)));
        if all.len() > BRANCHES {
            break;
        }
    }
    all
}

fn property<'s>(here: &[&'s Value], root: &'s Value, key: &str) -> Option<(usize, &'s Value)> {
    beside(here, root, |_| true).into_iter().find_map(|schema| {
        let properties = schema.get("properties")?.as_object()?;
        let place = properties.keys().position(|name| name == key)?;
        Some((place, properties.get(key)?))
    })
}

fn elements<'s>(here: &[&'s Value], root: &'s Value, index: usize) -> Vec<&'s Value> {
    let mut all = Vec::new();
    for schema in beside(here, root, |_| true) {
        all.extend(
            schema
                .get("prefixItems")
                .and_then(|places| places.get(index)),
        );
        all.extend(schema.get("items"));
    }
    all
}

fn others<'s>(here: &[&'s Value], root: &'s Value) -> Vec<&'s Value> {
    let schemas = beside(here, root, |_| true).into_iter();
    schemas
        .filter_map(|schema| schema.get("additionalProperties"))
        .collect()
}
