//! The flow never panics and never accepts a value that a check refuses.

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::{Extract, Normalize, extract, rules, validate};

#[derive(Debug, Clone, PartialEq, Deserialize, Extract)]
#[serde(deny_unknown_fields)]
struct Line {
    #[validate(length(min = 1, max = 20))]
    label: String,
    #[validate(range(min = 1))]
    quantity: u32,
}

#[derive(Debug, Clone, PartialEq, Deserialize, Extract)]
#[serde(deny_unknown_fields)]
struct Order {
    tags: Vec<String>,
    lines: Vec<Line>,
    count: u64,
    note: Option<String>,
}

#[rules]
impl Order {
    /// The quantities add up to the count.
    fn adds_up(count: &u64, lines: &[Line]) -> bool {
        lines
            .iter()
            .map(|line| u64::from(line.quantity))
            .sum::<u64>()
            == *count
    }
}

/// What every accepted order must hold, checked by hand.
fn holds(order: &Order) -> bool {
    let lines = &order.lines;
    lines
        .iter()
        .all(|line| (1..=20).contains(&line.label.chars().count()) && line.quantity >= 1)
        && lines
            .iter()
            .map(|line| u64::from(line.quantity))
            .sum::<u64>()
            == order.count
}

fn right() -> Value {
    json!({
        "tags": ["a"], "lines": [{"label": "hinge", "quantity": 2}, {"label": "nut", "quantity": 3}],
        "count": 5, "note": null,
    })
}

/// Judges under every setting; whatever is accepted holds.
fn judge(reply: &str) -> Result<(), TestCaseError> {
    let lenient = Normalize::default()
        .surrounding_prose(true)
        .drop_unknown_keys(true);
    for normalize in [Normalize::none(), Normalize::default(), lenient] {
        let flow = extract::<Order>()
            .normalize(normalize)
            .document("a document");
        match flow.validate(reply) {
            Ok(done) => prop_assert!(holds(done.value()), "{reply}"),
            Err(failures) => prop_assert!(!failures.is_empty(), "{reply}"),
        }
    }
    Ok(())
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::hash_map("tags|lines|count|note|label|quantity|.*", inner, 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text(reply in ".*") {
        judge(&reply)?;
    }

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        judge(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn arbitrary_json(value in any_json()) {
        judge(&value.to_string())?;
    }

    #[test]
    fn a_right_reply_with_bytes_changed(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<char>()), 1..4)) {
        let mut text: Vec<char> = right().to_string().chars().collect();
        for (place, c) in changes {
            let at = place.index(text.len());
            text[at] = c;
        }
        judge(&text.into_iter().collect::<String>())?;
    }

    #[test]
    fn a_right_reply_with_a_value_changed(value in any_json(), place in 0_usize..6) {
        let mut reply = right();
        let pointers = ["/tags", "/lines", "/count", "/note", "/lines/0/label", "/lines/1/quantity"];
        *reply.pointer_mut(pointers[place]).unwrap() = value;
        judge(&reply.to_string())?;
    }

    #[test]
    fn every_failure_of_a_reply_that_parses_stands_in_it(value in any_json()) {
        let mut reply = right();
        reply["lines"] = value;
        let text = reply.to_string();
        if let Err(failures) = validate::<Order>(&text) {
            for failure in &failures {
                let pointer = failure.path().pointer();
                let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
                let there = reply.pointer(&pointer).or_else(|| reply.pointer(parent));
                prop_assert!(there.is_some(), "{pointer} in {text}");
            }
        }
    }
}
