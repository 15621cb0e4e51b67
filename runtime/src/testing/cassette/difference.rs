//! Where two requests part, in a few words.

use serde_json::Value;

use super::Asked;

/// How much of a text is shown on each side of a difference, in characters: less than what is
/// taken for a quotation of a document elsewhere.
const SHOWN: usize = 20;

/// The first difference between a recorded request and one that was made.
pub(super) fn difference(recorded: &Asked, made: &Asked) -> Option<String> {
    if recorded.url != made.url {
        return Some(format!("it went to {}, not to {}", recorded.url, made.url));
    }
    let mut pairs = vec![(String::new(), &recorded.body, &made.body)];
    while let Some((place, recorded, made)) = pairs.pop() {
        match (recorded, made) {
            _ if recorded == made => {}
            (Value::Object(left), Value::Object(right)) => {
                if let Some(key) = odd_key(left, right) {
                    return Some(key_differs(&place, key, left.contains_key(key)));
                }
                // Popped from the end, so pushed in reverse: the first difference is told.
                pairs.extend(left.iter().rev().filter_map(|(key, value)| {
                    Some((format!("{place}/{}", escaped(key)), value, right.get(key)?))
                }));
            }
            (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
                let both = left.iter().zip(right).enumerate().rev();
                pairs
                    .extend(both.map(|(at, (left, right))| (format!("{place}/{at}"), left, right)));
            }
            _ => return Some(value_differs(&place, recorded, made)),
        }
    }
    None
}

type Object = serde_json::Map<String, Value>;

fn odd_key<'a>(left: &'a Object, right: &'a Object) -> Option<&'a str> {
    let lost = left.keys().find(|key| !right.contains_key(*key));
    let added = right.keys().find(|key| !left.contains_key(*key));
    lost.or(added).map(String::as_str)
}

fn key_differs(place: &str, key: &str, was_there: bool) -> String {
    let key = escaped(key);
    if was_there {
        format!("{place}/{key} is recorded and not in this request")
    } else {
        format!("{place}/{key} is in this request and not recorded")
    }
}

fn value_differs(place: &str, recorded: &Value, made: &Value) -> String {
    let (left, right) = (plain(recorded), plain(made));
    let same = left
        .chars()
        .zip(right.chars())
        .take_while(|(a, b)| a == b)
        .count();
    format!(
        "at {place}, character {same}, it has {:?}, this request {:?}",
        window(&left, same),
        window(&right, same)
    )
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn window(text: &str, from: usize) -> String {
    text.chars().skip(from).take(SHOWN).collect()
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
