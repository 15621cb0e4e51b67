//! Where schemas stand inside a schema.

use serde_json::{Map, Value};

/// Keywords of JSON Schema 2020-12 whose value is a schema.
pub(super) const ONE: &[&str] = &[
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords whose value is a list of schemas.
pub(super) const LIST: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords whose value maps names to schemas.
pub(super) const NAMED: &[&str] = &[
    "$defs",
    "definitions",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Calls `change` on every object schema, parents first. A type's schema is as
/// deep as its source, so recursion is bounded by what the compiler took.
pub(super) fn each_subschema(schema: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    let Value::Object(object) = schema else {
        return;
    };
    change(object);
    for (keyword, value) in object.iter_mut() {
        match value {
            _ if ONE.contains(&keyword.as_str()) => each_subschema(value, change),
            Value::Array(list) if LIST.contains(&keyword.as_str()) => {
                for member in list {
                    each_subschema(member, change);
                }
            }
            Value::Object(named) if NAMED.contains(&keyword.as_str()) => {
                for member in named.values_mut() {
                    each_subschema(member, change);
                }
            }
            _ => {}
        }
    }
}
