//! Two schemas that must both hold, as one.

use serde_json::{Map, Number, Value, json};

use super::normal::Misfit;

/// The schema of the values that both `one` and `other` take. What `one` says
/// in words comes first.
pub(super) fn merge(
    mut one: Map<String, Value>,
    other: Map<String, Value>,
) -> Result<Map<String, Value>, Misfit> {
    closes_out(&one, &other)?;
    closes_out(&other, &one)?;
    for (keyword, value) in other {
        let Some(own) = one.get(&keyword) else {
            one.insert(keyword, value);
            continue;
        };
        if *own == value {
            continue;
        }
        // Two choices stand side by side, one under each word.
        if keyword == "anyOf" && !one.contains_key("oneOf") {
            one.insert("oneOf".to_owned(), value);
        } else if keyword == "oneOf" && !one.contains_key("anyOf") {
            one.insert("anyOf".to_owned(), value);
        } else {
            let both = both(&keyword, own, &value)
                .ok_or_else(|| Misfit::new(&*keyword, "schemas that cannot be made one"))?;
            one.insert(keyword, both);
        }
    }
    Ok(one)
}

/// An object that closes over its own keys leaves no room for another's.
fn closes_out(one: &Map<String, Value>, other: &Map<String, Value>) -> Result<(), Misfit> {
    let closes = one
        .get("additionalProperties")
        .is_some_and(|additional| *additional != Value::Bool(true));
    let own = one.get("properties").and_then(Value::as_object);
    let added = other.get("properties").and_then(Value::as_object);
    let known = |key: &String| own.is_some_and(|own| own.contains_key(key));
    if closes && added.is_some_and(|added| !added.keys().all(known)) {
        let message = "an object that forbids the keys that stand beside it";
        return Err(Misfit::new("additionalProperties", message));
    }
    Ok(())
}

fn both(keyword: &str, one: &Value, other: &Value) -> Option<Value> {
    match keyword {
        "title" | "default" => Some(one.clone()),
        "description" => Some(json!(format!("{} {}", one.as_str()?, other.as_str()?))),
        "properties" | "dependentRequired" => named(keyword, one, other),
        "required" | "allOf" => union(one, other),
        "type" => common_kinds(one, other),
        "enum" => {
            let other = other.as_array()?;
            let common = one.as_array()?.iter().filter(|value| other.contains(value));
            Some(common.cloned().collect())
        }
        "items" | "additionalProperties" if one.is_object() && other.is_object() => {
            Some(json!({"allOf": [one, other]}))
        }
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            let (own, its) = (number(one)?, number(other)?);
            Some(if own < its { other } else { one }.clone())
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            let (own, its) = (number(one)?, number(other)?);
            Some(if own > its { other } else { one }.clone())
        }
        _ => None,
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_number().and_then(Number::as_f64)
}

fn named(keyword: &str, one: &Value, other: &Value) -> Option<Value> {
    let mut all = one.as_object()?.clone();
    for (key, value) in other.as_object()? {
        match all.get_mut(key) {
            Some(own) if own == value => {}
            Some(own) if keyword == "properties" => *own = json!({"allOf": [own, value]}),
            Some(own) => *own = union(own, value)?,
            None => {
                all.insert(key.clone(), value.clone());
            }
        }
    }
    Some(Value::Object(all))
}

fn union(one: &Value, other: &Value) -> Option<Value> {
    let mut all = one.as_array()?.clone();
    for value in other.as_array()? {
        if !all.contains(value) {
            all.push(value.clone());
        }
    }
    Some(Value::Array(all))
}

/// The types that both name; a whole number is a number.
fn common_kinds(one: &Value, other: &Value) -> Option<Value> {
    let (own, its) = (list(one), list(other));
    let has = |all: &[&str], kind: &str| {
        all.contains(&kind) || kind == "integer" && all.contains(&"number")
    };
    let mut common: Vec<&str> = own.iter().copied().filter(|kind| has(&its, kind)).collect();
    for kind in its {
        if has(&own, kind) && !common.contains(&kind) {
            common.push(kind);
        }
    }
    if common.contains(&"number") {
        common.retain(|kind| *kind != "integer");
    }
    match common.as_slice() {
        [] => None,
        all => Some(super::normal::kind_value(all)),
    }
}

fn list(kinds: &Value) -> Vec<&str> {
    match kinds {
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}
