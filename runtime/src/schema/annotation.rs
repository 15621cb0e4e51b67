//! What the macros write into a type's schema for the flow alone; it is taken out of every schema
//! that is shown, sent or returned.

use serde_json::{Map, Value, json};

use super::walk::each_subschema;

/// Other names that serde reads for a property.
const ALIASES: &str = "x-typed-extract-aliases";
/// Other names that serde reads for a variant.
const VARIANT_ALIASES: &str = "x-typed-extract-variant-aliases";
/// The key that holds a variant's name, where it has one of its own.
const VARIANT_TAG: &str = "x-typed-extract-variant-tag";

/// Another name of a property, where keys of any name are taken.
const RESERVED: &str = "x-typed-extract-reserved";
/// The text of an exact decimal whose pattern is the user's own.
const DECIMAL: &str = "x-typed-extract-decimal";

/// Other names of a variant and the key that holds them.
pub(crate) struct Variant<'s> {
    pub(crate) tag: Option<&'s str>,
    pub(crate) aliases: Vec<Box<str>>,
}

/// The other names of the property that has this schema.
pub(crate) fn aliases(schema: &Value) -> Vec<Box<str>> {
    names(schema.get(ALIASES))
}

/// Has every object that takes keys of any name refuse the other names of its
/// properties: serde reads them as the properties, so that they are told or read
/// as such, and never taken for further keys.
pub(super) fn reserve_aliases(schema: &mut Value) {
    each_subschema(schema, &mut |words| {
        let additional = words.get("additionalProperties");
        if additional.is_some_and(|additional| *additional != Value::Bool(false)) {
            reserve(words);
        }
    });
}

fn reserve(words: &mut Map<String, Value>) {
    if let Some(Value::Object(properties)) = words.get_mut("properties") {
        let reserved: Vec<Box<str>> = properties.values().flat_map(aliases).collect();
        for alias in reserved {
            let nothing = || json!({ RESERVED: true, "not": {} });
            properties.entry(&*alias).or_insert_with(nothing);
        }
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let members = words.get_mut(keyword).and_then(Value::as_array_mut);
        let members = members.into_iter().flatten();
        members.filter_map(Value::as_object_mut).for_each(reserve);
    }
}

/// Whether a property is another name of one.
pub(crate) fn is_reserved(schema: &Value) -> bool {
    schema.get(RESERVED).is_some()
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

/// Notes that a schema with another pattern is that of an exact decimal.
pub(super) fn note_decimal(words: &mut Map<String, Value>) {
    words.insert(DECIMAL.to_owned(), Value::Bool(true));
}

pub(super) fn is_decimal(words: &Map<String, Value>) -> bool {
    words.contains_key(DECIMAL)
}

/// The schema without them.
pub(super) fn strip(schema: &mut Value) {
    each_subschema(schema, &mut |words| {
        words.retain(|keyword, _| {
            ![ALIASES, VARIANT_ALIASES, VARIANT_TAG, DECIMAL].contains(&keyword.as_str())
        });
    });
}
