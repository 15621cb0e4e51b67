//! Every supported field type: a right value binds and is given back, a wrong
//! one fails at its own place and the message names the form, wherever the type
//! stands.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, LinkedList, VecDeque};
use std::fmt::Debug;
use std::num::Wrapping;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use typed_extract::{Extract, Failures, validate};

/// One test a type: its name, the type, a right and a wrong value, and words of
/// the message.
macro_rules! round {
    ($($name:ident: $type:ty { $right:expr, $wrong:expr, $says:literal })*) => {
        $(
            #[test]
            fn $name() {
                #[derive(Debug, Deserialize, Extract)]
                struct Places {
                    plain: $type,
                    maybe: Option<$type>,
                    list: Vec<$type>,
                    map: BTreeMap<String, $type>,
                }
                let right: Value = $right;
                let bound: Places = validate(&reply(&right)).expect("right");
                let map = bound.map.into_values();
                let all = [bound.plain].into_iter().chain(bound.maybe);
                let all: Vec<$type> = all.chain(bound.list).chain(map).collect();
                assert_eq!(all.len(), 4);
                for one in all {
                    assert_eq!(given_back(&one), given_back(&bound_alone::<$type>(&right)));
                }
                let wrong = reply(&$wrong);
                check(&validate::<Places>(&wrong).expect_err("wrong"), $says);
            }
        )*
    };
}

/// `value` in each kind of place.
fn reply(value: &Value) -> String {
    json!({"plain": value, "maybe": value, "list": [value], "map": {"k": value}}).to_string()
}

fn bound_alone<T: DeserializeOwned>(json: &Value) -> T {
    serde_json::from_value(json.clone()).expect("serde takes it")
}

fn given_back<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("JSON")
}

/// Each place has its failure, and the message names the form.
fn check(failures: &Failures, says: &str) {
    for place in ["plain", "maybe", "list[0]", "map.k"] {
        let of_place = |path: &str| path.strip_prefix(place).is_some();
        let mut here = failures
            .iter()
            .filter(|one| of_place(&one.path().to_string()));
        assert!(
            here.any(|one| one.message().contains(says)),
            "{place}: {failures:?}"
        );
    }
}

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
enum Currency {
    Eur,
    Usd,
}

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Extract)]
struct Code(u16);

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Extract)]
#[serde(try_from = "String", into = "String")]
#[derive(Clone)]
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

impl From<Iban> for String {
    fn from(iban: Iban) -> Self {
        iban.0
    }
}

round! {
    enum_keys: HashMap<Currency, u8> { json!({"eur": 1, "usd": 2}), json!({"chf": 1}), "no such key" }
    newtype_keys: BTreeMap<Code, u8> { json!({"7": 1, "300": 2}), json!({"70000": 1}), "u16" }
    integer_keys: BTreeMap<i8, u8> { json!({"-7": 1, "7": 2}), json!({"07": 1}), "written 7" }
    converted_keys: BTreeMap<Iban, u8> { json!({"DE1": 1}), json!({"FR1": 1}), "begin with DE" }
    date_keys: BTreeMap<chrono::NaiveDate, u8> {
        json!({"2024-02-29": 1}), json!({"29.2.2024": 1}), "YYYY-MM-DD"
    }
    address_keys: BTreeMap<std::net::IpAddr, u8> {
        json!({"::1": 1, "127.0.0.1": 2}), json!({"here": 1}), "IPv4 or IPv6"
    }
    enum_elements: BTreeSet<Currency> { json!(["eur", "usd"]), json!(["chf"]), "\"usd\"" }
    newtype_elements: BTreeSet<Code> { json!([7, 300]), json!([70_000]), "at most 65535" }
    address: std::net::IpAddr { json!("::1"), json!("here"), "IPv4 or IPv6" }
    chrono_duration: chrono::TimeDelta { json!([1, 5]), json!([1, -5]), "at least 0" }
    instant: std::time::SystemTime {
        json!({"secs_since_epoch": 1, "nanos_since_epoch": 5}),
        json!({"secs_since_epoch": -1, "nanos_since_epoch": 5}),
        "at least 0"
    }
    bool: bool { json!(true), json!("x"), "expected boolean" }
    character: char { json!("x"), json!("xy"), "at most 1" }
    string: String { json!("x"), json!(1), "string" }
    double: f64 { json!(1.5), json!("x"), "number" }
    signed: i32 { json!(-5), json!(2_147_483_648_i64), "at most" }
    unsigned: u64 { json!(5), json!(-1), "at least 0" }
    wide: u128 { json!(5), json!(-1), "at least 0" }
    nonzero_unsigned: std::num::NonZeroU16 { json!(5), json!(0), "at least 1" }
    nonzero_signed: std::num::NonZeroI64 { json!(-5), json!(0), "" }
    nonzero_wide: std::num::NonZeroU128 { json!(5), json!(0), "at least 1" }
    wrapping: Wrapping<u8> { json!(5), json!(256), "at most 255" }
    boxed_text: Box<str> { json!("x"), json!(1), "string" }
    shared_text: Arc<str> { json!("x"), json!(1), "string" }
    text_in_a_cow: Cow<'static, str> { json!("x"), json!(1), "string" }
    boxed: Box<u8> { json!(5), json!(256), "at most 255" }
    shared: Arc<u8> { json!(5), json!(256), "at most 255" }
    in_a_cow: Cow<'static, u8> { json!(5), json!(256), "at most 255" }
    boxed_list: Box<[u8]> { json!([1, 2]), json!([256]), "at most 255" }
    shared_list: Arc<[u8]> { json!([1, 2]), json!([256]), "at most 255" }
    list_in_a_cow: Cow<'static, [u8]> { json!([1, 2]), json!([256]), "at most 255" }
    linked_list: LinkedList<u8> { json!([1, 2]), json!([256]), "at most 255" }
    queue: VecDeque<u8> { json!([1, 2]), json!([256]), "at most 255" }
    array: [u8; 2] { json!([1, 2]), json!([256, 0]), "at most 255" }
    tuple: (u8, u8, u8, u8, u8, u8, u8, u8) {
        json!([1, 2, 3, 4, 5, 6, 7, 8]), json!([256, 2, 3, 4, 5, 6, 7, 8]), "at most 255"
    }
    path: PathBuf { json!("a/b"), json!(1), "string" }
    shared_path: Arc<Path> { json!("a/b"), json!(1), "string" }
    socket: std::net::SocketAddr { json!("127.0.0.1:80"), json!("here"), "socket address" }
    duration: std::time::Duration {
        json!({"secs": 1, "nanos": 5}), json!({"secs": -1, "nanos": 5}), "at least 0"
    }
    chrono_date: chrono::NaiveDate { json!("2024-02-29"), json!("29.2.2024"), "YYYY-MM-DD" }
    chrono_time: chrono::NaiveTime { json!("10:30:00"), json!("half past ten"), "hh:mm:ss" }
    chrono_date_time: chrono::NaiveDateTime {
        json!("2024-02-29T10:30:00"), json!("2024-02-29 10:30"), "YYYY-MM-DDThh:mm:ss"
    }
    chrono_weekday: chrono::Weekday { json!("Mon"), json!("Montag"), "\"Mon\"" }
    decimal: rust_decimal::Decimal { json!("1.50"), json!("1,50"), "decimal" }
    uuid: uuid::Uuid {
        json!("67e55044-10b1-426f-9247-bb680e5fe0c8"), json!("67e55044"), "UUID"
    }
    url: url::Url { json!("https://example.org/a"), json!("example"), "URI" }
    jiff_date: jiff::civil::Date { json!("2024-02-29"), json!("29.2.2024"), "YYYY-MM-DD" }
    jiff_time: jiff::civil::Time { json!("10:30:00"), json!("10h30"), "hh:mm:ss" }
    jiff_date_time: jiff::civil::DateTime {
        json!("2024-02-29T10:30:00"), json!("2024-02-29 10:30"), "YYYY-MM-DDThh:mm:ss"
    }
    jiff_timestamp: jiff::Timestamp {
        json!("2024-02-29T10:30:00Z"), json!("2024-02-29T10:30:00"), "offset"
    }
    jiff_zoned: jiff::Zoned {
        json!("2024-02-29T10:30:00+01:00[+01:00]"), json!("2024-02-29T10:30:00Z"), "zone"
    }
    jiff_duration: jiff::SignedDuration { json!("PT1H30M"), json!("90 minutes"), "ISO 8601" }
    time_date: time::Date { json!("2024-02-29"), json!("29.2.2024"), "YYYY-MM-DD" }
    time_time: time::Time { json!("10:30:00.0"), json!("10:30"), "hh:mm:ss.f" }
    time_date_time: time::PrimitiveDateTime {
        json!("2024-02-29 10:30:00.0"), json!("2024-02-29"), "YYYY-MM-DD hh:mm:ss.f"
    }
    time_offset_date_time: time::OffsetDateTime {
        json!("2024-02-29 10:30:00.0 +01:00:00"), json!("2024-02-29"), "+hh:mm:ss"
    }
    time_weekday: time::Weekday { json!("Monday"), json!("Mon"), "\"Monday\"" }
    bytes: bytes::Bytes { json!([1, 2]), json!([256]), "at most 255" }
}

#[derive(Debug, Deserialize, Extract)]
struct FlatYears<K: Ord> {
    name: String,
    #[serde(flatten)]
    years: BTreeMap<K, u8>,
}

#[derive(Debug, Deserialize, Extract)]
struct FlatCurrencies {
    name: String,
    #[serde(flatten)]
    amounts: HashMap<Currency, u8>,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Tagged {
    Plain(BTreeMap<u16, u8>),
    Newtype(BTreeMap<Code, u8>),
    Named(BTreeMap<Currency, u8>),
    Flat {
        name: String,
        #[serde(flatten)]
        years: BTreeMap<Code, u8>,
    },
}

#[test]
fn keys_that_are_no_texts_bind_behind_flatten() {
    let reply = r#"{"name": "n", "7": 1, "300": 2}"#;
    let plain: FlatYears<u16> = validate(reply).unwrap();
    assert_eq!((plain.name.as_str(), plain.years[&300]), ("n", 2));
    let newtype: FlatYears<Code> = validate(reply).unwrap();
    assert_eq!(newtype.years[&Code(7)], 1);
    let named: FlatCurrencies = validate(r#"{"name": "n", "eur": 1, "usd": 2}"#).unwrap();
    assert_eq!((named.name.as_str(), named.amounts.len()), ("n", 2));
    for wrong in ["07", "+7", "70000", "x"] {
        let reply = format!(r#"{{"name": "n", "{wrong}": 1}}"#);
        let failures = validate::<FlatYears<Code>>(&reply).unwrap_err();
        assert_eq!(failures.len(), 1, "{failures}");
        assert_eq!(failures[0].path().pointer(), format!("/{wrong}"));
    }
}

#[test]
fn keys_that_are_no_texts_bind_behind_a_tag() {
    let bound = |text: &str| validate::<Vec<Tagged>>(&format!(r#"{{"value": [{text}]}}"#));
    let all = [
        r#"{"kind": "plain", "7": 1, "300": 2}"#,
        r#"{"7": 1, "kind": "newtype", "300": 2}"#,
        r#"{"kind": "named", "eur": 1, "usd": 2}"#,
        r#"{"kind": "flat", "name": "n", "7": 1, "300": 2}"#,
    ];
    let all = bound(&all.join(", ")).unwrap();
    assert!(matches!(&all[0], Tagged::Plain(years) if years[&300] == 2));
    assert!(matches!(&all[1], Tagged::Newtype(years) if years[&Code(7)] == 1));
    assert!(matches!(&all[2], Tagged::Named(amounts) if amounts[&Currency::Usd] == 2));
    assert!(
        matches!(&all[3], Tagged::Flat { name, years } if name == "n" && years[&Code(300)] == 2)
    );
    for (kind, wrong) in [("plain", "07"), ("newtype", "70000"), ("named", "chf")] {
        let failures = bound(&format!(r#"{{"kind": "{kind}", "{wrong}": 1}}"#)).unwrap_err();
        assert_eq!(failures.len(), 1, "{failures}");
        assert_eq!(failures[0].path().pointer(), format!("/0/{wrong}"));
    }
}

#[derive(Debug, Deserialize, Extract)]
struct Times {
    length: std::time::Duration,
    moment: Option<std::time::SystemTime>,
}

#[test]
fn the_nanoseconds_of_a_time_are_less_than_a_second() {
    let judge = |length: &str, moment: &str| {
        validate::<Times>(&format!(r#"{{"length": {length}, "moment": {moment}}}"#))
    };
    let almost = r#"{"secs": 1, "nanos": 999999999}"#;
    let right = judge(almost, "null").unwrap();
    assert_eq!(right.length, std::time::Duration::new(1, 999_999_999));
    assert!(right.moment.is_none());
    let second = r#"{"secs": 1, "nanos": 1000000000}"#;
    let more = r#"{"secs": 18446744073709551615, "nanos": 4000000000}"#;
    let moment = r#"{"secs_since_epoch": 1, "nanos_since_epoch": 1000000000}"#;
    for (length, moment, place) in [
        (second, "null", "/length/nanos"),
        (more, "null", "/length/nanos"),
        (almost, moment, "/moment/nanos_since_epoch"),
    ] {
        let failures = judge(length, moment).unwrap_err();
        let found = (failures[0].code().as_str(), failures[0].path().pointer());
        assert_eq!(found, ("bind.range", place.to_owned()));
    }
}
