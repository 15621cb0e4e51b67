//! Every supported field type: a right value binds and is given back, a wrong
//! one fails at its own place and the message names the form, wherever the type
//! stands.

use std::borrow::Cow;
use std::collections::{BTreeMap, LinkedList, VecDeque};
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

round! {
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
