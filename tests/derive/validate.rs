//! `#[validate(..)]`: validator's checks on any shape, with wire names.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde_json::json;
use typed_extract::__private::inspect;
use typed_extract::Extract;
use validator::{Validate, ValidationError};

use crate::support::{described, probed, walked};

static CODE: LazyLock<Regex> = LazyLock::new(|| Regex::new("^[A-Z]{2}$").expect("a pattern"));
const LEAST: u32 = 1;

fn even(number: u32) -> Result<(), ValidationError> {
    if number.is_multiple_of(2) {
        Ok(())
    } else {
        Err(ValidationError::new("odd").with_message("must be even".into()))
    }
}

fn capital(text: &str) -> Result<(), ValidationError> {
    let first = text.chars().next();
    first
        .is_some_and(char::is_uppercase)
        .then_some(())
        .ok_or_else(|| ValidationError::new("capital"))
}

fn consistent(order: &Order) -> Result<(), ValidationError> {
    (order.count != 13)
        .then_some(())
        .ok_or_else(|| ValidationError::new("unlucky"))
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "camelCase")]
#[validate(schema(function = "consistent", message = "thirteen is unlucky"))]
struct Order {
    #[validate(length(min = 2, max = "4"), custom(function = capital))]
    name: String,
    #[validate(range(min = LEAST, exclusive_max = 100), custom(function = "even"))]
    count: u32,
    #[validate(email)]
    contact: Option<String>,
    #[validate(url(message = "no address", code = "address"))]
    home_page: Option<String>,
    #[validate(ip(v4))]
    host: Option<String>,
    #[validate(contains(pattern = "@"), does_not_contain(pattern = "!"))]
    handle: Option<String>,
    #[validate(regex(path = *CODE))]
    country: Option<String>,
    #[validate(required)]
    needed: Option<u8>,
    #[validate(non_control_character)]
    note: Option<String>,
    #[validate(must_match(other = again))]
    password: Option<String>,
    again: Option<String>,
    #[validate(length(equal = 1), nested)]
    parts: Vec<Part>,
}

#[derive(Debug, Deserialize, Extract)]
struct Part(#[validate(range(min = 1.5))] f64);

fn right() -> serde_json::Value {
    json!({"name": "Abc", "count": 2, "needed": 1, "parts": [2.0]})
}

fn with(key: &str, value: serde_json::Value) -> serde_json::Value {
    let mut order = right();
    order[key] = value;
    order
}

#[test]
fn absent_optionals_pass() {
    assert!(walked::<Order>(&right()).is_empty());
    assert_eq!(
        walked::<Order>(&with("needed", json!(null))),
        ["needed: required"]
    );
}

#[test]
fn each_check_is_reported_by_its_code_at_the_wire_name() {
    for (key, value, expected) in [
        ("name", json!("A"), "name: length"),
        ("name", json!("abc"), "name: capital"),
        ("count", json!(0), "count: range"),
        ("count", json!(100), "count: range"),
        ("count", json!(3), "count: odd"),
        ("count", json!("thirteen"), ""),
        ("contact", json!("nobody"), "contact: email"),
        ("homePage", json!("home"), "homePage: address"),
        ("host", json!("::1"), "host: ip"),
        ("handle", json!("me"), "handle: contains"),
        ("handle", json!("@me!"), "handle: does_not_contain"),
        ("country", json!("ch"), "country: regex"),
        ("note", json!("a\u{7}"), "note: non_control_character"),
        ("password", json!("a"), "password: must_match"),
        ("parts", json!([]), "parts: length"),
        ("parts", json!([1.0]), "parts[0]: range"),
    ] {
        if !expected.is_empty() {
            assert_eq!(walked::<Order>(&with(key, value)), [expected]);
        }
    }
}

#[test]
fn a_message_gives_the_bound() {
    let messages = |order: serde_json::Value| {
        let found = inspect::probed::<Order>(&order.to_string(), &());
        found
            .iter()
            .map(|one| one.message().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        messages(with("count", json!(0))),
        ["must be at least 1 and less than 100"]
    );
    assert_eq!(
        messages(with("name", json!("Abcde"))),
        ["must have a length of at least 2 and at most 4, not 5"]
    );
    assert_eq!(messages(with("homePage", json!("home"))), ["no address"]);
    assert_eq!(messages(with("count", json!(3))), ["must be even"]);
    assert_eq!(
        messages(with("name", json!("abc"))),
        ["does not pass the check `capital`"]
    );
}

#[test]
fn a_check_of_the_whole_waits_for_the_fields() {
    let mut order = with("count", json!(13));
    assert_eq!(walked::<Order>(&order), ["count: odd"]);
    order["count"] = json!(14);
    assert!(walked::<Order>(&order).is_empty());
}

#[test]
fn checks_run_on_partly_valid_data() {
    let mut order = with("count", json!("two"));
    order["name"] = json!("A");
    order["parts"] = json!([1.0, "x"]);
    // The list did not bind, so its length is not judged; its elements are.
    let expected = [
        "count: bind.type",
        "parts[0]: range",
        "parts[1]: bind.type",
        "name: length",
    ];
    assert_eq!(probed::<Order>(&order), expected);
}

#[test]
fn checks_are_no_named_rules_and_the_prompt_says_what_the_schema_does_not() {
    assert!(Order::rules().is_empty());
    let expected = [
        "|ip(host)|must be an IP address",
        "|does_not_contain(handle)|must not contain \"!\"",
        "|non_control_character(note)|must not hold control characters",
        "|must_match(password)|must be equal to `again`",
        "|schema()|thirteen is unlucky",
    ];
    assert_eq!(described::<Order>(), expected);
}

#[derive(Debug, Deserialize, Extract)]
enum Payment {
    Card {
        #[validate(length(equal = 4))]
        last4: String,
        #[validate(must_match(other = last4))]
        again: String,
    },
    Cash(#[validate(range(max = 10))] u32),
    Pair(#[validate(range(max = 10))] u32, String),
}

#[test]
fn enums_are_checked_too() {
    assert_eq!(
        walked::<Payment>(&json!({"Card": {"last4": "123", "again": "1"}})),
        ["Card.last4: length", "Card.again: must_match"]
    );
    assert_eq!(walked::<Payment>(&json!({"Cash": 11})), ["Cash: range"]);
    assert_eq!(
        walked::<Payment>(&json!({"Pair": [11, "a"]})),
        ["Pair[0]: range"]
    );
    assert_eq!(
        probed::<Payment>(&json!({"Card": {"last4": "123", "again": 5}})),
        ["Card.again: bind.type", "Card.last4: length"]
    );
    assert_eq!(
        described::<Payment>(),
        ["Card|must_match(again)|must be equal to `last4`"]
    );
}

#[derive(Debug, Deserialize, Validate, Extract)]
struct Both {
    #[validate(length(min = 1))]
    name: String,
    #[validate(nested)]
    inner: Option<Inner>,
    #[validate(length(min = 1))]
    tags: BTreeMap<String, u8>,
}

#[derive(Debug, Deserialize, Validate, Extract)]
struct Inner {
    #[validate(range(min = 1))]
    n: i64,
}

#[test]
fn deriving_validate_as_well_changes_nothing() {
    let reply = json!({"name": "", "inner": {"n": 0}, "tags": {}});
    assert_eq!(
        walked::<Both>(&reply),
        ["name: length", "tags: length", "inner.n: range"]
    );
}
