//! Whether a schema given at run time can be trusted to mean what it says:
//! every keyword known, every reference local and there, every format asserted.

use serde_json::{Map, Value};

use super::reference;
use super::walk::{LIST, NAMED, ONE};

/// What is wrong with a schema, and where in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SchemaFault {
    /// JSON Pointer into the schema.
    pub(crate) place: String,
    pub(crate) message: String,
}

impl SchemaFault {
    pub(crate) fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            message: message.into(),
        }
    }
}

/// How deep a schema given at run time may nest.
const DEPTH: usize = 64;

/// Keywords of JSON Schema 2020-12 that hold no schema.
const PLAIN: &[&str] = &[
    "$anchor",
    "$comment",
    "$id",
    "$ref",
    "$schema",
    "const",
    "default",
    "dependentRequired",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "readOnly",
    "required",
    "title",
    "type",
    "uniqueItems",
    "writeOnly",
];

const TYPES: &[&str] = &[
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// The formats that are checked.
pub(super) const FORMATS: &[&str] = &[
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uuid",
];

/// Checks the keywords of `root`, whatever its shape.
pub(crate) fn check_keywords(root: &Value) -> Result<(), SchemaFault> {
    check_node(root, root, "", 0)
}

/// Checks all of `root`; the first fault in document order is reported.
pub(crate) fn check(root: &Value) -> Result<(), SchemaFault> {
    let Some(object) = root.as_object() else {
        return Err(SchemaFault::new("", "a schema is a JSON object"));
    };
    check_node(root, root, "", 0)?;
    check_root(root, object)
}

/// What comes back is an object with named members: a list or a scalar belongs
/// under a key of its own.
fn check_root(root: &Value, object: &Map<String, Value>) -> Result<(), SchemaFault> {
    let advice = "the root must be an object: put the value under a key, such as \
                  {\"type\": \"object\", \"properties\": {\"value\": …}, \"required\": [\"value\"]}";
    if let Some(kind) = object.get("type") {
        let fits = kind == "object";
        return if fits {
            Ok(())
        } else {
            Err(SchemaFault::new("/type", advice))
        };
    }
    if is_object(root, root, 0) {
        Ok(())
    } else {
        Err(SchemaFault::new("", advice))
    }
}

fn is_object(root: &Value, schema: &Value, depth: usize) -> bool {
    let all = |list: &Value| {
        let members = list.as_array();
        members.is_some_and(|list| {
            !list.is_empty() && list.iter().all(|one| is_object(root, one, depth + 1))
        })
    };
    if depth > DEPTH {
        return false;
    }
    schema.get("type") == Some(&Value::from("object"))
        || schema.get("properties").is_some() && schema.get("type").is_none()
        || schema.get("anyOf").is_some_and(all)
        || schema.get("oneOf").is_some_and(all)
        || schema
            .get("$ref")
            .and_then(|one| reference::target(root, one).ok())
            .is_some_and(|found| is_object(root, found, depth + 1))
}

fn check_node(root: &Value, schema: &Value, place: &str, depth: usize) -> Result<(), SchemaFault> {
    if depth > DEPTH {
        return Err(SchemaFault::new(
            place,
            format!("nested more than {DEPTH} schemas deep"),
        ));
    }
    let object = match schema {
        Value::Bool(_) => return Ok(()),
        Value::Object(object) => object,
        _ => {
            return Err(SchemaFault::new(
                place,
                "a schema is an object or a boolean",
            ));
        }
    };
    for (keyword, value) in object {
        let here = format!("{place}/{}", keyword.replace('~', "~0").replace('/', "~1"));
        check_keyword(root, keyword, value, &here, depth)?;
    }
    Ok(())
}

fn check_keyword(
    root: &Value,
    keyword: &str,
    value: &Value,
    here: &str,
    depth: usize,
) -> Result<(), SchemaFault> {
    if keyword == "items" && value.is_array() {
        let message = "a list of schemas stands under \"prefixItems\"; as \"items\" it is of an \
                       older draft, which is understood under its \"$schema\"";
        return Err(SchemaFault::new(here, message));
    }
    if ONE.contains(&keyword) {
        return check_node(root, value, here, depth + 1);
    }
    if LIST.contains(&keyword) {
        let list = value.as_array().filter(|list| !list.is_empty());
        let list = list.ok_or_else(|| SchemaFault::new(here, "expected a list of schemas"))?;
        let mut members = list.iter().enumerate();
        return members.try_for_each(|(at, member)| {
            check_node(root, member, &format!("{here}/{at}"), depth + 1)
        });
    }
    if NAMED.contains(&keyword) {
        let named = value.as_object();
        let named = named.ok_or_else(|| SchemaFault::new(here, "expected schemas by name"))?;
        return named.iter().try_for_each(|(name, member)| {
            let name = name.replace('~', "~0").replace('/', "~1");
            check_node(root, member, &format!("{here}/{name}"), depth + 1)
        });
    }
    check_plain(root, keyword, value, here)
}

fn check_plain(root: &Value, keyword: &str, value: &Value, here: &str) -> Result<(), SchemaFault> {
    let fault = |message: String| Err(SchemaFault::new(here, message));
    match keyword {
        "$ref" => check_reference(root, value, here),
        "$id" if here != "/$id" => {
            fault("an address below the root changes what references mean; remove it".to_owned())
        }
        "exclusiveMinimum" | "exclusiveMaximum" if value.is_boolean() => fault(
            "a bound is a number; a yes beside the bound is draft 04 of JSON Schema, which is \
             understood under its \"$schema\""
                .to_owned(),
        ),
        "type" => check_type(value, here),
        "format" => match value.as_str() {
            Some(format) if FORMATS.contains(&format) => Ok(()),
            Some(format) => fault(match resembled_format(format) {
                Some(meant) => {
                    format!("the format {value} is not known; {meant:?} was probably meant")
                }
                None => format!(
                    "the format {value} is not one that is checked; use one of {}, or a pattern",
                    FORMATS.join(", ")
                ),
            }),
            None => fault("a format is a text".to_owned()),
        },
        "$schema" => match value.as_str().map(|uri| uri.trim_end_matches('#')) {
            Some("https://json-schema.org/draft/2020-12/schema") => Ok(()),
            _ => {
                fault("JSON Schema 2020-12 is understood, and the drafts 04, 06 and 07".to_owned())
            }
        },
        _ if is_known(keyword) => Ok(()),
        _ => fault(unknown(keyword)),
    }
}

fn unknown(keyword: &str) -> String {
    let shown: String = keyword.chars().take(SHOWN).collect();
    let older = [
        "additionalItems",
        "definitions",
        "dependencies",
        "divisibleBy",
        "id",
    ];
    let advice = if let Some(meant) = resembled(keyword) {
        format!("{meant:?} was probably meant")
    } else if older.contains(&keyword) {
        "it is of an older draft, which is understood under its \"$schema\"".to_owned()
    } else {
        "remove it, or prefix it with \"x-\" if it is a note".to_owned()
    };
    format!("the keyword {shown:?} is not known to JSON Schema 2020-12; {advice}")
}

fn check_reference(root: &Value, value: &Value, here: &str) -> Result<(), SchemaFault> {
    reference::resolved(root, value).map(|_| ()).map_err(|why| {
        let found = value.as_str().unwrap_or_default();
        let found: String = found.chars().take(SHOWN).collect();
        SchemaFault::new(here, format!("{found:?}: {}", why.message()))
    })
}

/// How much of a text is shown in a message.
const SHOWN: usize = 80;

/// The known keyword that a word was probably meant to be.
pub(super) fn resembled(word: &str) -> Option<&'static str> {
    let known = ONE.iter().chain(LIST).chain(NAMED).chain(PLAIN).copied();
    let mut known = known.filter(|known| !known.starts_with('$'));
    known.find(|known| word.eq_ignore_ascii_case(known) || is_slip(word, known))
}

/// The checked format that a word was probably meant to be.
pub(super) fn resembled_format(word: &str) -> Option<&'static str> {
    let mut known = FORMATS.iter().copied();
    known.find(|known| word.replace('_', "-").eq_ignore_ascii_case(known) || is_slip(word, known))
}

/// Whether one character was changed, left out or added, or two changed places.
fn is_slip(word: &str, known: &str) -> bool {
    let (word, known): (Vec<char>, Vec<char>) = (word.chars().collect(), known.chars().collect());
    if word.len().abs_diff(known.len()) > 1 || known.len() < 4 {
        return false;
    }
    let pairs = || word.iter().zip(&known);
    let begin = pairs().take_while(|(one, other)| one == other).count();
    let back = word.iter().rev().zip(known.iter().rev());
    let most = word.len().min(known.len()) - begin;
    let end = back
        .take(most)
        .take_while(|(one, other)| one == other)
        .count();
    let (left, right) = (word.len() - begin - end, known.len() - begin - end);
    let swapped = left == 2
        && right == 2
        && word.get(begin) == known.get(begin + 1)
        && word.get(begin + 1) == known.get(begin);
    left.max(right) <= 1 || swapped
}

/// Whether a keyword is one of JSON Schema 2020-12, or a note that says so itself.
pub(super) fn is_known(keyword: &str) -> bool {
    let lists = [ONE, LIST, NAMED, PLAIN];
    lists.iter().any(|list| list.contains(&keyword)) || keyword.starts_with("x-")
}

fn check_type(value: &Value, here: &str) -> Result<(), SchemaFault> {
    let known = |one: &Value| one.as_str().is_some_and(|name| TYPES.contains(&name));
    let fits = match value {
        Value::Array(list) => !list.is_empty() && list.iter().all(known),
        one => known(one),
    };
    if fits {
        return Ok(());
    }
    Err(SchemaFault::new(
        here,
        format!("{value} is not a type; use one of {}", TYPES.join(", ")),
    ))
}
