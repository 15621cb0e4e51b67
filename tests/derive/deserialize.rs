//! `#[extract(deserialize)]`: one derive and one dependency.

use serde_json::json;
use typed_extract::Extract;

use crate::support::walked;

#[derive(Debug, PartialEq, Extract)]
#[extract(deserialize)]
#[extract(rule(positive(n), "n is positive", check = *n > 0))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Amt {
    n: i64,
    #[serde(default = "Amt::seven")]
    the_rest: u8,
    next: Option<Box<Self>>,
}

impl Amt {
    fn seven() -> u8 {
        7
    }
}

#[derive(Debug, PartialEq, Extract)]
#[extract(deserialize)]
#[serde(tag = "kind")]
enum Kind<T> {
    Card {
        amt: T,
    },
    Of(Amt),
    #[serde(other)]
    Unknown,
}

#[derive(Debug, PartialEq, Extract)]
#[extract(deserialize)]
struct Pair(u8, #[serde(skip)] u8);

#[derive(Debug, PartialEq, Extract)]
#[extract(deserialize, no_schema)]
#[derive(schemars::JsonSchema)]
struct Unit;

#[derive(Debug, PartialEq, Extract)]
#[extract(deserialize)]
#[serde(default)]
struct Defaulted {
    a: u8,
    b: u8,
}

impl Default for Defaulted {
    fn default() -> Self {
        Self { a: 1, b: 2 }
    }
}

#[derive(Debug, PartialEq, Extract)]
#[extract(deserialize)]
#[serde(try_from = "u8")]
struct Small(u8);

impl TryFrom<u8> for Small {
    type Error = &'static str;

    fn try_from(n: u8) -> Result<Self, Self::Error> {
        (n < 10).then_some(Self(n)).ok_or("too large")
    }
}

fn bound<T: serde::de::DeserializeOwned>(json: serde_json::Value) -> Result<T, String> {
    serde_json::from_value(json).map_err(|error| error.to_string())
}

#[test]
fn structs_and_enums_bind_as_with_serdes_own_derive() {
    let amt: Amt = bound(json!({"n": 1})).unwrap();
    assert_eq!((amt.the_rest, amt.next), (7, None));
    assert_eq!(
        bound(json!({"kind": "Card", "amt": 1})),
        Ok(Kind::Card { amt: 1 })
    );
    assert_eq!(bound(json!({"kind": "Cheque"})), Ok(Kind::<u8>::Unknown));
    assert_eq!(bound(json!([4])), Ok(Pair(4, 0)));
    assert_eq!(bound(json!(null)), Ok(Unit));
    assert_eq!(bound(json!({"b": 5})), Ok(Defaulted { a: 1, b: 5 }));
    assert_eq!(bound::<Small>(json!(10)), Err("too large".to_owned()));
}

#[test]
fn errors_name_the_type() {
    let error = bound::<Amt>(json!(5)).unwrap_err();
    assert_eq!(error, "invalid type: integer `5`, expected struct Amt");
    let error = bound::<Amt>(json!({"n": 1, "m": 2})).unwrap_err();
    assert!(error.contains("unknown field `m`"), "{error}");
}

#[test]
fn rules_run_as_ever() {
    let reply = json!({"kind": "Of", "n": 0});
    assert_eq!(walked::<Kind<u8>>(&reply), ["n: positive"]);
}
