//! What the macros write into a type's schema for the flow alone; it is taken out of every schema
//! that is shown, sent or returned.

use serde_json::{Map, Value};

use super::walk::each_subschema;

/// Other names that serde reads for a property.
const ALIASES: &str = "x-typed-extract-aliases";
/// Other names that serde reads for a variant.
const VARIANT_ALIASES: &str = "x-typed-extract-variant-aliases";
/// The key that holds a variant's name, where it has one of its own.
const VARIANT_TAG: &str = "x-typed-extract-variant-tag";

/// Other names of a variant and the key that holds them.
pub(crate) struct Variant<'s> {
    pub(crate) tag: Option<&'s str>,
    pub(crate) aliases: Vec<Box<str>>,
}

/// The other names of the property that has this schema.
pub(crate) fn aliases(schema: &Value) -> Vec<Box<str>> {
    names(schema.get(ALIASES))
}

pub(crate) fn variant(words: &Map<String, Value>) -> Option<Variant<'_>> {
    let aliases = names(Some(words.get(VARIANT_ALIASES)?));
    let tag = words.get(VARIANT_TAG).and_then(Value::as_str);
    Some(Variant { tag, aliases })
}

fn names(value: Option<&Value>) -> Vec<Box<str>> {
    let all = value.and_then(Value::as_array).into_iter().flatten();
    all.filter_map(Value::as_str).map(Into::into).collect()
}

/// The schema without them.
pub(super) fn strip(schema: &mut Value) {
    each_subschema(schema, &mut |words| {
        words.retain(|keyword, _| {
            ![ALIASES, VARIANT_ALIASES, VARIANT_TAG].contains(&keyword.as_str())
        });
    });
}
