//! One spelling for what a schema may say in several ways, before a dialect is
//! applied.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::profile::Profile;
use crate::schema::reference;

/// What is wrong with one schema: the keyword and why.
#[derive(Debug)]
pub(super) struct Misfit {
    pub(super) keyword: String,
    pub(super) message: String,
}

impl Misfit {
    pub(super) fn new(keyword: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            keyword: keyword.into(),
            message: message.into(),
        }
    }
}

/// Notes that no wire needs and that mean nothing for a value.
const NOTES: &[&str] = &[
    "$anchor",
    "$comment",
    "$id",
    "$schema",
    "deprecated",
    "examples",
    "propertyOrdering",
    "readOnly",
    "writeOnly",
];

/// Where references look; they are rewritten when one is met.
const DEFINITIONS: &[&str] = &["$defs", "definitions"];

/// Keywords that say what a value is made of.
const STRUCTURE: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "description",
    "items",
    "nullable",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
    "required",
    "type",
    "unevaluatedProperties",
];

/// The members of a schema without notes and definitions, types in lower case,
/// `nullable` as a choice. A keyword that nobody knows is refused.
pub(super) fn node(schema: &Value, profile: &Profile) -> Result<Map<String, Value>, Misfit> {
    let object = match schema {
        Value::Bool(true) => return Ok(Map::new()),
        Value::Object(object) => object,
        _ => return Err(Misfit::new("false", "a schema that takes no value")),
    };
    let mut node = Map::new();
    for (keyword, value) in object {
        let known = STRUCTURE.contains(&keyword.as_str()) || profile.treatment(keyword).is_some();
        let ignored = NOTES.contains(&keyword.as_str()) || keyword.starts_with("x-");
        if known {
            node.insert(keyword.clone(), value.clone());
        } else if !ignored && !DEFINITIONS.contains(&keyword.as_str()) {
            let message = "a keyword that is not known to the dialect";
            return Err(Misfit::new(keyword, message));
        }
    }
    if let Some(kinds) = node.get_mut("type") {
        lower(kinds);
    }
    if node.shift_remove("nullable") == Some(json!(true)) {
        node = nullable(node);
    }
    if node.get("enum") == Some(&json!([])) {
        return Err(Misfit::new("enum", "a list of no values"));
    }
    if node.get("const") == Some(&Value::Null) {
        node.shift_remove("const");
        node.insert("type".to_owned(), json!("null"));
    }
    infer_type(&mut node);
    Ok(node)
}

fn lower(kinds: &mut Value) {
    match kinds {
        Value::String(kind) => kind.make_ascii_lowercase(),
        Value::Array(all) => all.iter_mut().for_each(lower),
        _ => {}
    }
}

/// The types that a schema names.
pub(super) fn kinds(node: &Map<String, Value>) -> Vec<&str> {
    match node.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Listed values and named members tell the type where it is not written.
fn infer_type(node: &mut Map<String, Value>) {
    if node.contains_key("type") || node.contains_key("$ref") {
        return;
    }
    let listed = match (node.get("const"), node.get("enum")) {
        (Some(value), _) => vec![kind_of(value)],
        (None, Some(Value::Array(values))) => values.iter().map(kind_of).collect(),
        _ if node.contains_key("properties") => vec!["object"],
        _ if node.contains_key("items") || node.contains_key("prefixItems") => vec!["array"],
        _ => return,
    };
    let mut kinds: Vec<&str> = Vec::new();
    for kind in listed {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    if !kinds.is_empty() {
        node.insert("type".to_owned(), kind_value(&kinds));
    }
}

/// One type as itself, several as a list.
pub(super) fn kind_value(kinds: &[&str]) -> Value {
    match kinds {
        [one] => json!(one),
        all => json!(all),
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether a constant or a list of values takes null; nothing where neither
/// stands there.
fn lists_null(node: &Map<String, Value>) -> Option<bool> {
    match (node.get("const"), node.get("enum")) {
        (Some(value), _) => Some(value.is_null()),
        (None, Some(Value::Array(values))) => Some(values.contains(&Value::Null)),
        _ => None,
    }
}

/// Whether a schema takes null.
pub(super) fn takes_null(root: &Value, schema: &Value) -> bool {
    takes_null_beyond(root, schema, &mut HashSet::new())
}

/// A reference that was followed before adds nothing new.
fn takes_null_beyond(root: &Value, schema: &Value, followed: &mut HashSet<String>) -> bool {
    let Some(node) = schema.as_object() else {
        return *schema == Value::Bool(true);
    };
    let kinds = kinds(node);
    let spelled = node.get("nullable") == Some(&Value::Bool(true));
    let typed = kinds.is_empty() || kinds.iter().any(|kind| kind.eq_ignore_ascii_case("null"));
    if lists_null(node) == Some(false) || !typed && !spelled {
        return false;
    }
    if kinds.is_empty() && node.contains_key("properties") {
        return false;
    }
    if let Some(reference) = node.get("$ref") {
        let target = reference::target(root, reference).ok();
        let new = followed.insert(reference.to_string());
        if !new || !target.is_some_and(|target| takes_null_beyond(root, target, followed)) {
            return false;
        }
    }
    let mut holds = |keyword: &str, every: bool| {
        let Some(all) = node.get(keyword).and_then(Value::as_array) else {
            return true;
        };
        let mut all = all.iter();
        if every {
            all.all(|one| takes_null_beyond(root, one, followed))
        } else {
            all.any(|one| takes_null_beyond(root, one, followed))
        }
    };
    holds("anyOf", false) && holds("oneOf", false) && holds("allOf", true)
}

/// The same schema, taking null too. What is said of it stays outside.
pub(super) fn nullable(mut node: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Array(branches)) = node.get_mut("anyOf") {
        let null = json!({"type": "null"});
        if !branches.contains(&null) {
            branches.push(null);
        }
        return node;
    }
    let scalar_list = node.contains_key("type") && !node.contains_key("const");
    if !scalar_list {
        let description = node.shift_remove("description");
        let mut outer = Map::new();
        outer.extend(description.map(|text| ("description".to_owned(), text)));
        outer.insert("anyOf".to_owned(), json!([node, {"type": "null"}]));
        return outer;
    }
    let mut kinds = kinds(&node);
    if !kinds.contains(&"null") {
        kinds.push("null");
        let kinds = kind_value(&kinds);
        node.insert("type".to_owned(), kinds);
    }
    if let Some(Value::Array(values)) = node.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    node
}

/// The same schema without null, where one type is then left; nothing where it
/// would stay a choice.
pub(super) fn without_null(node: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut node = node.clone();
    let null = json!({"type": "null"});
    if let Some(Value::Array(branches)) = node.get("anyOf") {
        let mut left = branches.iter().filter(|branch| **branch != null);
        let only = left.next()?.as_object()?.clone();
        if left.next().is_some() {
            return None;
        }
        node.shift_remove("anyOf");
        return super::merge::merge(node, only).ok();
    }
    let left: Vec<&str> = kinds(&node)
        .into_iter()
        .filter(|kind| *kind != "null")
        .collect();
    let [only] = left.as_slice() else {
        return None;
    };
    let only = json!(only);
    node.insert("type".to_owned(), only);
    if let Some(Value::Array(values)) = node.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    Some(node)
}

/// Whether a value is of a type.
pub(super) fn is_kind(value: &Value, kind: &str) -> bool {
    let own = kind_of(value);
    own == kind || own == "integer" && kind == "number"
}
