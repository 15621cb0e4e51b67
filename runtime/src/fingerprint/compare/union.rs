//! Alternatives that came, went or changed.

use serde_json::Value;

use super::node::{COMPARED, Comparison};

pub(super) fn is(schema: &Value) -> bool {
    schema.get("anyOf").is_some() || schema.get("oneOf").is_some()
}

/// Pairs equal alternatives first, then those with the same tag, then what is left in
/// order.
pub(super) fn compare<'a>(
    comparison: &mut Comparison<'a>,
    old: &'a Value,
    new: &'a Value,
    place: &str,
) {
    let (Some(was), Some(mut is)) = (alternatives(old), alternatives(new)) else {
        if old != new {
            comparison.narrower(place, "has other alternatives");
        }
        return;
    };
    let mut left = Vec::new();
    for before in was {
        let equal = |now: &&Value| *now == before;
        let tagged = |now: &&Value| tag(now).is_some() && tag(now) == tag(before);
        let found = is.iter().position(equal);
        match found.or_else(|| is.iter().position(tagged)) {
            Some(found) => comparison.node(before, is.remove(found), place),
            None => left.push(before),
        }
    }
    for before in left {
        let untagged = |now: &&Value| tag(now).is_none() && tag(before).is_none();
        match is.iter().position(untagged) {
            Some(found) => comparison.node(before, is.remove(found), place),
            None => {
                comparison.narrower(place, &format!("does not take {} any more", shown(before)));
            }
        }
    }
    let kind = old.get("type").and_then(Value::as_str);
    for now in is {
        let null = now.get("type").is_some_and(|kind| kind == "null");
        let said = match kind.filter(|_| null) {
            Some(kind) => format!("was {kind} and is {kind} or null"),
            None => format!("takes {} now", shown(now)),
        };
        comparison.wider(place, &said);
    }
    if let (true, Some(old), Some(new)) = (
        self::is(old) && self::is(new),
        old.as_object(),
        new.as_object(),
    ) {
        comparison.keywords(old, new, place);
    }
}

/// The alternatives of a union; a schema that is none is its own only one. `None` for
/// a union with conditions of its own beside it.
fn alternatives(schema: &Value) -> Option<Vec<&Value>> {
    let list = match (schema.get("anyOf"), schema.get("oneOf")) {
        (None, None) => return Some(vec![schema]),
        (Some(list), None) | (None, Some(list)) => list,
        _ => return None,
    };
    let beside = |keyword: &&&str| !["$defs", "anyOf", "oneOf"].contains(*keyword);
    let mut beside = COMPARED.iter().filter(beside);
    let alone = beside.all(|keyword| schema.get(*keyword).is_none());
    let list = list.as_array().filter(|_| alone)?;
    Some(list.iter().collect())
}

/// The constant that tells an alternative from its neighbours.
fn tag(schema: &Value) -> Option<(&str, &Value)> {
    if let Some(one) = schema.get("const") {
        return Some(("", one));
    }
    if schema.get("type").is_some_and(|kind| kind == "null") {
        return Some(("", &Value::Null));
    }
    let members = schema.get("properties")?.as_object()?;
    members
        .iter()
        .find_map(|(key, member)| Some((key.as_str(), member.get("const")?)))
}

fn shown(schema: &Value) -> String {
    match tag(schema) {
        Some(("", value)) => value.to_string(),
        Some((key, value)) => format!("the alternative with {key} = {value}"),
        None => match schema.get("type").and_then(Value::as_str) {
            Some(kind) => format!("another {kind}"),
            None => "another alternative".to_owned(),
        },
    }
}
