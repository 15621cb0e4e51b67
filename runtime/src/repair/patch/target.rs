//! Which places a patch is asked for.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::failure::Failures;
use crate::flow::{Flow, step};
use crate::json::{Cursor, Kind};
use crate::json::{edit::Edit, edit::Edits};
use crate::path::{FieldPath, Segment};
use crate::schema::order::beside;

/// A place of the reply that a patch may set.
#[derive(Debug, Clone)]
pub(super) struct PatchTarget {
    pub(super) path: FieldPath,
    pub(super) required: bool,
}

/// What a patch may do to a reply.
#[derive(Debug, Default)]
pub(super) struct PatchTargets {
    /// In the order of the failures.
    pub(super) offered: Vec<PatchTarget>,
    /// The keys that no schema knows; nothing can be done but leave them out.
    pub(super) unknown: Vec<FieldPath>,
}

impl PatchTargets {
    /// The places that failed in the reply at `root`; none where a failure has no place of its
    /// own, so that only a whole reply can mend it.
    pub(super) fn failing<T, C: ?Sized>(
        flow: &Flow<'_, T, C>,
        root: Cursor<'_>,
        failures: &Failures,
    ) -> Option<Self> {
        let mut places = Self::default();
        let finder = Finder { flow, root };
        // A pointer leads into the value, never to its wrapper.
        let schema = &flow.plan.schema;
        if !failures.iter().all(|one| schema.holds_value(one.path())) {
            return None;
        }
        for failure in failures {
            if failure.code() == "schema.additional" {
                places.unknown.push(finder.present(failure.path())?);
                continue;
            }
            places.offer(finder.settable(failure.path())?, true);
        }
        for failure in failures {
            let related = failure.related().iter();
            for path in related.filter_map(|path| finder.settable(path)) {
                places.offer(path, false);
            }
        }
        let mut objects: Vec<FieldPath> = places.unknown.iter().filter_map(parent).collect();
        objects.sort_by_cached_key(FieldPath::pointer);
        objects.dedup();
        for path in objects.iter().flat_map(|object| finder.absent(object)) {
            places.offer(path, false);
        }
        places.drop_covered();
        (!places.offered.is_empty()).then_some(places)
    }

    fn offer(&mut self, path: FieldPath, required: bool) {
        if !self.offered.iter().any(|place| place.path == path) {
            self.offered.push(PatchTarget { path, required });
        }
    }

    /// Leaves out what lies in a place that must be given anyway, or that is optional as well.
    fn drop_covered(&mut self) {
        let all = self.offered.clone();
        let covers = |one: &PatchTarget, other: &PatchTarget| {
            one.path != other.path
                && one.path.contains(&other.path)
                && (one.required || !other.required)
        };
        self.offered
            .retain(|place| !all.iter().any(|other| covers(other, place)));
        self.unknown.retain(|key| {
            !all.iter()
                .any(|place| place.required && place.path.contains(key))
        });
    }

    /// The bytes of the reply that stand at all these places.
    pub(super) fn bytes<T, C: ?Sized>(&self, flow: &Flow<'_, T, C>, root: Cursor<'_>) -> usize {
        let offered = self.offered.iter().map(|place| &place.path);
        let all: Vec<&FieldPath> = offered.chain(&self.unknown).collect();
        let outermost = all.iter().filter(|path| {
            !all.iter()
                .any(|other| *other != **path && other.contains(path))
        });
        let finder = Finder { flow, root };
        outermost
            .filter_map(|path| finder.at(path))
            .map(|value| value.raw().len())
            .sum()
    }

    /// The reply without the keys that no schema knows.
    pub(super) fn without_unknown<T, C: ?Sized>(
        &self,
        flow: &Flow<'_, T, C>,
        root: Cursor<'_>,
    ) -> String {
        let finder = Finder { flow, root };
        let mut edits = Edits::default();
        for value in self.unknown.iter().filter_map(|path| finder.at(path)) {
            edits.set(value, Edit::Remove);
        }
        edits.apply(root)
    }

    /// The places whose values the model is shown: the offered ones, each in the list element
    /// that holds it, since an index alone does not tell which of a list it is.
    pub(super) fn shown(&self) -> Vec<FieldPath> {
        let offered = self.offered.iter().map(|place| &place.path);
        let all: Vec<FieldPath> = offered.chain(&self.unknown).map(element).collect();
        let outermost = all.iter().filter(|path| {
            !all.iter()
                .any(|other| other != *path && other.contains(path))
        });
        let mut seen = BTreeSet::new();
        outermost
            .filter(|path| seen.insert(path.pointer()))
            .cloned()
            .collect()
    }
}

/// The innermost list element that holds a place, or the place itself.
fn element(path: &FieldPath) -> FieldPath {
    let steps = path.segments();
    let index = steps
        .iter()
        .rposition(|step| matches!(step, Segment::Index(_)));
    let end = index.map_or(steps.len(), |index| index + 1);
    steps.iter().take(end).cloned().collect()
}

/// Finds places in a reply and in its schema.
pub(super) struct Finder<'f, 'c, T, C: ?Sized> {
    pub(super) flow: &'f Flow<'f, T, C>,
    pub(super) root: Cursor<'c>,
}

impl<'c, T, C: ?Sized> Finder<'_, 'c, T, C> {
    /// What stands at a place.
    pub(super) fn at(&self, path: &FieldPath) -> Option<Cursor<'c>> {
        path.segments().iter().try_fold(self.root, step)
    }

    /// The whole value, which no patch may set.
    pub(super) fn whole(&self) -> FieldPath {
        self.flow.plan.schema.to_reply_path(FieldPath::root())
    }

    fn present(&self, path: &FieldPath) -> Option<FieldPath> {
        let below = *path != self.whole();
        self.at(path).filter(|_| below).map(|_| path.clone())
    }

    /// The innermost place at or above `path`, below the whole value, that can be set and whose
    /// schema is told by what stands around it.
    fn settable(&self, path: &FieldPath) -> Option<FieldPath> {
        let steps = path.segments();
        (self.whole().segments().len() + 1..=steps.len())
            .rev()
            .map(|length| -> FieldPath { steps.iter().take(length).cloned().collect() })
            .find(|path| {
                self.can_stand(path) && self.schema(&self.flow.plan.schema.value, path).is_some()
            })
    }

    /// Whether there is a value at a place, or an object that could have it.
    fn can_stand(&self, path: &FieldPath) -> bool {
        let parent = parent(path).and_then(|parent| self.at(&parent));
        let addable = matches!(path.segments().last(), Some(Segment::Key(_)))
            && parent.is_some_and(|parent| parent.kind() == Kind::Object);
        addable || self.at(path).is_some()
    }

    /// The declared keys that an object lacks.
    fn absent(&self, parent: &FieldPath) -> Vec<FieldPath> {
        let root = &self.flow.plan.schema.value;
        let (Some(schema), Some(object)) = (self.schema(root, parent), self.at(parent)) else {
            return Vec::new();
        };
        let schemas = beside(&[schema], root, |branch| meant(branch, object));
        let properties = schemas.into_iter().filter_map(|schema| {
            let properties = schema.get("properties")?.as_object()?;
            Some(properties.keys())
        });
        properties
            .flatten()
            .filter(|name| object.get(name).is_none())
            .map(|name| parent.clone().key(name.clone()))
            .filter(|path| self.schema(root, path).is_some())
            .collect()
    }

    /// The subschema of a place in the schema at `root`; nothing where several may be meant.
    pub(super) fn schema<'s>(&self, root: &'s Value, path: &FieldPath) -> Option<&'s Value> {
        let mut here = root;
        let mut value = Some(self.root);
        for segment in path.segments() {
            here = below(root, here, value, segment)?;
            value = value.and_then(|value| step(value, segment));
        }
        Some(here)
    }
}

pub(super) fn parent(path: &FieldPath) -> Option<FieldPath> {
    let (_, steps) = path.segments().split_last()?;
    Some(steps.iter().cloned().collect())
}

/// The one schema that a step leads to.
fn below<'s>(
    root: &'s Value,
    here: &'s Value,
    value: Option<Cursor<'_>>,
    segment: &Segment,
) -> Option<&'s Value> {
    let keep = |branch: &Value| value.is_none_or(|value| meant(branch, value));
    let schemas = beside(&[here], root, keep);
    let by_pattern = |schema: &&Value| schema.get("patternProperties").is_some();
    if schemas.iter().any(by_pattern) {
        return None;
    }
    let named: Vec<&Value> = match segment {
        Segment::Key(key) => schemas
            .iter()
            .filter_map(|schema| schema.get("properties")?.get(key.as_ref()))
            .collect(),
        Segment::Index(index) => schemas
            .iter()
            .filter_map(|schema| schema.get("prefixItems")?.get(*index))
            .collect(),
    };
    let others = match segment {
        Segment::Key(_) => "additionalProperties",
        Segment::Index(_) => "items",
    };
    let found = if named.is_empty() {
        let all = schemas.iter().filter_map(|schema| schema.get(others));
        all.filter(|schema| **schema != Value::Bool(false))
            .collect()
    } else {
        named
    };
    let (first, rest) = found.split_first()?;
    rest.iter().all(|other| other == first).then_some(first)
}

/// Whether a value may be of a branch, as far as the tags of the branch tell.
fn meant(branch: &Value, value: Cursor<'_>) -> bool {
    let properties = branch.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().all(|(key, schema)| {
        let tag = schema.get("const").and_then(Value::as_str);
        let found = value.get(key).and_then(Cursor::as_str);
        tag.is_none_or(|tag| found.is_some_and(|found| found == tag))
    })
}
