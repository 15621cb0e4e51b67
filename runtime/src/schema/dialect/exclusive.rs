//! Whether at most one branch of a choice can hold. Then "exactly one" says no more than "any", and
//! a wire that knows only the latter carries all of it.

use serde_json::{Map, Value};

use crate::schema::reference;

/// How many pairs of branches are compared; of more, nothing is known.
const PAIRS: usize = 4_096;

/// How deep schemas are looked into.
const DEPTH: usize = 8;

/// Whether no value satisfies two of the branches, as far as their kinds, listed values, tags and
/// required keys tell.
pub(super) fn are_exclusive(root: &Value, branches: &[Value]) -> bool {
    let count = branches.len();
    count * count.saturating_sub(1) / 2 <= PAIRS
        && branches.iter().enumerate().all(|(at, one)| {
            let mut others = branches.iter().skip(at + 1);
            others.all(|other| apart(root, one, other, DEPTH))
        })
}

fn apart(root: &Value, one: &Value, other: &Value, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let (Some(one), Some(other)) = (followed(root, one), followed(root, other)) else {
        return false;
    };
    let both = |test: fn(&Map<String, Value>, &Map<String, Value>) -> bool| test(one, other);
    let of_union = |union: &Map<String, Value>, other: &Map<String, Value>| {
        let branches = ["anyOf", "oneOf"]
            .iter()
            .find_map(|word| union.get(*word)?.as_array());
        let other = Value::Object(other.clone());
        branches.is_some_and(|all| all.iter().all(|one| apart(root, one, &other, depth)))
    };
    both(of_other_kinds)
        || both(of_other_values)
        || tagged_apart(root, one, other, depth)
        || asks_for_unknown(one, other)
        || asks_for_unknown(other, one)
        || of_union(one, other)
        || of_union(other, one)
}

/// The schema that references lead to, where nothing stands beside them.
fn followed<'s>(root: &'s Value, mut schema: &'s Value) -> Option<&'s Map<String, Value>> {
    for _ in 0..DEPTH {
        let object = schema.as_object()?;
        match object.get("$ref") {
            Some(place) => schema = reference::target(root, place).ok()?,
            None => return Some(object),
        }
    }
    None
}

fn of_other_kinds(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let (Some(one), Some(other)) = (kinds(one), kinds(other)) else {
        return false;
    };
    // An integer is a number.
    let same = |a: &str, b: &str| a == b || [a, b] == ["integer", "number"];
    !one.iter()
        .any(|a| other.iter().any(|b| same(a, b) || same(b, a)))
}

fn kinds(schema: &Map<String, Value>) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(one) => Some(vec![one]),
        Value::Array(all) => all.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

fn of_other_values(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let (Some(one), Some(other)) = (listed(one), listed(other)) else {
        return false;
    };
    !one.iter().any(|value| other.contains(value))
}

fn listed(schema: &Map<String, Value>) -> Option<&[Value]> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => Some(std::slice::from_ref(value)),
        (None, Some(values)) => values.as_array().map(Vec::as_slice),
        (None, None) => None,
    }
}

/// Whether a key that both ask for holds values that are apart.
fn tagged_apart(
    root: &Value,
    one: &Map<String, Value>,
    other: &Map<String, Value>,
    depth: usize,
) -> bool {
    are_objects(one, other)
        && required(one).any(|key| {
            let (Some(of_one), Some(of_other)) = (property(one, key), property(other, key)) else {
                return false;
            };
            required(other).any(|same| same == key) && apart(root, of_one, of_other, depth)
        })
}

/// Whether one asks for a key that the other, which is closed, does not know.
fn asks_for_unknown(one: &Map<String, Value>, closed: &Map<String, Value>) -> bool {
    let takes_more = closed.get("additionalProperties") != Some(&Value::Bool(false))
        || closed.contains_key("patternProperties");
    are_objects(one, closed)
        && !takes_more
        && required(one).any(|key| property(closed, key).is_none())
}

fn are_objects(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    [one, other]
        .iter()
        .all(|schema| kinds(schema) == Some(vec!["object"]))
}

fn required(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let all = schema.get("required").and_then(Value::as_array);
    all.into_iter().flatten().filter_map(Value::as_str)
}

fn property<'s>(schema: &'s Map<String, Value>, key: &str) -> Option<&'s Value> {
    schema.get("properties")?.get(key)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::are_exclusive;

    fn exclusive(branches: &Value) -> bool {
        let root = json!({"$defs": {
            "A": {"type": "object", "properties": {"kind": {"const": "a"}}, "required": ["kind"]},
            "B": {"type": "object", "properties": {"kind": {"const": "b"}}, "required": ["kind"]},
        }});
        are_exclusive(&root, branches.as_array().unwrap())
    }

    #[test]
    fn branches_that_no_value_satisfies_together_are_known() {
        for branches in [
            json!([{"type": "string"}, {"type": "null"}]),
            json!([{"const": "a"}, {"enum": ["b", "c"]}]),
            json!([{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]),
            json!([{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "array"}]),
            json!([
                {"type": "object", "properties": {"x": {}}, "required": ["x"],
                    "additionalProperties": false},
                {"type": "object", "properties": {"y": {}}, "required": ["y"]},
            ]),
        ] {
            assert!(exclusive(&branches), "{branches}");
        }
    }

    #[test]
    fn branches_that_a_value_may_satisfy_together_are_not() {
        for branches in [
            json!([{"type": "integer"}, {"type": "number"}]),
            json!([{"minimum": 0}, {"maximum": 9}]),
            json!([{"const": "a"}, {"enum": ["a", "c"]}]),
            json!([{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]),
            json!([
                {"type": "object", "properties": {"kind": {"const": "a"}}},
                {"type": "object", "properties": {"kind": {"const": "b"}}},
            ]),
            json!([
                {"type": "object", "required": ["x"]},
                {"type": "object", "required": ["y"]},
            ]),
        ] {
            assert!(!exclusive(&branches), "{branches}");
        }
    }
}
