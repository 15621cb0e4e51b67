//! What serde reads from a tape, and what it says where it cannot.

use super::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Debug;

fn bind<T: DeserializeOwned>(text: &str) -> Result<T, BindError> {
    parse(text).root().bind()
}

#[track_caller]
fn reads<T: DeserializeOwned + Debug + PartialEq>(text: &str, expected: &T) {
    assert_eq!(&bind::<T>(text).unwrap(), expected);
}

/// The kind and the place of the error that a type meets in a text.
#[track_caller]
fn fails<T: DeserializeOwned + Debug>(text: &str) -> (BindKind, String) {
    let tape = parse(text);
    let error = tape.root().bind::<T>().unwrap_err();
    (
        error.kind(),
        tape.root().path_below(error.node().unwrap()).pointer(),
    )
}

fn at(kind: BindKind, path: &str) -> (BindKind, String) {
    (kind, path.to_owned())
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    quantity: u32,
    #[serde(default)]
    amount: Option<f64>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Id(u64);

#[derive(Debug, PartialEq, Deserialize)]
struct Order {
    id: Id,
    lines: Vec<Line>,
    by_key: BTreeMap<u8, String>,
}

#[test]
fn structs_lists_maps_and_newtypes() {
    let text = r#"{"id": 7, "extra": [{"deep": 1}], "lines": [{"quantity": 2, "amount": 1.5},
        {"quantity": 3, "amount": null}], "by_key": {"1": "a\n", "255": "b"}}"#;
    let expected = Order {
        id: Id(7),
        lines: vec![
            Line {
                quantity: 2,
                amount: Some(1.5),
            },
            Line {
                quantity: 3,
                amount: None,
            },
        ],
        by_key: BTreeMap::from([(1, "a\n".into()), (255, "b".into())]),
    };
    reads(text, &expected);
}

#[test]
fn plain_strings_are_borrowed_from_the_text() {
    let text = String::from(r#"["abc"]"#);
    let tape = parse(&text);
    assert_eq!(tape.root().bind::<Vec<&str>>().unwrap(), ["abc"]);
    assert!(parse(r#"["a\n"]"#).root().bind::<Vec<&str>>().is_err());
}

#[test]
fn errors_name_their_kind_and_the_deepest_place() {
    let line = |text: &str| fails::<Vec<Line>>(text);
    assert_eq!(
        line(r#"[{"quantity": "2"}]"#),
        at(BindKind::Type, "/0/quantity")
    );
    assert_eq!(
        line(r#"[{"quantity": 2.0}]"#),
        at(BindKind::Type, "/0/quantity")
    );
    assert_eq!(
        line(r#"[{"quantity": 4294967296}]"#),
        at(BindKind::Range, "/0/quantity")
    );
    assert_eq!(
        line(r#"[{"quantity": -1}]"#),
        at(BindKind::Range, "/0/quantity")
    );
    assert_eq!(
        line(r#"[{"quantity": 18446744073709551616}]"#),
        at(BindKind::Range, "/0/quantity")
    );
    assert_eq!(
        line(r#"[{"quantity": 1}, {"amount": 1}]"#),
        at(BindKind::Required, "/1")
    );
    assert_eq!(
        line(r#"[{"quantity": 1, "extra": 1}]"#),
        at(BindKind::Unknown, "/0/extra")
    );
    assert_eq!(line(r#"{"quantity": 1}"#), at(BindKind::Type, ""));
    assert_eq!(
        fails::<Order>(r#"{"id": 1, "lines": [], "by_key": {"x": "a"}}"#),
        at(BindKind::Type, "/by_key/x")
    );
}

#[test]
fn messages_say_what_was_expected_and_quote_no_value() {
    let message = |text| bind::<Line>(text).unwrap_err().message().to_owned();
    assert_eq!(
        message(r#"{"quantity": 2.0}"#),
        "expected u32, not number with a fraction"
    );
    assert_eq!(message("{}"), "the key quantity is required and missing");
    assert_eq!(
        message(r#"{"x": 1}"#),
        "this key is not known; known are quantity, amount"
    );
}

#[test]
fn custom_refusals_are_placed_at_their_value() {
    #[derive(Debug, Deserialize)]
    #[serde(try_from = "String")]
    struct Even(#[expect(dead_code, reason = "only its reading is tested")] String);
    impl TryFrom<String> for Even {
        type Error = &'static str;
        fn try_from(text: String) -> Result<Self, Self::Error> {
            if text.len().is_multiple_of(2) {
                Ok(Self(text))
            } else {
                Err("an odd text")
            }
        }
    }
    assert_eq!(
        fails::<Vec<Even>>(r#"["ab", "abc"]"#),
        at(BindKind::Value, "/1")
    );
}

#[test]
fn a_struct_never_binds_from_an_array() {
    assert_eq!(fails::<Line>("[1, 2.5]"), at(BindKind::Type, ""));
    assert_eq!(fails::<Vec<Line>>("[[1, 2.5]]"), at(BindKind::Type, "/0"));
}

#[test]
fn integers_are_exact_or_refused() {
    reads("18446744073709551615", &u64::MAX);
    reads("-9223372036854775808", &i64::MIN);
    reads("18446744073709551616", &18_446_744_073_709_551_616_u128);
    reads("-9223372036854775809", &-9_223_372_036_854_775_809_i128);
    reads("7", &7_i128);
    assert_eq!(
        fails::<serde_json::Value>("[18446744073709551616]"),
        at(BindKind::Range, "/0")
    );
    assert_eq!(fails::<u64>("-1").0, BindKind::Range);
    assert_eq!(fails::<i64>("18446744073709551615").0, BindKind::Range);
    assert_eq!(fails::<u128>("-9223372036854775809").0, BindKind::Range);
    assert_eq!(fails::<u8>("256").0, BindKind::Range);
    assert_eq!(fails::<u32>("1e2").0, BindKind::Type);
}

#[test]
fn floats_are_read_from_the_text() {
    reads("7453218.77", &7_453_218.77_f64);
    reads("18446744073709551616", &18_446_744_073_709_551_616_f64);
    reads("9007199254740993", &9_007_199_254_740_992_f64);
    reads("3", &3.0_f64);
    reads("0.1", &0.1_f32);
    // Rounded by way of `f64` this would be the float below.
    reads("1.000000059604644775390626", &1.000_000_1_f32);
    assert_eq!(fails::<f32>("1e39").0, BindKind::Range);
    assert_eq!(fails::<f64>("\"1\"").0, BindKind::Type);
}

#[derive(Debug, PartialEq, Deserialize)]
enum Payment {
    Cash,
    Card(String),
    Split(u8, u8),
    Wire { iban: String },
}

#[test]
fn enums_by_name_or_by_a_single_key() {
    reads(
        r#"["Cash", {"Cash": null}, {"Card": "x"}, {"Split": [1, 2]}, {"Wire": {"iban": "y"}}]"#,
        &vec![
            Payment::Cash,
            Payment::Cash,
            Payment::Card("x".into()),
            Payment::Split(1, 2),
            Payment::Wire { iban: "y".into() },
        ],
    );
    let one = |text: &str| fails::<Vec<Payment>>(text);
    assert_eq!(one(r#"["Cheque"]"#), at(BindKind::Unknown, "/0"));
    assert_eq!(
        one(r#"[{"Cheque": 1}]"#),
        at(BindKind::Unknown, "/0/Cheque")
    );
    assert_eq!(one(r#"[{"Card": 1}]"#), at(BindKind::Type, "/0/Card"));
    assert_eq!(one(r#"[{"Wire": ["y"]}]"#), at(BindKind::Type, "/0/Wire"));
    assert_eq!(one(r#"[{"Wire": {}}]"#), at(BindKind::Required, "/0/Wire"));
    assert_eq!(one(r#"[{"Cash": null, "Card": "x"}]"#).1, "/0");
    assert_eq!(one("[1]"), at(BindKind::Type, "/0"));
    assert_eq!(one(r#"["Card"]"#), at(BindKind::Type, "/0"));
    reads(
        r#"{"Cash": 1}"#,
        &Keyed(BTreeMap::from([(Method::Cash, 1)])),
    );
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
enum Method {
    Cash,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Keyed(BTreeMap<Method, u8>);

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    Amount { value: f64, id: u64 },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Integer(u64),
    Float(f64),
    Text(String),
}

#[derive(Debug, PartialEq, Deserialize)]
struct Flat {
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Inner {
    value: f64,
    id: u64,
}

#[test]
fn buffered_representations_keep_numbers() {
    for (written, value) in [("2.75", 2.75), ("2.0", 2.0), ("1e2", 100.0)] {
        let id = u64::MAX;
        let members = format!(r#""value": {written}, "id": 18446744073709551615"#);
        reads(
            &format!(r#"{{"kind": "Amount", {members}}}"#),
            &Tagged::Amount { value, id },
        );
        reads(
            &format!("{{{members}}}"),
            &Flat {
                inner: Inner { value, id },
            },
        );
        reads(written, &Untagged::Float(value));
    }
    reads("18446744073709551615", &Untagged::Integer(u64::MAX));
    reads("\"a\"", &Untagged::Text("a".into()));
}

#[test]
fn remaining_shapes() {
    reads("null", &());
    reads("[1, \"a\", true]", &(1_u8, 'a', true));
    reads("{\"true\": 1}", &BTreeMap::from([(true, 1)]));
    reads("null", &None::<u8>);
    reads("5", &Some(5_u8));
    assert_eq!(fails::<(u8, u8)>("[1]").0, BindKind::Value);
    assert_eq!(fails::<String>("null").0, BindKind::Type);
    assert_eq!(fails::<bool>("1").0, BindKind::Type);
    assert_eq!(fails::<Vec<u8>>("{}").0, BindKind::Type);
    assert!(bind::<BTreeMap<i8, u8>>(r#"{"-5": 1}"#).is_ok());
    assert!(bind::<BTreeMap<u8, u8>>(r#"{"+5": 1}"#).is_err());
}
