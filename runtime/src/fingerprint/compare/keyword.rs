//! Keywords that can be compared by themselves.

use serde_json::{Map, Value};

/// What the change of a keyword does to the values that pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// None that passed is refused.
    Wider,
    /// Some that passed may be refused.
    Narrower,
    /// Nothing: it is only said.
    Told,
}

/// Keywords that say something and ask nothing.
const NOTES: &[&str] = &[
    "$comment",
    "$id",
    "$schema",
    "default",
    "deprecated",
    "description",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
];

const AT_LEAST: &[&str] = &[
    "exclusiveMinimum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
];

const AT_MOST: &[&str] = &[
    "exclusiveMaximum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
];

/// Keywords that change what others mean, so that leaving one out may narrow.
const TANGLED: &[&str] = &[
    "contains",
    "else",
    "if",
    "maxContains",
    "minContains",
    "then",
];

/// The effect of a keyword that was, or is, or both; `None` where it did not change.
pub(super) fn effect(keyword: &str, old: Option<&Value>, new: Option<&Value>) -> Option<Effect> {
    if old == new {
        return None;
    }
    if NOTES.contains(&keyword) || keyword.starts_with("x-") {
        return Some(Effect::Told);
    }
    let permits = |value: &Value| keyword == "uniqueItems" && value == &Value::Bool(false);
    let wider = match (old, new) {
        _ if TANGLED.contains(&keyword) => false,
        (_, None) => true,
        (Some(old), Some(new)) if AT_LEAST.contains(&keyword) => less(new, old),
        (Some(old), Some(new)) if AT_MOST.contains(&keyword) => less(old, new),
        (_, Some(new)) => permits(new),
    };
    Some(if wider {
        Effect::Wider
    } else {
        Effect::Narrower
    })
}

/// Whether one bound is below another; no when that cannot be said.
fn less(one: &Value, other: &Value) -> bool {
    let whole = |value: &Value| {
        let signed = value.as_i64().map(i128::from);
        signed.or_else(|| value.as_u64().map(i128::from))
    };
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => one < other,
        _ => one
            .as_f64()
            .zip(other.as_f64())
            .is_some_and(|(one, other)| one < other),
    }
}

/// The types that a schema allows; `None` where it does not say.
pub(super) fn types(schema: &Map<String, Value>) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(one) => Some(vec![one]),
        Value::Array(several) => Some(several.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// The values that a schema lists; `None` where it does not say.
pub(super) fn values(schema: &Map<String, Value>) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(one), _) => Some(vec![one]),
        (None, Some(Value::Array(several))) => Some(several.iter().collect()),
        _ => None,
    }
}

/// What of `from` is not in `there`, by itself or within another.
pub(super) fn missing<T: PartialEq + Copy>(
    from: &[T],
    there: &[T],
    within: impl Fn(T, T) -> bool,
) -> Vec<T> {
    let known = |one: &T| {
        there
            .iter()
            .any(|other| one == other || within(*one, *other))
    };
    from.iter().filter(|one| !known(one)).copied().collect()
}
