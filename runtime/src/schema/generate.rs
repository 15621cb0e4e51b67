//! From a type to its canonical schema: closed objects, true bounds, no
//! ornaments.

use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Map, Value, json};

use super::annotation;
use super::walk::each_subschema;
use crate::cited::SOURCED;

/// The canonical schema of `T` before it is wrapped: what serde reads, inlined
/// except where the type holds itself. Citations name their source where `sourced`.
pub(super) fn canonical<T: JsonSchema>(sourced: bool) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.contract = Contract::Deserialize;
        settings.inline_subschemas = true;
        settings.meta_schema = sourced.then(|| SOURCED.into());
    });
    let mut generator = settings.into_generator();
    let mut schema = generator.subschema_for::<T>().to_value();
    let mut definitions = generator.take_definitions(true);
    adjust(&mut schema);
    for definition in definitions.values_mut() {
        adjust(definition);
    }
    resolve_root(schema, definitions)
}

/// A root that only refers to a definition becomes that definition, since
/// providers and readers want to see an object there.
fn resolve_root(schema: Value, definitions: Map<String, Value>) -> Value {
    let root = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.strip_prefix("#/$defs/"))
        .and_then(|name| definitions.get(name).cloned())
        .unwrap_or(schema);
    let Value::Object(mut root) = root else {
        return root;
    };
    if !definitions.is_empty() {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    Value::Object(root)
}

fn adjust(schema: &mut Value) {
    each_subschema(schema, &mut |object| {
        object.shift_remove("title");
        bound_integer(object);
        exact_decimal(object);
        spell_out_format(object);
    });
    close(schema, Closing::Here);
}

/// An integer type's own range: schemars writes it as a format that no
/// validator asserts.
fn bound_integer(object: &mut Map<String, Value>) {
    let Some(format) = object.get("format").and_then(Value::as_str) else {
        return;
    };
    let (minimum, maximum): (Value, Value) = match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" | "int" => (i64::MIN.into(), i64::MAX.into()),
        "uint8" => (0.into(), u8::MAX.into()),
        "uint16" => (0.into(), u16::MAX.into()),
        "uint32" => (0.into(), u32::MAX.into()),
        "uint64" | "uint" => (0.into(), u64::MAX.into()),
        // Wider than a JSON number of serde's; binding holds the bound.
        "uint128" => (0.into(), Value::Null),
        "int128" => (Value::Null, Value::Null),
        _ => return,
    };
    object.shift_remove("format");
    for (keyword, strict, bound) in [
        ("minimum", "exclusiveMinimum", minimum),
        ("maximum", "exclusiveMaximum", maximum),
    ] {
        if !bound.is_null() && !object.contains_key(keyword) && !object.contains_key(strict) {
            object.insert(keyword.to_owned(), bound);
        }
    }
}

/// What exact decimals look like as text.
pub(crate) const DECIMAL: &str = r"^-?[0-9]+(\.[0-9]+)?$";

/// Exact money is text: a JSON number would pass through a float on its way.
fn exact_decimal(object: &mut Map<String, Value>) {
    let is_decimal = object.get("type") == Some(&json!(["string", "number"]))
        && object.get("pattern").is_some_and(Value::is_string);
    let is_nullable_decimal = object.get("type") == Some(&json!(["string", "number", "null"]))
        && object.get("pattern").is_some_and(Value::is_string);
    if !is_decimal && !is_nullable_decimal {
        return;
    }
    let narrowed = if is_decimal {
        json!("string")
    } else {
        json!(["string", "null"])
    };
    object.insert("type".to_owned(), narrowed);
    object.insert("pattern".to_owned(), json!(DECIMAL));
}

/// Formats that schemars writes and no validator asserts: some have an exact
/// equivalent, the rest are left to binding.
fn spell_out_format(object: &mut Map<String, Value>) {
    match object.get("format").and_then(Value::as_str) {
        Some("ip") => {
            object.shift_remove("format");
            object.insert(
                "anyOf".to_owned(),
                json!([{"format": "ipv4"}, {"format": "ipv6"}]),
            );
        }
        Some("partial-time" | "partial-date-time") => {
            let format = object.shift_remove("format");
            object.extend(format.map(|format| (annotation::FORMAT.to_owned(), format)));
        }
        Some("float" | "double" | "char") => {
            object.shift_remove("format");
        }
        _ => {}
    }
}

/// Who forbids unknown keys: the object itself, or the one whose keys it adds
/// to.
#[derive(Clone, Copy, PartialEq)]
enum Closing {
    Here,
    Outside,
}

const COMBINING: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Forbids unknown keys in every object that names its keys. Where branches add
/// keys to an object, the outermost object closes over all of them.
fn close(schema: &mut Value, closing: Closing) {
    let Value::Object(object) = schema else {
        return;
    };
    let names_keys = object.contains_key("properties");
    let open_ended = object
        .get("additionalProperties")
        .is_some_and(|additional| *additional != Value::Bool(false));
    let branches = COMBINING
        .iter()
        .any(|keyword| object.contains_key(*keyword));
    let spreads = branches && (names_keys || object.contains_key("unevaluatedProperties"));
    let inside = if spreads || closing == Closing::Outside {
        Closing::Outside
    } else {
        Closing::Here
    };
    for keyword in COMBINING {
        let members = object.get_mut(keyword).and_then(Value::as_array_mut);
        for member in members.into_iter().flatten() {
            close(member, inside);
        }
    }
    close_below(object);
    let is_object = names_keys || object.get("type") == Some(&json!("object"));
    if closing == Closing::Outside {
        if !open_ended {
            object.shift_remove("additionalProperties");
        }
        object.shift_remove("unevaluatedProperties");
    } else if is_object && !open_ended {
        let keyword = if spreads {
            "unevaluatedProperties"
        } else {
            "additionalProperties"
        };
        object.shift_remove("additionalProperties");
        object.insert(keyword.to_owned(), Value::Bool(false));
    }
}

/// Values below start anew: their keys are their own.
fn close_below(object: &mut Map<String, Value>) {
    for keyword in ["properties", "patternProperties"] {
        let members = object.get_mut(keyword).and_then(Value::as_object_mut);
        for member in members.into_iter().flat_map(Map::values_mut) {
            close(member, Closing::Here);
        }
    }
    for keyword in ["items", "additionalProperties", "not", "contains"] {
        if let Some(member) = object.get_mut(keyword) {
            close(member, Closing::Here);
        }
    }
    let places = object.get_mut("prefixItems").and_then(Value::as_array_mut);
    for place in places.into_iter().flatten() {
        close(place, Closing::Here);
    }
}

/// The schema as models are asked for it: a key that may be null must be there,
/// since a model that may leave a key out often does. Replies without it are
/// taken all the same.
pub(super) fn asked(schema: &Value) -> Value {
    let mut asked = schema.clone();
    each_subschema(&mut asked, &mut require_nullable);
    asked
}

fn require_nullable(object: &mut Map<String, Value>) {
    let Some(properties) = object.get("properties").and_then(Value::as_object) else {
        return;
    };
    let required = object.get("required").and_then(Value::as_array);
    let is_required = |key: &str| required.is_some_and(|all| all.iter().any(|one| one == key));
    let all: Vec<Value> = properties
        .iter()
        .filter(|(key, property)| is_required(key) || takes_null(property))
        .map(|(key, _)| Value::from(key.as_str()))
        .collect();
    if !all.is_empty() {
        object.insert("required".to_owned(), Value::Array(all));
    }
}

fn takes_null(schema: &Value) -> bool {
    let named = |kind: &Value| {
        kind == "null"
            || kind
                .as_array()
                .is_some_and(|all| all.iter().any(|one| one == "null"))
    };
    let branches = |keyword| {
        schema
            .get(keyword)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    schema.get("type").is_some_and(named)
        || branches("anyOf").any(takes_null)
        || branches("oneOf").any(takes_null)
}
