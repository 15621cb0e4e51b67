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

/// Calls `change` on every object schema with its JSON Pointer, parents first.
pub(super) fn each_place(
    schema: &mut Value,
    place: &str,
    change: &mut impl FnMut(&mut Map<String, Value>, &str),
) {
    visit(schema, place, 0, change);
}

/// How deep schemas that are given may nest before nothing more is looked at; a check refuses them.
const DEEPEST: usize = 128;

fn visit(
    schema: &mut Value,
    place: &str,
    depth: usize,
    change: &mut impl FnMut(&mut Map<String, Value>, &str),
) {
    let Some(object) = schema.as_object_mut().filter(|_| depth < DEEPEST) else {
        return;
    };
    change(object, place);
    for (keyword, value) in object.iter_mut() {
        let here = || format!("{place}/{keyword}");
        match value {
            _ if ONE.contains(&keyword.as_str()) => visit(value, &here(), depth + 1, change),
            Value::Array(list) if LIST.contains(&keyword.as_str()) => {
                for (at, member) in list.iter_mut().enumerate() {
                    visit(member, &format!("{}/{at}", here()), depth + 1, change);
                }
            }
            Value::Object(named) if NAMED.contains(&keyword.as_str()) => {
                for (name, member) in named.iter_mut() {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    visit(member, &format!("{}/{name}", here()), depth + 1, change);
                }
            }
            _ => {}
        }
    }
}

/// Keywords whose value holds the schemas of members and elements.
const PARTS: [&str; 4] = [
    "additionalProperties",
    "contains",
    "items",
    "unevaluatedItems",
];
const PARTS_BY_NAME: [&str; 2] = ["patternProperties", "properties"];
const CHOICES: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Calls `change` on the schema of every value below this one, the innermost first. The branches
/// of a choice are among them where `branches` and where nothing beside them adds keys.
pub(super) fn each_value(
    schema: &mut Value,
    branches: bool,
    change: &mut impl FnMut(&mut Map<String, Value>),
) {
    let Value::Object(object) = schema else {
        return;
    };
    let spreads = object.contains_key("properties") || object.contains_key("unevaluatedProperties");
    for (keyword, value) in object.iter_mut() {
        match value {
            _ if PARTS.contains(&keyword.as_str()) => value_at(value, change),
            Value::Object(named) if PARTS_BY_NAME.contains(&keyword.as_str()) => {
                named.values_mut().for_each(|one| value_at(one, change));
            }
            Value::Array(places) if keyword == "prefixItems" => {
                for place in places {
                    value_at(place, change);
                }
            }
            Value::Array(list) if CHOICES.contains(&keyword.as_str()) => {
                for branch in list {
                    if branches && !spreads && keyword != "allOf" {
                        value_at(branch, change);
                    } else {
                        each_value(branch, false, change);
                    }
                }
            }
            _ => {}
        }
    }
}

fn value_at(schema: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    each_value(schema, true, change);
    if let Value::Object(object) = schema {
        change(object);
    }
}
