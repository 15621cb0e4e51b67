//! A schema as generators write it, in the words of JSON Schema 2020-12: number formats as bounds,
//! older drafts translated under their `$schema`, and what checks nothing set aside as notes.

use jsonschema::PatternOptions;
use serde_json::{Map, Value, json};

use super::SchemaFault;
use super::check;
use super::dialect::DroppedKeyword;
use super::generate::bound_number;
use super::walk::each_place;

const DRAFT_07: [&str; 2] = [
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-06/schema",
];
const DRAFT_04: &str = "http://json-schema.org/draft-04/schema";

/// Keywords that describe a value for people and tools: JSON Schema's own about content, and those
/// of `OpenAPI`.
const NOTES: &[&str] = &[
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "discriminator",
    "example",
    "externalDocs",
    "nullable",
    "xml",
];

/// Formats that say how a text is meant and ask for no form that could be checked.
const NOTED_FORMATS: &[&str] = &["binary", "byte", "password"];

/// A schema ready to be checked, and what was set aside.
pub(super) struct Given {
    pub(super) schema: Value,
    pub(super) notes: Vec<DroppedKeyword>,
}

/// Which drafts of JSON Schema a schema may be written in.
#[derive(Clone, Copy, PartialEq)]
enum Draft {
    Newest,
    Seven,
    Four,
}

/// Reads a schema. `is_known` tells the keywords of JSON Schema 2020-12.
pub(super) fn read(
    mut schema: Value,
    is_known: impl Fn(&str) -> bool,
) -> Result<Given, SchemaFault> {
    let draft = draft(&schema);
    if draft != Draft::Newest
        && let Some(object) = schema.as_object_mut()
    {
        object.shift_remove("$schema");
    }
    let mut notes = Vec::new();
    let mut fault = None;
    each_place(&mut schema, "", &mut |object, place| {
        let translated = translate(object, place, draft);
        if let (Err(wrong), None) = (translated, &fault) {
            fault = Some(wrong);
        }
        bound_number(object);
        set_aside(object, place, &is_known, &mut notes);
    });
    fault.map_or(Ok(Given { schema, notes }), Err)
}

fn draft(schema: &Value) -> Draft {
    let named = schema.get("$schema").and_then(Value::as_str);
    match named.map(|uri| uri.trim_end_matches('#').replace("https:", "http:")) {
        Some(uri) if DRAFT_07.contains(&uri.as_str()) => Draft::Seven,
        Some(uri) if uri == DRAFT_04 => Draft::Four,
        _ => Draft::Newest,
    }
}

fn translate(
    object: &mut Map<String, Value>,
    place: &str,
    draft: Draft,
) -> Result<(), SchemaFault> {
    if draft == Draft::Newest {
        return Ok(());
    }
    beside_reference(object, place)?;
    if object.get("items").is_some_and(Value::is_array) {
        let places = object.shift_remove("items").unwrap_or_default();
        object.insert("prefixItems".to_owned(), places);
        if let Some(rest) = object.shift_remove("additionalItems") {
            object.insert("items".to_owned(), rest);
        }
    } else {
        // Without a list of places it has no meaning in these drafts.
        object.shift_remove("additionalItems");
    }
    if let Some(Value::Object(all)) = object.shift_remove("dependencies") {
        depend(object, all);
    }
    if draft == Draft::Four {
        exclusive(object, "minimum", "exclusiveMinimum");
        exclusive(object, "maximum", "exclusiveMaximum");
        if let Some(id) = object.shift_remove("id").filter(|id| !id.is_string()) {
            object.insert("id".to_owned(), id);
        }
    }
    Ok(())
}

/// These drafts ignore what stands beside a reference, and 2020-12 does not.
fn beside_reference(object: &Map<String, Value>, place: &str) -> Result<(), SchemaFault> {
    const HARMLESS: [&str; 9] = [
        "$ref",
        "$schema",
        "$id",
        "$comment",
        "default",
        "definitions",
        "description",
        "examples",
        "title",
    ];
    if !object.contains_key("$ref") {
        return Ok(());
    }
    let beside = object
        .keys()
        .find(|keyword| !HARMLESS.contains(&keyword.as_str()));
    beside.map_or(Ok(()), |keyword| {
        Err(SchemaFault::new(
            format!("{place}/{keyword}"),
            "this draft of JSON Schema ignores what stands beside \"$ref\"; put both under \
             \"allOf\", or remove one",
        ))
    })
}

/// Keys that others ask for, and schemas that they ask for.
fn depend(object: &mut Map<String, Value>, all: Map<String, Value>) {
    let (keys, schemas): (Map<_, _>, Map<_, _>) =
        all.into_iter().partition(|(_, needed)| needed.is_array());
    for (keyword, members) in [("dependentRequired", keys), ("dependentSchemas", schemas)] {
        if !members.is_empty() {
            object.insert(keyword.to_owned(), Value::Object(members));
        }
    }
}

/// In draft 04 an exclusive bound is a yes beside the bound.
fn exclusive(object: &mut Map<String, Value>, bound: &str, strict: &str) {
    match object.get(strict) {
        Some(Value::Bool(false)) => {
            object.shift_remove(strict);
        }
        Some(Value::Bool(true)) => {
            if let Some(value) = object.shift_remove(bound) {
                object.insert(strict.to_owned(), value);
            }
        }
        _ => {}
    }
}

/// Takes what checks nothing out of a schema and lists it.
fn set_aside(
    object: &mut Map<String, Value>,
    place: &str,
    is_known: &impl Fn(&str) -> bool,
    notes: &mut Vec<DroppedKeyword>,
) {
    let is_note = |keyword: &str| {
        NOTES.contains(&keyword) || !is_known(keyword) && !is_meant_otherwise(keyword, is_known)
    };
    let found: Vec<String> = object.keys().filter(|one| is_note(one)).cloned().collect();
    for keyword in found {
        let value = object.shift_remove(&keyword);
        if keyword == "nullable" && value == Some(Value::Bool(true)) {
            allow_null(object);
        }
        notes.push(DroppedKeyword::new(place, &keyword));
    }
    for (keyword, is_note) in [
        ("format", is_noted_format as fn(&str) -> bool),
        ("pattern", looks_around),
    ] {
        let value = object.get(keyword).and_then(Value::as_str);
        if value.is_some_and(is_note) {
            object.shift_remove(keyword);
            notes.push(DroppedKeyword::new(place, keyword));
        }
    }
}

/// Whether a format is known to ask for no form, or is not known at all and no slip either.
fn is_noted_format(format: &str) -> bool {
    NOTED_FORMATS.contains(&format)
        || !check::FORMATS.contains(&format) && check::resembled_format(format).is_none()
}

/// Whether a pattern is sound and only an engine that backtracks could run it.
fn looks_around(pattern: &str) -> bool {
    let schema = json!({ "pattern": pattern });
    let backtracking = super::options().with_pattern_options(PatternOptions::fancy_regex());
    super::built(&schema).is_err() && backtracking.build(&schema).is_ok()
}

/// A keyword that looks like one that is checked is a slip or of another draft, and no note.
fn is_meant_otherwise(keyword: &str, is_known: &impl Fn(&str) -> bool) -> bool {
    const OTHER_DRAFTS: [&str; 6] = [
        "additionalItems",
        "dependencies",
        "disallow",
        "divisibleBy",
        "extends",
        "id",
    ];
    keyword.starts_with('$')
        || OTHER_DRAFTS.contains(&keyword)
        || is_known(keyword)
        || check::resembled(keyword).is_some()
}

fn allow_null(object: &mut Map<String, Value>) {
    let described = object.shift_remove("description");
    let own = std::mem::take(object);
    if own.contains_key("type") && !own.contains_key("const") {
        *object = own;
        if let Some(kind @ Value::String(_)) = object.get("type").cloned() {
            object.insert("type".to_owned(), json!([kind, "null"]));
        }
        if let Some(Value::Array(values)) = object.get_mut("enum")
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
        }
    } else {
        object.insert("anyOf".to_owned(), json!([own, {"type": "null"}]));
    }
    if let Some(described) = described {
        object.insert("description".to_owned(), described);
    }
}
