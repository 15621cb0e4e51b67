//! From a type to its canonical schema: closed objects, true bounds, no
//! ornaments.

use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Map, Value, json};

use super::definitions::settle;
use super::walk::each_subschema;
use super::{annotation, forms, reference};

/// Where the settings of a schema generator hold this in place of the address
/// of a meta schema, citations name their source. It is seen by nobody else:
/// the address is written at the root alone, and no root is generated.
pub(crate) const SOURCED: &str = "typed-extract:sourced";

/// The canonical schema of `T` before it is wrapped: what serde reads, a type
/// that is used more than once under `$defs`. Citations name their source where `sourced`.
pub(super) fn canonical<T: JsonSchema>(sourced: bool) -> Value {
    generated::<T>(sourced, |schema| {
        adjust(schema);
        close(schema, Closing::Here);
    })
}

/// The same with objects that take unknown keys, for a type whose keys stand
/// among others.
pub(super) fn open<T: JsonSchema>() -> Value {
    generated::<T>(false, adjust)
}

fn generated<T: JsonSchema>(sourced: bool, finish: impl Fn(&mut Value)) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.contract = Contract::Deserialize;
        settings.inline_subschemas = true;
        settings.meta_schema = sourced.then(|| SOURCED.into());
    });
    let mut generator = settings.into_generator();
    let schema = generator.subschema_for::<T>().to_value();
    let definitions = generator.take_definitions(true);
    resolve_root(settle(schema, definitions, finish))
}

/// A root that only refers to a definition becomes that definition, since
/// providers and readers want to see an object there.
fn resolve_root(mut schema: Value) -> Value {
    let Some(object) = schema.as_object_mut() else {
        return schema;
    };
    let name = object
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.strip_prefix("#/$defs/"));
    let target = name.and_then(|name| object.get("$defs")?.get(name)?.as_object());
    let Some(mut root) = target.cloned() else {
        return schema;
    };
    if let Some(definitions) = object.shift_remove("$defs") {
        root.insert("$defs".to_owned(), definitions);
    }
    Value::Object(root)
}

fn adjust(schema: &mut Value) {
    each_subschema(schema, &mut |object| {
        object.shift_remove("title");
        spell_out_format(object);
        bound_number(object);
        exact_decimal(object);
    });
}

/// A number type's own range: generators write it as a format that no
/// validator asserts.
pub(super) fn bound_number(object: &mut Map<String, Value>) {
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
        "float" => (f32::MIN.into(), f32::MAX.into()),
        "double" => (f64::MIN.into(), f64::MAX.into()),
        _ => return,
    };
    object.shift_remove("format");
    tighten(object, "minimum", "exclusiveMinimum", minimum);
    tighten(object, "maximum", "exclusiveMaximum", maximum);
}

/// Adds a bound where none that is tighter is written.
fn tighten(object: &mut Map<String, Value>, keyword: &str, strict: &str, bound: Value) {
    let tighter = |known: &Value| match (known.as_f64(), bound.as_f64()) {
        (Some(known), Some(bound)) if keyword == "minimum" => known >= bound,
        (Some(known), Some(bound)) => known <= bound,
        _ => true,
    };
    let held = [keyword, strict]
        .iter()
        .any(|word| object.get(*word).is_some_and(tighter));
    if !bound.is_null() && !held {
        object.insert(keyword.to_owned(), bound);
    }
}

/// What exact decimals look like as text.
pub(crate) const DECIMAL: &str = r"^-?[0-9]+(\.[0-9]+)?$";

/// The same as schemars writes it.
const GENERATED_DECIMAL: &str = r"^-?\d+(\.\d+)?([eE]\d+)?$";

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
    if object.get("pattern").and_then(Value::as_str) == Some(GENERATED_DECIMAL) {
        object.insert("pattern".to_owned(), json!(DECIMAL));
    } else {
        annotation::note_decimal(object);
    }
}

/// Formats that schemars writes and no validator asserts: some have an exact
/// equivalent, the rest are left to binding.
fn spell_out_format(object: &mut Map<String, Value>) {
    match object.get("format").and_then(Value::as_str) {
        Some("ip") => {
            object.shift_remove("format");
            object.insert("anyOf".to_owned(), forms::address());
        }
        Some("float" | "double" | "char") => {
            object.shift_remove("format");
        }
        Some(format) => {
            if let Some(pattern) = forms::pattern_of(format) {
                spell_out_form(object, pattern);
            }
        }
        None => {}
    }
}

/// The pattern binds replies; the words are for a model that reads no patterns.
fn spell_out_form(object: &mut Map<String, Value>, pattern: &str) {
    object.shift_remove("format");
    object.insert("pattern".to_owned(), json!(pattern));
    if let Some(words) = forms::words(pattern) {
        object.entry("description").or_insert_with(|| json!(words));
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
    let is_object = names_keys || object.get("type") == Some(&json!("object"));
    let spreads = branches && (is_object || object.contains_key("unevaluatedProperties"));
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
    each_subschema(&mut asked, &mut |object| require_nullable(object, schema));
    asked
}

fn require_nullable(object: &mut Map<String, Value>, root: &Value) {
    let Some(properties) = object.get("properties").and_then(Value::as_object) else {
        return;
    };
    let required = object.get("required").and_then(Value::as_array);
    let is_required = |key: &str| required.is_some_and(|all| all.iter().any(|one| one == key));
    let all: Vec<Value> = properties
        .iter()
        .filter(|(key, property)| is_required(key) || takes_null(root, property, 0))
        .map(|(key, _)| Value::from(key.as_str()))
        .collect();
    if !all.is_empty() {
        object.insert("required".to_owned(), Value::Array(all));
    }
}

/// How many choices and references are looked through for null.
const CHOICES: usize = 16;

/// Whether a schema that stands alone takes null.
pub(crate) fn is_nullable(schema: &Value) -> bool {
    takes_null(schema, schema, 0)
}

fn takes_null(root: &Value, schema: &Value, depth: usize) -> bool {
    if depth > CHOICES {
        return false;
    }
    let named = |kind: &Value| {
        kind == "null"
            || kind
                .as_array()
                .is_some_and(|all| all.iter().any(|one| one == "null"))
    };
    let takes = |schema: &Value| takes_null(root, schema, depth + 1);
    let branches = |keyword| schema.get(keyword).and_then(Value::as_array);
    let referred = schema
        .get("$ref")
        .and_then(|one| reference::target(root, one).ok());
    schema.get("type").is_some_and(named)
        || branches("anyOf").is_some_and(|all| all.iter().any(takes))
        || branches("oneOf").is_some_and(|all| all.iter().any(takes))
        || referred.is_some_and(takes)
}
