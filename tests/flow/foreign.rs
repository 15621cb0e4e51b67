//! What the flow cannot look into: a type of another crate, a function of the
//! user's, a schema of the user's own. It keeps what was said, or is refused.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Debug;

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use typed_extract::{Extract, Failures, extract};

fn judged<T: Extract<Context = ()>>(reply: &str) -> Result<T, Failures> {
    let flow = extract::<T>().document("a document");
    flow.validate(reply)
        .map(typed_extract::Extracted::into_value)
}

/// The code and the pointer of the one failure.
fn failure<T: Extract<Context = ()>>(reply: &str) -> (String, String) {
    let Err(failures) = judged::<T>(reply) else {
        panic!("{reply} was accepted");
    };
    assert_eq!(failures.len(), 1, "{reply}: {failures}");
    (failures[0].code().to_string(), failures[0].path().pointer())
}

fn lost_at(pointer: &str) -> (String, String) {
    ("bind.lost".to_owned(), pointer.to_owned())
}

#[derive(Debug, Deserialize, Extract)]
struct OwnSchema {
    #[serde(default)]
    #[schemars(with = "String")]
    text: Decimal,
    #[serde(default)]
    #[schemars(with = "f64")]
    number: Decimal,
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    at: Option<DateTime<Utc>>,
}

#[test]
fn a_decimal_under_a_schema_of_the_users_keeps_every_digit_or_fails() {
    for text in [
        "0.12345678901234567890123456789",
        "7922816251426433759354395033.55",
        "1.5e-28",
    ] {
        let reply = format!(r#"{{"text": "{text}"}}"#);
        assert_eq!(failure::<OwnSchema>(&reply), lost_at("/text"), "{text}");
    }
    for (text, value) in [("1_000.50", "1000.50"), ("1e5", "100000"), ("+7", "7")] {
        let bound = judged::<OwnSchema>(&format!(r#"{{"text": "{text}"}}"#)).unwrap();
        assert_eq!(bound.text.to_string(), value);
    }
}

#[test]
fn a_decimal_from_a_number_never_passes_through_a_double() {
    for number in [
        "0.1",
        "123456789012345678.90",
        "0.30000000000000000000001",
        "18446744073709551616",
    ] {
        let bound = judged::<OwnSchema>(&format!(r#"{{"number": {number}}}"#)).unwrap();
        assert_eq!(bound.number.to_string(), number);
    }
    let long = r#"{"number": 0.12345678901234567890123456789}"#;
    assert_eq!(failure::<OwnSchema>(long), lost_at("/number"));
}

#[test]
fn a_time_under_a_schema_of_the_users_keeps_every_digit_or_fails() {
    let long = r#"{"at": "2026-03-02T10:00:00.1234567891Z"}"#;
    assert_eq!(failure::<OwnSchema>(long), lost_at("/at"));
    let bound = judged::<OwnSchema>(r#"{"at": "2026-03-02T10:00:00.123456789Z"}"#).unwrap();
    assert_eq!(bound.at.unwrap().timestamp_subsec_nanos(), 123_456_789);
}

#[derive(Debug, Deserialize, Extract)]
struct Leaps {
    #[serde(default)]
    chrono: Option<DateTime<Utc>>,
    #[serde(default)]
    jiff: Option<jiff::Timestamp>,
    #[serde(default, with = "time::serde::rfc3339::option")]
    time: Option<time::OffsetDateTime>,
}

#[test]
fn a_leap_second_is_kept_or_refused_and_never_moved() {
    let leap = "2016-12-31T23:59:60Z";
    let bound = judged::<Leaps>(&format!(r#"{{"chrono": "{leap}", "time": null}}"#)).unwrap();
    assert!(bound.chrono.unwrap().to_rfc3339().contains("23:59:60"));
    for key in ["jiff", "time"] {
        let reply = format!(r#"{{"time": null, "{key}": "{leap}"}}"#)
            .replace(r#""time": null, "time""#, r#""time""#);
        let pointer = format!("/{key}");
        assert_eq!(failure::<Leaps>(&reply), lost_at(&pointer), "{reply}");
        let right = reply.replace(":60Z", ":59Z");
        let bound = judged::<Leaps>(&right).unwrap();
        assert!(bound.jiff.is_some() || bound.time.is_some());
    }
}

#[derive(Debug, Deserialize, Extract)]
struct Zoned {
    at: jiff::Zoned,
}

#[test]
fn a_local_time_that_may_be_two_moments_or_none_needs_its_offset() {
    for text in [
        "2026-03-29T02:30:00[Europe/Berlin]",
        "2026-10-25T02:30:00[Europe/Berlin]",
    ] {
        let reply = format!(r#"{{"at": "{text}"}}"#);
        assert_eq!(failure::<Zoned>(&reply).1, "/at");
    }
    let bound = judged::<Zoned>(r#"{"at": "2026-10-25T02:30:00+01:00[Europe/Berlin]"}"#).unwrap();
    assert_eq!(
        bound.at.to_string(),
        "2026-10-25T02:30:00+01:00[Europe/Berlin]"
    );
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Scalar {
    Single(f32),
    Exact(Decimal),
    Text(String),
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    Single { value: f32 },
}

#[derive(Debug, Deserialize, Extract)]
struct Buffered {
    #[extract(leaf)]
    #[serde(default)]
    scalar: Option<Scalar>,
    #[extract(leaf)]
    #[serde(default)]
    tagged: Option<Tagged>,
}

#[test]
fn a_plain_value_passes_a_buffer_that_holds_all_of_it() {
    for (value, bound) in [
        ("1.5", Scalar::Single(1.5)),
        ("\"12.50\"", Scalar::Exact(Decimal::new(1250, 2))),
        ("\"abc\"", Scalar::Text("abc".to_owned())),
    ] {
        let reply = format!(r#"{{"scalar": {value}}}"#);
        assert_eq!(judged::<Buffered>(&reply).unwrap().scalar, Some(bound));
    }
    for value in [
        "1e39",
        "1e-60",
        "0.30000000000000000000001",
        "\"0.12345678901234567890123456789\"",
        "\"2026-03-02T23:59:60Z\"",
        "\"2026-03-02T10:00:00.1234567891Z\"",
    ] {
        let reply = format!(r#"{{"scalar": {value}}}"#);
        assert_eq!(failure::<Buffered>(&reply), lost_at("/scalar"), "{value}");
    }
    let infinite = r#"{"tagged": {"kind": "Single", "value": 1e39}}"#;
    assert_eq!(failure::<Buffered>(infinite), lost_at("/tagged/value"));
    let right = r#"{"tagged": {"kind": "Single", "value": 2.5}}"#;
    let tagged = judged::<Buffered>(right).unwrap().tagged;
    assert_eq!(tagged, Some(Tagged::Single { value: 2.5 }));
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Coin {
    Eur,
    Usd,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
struct Collections {
    decimals: BTreeSet<Decimal>,
    prices: BTreeMap<Decimal, u8>,
    texts: HashSet<String>,
    years: BTreeMap<u32, u8>,
    coins: BTreeSet<Coin>,
    by_coin: HashMap<Coin, u8>,
    #[schemars(with = "Vec<String>")]
    listed: BTreeSet<String>,
}

#[derive(Debug, Deserialize, Extract)]
struct Collected {
    #[extract(leaf)]
    all: Collections,
}

#[test]
fn a_foreign_set_or_map_that_may_hold_less_than_was_said_is_refused() {
    for (part, pointer) in [
        (r#""decimals": ["10.0", "10.00"]"#, "/all/decimals"),
        (r#""prices": {"10.0": 1, "10.00": 2}"#, "/all/prices"),
        (r#""listed": ["a", "a"]"#, "/all/listed"),
    ] {
        let reply = format!(r#"{{"all": {{{part}}}}}"#);
        assert_eq!(failure::<Collected>(&reply), lost_at(pointer), "{part}");
    }
    let right = r#"{"all": {"decimals": ["10.0"], "prices": {"10.0": 1}, "texts": ["a", "b"],
        "years": {"2025": 1, "2026": 2}, "coins": ["eur", "usd"], "by_coin": {"eur": 1, "usd": 2},
        "listed": ["a", "b"]}}"#;
    let all = judged::<Collected>(right).unwrap().all;
    assert_eq!((all.decimals.len(), all.prices.len()), (1, 1));
    assert_eq!((all.texts.len(), all.years.len()), (2, 2));
    assert_eq!((all.coins.len(), all.by_coin.len()), (2, 2));
    assert_eq!(all.listed.len(), 2);
}

/// Makes its error before it knows whether it needs it.
fn eager<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let number = u8::deserialize(deserializer)?;
    number
        .checked_add(1)
        .ok_or(D::Error::custom("is too large"))
}

/// Tries a number first.
fn number_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(u64),
        Text(String),
    }
    match Either::deserialize(deserializer)? {
        Either::Number(number) => Ok(number),
        Either::Text(text) => text.parse().map_err(D::Error::custom),
    }
}

#[allow(clippy::unnecessary_wraps, reason = "serde asks for a result")]
fn or_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Ok(number_or_text(deserializer).unwrap_or_default())
}

#[derive(Debug, Deserialize, JsonSchema)]
struct EagerLeaf {
    #[serde(deserialize_with = "eager")]
    #[schemars(with = "u8")]
    number: u8,
    text: String,
}

#[derive(Debug, Deserialize, Extract)]
struct Tries {
    #[serde(deserialize_with = "eager")]
    number: u8,
    #[serde(deserialize_with = "number_or_text")]
    #[schemars(with = "Value")]
    either: u64,
    #[serde(default, deserialize_with = "or_zero")]
    #[schemars(with = "Value")]
    forgiving: u64,
    #[extract(leaf)]
    #[serde(default)]
    leaf: Option<EagerLeaf>,
    #[serde(default)]
    delays: Vec<TimeDelta>,
}

#[test]
fn an_error_that_was_not_needed_refuses_nothing() {
    let reply = r#"{"number": 1, "either": "7", "leaf": {"number": 1, "text": "a"},
        "delays": [[1, 2], [3, 4]]}"#;
    let bound = judged::<Tries>(reply).unwrap();
    assert_eq!((bound.number, bound.either, bound.forgiving), (2, 7, 0));
    let leaf = bound.leaf.unwrap();
    assert_eq!((leaf.number, leaf.text.as_str()), (2, "a"));
    assert_eq!(bound.delays[1], TimeDelta::new(3, 4).unwrap());
    let many = vec![reply; 1_000].join(", ");
    let many = judged::<Vec<Tries>>(&format!(r#"{{"value": [{many}]}}"#)).unwrap();
    assert!(many.iter().all(|one| one.either == 7));
}

#[test]
fn an_error_that_was_swallowed_refuses_its_value() {
    for value in ["\"x\"", "\"7\"", "-1"] {
        let reply = format!(r#"{{"number": 1, "either": 7, "forgiving": {value}}}"#);
        assert_eq!(failure::<Tries>(&reply), lost_at("/forgiving"), "{value}");
    }
    let right = r#"{"number": 1, "either": 7, "forgiving": 9}"#;
    assert_eq!(judged::<Tries>(right).unwrap().forgiving, 9);
}
