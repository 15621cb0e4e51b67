//! The spelling of `OpenAPI`, as Gemini's older field takes it: types in capitals,
//! `nullable` for null, the order of properties written out.

use serde_json::{Map, Value, json};

use super::merge::merge;

/// Spells a wire schema and all below it.
pub(super) fn spell(mut node: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Object(properties)) = node.get_mut("properties") {
        properties.values_mut().for_each(spell_value);
        let order: Vec<String> = properties.keys().cloned().collect();
        node.insert("propertyOrdering".to_owned(), json!(order));
    }
    if let Some(items) = node.get_mut("items") {
        spell_value(items);
    }
    if let Some(Value::Array(branches)) = node.get_mut("anyOf") {
        branches.iter_mut().for_each(spell_value);
    }
    let (mut node, nullable) = without_null(node);
    if let Some(Value::String(kind)) = node.get_mut("type") {
        kind.make_ascii_uppercase();
    }
    if nullable {
        node.insert("nullable".to_owned(), Value::Bool(true));
    }
    node
}

fn spell_value(value: &mut Value) {
    if let Value::Object(node) = value {
        *node = spell(std::mem::take(node));
    }
}

fn without_null(mut node: Map<String, Value>) -> (Map<String, Value>, bool) {
    let mut nullable = node.shift_remove("nullable") == Some(Value::Bool(true));
    if let Some(Value::Array(kinds)) = node.get_mut("type") {
        let before = kinds.len();
        kinds.retain(|kind| kind != "null");
        nullable |= kinds.len() < before;
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            node.insert("type".to_owned(), kind);
        }
    }
    if let Some(Value::Array(values)) = node.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(branches)) = node.get_mut("anyOf") else {
        return (node, nullable);
    };
    let before = branches.len();
    branches.retain(|branch| *branch != json!({"type": "NULL"}));
    nullable |= branches.len() < before;
    if let [Value::Object(only)] = branches.as_slice() {
        let only = only.clone();
        node.shift_remove("anyOf");
        nullable |= only.get("nullable") == Some(&Value::Bool(true));
        // Words alone stand outside a choice, so nothing can be in conflict.
        node = merge(node, only).unwrap_or_default();
        node.shift_remove("nullable");
    }
    (node, nullable)
}
