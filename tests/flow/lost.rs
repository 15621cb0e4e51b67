//! What serde would lose in silence is a failure at its own place.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::json;
use typed_extract::{Cited, Extract, Failures, extract, extract_value};

fn judged<T: Extract<Context = ()>>(reply: &str) -> Result<T, Failures> {
    let flow = extract::<T>().document("the 12.50 of 10:15");
    flow.validate(reply)
        .map(typed_extract::Extracted::into_value)
}

/// The code and the pointer of each failure.
fn failures<T: Extract<Context = ()>>(reply: &str) -> Vec<(String, String)> {
    let Err(failures) = judged::<T>(reply) else {
        panic!("{reply} was accepted");
    };
    let line = |one: &typed_extract::Failure| (one.code().to_string(), one.path().pointer());
    failures.iter().map(line).collect()
}

fn failure<T: Extract<Context = ()>>(reply: &str) -> (String, String) {
    let mut all = failures::<T>(reply);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn at(code: &str, pointer: &str) -> (String, String) {
    (code.to_owned(), pointer.to_owned())
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Flat<T> {
    id: u8,
    #[serde(flatten)]
    more: Option<T>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Opening {
    opens: NaiveTime,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Price {
    price: Cited<Decimal>,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(dead_code)]
enum Payment {
    Card { digits: u8 },
    Cash,
}

#[test]
fn a_flattened_optional_that_does_not_bind_is_told_where_it_fails() {
    let opens = failure::<Flat<Opening>>(r#"{"id": 1, "opens": "25:99:00"}"#);
    assert_eq!(opens.1, "/opens");
    assert!(
        judged::<Flat<Opening>>(r#"{"id": 1, "opens": "10:15:00"}"#)
            .unwrap()
            .more
            .is_some()
    );
    let invented = r#"{"id": 1, "price": {"quote": "99.00", "value": "99.00"}}"#;
    assert_eq!(
        failure::<Flat<Price>>(invented),
        at("support.not_found", "/price/quote")
    );
    let cited = r#"{"id": 1, "price": {"quote": "12.50", "value": "12.50"}}"#;
    let price = judged::<Flat<Price>>(cited).unwrap().more.unwrap().price;
    assert_eq!(price.span(), Some(4..9));
    assert!(judged::<Flat<Payment>>(r#"{"id": 1, "kind": "card", "digits": 300}"#).is_err());
    assert!(judged::<Flat<Payment>>(r#"{"id": 1, "digits": 3}"#).is_err());
    assert!(
        judged::<Flat<Payment>>(r#"{"id": 1}"#)
            .unwrap()
            .more
            .is_none()
    );
    let cash = judged::<Flat<Payment>>(r#"{"id": 1, "kind": "cash"}"#).unwrap();
    assert!(matches!(cash.more, Some(Payment::Cash)));
}

/// A type of another crate, as serde alone reads it.
#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Foreign {
    #[serde(flatten)]
    inner: Option<ForeignInner>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct ForeignInner {
    #[serde(deserialize_with = "even")]
    even: u8,
}

fn even<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let number = u8::deserialize(deserializer)?;
    if number.is_multiple_of(2) {
        Ok(number)
    } else {
        Err(serde::de::Error::custom("is odd"))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum ForeignUntagged {
    Short { name: String },
    Long { name: String, vat: String },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum ForeignTagged {
    Card { digits: u8 },
}

#[allow(clippy::unnecessary_wraps)] // Serde asks for this signature.
fn or_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    Ok(even(deserializer).unwrap_or_default())
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Leaves {
    id: u8,
    #[extract(leaf)]
    #[serde(default)]
    foreign: Option<Foreign>,
    #[extract(leaf)]
    #[serde(default)]
    untagged: Option<ForeignUntagged>,
    #[extract(leaf)]
    #[serde(default)]
    tagged: Option<ForeignTagged>,
    #[serde(default, deserialize_with = "or_zero")]
    forgiving: u8,
}

#[test]
fn what_a_type_that_nobody_looks_into_swallows_is_a_failure() {
    assert!(judged::<Leaves>(r#"{"id": 1, "foreign": {"even": 2}}"#).is_ok());
    let odd = failure::<Leaves>(r#"{"id": 1, "foreign": {"even": 3}}"#);
    assert_eq!(odd, at("bind.lost", "/foreign"));
    let forgiven = failure::<Leaves>(r#"{"id": 1, "forgiving": 3}"#);
    assert_eq!(forgiven, at("bind.lost", "/forgiving"));
    assert!(judged::<Leaves>(r#"{"id": 1, "forgiving": 4}"#).is_ok());
    assert!(judged::<Leaves>(r#"{"id": 1, "tagged": {"kind": "Card", "digits": 3}}"#).is_ok());
}

#[test]
fn an_object_that_a_foreign_type_reads_through_a_buffer_is_refused() {
    let reply = r#"{"id": 1, "untagged": {"name": "n", "vat": "v"}}"#;
    assert_eq!(failure::<Leaves>(reply), at("bind.lost", "/untagged"));
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Extract)]
#[serde(try_from = "String")]
struct Folded(String);

impl TryFrom<String> for Folded {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Ok(Self(text.to_lowercase()))
    }
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Maps {
    #[serde(default)]
    years: HashMap<u32, u32>,
    #[serde(default)]
    days: BTreeMap<NaiveDate, u32>,
    #[serde(default)]
    prices: BTreeMap<Decimal, u32>,
    #[serde(default)]
    folded: BTreeMap<Folded, u32>,
    #[serde(default)]
    hosts: HashMap<std::net::IpAddr, u32>,
    #[serde(default)]
    flags: BTreeMap<bool, u32>,
    #[serde(default)]
    moments: BTreeMap<DateTime<Utc>, u32>,
}

#[test]
fn keys_that_read_as_one_value_are_told_at_the_second() {
    for (reply, code, pointer) in [
        (
            r#"{"years": {"2025": 1, "02025": 2}}"#,
            "bind.value",
            "/years/02025",
        ),
        (
            r#"{"days": {"2026-3-2": 1}}"#,
            "bind.value",
            "/days/2026-3-2",
        ),
        (
            r#"{"prices": {"10.0": 1, "10.00": 2}}"#,
            "bind.lost",
            "/prices/10.00",
        ),
        (r#"{"folded": {"A": 1, "a": 2}}"#, "bind.lost", "/folded/a"),
        (
            r#"{"hosts": {"::1": 1, "0:0:0:0:0:0:0:1": 2}}"#,
            "bind.lost",
            "/hosts/0:0:0:0:0:0:0:1",
        ),
        (
            r#"{"moments": {"2026-03-02T10:00:00Z": 1, "2026-03-02T12:00:00+02:00": 2}}"#,
            "bind.lost",
            "/moments/2026-03-02T12:00:00+02:00",
        ),
    ] {
        assert_eq!(failure::<Maps>(reply), at(code, pointer), "{reply}");
    }
    let right = r#"{"years": {"0": 1, "2025": 2}, "flags": {"true": 1, "false": 2}, "prices": {"10.0": 1}}"#;
    assert_eq!(judged::<Maps>(right).unwrap().years.len(), 2);
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Sets {
    #[serde(default)]
    amounts: BTreeSet<Decimal>,
    #[serde(default)]
    moments: BTreeSet<DateTime<Utc>>,
    #[serde(default)]
    nested: Vec<BTreeSet<Folded>>,
}

#[test]
fn elements_that_read_as_one_value_are_told_at_the_second() {
    for (reply, pointer) in [
        (r#"{"amounts": ["1", "10.0", "10.00"]}"#, "/amounts/2"),
        (
            r#"{"moments": ["2026-03-02T10:00:00Z", "2026-03-02T12:00:00+02:00"]}"#,
            "/moments/1",
        ),
        (r#"{"nested": [["a"], ["b", "B"]]}"#, "/nested/1/1"),
    ] {
        assert_eq!(failure::<Sets>(reply), at("bind.lost", pointer), "{reply}");
    }
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum Either {
    Named { name: String, amount: u8 },
    Listed(Vec<u8>),
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum Bounded {
    Code {
        #[schemars(regex(pattern = "^[A-Z]{3}$"))]
        text: String,
    },
    Any {
        text: String,
    },
}

#[derive(Debug, Deserialize, Extract)]
struct Has<T> {
    has: T,
}

#[test]
fn an_untagged_variant_is_the_one_whose_schema_holds() {
    assert!(judged::<Has<Either>>(r#"{"has": ["n", 1]}"#).is_err());
    let listed = judged::<Has<Either>>(r#"{"has": [1, 2]}"#).unwrap();
    assert_eq!(listed.has, Either::Listed(vec![1, 2]));
    let any = judged::<Has<Bounded>>(r#"{"has": {"text": "lower"}}"#).unwrap();
    assert_eq!(
        any.has,
        Bounded::Any {
            text: "lower".to_owned()
        }
    );
    let code = judged::<Has<Bounded>>(r#"{"has": {"text": "EUR"}}"#).unwrap();
    assert_eq!(
        code.has,
        Bounded::Code {
            text: "EUR".to_owned()
        }
    );
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Measured {
    Single { value: f32 },
    Double { value: f64 },
    Count { value: u8 },
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Numbers {
    measured: Measured,
}

#[test]
fn a_number_that_leaves_its_range_is_refused() {
    for (kind, value) in [
        ("Single", "1e39"),
        ("Single", "1e-60"),
        ("Double", "1e-400"),
        ("Count", "-0"),
        ("Count", "256"),
    ] {
        let reply = format!(r#"{{"measured": {{"kind": "{kind}", "value": {value}}}}}"#);
        assert_eq!(failure::<Numbers>(&reply).1, "/measured/value", "{reply}");
    }
    let zero = r#"{"measured": {"kind": "Single", "value": 0e-60}}"#;
    assert!(judged::<Numbers>(zero).is_ok());
}

#[test]
fn a_value_known_at_run_time_keeps_what_its_numbers_hold() {
    let schema = json!({
        "type": "object",
        "properties": {"n": {"type": "number"}},
        "required": ["n"],
        "additionalProperties": false,
    });
    let flow = extract_value(schema).unwrap().document("d");
    for number in ["1e-400", "18446744073709551616", "-9223372036854775809"] {
        let failures = flow.validate(&format!(r#"{{"n": {number}}}"#)).unwrap_err();
        assert_eq!(failures[0].code(), "bind.range", "{number}");
        assert_eq!(failures[0].path().pointer(), "/n");
    }
    for number in ["0.1", "18446744073709551615", "-5", "1e300", "0.0", "-0.0"] {
        let value = flow
            .validate(&format!(r#"{{"n": {number}}}"#))
            .unwrap()
            .into_value();
        assert_eq!(
            value["n"],
            serde_json::from_str::<serde_json::Value>(number).unwrap()
        );
    }
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Account {
    secret: String,
    owner: Owner,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Owner {
    born: Short,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(try_from = "String")]
struct Short(#[allow(dead_code)] String);

impl TryFrom<String> for Short {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.len() < 4 {
            Ok(Self(text))
        } else {
            Err("is too long".to_owned())
        }
    }
}

#[test]
fn a_refused_conversion_stands_at_its_own_value_and_quotes_nothing_else() {
    let failures = judged::<Account>(r#"{"secret": "S", "owner": {"born": "FR76"}}"#).unwrap_err();
    assert_eq!(failures[0].path().pointer(), "/owner/born");
    assert_eq!(failures[0].found(), Some("\"FR76\""));
    assert_eq!(failures[0].message(), "is too long");
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Bank {
    iban: String,
    bic: Option<String>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Payee {
    name: String,
    #[serde(flatten)]
    bank: Option<Bank>,
}

#[test]
fn null_is_no_part_of_a_flattened_optional() {
    for reply in [r#"{"name": "n"}"#, r#"{"name": "n", "bic": null}"#] {
        assert_eq!(judged::<Payee>(reply).unwrap().bank, None, "{reply}");
    }
    let half = failure::<Payee>(r#"{"name": "n", "bic": "B"}"#);
    assert_eq!(half, at("bind.required", "/iban"));
    let whole = judged::<Payee>(r#"{"name": "n", "iban": "I", "bic": null}"#).unwrap();
    let bank = Bank {
        iban: "I".to_owned(),
        bic: None,
    };
    assert_eq!(whole.bank, Some(bank));
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum NoteOrMoney {
    Note(String),
    Money(Decimal),
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum CountOrMoney {
    Count(u32),
    Money(Decimal),
}

#[test]
fn a_number_is_read_as_a_decimal_only_where_nothing_else_takes_its_text() {
    assert!(judged::<Has<NoteOrMoney>>(r#"{"has": 1.5}"#).is_err());
    let note = judged::<Has<NoteOrMoney>>(r#"{"has": "1.5"}"#).unwrap();
    assert_eq!(note.has, NoteOrMoney::Note("1.5".to_owned()));
    for (reply, right) in [
        (r#"{"has": 1.5}"#, CountOrMoney::Money(Decimal::new(15, 1))),
        (r#"{"has": -1}"#, CountOrMoney::Money(Decimal::new(-1, 0))),
        (r#"{"has": 7}"#, CountOrMoney::Count(7)),
    ] {
        assert_eq!(
            judged::<Has<CountOrMoney>>(reply).unwrap().has,
            right,
            "{reply}"
        );
    }
}

#[derive(Debug, Deserialize, Extract)]
#[serde(untagged)]
#[allow(dead_code)]
enum Contact {
    Mail {
        email: String,
    },
    Phone {
        country: Option<String>,
        phone: String,
    },
}

#[test]
fn an_untagged_variant_that_has_the_keys_is_the_one_that_was_meant() {
    let country = failure::<Has<Contact>>(r#"{"has": {"phone": "1", "country": 5}}"#);
    assert_eq!(country, at("schema.type", "/has/country"));
    let email = failure::<Has<Contact>>(r#"{"has": {"email": 7}}"#);
    assert_eq!(email, at("schema.type", "/has/email"));
}

#[derive(Debug, Deserialize, Extract)]
struct Ends {
    from: u8,
    to: u8,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(try_from = "Ends")]
struct Span(u8, u8);

impl TryFrom<Ends> for Span {
    type Error = String;

    fn try_from(ends: Ends) -> Result<Self, String> {
        if ends.from <= ends.to {
            Ok(Self(ends.from, ends.to))
        } else {
            Err("ends before it begins".to_owned())
        }
    }
}

/// A type of another crate that serde makes from another.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "ForeignEnds")]
struct ForeignSpan(u8);

#[derive(Debug, Deserialize, JsonSchema)]
struct ForeignEnds {
    least: u8,
}

impl TryFrom<ForeignEnds> for ForeignSpan {
    type Error = String;

    fn try_from(ends: ForeignEnds) -> Result<Self, String> {
        if ends.least < 9 {
            Ok(Self(ends.least))
        } else {
            Err("begins too late".to_owned())
        }
    }
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Spans {
    secret: String,
    #[serde(flatten)]
    span: Option<Span>,
    #[extract(leaf)]
    #[serde(flatten)]
    foreign: ForeignSpan,
}

#[test]
fn a_refusal_of_flattened_keys_quotes_none_that_stand_beside_them() {
    let reply = r#"{"secret": "hush", "from": 3, "to": 2, "least": 9}"#;
    let failures = judged::<Spans>(reply).unwrap_err();
    let told: Vec<&str> = failures
        .iter()
        .map(typed_extract::Failure::message)
        .collect();
    assert_eq!(told, ["ends before it begins", "begins too late"]);
    assert!(failures.iter().all(|one| one.found().is_none()));
    assert!(!failures.to_string().contains("hush"), "{failures}");
    let right = r#"{"secret": "hush", "from": 2, "to": 3, "least": 8}"#;
    let spans = judged::<Spans>(right).unwrap();
    assert!(matches!(spans.span, Some(Span(2, 3))));
    assert_eq!(spans.foreign.0, 8);
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum Party {
    Person { name: String },
    Company { name: String, vat: String },
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum Twice {
    Coded {
        name: Short,
        #[serde(flatten)]
        party: Party,
    },
    Plain {
        #[serde(flatten)]
        party: Party,
    },
}

#[test]
fn a_variant_is_tried_anew_where_others_have_taken_other_keys() {
    let plain = judged::<Has<Twice>>(r#"{"has": {"name": "long name", "vat": "v"}}"#).unwrap();
    let party = Party::Company {
        name: "long name".to_owned(),
        vat: "v".to_owned(),
    };
    assert_eq!(plain.has, Twice::Plain { party });
    let person = judged::<Has<Twice>>(r#"{"has": {"name": "long name"}}"#).unwrap();
    let party = Party::Person {
        name: "long name".to_owned(),
    };
    assert_eq!(person.has, Twice::Plain { party });
}

#[test]
fn one_mistake_in_a_set_or_a_key_is_told_once() {
    let twice = failure::<Has<BTreeSet<char>>>(r#"{"has": ["a", "a"]}"#);
    assert_eq!(twice, at("schema.unique", "/has"));
    let both = failures::<Has<BTreeSet<Decimal>>>(r#"{"has": ["1.0", "1.0", "1.00"]}"#);
    assert_eq!(both, [at("schema.unique", "/has")]);
    let odd = failure::<Has<BTreeMap<std::num::NonZeroU8, u8>>>(r#"{"has": {"+1": 1}}"#);
    assert_eq!(odd, at("schema.additional", "/has/+1"));
}

#[test]
fn a_key_that_its_map_does_not_take_is_told_the_form_of_its_keys() {
    fn message<T: Extract<Context = ()>>(reply: &str) -> String {
        let failures = judged::<T>(reply).map(|_| ()).unwrap_err();
        failures[0].message().to_owned()
    }
    for (message, says) in [
        (
            message::<Has<BTreeMap<u8, u8>>>(r#"{"has": {"x": 1}}"#),
            "whole numbers in digits",
        ),
        (
            message::<Has<BTreeMap<i8, u8>>>(r#"{"has": {"x": 1}}"#),
            "with a minus if negative",
        ),
        (
            message::<Has<BTreeMap<u8, u8>>>(r#"{"has": {"300": 1}}"#),
            "expected u8",
        ),
        (
            message::<Has<BTreeMap<NaiveDate, u8>>>(r#"{"has": {"today": 1}}"#),
            "YYYY-MM-DD",
        ),
        (
            message::<Has<BTreeMap<std::net::IpAddr, u8>>>(r#"{"has": {"here": 1}}"#),
            "an IPv4 or IPv6 address",
        ),
        (
            message::<Has<std::net::IpAddr>>(r#"{"has": "here"}"#),
            "an IPv4 or IPv6 address",
        ),
    ] {
        assert!(message.contains(says), "{message}: {says}");
    }
}
