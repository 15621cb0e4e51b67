//! Whatever arrives, in whatever pieces: what is shown only grows, and at the end it is the value.

use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use typed_extract::testing::PartialReply;
use typed_extract::{FieldPath, Partial};

use super::support::Anything;

/// Any object or array.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        "[a\"\\\\\n\u{1F600}é\u{7}]{0,6}".prop_map(Value::from),
    ];
    let nested = leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            members(inner, 6),
        ]
    });
    prop_oneof![
        prop::collection::vec(nested.clone(), 0..6).prop_map(Value::from),
        members(nested, 40),
    ]
}

fn members(values: impl Strategy<Value = Value>, most: usize) -> impl Strategy<Value = Value> {
    let key = "[a-c\"\\\\é\u{1F600}]{0,3}";
    prop::collection::hash_map(key, values, 0..most)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// The ways to write the same value.
fn written(value: &Value, style: u8) -> String {
    match style % 3 {
        0 => value.to_string(),
        1 => serde_json::to_string_pretty(value).unwrap(),
        _ => escaped(&value.to_string()),
    }
}

/// Every character beyond ASCII as one or two `\u` escapes.
fn escaped(json: &str) -> String {
    let mut text = String::new();
    for c in json.chars() {
        if c.is_ascii() {
            text.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(text, "\\u{unit:04x}").unwrap();
        }
    }
    text
}

/// The same value as a model may send it.
fn sent(text: &str, around: u8) -> String {
    match around % 4 {
        0 => text.to_owned(),
        1 => format!("```json\n{text}\n```"),
        2 => format!("<think>is it {{\"a\": 1}}?</think>\n{text}\n"),
        _ => format!("\n<reasoning>hm</reasoning>```\n{text}```"),
    }
}

/// A text in pieces, cut between characters; without cuts, one character a piece.
fn pieces(text: &str, cuts: &[Index]) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    if cuts.is_empty() {
        return chars.iter().map(char::to_string).collect();
    }
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(chars.len() + 1)).collect();
    at.extend([0, chars.len()]);
    at.sort_unstable();
    at.windows(2)
        .map(|ends| chars[ends[0]..ends[1]].iter().collect())
        .collect()
}

/// Whether a later value holds everything that an earlier one showed.
fn grew(earlier: &Value, later: &Value) -> bool {
    match (earlier, later) {
        (Value::String(earlier), Value::String(later)) => later.starts_with(earlier.as_str()),
        (Value::Array(earlier), Value::Array(later)) => {
            earlier.len() <= later.len()
                && earlier
                    .iter()
                    .zip(later)
                    .all(|(one, other)| grew(one, other))
        }
        (Value::Object(earlier), Value::Object(later)) => earlier
            .iter()
            .all(|(key, one)| later.get(key).is_some_and(|other| grew(one, other))),
        _ => earlier == later,
    }
}

/// The places of a value and of all it holds.
fn places(value: &Value, here: &FieldPath, into: &mut Vec<FieldPath>) {
    into.push(here.clone());
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                places(element, &here.clone().index(index), into);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                places(member, &here.clone().key(key.clone()), into);
            }
        }
        _ => {}
    }
}

/// What is closed in an earlier partial stands unchanged in a later one, and every place reads as
/// the whole shows it.
fn closed_parts_stand(earlier: &Partial<Anything>, later: &Partial<Anything>) -> bool {
    let Some(value) = earlier.to_value() else {
        return true;
    };
    let mut all = Vec::new();
    places(&value, &FieldPath::root(), &mut all);
    all.iter().all(|path| {
        let own = earlier.value_at(path);
        let closed = earlier.get(path).is_closed();
        own.as_ref() == value.pointer(&path.pointer()) && (!closed || own == later.value_at(path))
    })
}

/// How many partials of a reply are compared place by place with the last.
const COMPARED: usize = 12;

fn check_growth(partials: &[Partial<Anything>]) -> Result<(), TestCaseError> {
    let values: Vec<_> = partials.iter().filter_map(Partial::to_value).collect();
    for pair in values.windows(2) {
        prop_assert!(grew(&pair[0], &pair[1]));
    }
    let none_vanishes = partials.iter().rev().skip(values.len());
    prop_assert!(
        none_vanishes
            .into_iter()
            .all(|partial| partial.to_value().is_none())
    );
    let last = partials.last().unwrap();
    for partial in partials.iter().step_by(partials.len().div_ceil(COMPARED)) {
        prop_assert!(closed_parts_stand(partial, last));
    }
    Ok(())
}

/// All partials of a reply, each read when it came if `at_once`, otherwise not yet.
fn arrive(pieces: &[String], at_once: bool) -> Vec<Partial<Anything>> {
    let mut reply = PartialReply::new().unwrap();
    let mut partials = vec![reply.partial()];
    for piece in pieces {
        reply.push(piece);
        partials.push(reply.partial());
        if at_once {
            let _ = reply.partial().to_value();
        }
    }
    partials
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_sound_reply_grows_into_its_value(
        value in any_value(),
        style in any::<u8>(),
        around in any::<u8>(),
        cuts in prop::collection::vec(any::<Index>(), 0..12),
    ) {
        let json = written(&value, style);
        let parsed: Value = serde_json::from_str(&json).unwrap();
        let pieces = pieces(&sent(&json, around), &cuts);
        let partials = arrive(&pieces, true);
        check_growth(&partials)?;
        prop_assert_eq!(partials.last().unwrap().to_value(), Some(parsed));
        // When something is first read makes no difference.
        let unread = arrive(&pieces, false);
        for (one, other) in partials.iter().zip(&unread).rev() {
            prop_assert_eq!(one.to_value(), other.to_value());
        }
    }

    #[test]
    fn a_broken_reply_grows_until_it_breaks(
        value in any_value(),
        around in any::<u8>(),
        place in any::<Index>(),
        wrong in "[{}\\[\\]\",:0-9a-z\\\\ \n`]{0,3}",
        dropped in 0..3_usize,
        cuts in prop::collection::vec(any::<Index>(), 0..12),
    ) {
        let mut chars: Vec<char> = sent(&value.to_string(), around).chars().collect();
        let at = place.index(chars.len());
        let end = chars.len().min(at + dropped);
        chars.splice(at..end, wrong.chars());
        let text: String = chars.into_iter().collect();
        check_growth(&arrive(&pieces(&text, &cuts), true))?;
    }

    #[test]
    fn any_text_is_read_without_harm(text in ".*", cuts in prop::collection::vec(any::<Index>(), 0..5)) {
        check_growth(&arrive(&pieces(&text, &cuts), true))?;
    }
}
