//! What stands as the key of a map.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use typed_extract::{ErrorKind, Extract, extract, json_schema};

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Extract)]
struct Point {
    x: i64,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Extract)]
struct Pair(i64, i64);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Extract)]
struct Wrapped(Vec<String>);

#[derive(Debug, Deserialize, Extract)]
struct Held {
    entries: BTreeMap<Point, u8>,
}

#[derive(Debug, Deserialize, Extract)]
struct Flattened {
    name: String,
    #[serde(flatten)]
    rest: HashMap<(u8, u8), u8>,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind")]
enum Tagged {
    Held { entries: BTreeMap<Vec<u8>, u8> },
}

fn refused<T: Extract<Context = ()>>(place: &str) {
    let error = json_schema::<T>().expect_err(place);
    assert_eq!(error.kind(), ErrorKind::Schema);
    let told = error.to_string();
    assert!(
        told.contains("the keys of a map are texts in JSON"),
        "{told}"
    );
    assert!(told.contains(place), "{told}");
    assert!(extract::<T>().document("d").prompt().is_err());
}

#[test]
fn a_key_that_no_text_can_be_is_refused_before_any_reply() {
    refused::<BTreeMap<Point, u8>>("");
    refused::<BTreeMap<Pair, u8>>("");
    refused::<BTreeMap<Wrapped, u8>>("");
    refused::<BTreeMap<(u8, u8), u8>>("");
    refused::<BTreeMap<Vec<u8>, u8>>("");
    refused::<BTreeMap<(), u8>>("");
    refused::<Held>("entries");
    refused::<Vec<Held>>("entries");
    refused::<Flattened>("");
    refused::<Tagged>("entries");
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
enum Color {
    Red,
    /// What the sky is.
    Blue,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Extract)]
struct Name(String);

#[test]
fn texts_integers_names_and_what_wraps_them_are_keys() {
    fn reads<T: Extract<Context = ()>>(reply: &str) {
        let failures = typed_extract::validate::<T>(reply).err();
        assert!(failures.is_none(), "{}", failures.unwrap()[0]);
    }
    reads::<BTreeMap<String, u8>>(r#"{"a": 1}"#);
    reads::<BTreeMap<char, u8>>(r#"{"a": 1}"#);
    reads::<BTreeMap<i16, u8>>(r#"{"-3": 1}"#);
    reads::<BTreeMap<bool, u8>>(r#"{"true": 1}"#);
    reads::<BTreeMap<Color, u8>>(r#"{"blue": 1}"#);
    reads::<BTreeMap<Name, u8>>(r#"{"a": 1}"#);
    reads::<BTreeMap<chrono::NaiveDate, u8>>(r#"{"2026-05-12": 1}"#);
    reads::<BTreeMap<Option<String>, u8>>(r#"{"a": 1}"#);
}
