//! What leaves says what the reply said: nothing in between is swallowed, merged, rounded or bound to another shape.
use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Deserialize;
use typed_extract::{Cited, Extract, Failures, extract};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Extract)]
#[serde(try_from = "String")]
struct Iban(String);
impl TryFrom<String> for Iban {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        if text.starts_with("DE") {
            Ok(Self(text))
        } else {
            Err("must begin with DE".to_owned())
        }
    }
}

#[derive(Debug, Deserialize, Extract)]
struct Bank {
    iban: Iban,
}
#[derive(Debug, Deserialize, Extract)]
struct Payee {
    name: String,
    #[serde(flatten)]
    bank: Option<Bank>,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum Party {
    Person { name: String },
    Company { name: String, vat: String },
}
#[derive(Debug, Deserialize, Extract)]
struct Deal {
    party: Party,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum Pay {
    Cash {
        #[serde(default)]
        tip: u32,
    },
    Card {
        amount: u32,
    },
}
#[derive(Debug, Deserialize, Extract)]
struct Sale {
    pay: Pay,
}

#[derive(Debug, Deserialize, Extract)]
struct Years {
    by_year: HashMap<u32, u32>,
}
#[derive(Debug, Deserialize, Extract)]
struct Days {
    by_day: BTreeMap<NaiveDate, u32>,
}
#[derive(Debug, Deserialize, Extract)]
struct Amounts {
    amounts: BTreeSet<Decimal>,
}
#[derive(Debug, Deserialize, Extract)]
struct Price {
    price: Decimal,
}
#[derive(Debug, Deserialize, Extract)]
struct Cites {
    price: Cited<Decimal>,
}
#[derive(Debug, Deserialize, Extract)]
struct Tags {
    tags: Vec<String>,
}
#[derive(Debug, Deserialize, Extract)]
struct History {
    name: String,
    #[serde(rename = "workHistory", alias = "jobs", default)]
    work: Vec<String>,
}
#[derive(Debug, Deserialize, Extract)]
struct Account {
    secret: String,
    iban: Iban,
}

fn judge<T: Extract<Context = ()>>(reply: &str) -> Result<T, Failures> {
    extract::<T>()
        .document("a document of 12.50")
        .validate(reply)
        .map(|done| done.into_value())
}

#[test]
fn a_flattened_option_does_not_swallow_what_does_not_bind() {
    let failures = judge::<Payee>(r#"{"name": "Ida", "iban": "XX00"}"#).unwrap_err();
    assert_eq!(failures[0].path().pointer(), "/iban");
    let payee = judge::<Payee>(r#"{"name": "Ida", "iban": "DE12"}"#).unwrap();
    assert_eq!(payee.bank.unwrap().iban.0, "DE12");
    assert!(judge::<Payee>(r#"{"name": "Ida"}"#).unwrap().bank.is_none());
}

#[test]
fn an_untagged_enum_binds_the_variant_that_holds_everything_or_fails() {
    for (reply, right) in [
        (r#"{"party": {"name": "Acme", "vat": "DE1"}}"#, Some("DE1")),
        (r#"{"party": {"name": "Ida"}}"#, None),
    ] {
        match judge::<Deal>(reply) {
            Ok(Deal {
                party: Party::Company { vat, .. },
            }) => assert_eq!(Some(&*vat), right),
            Ok(Deal {
                party: Party::Person { .. },
            }) => assert_eq!(right, None, "the number was dropped"),
            Err(_) => assert!(right.is_some(), "a person is no failure"),
        }
    }
    assert_ne!(
        judge::<Sale>(r#"{"pay": {"amount": 500}}"#)
            .ok()
            .map(|sale| sale.pay),
        Some(Pay::Cash { tip: 0 })
    );
}

#[test]
fn two_keys_or_elements_never_become_one() {
    assert!(judge::<Years>(r#"{"by_year": {"2025": 1, "02025": 2}}"#).is_err());
    assert_eq!(
        judge::<Years>(r#"{"by_year": {"2025": 1, "2026": 2}}"#)
            .unwrap()
            .by_year
            .len(),
        2
    );
    assert!(judge::<Days>(r#"{"by_day": {"2026-03-02": 1, "2026-3-2": 2}}"#).is_err());
    assert!(
        judge::<Days>(r#"{"by_day": {"2026-3-2": 2}}"#).is_err(),
        "a key has the form of its type"
    );
    assert!(judge::<Amounts>(r#"{"amounts": ["10.0", "10.00"]}"#).is_err());
}

#[test]
fn a_decimal_keeps_every_digit_or_fails() {
    for text in [
        "0.12345678901234567890123456789",
        "7922816251426433759354395033.55",
        "0.00000000000000000000000000001",
    ] {
        assert!(
            judge::<Price>(&format!(r#"{{"price": "{text}"}}"#)).is_err(),
            "{text}"
        );
    }
    assert_eq!(
        judge::<Price>(r#"{"price": "12.50"}"#)
            .unwrap()
            .price
            .to_string(),
        "12.50"
    );
    let quoted = r#"{"price": {"quote": "12.50", "value": "12.500000000000000000000000000001"}}"#;
    assert!(judge::<Cites>(quoted).is_err());
}

/// A number of JSON has its digits in the reply: they are taken as they stand, never through a float, and recorded.
#[test]
fn a_plain_number_for_a_decimal_is_taken_digit_for_digit() {
    let done = extract::<Price>()
        .document("d")
        .validate(r#"{"price": 1200.50}"#)
        .unwrap();
    assert_eq!(done.value().price.to_string(), "1200.50");
    assert_eq!(done.record().attempts()[0].normalizations().len(), 1);
    assert!(judge::<Price>(r#"{"price": 1e400}"#).is_err());
}

#[test]
fn json_inside_a_string_is_no_delimited_list() {
    for text in [
        r#"[\"x\",\"y\"]"#,
        "[]",
        "['x', 'y']",
        r#"{\"a\":1,\"b\":2}"#,
        "1,234.50",
        "N/A",
    ] {
        assert!(
            judge::<Tags>(&format!(r#"{{"tags": "{text}"}}"#)).is_err(),
            "{text}"
        );
    }
    assert_eq!(
        judge::<Tags>(r#"{"tags": "worker_1, worker_2"}"#)
            .unwrap()
            .tags,
        ["worker_1", "worker_2"]
    );
}

/// serde reads the alias, so the reply is right or is told the right name; never told to leave it out.
#[test]
fn an_alias_is_read_or_named() {
    match judge::<History>(r#"{"name": "n", "jobs": ["a", "b"]}"#) {
        Ok(history) => assert_eq!(history.work, ["a", "b"]),
        Err(failures) => assert!(
            failures
                .iter()
                .any(|one| one.to_string().contains("workHistory")),
            "{failures}"
        ),
    }
}

#[test]
fn a_binding_failure_quotes_its_own_value_alone() {
    let failures = judge::<Account>(r#"{"secret": "S", "iban": "FR76"}"#).unwrap_err();
    assert_eq!(failures[0].path().pointer(), "/iban");
    let told = failures.to_string();
    assert!(told.contains("FR76") && !told.contains("secret"), "{told}");
}
