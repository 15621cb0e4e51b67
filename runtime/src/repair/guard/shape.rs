//! What the schema says of an object or an array: whether it is a variant of a union, which of its
//! keys tell the variant, whether an index is a place of its own.

use serde_json::{Map, Value};

use crate::path::Segment;
use crate::schema::order::beside;
use crate::schema::reference;

/// How many schemas are read for one place. Past it, the place counts as a union, of which the
/// least is put back.
const READ: usize = 64;

type Properties = Map<String, Value>;

/// What stands at one place, as its schemas say.
#[derive(Debug, Default)]
pub(super) struct Shape<'s> {
    /// Whether several shapes are allowed, null aside.
    pub(super) is_union: bool,
    /// The keys of the object whatever the variant is.
    own: Vec<&'s Properties>,
    /// The keys of each variant.
    variants: Vec<&'s Properties>,
    /// Whether the object takes keys that no schema names.
    pub(super) is_map: bool,
    /// Whether a place in the array means what its index says.
    pub(super) is_tuple: bool,
}

impl<'s> Shape<'s> {
    pub(super) fn of(here: &[&'s Value], root: &'s Value) -> Self {
        let mut shape = Self::default();
        let mut all: Vec<(&'s Value, bool)> = here.iter().map(|schema| (*schema, false)).collect();
        let mut at = 0;
        while let Some((schema, in_variant)) = all.get(at).copied() {
            at += 1;
            if at > READ {
                shape.is_union = true;
                break;
            }
            shape.read(schema, in_variant);
            let branches = branches(schema);
            let several = branches.len() > 1;
            shape.is_union |= several;
            let below = branches
                .into_iter()
                .map(|branch| (branch, in_variant || several));
            all.extend(below);
            let beside = beside_it(schema, root).into_iter();
            all.extend(beside.map(|schema| (schema, in_variant)));
        }
        shape
    }

    fn read(&mut self, schema: &'s Value, in_variant: bool) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            let keys = if in_variant {
                &mut self.variants
            } else {
                &mut self.own
            };
            keys.push(properties);
        }
        let others = schema.get("additionalProperties");
        self.is_map |= others.is_some_and(|others| *others != Value::Bool(false));
        self.is_map |= schema.get("patternProperties").is_some();
        self.is_tuple |= schema.get("prefixItems").is_some();
    }

    /// Whether a key belongs to the object whatever its variant is.
    pub(super) fn is_own(&self, key: &str) -> bool {
        !self.is_union || self.own.iter().any(|keys| keys.contains_key(key))
    }

    /// Whether a schema names the key.
    pub(super) fn names(&self, key: &str) -> bool {
        let mut all = self.own.iter().chain(&self.variants);
        all.any(|keys| keys.contains_key(key))
    }

    /// The keys whose values tell the variant.
    pub(super) fn tags(&self) -> impl Iterator<Item = &'s str> {
        let keys = self.variants.iter().flat_map(|keys| keys.iter());
        keys.filter(|(_, schema)| is_constant(schema))
            .map(|(key, _)| key.as_str())
    }

    /// Whether the one key of an object tells the variant.
    pub(super) fn is_keyed(&self) -> bool {
        !self.variants.is_empty() && self.variants.iter().all(|keys| keys.len() == 1)
    }
}

fn is_constant(schema: &Value) -> bool {
    let listed = schema.get("enum").and_then(Value::as_array);
    schema.get("const").is_some() || listed.is_some_and(|listed| listed.len() == 1)
}

/// The shapes that a schema allows by turns, null aside.
fn branches(schema: &Value) -> Vec<&Value> {
    let listed = ["anyOf", "oneOf"].into_iter();
    let listed = listed.filter_map(|keyword| schema.get(keyword)?.as_array());
    let conditional = ["if", "then", "else"].into_iter();
    let conditional = conditional.filter_map(|keyword| schema.get(keyword));
    listed
        .flatten()
        .filter(|branch| branch.get("type").is_none_or(|kind| kind != "null"))
        .chain(conditional)
        .collect()
}

/// The schemas that hold as well where one does.
fn beside_it<'s>(schema: &'s Value, root: &'s Value) -> Vec<&'s Value> {
    let all = schema.get("allOf").and_then(Value::as_array);
    let reference = schema.get("$ref");
    let target = reference.and_then(|one| reference::target(root, one).ok());
    all.into_iter().flatten().chain(target).collect()
}

/// The schemas of what lies one step below a place.
pub(super) fn below<'s>(here: &[&'s Value], root: &'s Value, step: &Segment) -> Vec<&'s Value> {
    let all = beside(here, root, |_| true);
    let named = all.iter().filter_map(|schema| match step {
        Segment::Key(key) => schema.get("properties")?.get(key.as_ref()),
        Segment::Index(index) => schema.get("prefixItems")?.get(*index),
    });
    let mut found: Vec<&Value> = named.collect();
    if found.is_empty() {
        found = all
            .iter()
            .flat_map(|schema| unnamed(schema, step))
            .collect();
    }
    let mut seen: Vec<&Value> = Vec::new();
    for schema in found {
        if seen.len() < READ && !seen.iter().any(|other| std::ptr::eq(*other, schema)) {
            seen.push(schema);
        }
    }
    seen
}

/// The schemas that one gives to the places that it does not name. Which pattern a key matches is
/// not asked: a place is more often taken for a union then, of which less is put back.
fn unnamed<'s>(schema: &'s Value, step: &Segment) -> Vec<&'s Value> {
    if let Segment::Index(_) = step {
        return schema.get("items").into_iter().collect();
    }
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    let patterns = patterns.into_iter().flat_map(Map::values);
    patterns.chain(schema.get("additionalProperties")).collect()
}
