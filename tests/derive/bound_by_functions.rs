//! Fields and variants that serde binds through functions of the user's.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Value, json};
use serde_with::{DisplayFromStr, DurationSeconds, serde_as};
use typed_extract::{Extract, json_schema, validate};

use crate::support::refused;

mod halves {
    use serde::{Deserialize, Deserializer};

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        Ok(u32::deserialize(from)? / 2)
    }
}

mod cents {
    use serde::{Deserialize, Deserializer};

    use super::Opaque;

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Opaque, D::Error> {
        u32::deserialize(from).map(Opaque)
    }
}

mod perhaps {
    use serde::{Deserialize, Deserializer};

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
        Option::deserialize(from)
    }
}

/// Has neither `Deserialize` nor a schema.
#[derive(Debug, PartialEq)]
struct Opaque(u32);

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Parts {
    #[serde(with = "halves", rename = "half")]
    own_schema: u32,
    #[serde(with = "cents")]
    #[schemars(with = "u32")]
    said: Opaque,
    #[serde(deserialize_with = "perhaps::deserialize")]
    must_be_there: Option<u32>,
    #[serde(with = "perhaps", default)]
    may_be_absent: Option<u32>,
    #[serde(with = "chrono::serde::ts_seconds")]
    at: DateTime<Utc>,
}

fn right() -> Value {
    json!({"half": 8, "said": 5, "must_be_there": null, "at": 0})
}

#[test]
fn a_module_binds_a_field_and_its_type_or_the_user_says_the_schema() {
    let parts: Parts = validate(&right().to_string()).expect("right");
    assert_eq!(parts.own_schema, 4);
    assert_eq!(parts.said, Opaque(5));
    assert_eq!(parts.at, DateTime::UNIX_EPOCH);
    let schema = json_schema::<Parts>().expect("a schema");
    assert_eq!(schema["properties"]["said"]["type"], "integer");
    assert_eq!(schema["properties"]["at"]["type"], "integer");
}

#[test]
fn a_key_bound_by_a_function_is_required_as_serde_requires_it() {
    let mut reply = right();
    reply
        .as_object_mut()
        .expect("an object")
        .remove("must_be_there");
    assert_eq!(refused::<Parts>(&reply), ["must_be_there: schema.required"]);
}

#[test]
fn a_wrong_value_fails_at_its_own_place() {
    let mut reply = right();
    reply["half"] = json!("x");
    reply["said"] = json!(-1);
    assert_eq!(
        refused::<Parts>(&reply),
        ["half: schema.type", "said: schema.range"]
    );
}

#[derive(Debug, PartialEq, Extract)]
#[extract(deserialize)]
struct Derived<T> {
    #[serde(with = "halves")]
    half: u32,
    #[serde(with = "cents")]
    #[schemars(with = "u32")]
    said: Opaque,
    #[serde(deserialize_with = "listed")]
    list: Vec<T>,
    plain: T,
}

fn listed<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    Vec::deserialize(from)
}

#[test]
fn one_derive_and_generic_types_do_the_same() {
    let reply = json!({"half": 2, "said": 1, "list": ["a"], "plain": "b"});
    let derived: Derived<String> = validate(&reply.to_string()).expect("right");
    let expected = Derived {
        half: 1,
        said: Opaque(1),
        list: vec!["a".to_owned()],
        plain: "b".to_owned(),
    };
    assert_eq!(derived, expected);
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
enum Either {
    #[serde(with = "halves")]
    Half(u32),
    #[serde(with = "cents")]
    #[schemars(with = "u32")]
    Cents(Opaque),
}

#[test]
fn a_module_binds_a_variant() {
    #[derive(Debug, PartialEq, Deserialize, Extract)]
    struct Root {
        list: Vec<Either>,
    }
    let reply = json!({"list": [{"Half": 4}, {"Cents": 5}]});
    let root: Root = validate(&reply.to_string()).expect("right");
    assert_eq!(root.list, [Either::Half(2), Either::Cents(Opaque(5))]);
    let reply = json!({"list": [{"Half": "x"}]});
    assert_eq!(refused::<Root>(&reply), ["list[0].Half: schema.type"]);
}

#[serde_as]
#[derive(Debug, PartialEq, Deserialize, Extract)]
struct AsTheySay {
    #[serde_as(as = "DisplayFromStr")]
    number: u32,
    #[serde_as(as = "DurationSeconds<u64>")]
    time: Duration,
    #[serde_as(as = "Vec<DisplayFromStr>")]
    list: Vec<u8>,
    #[serde_as(as = "BTreeMap<DisplayFromStr, _>")]
    map: BTreeMap<i8, bool>,
    #[serde_as(as = "Option<DisplayFromStr>")]
    maybe: Option<u64>,
    #[serde_as(as = "Option<DisplayFromStr>", no_default)]
    null_or_there: Option<u64>,
    plain: String,
}

fn as_they_say() -> Value {
    json!({
        "number": "7", "time": 90, "list": ["1", "2"], "map": {"-3": true},
        "null_or_there": null, "plain": "x",
    })
}

#[test]
fn serde_as_says_how_a_field_is_written() {
    let bound: AsTheySay = validate(&as_they_say().to_string()).expect("right");
    let expected = AsTheySay {
        number: 7,
        time: Duration::from_secs(90),
        list: vec![1, 2],
        map: BTreeMap::from([(-3, true)]),
        maybe: None,
        null_or_there: None,
        plain: "x".to_owned(),
    };
    assert_eq!(bound, expected);
}

#[test]
fn the_schema_says_what_serde_as_reads() {
    let schema = json_schema::<AsTheySay>().expect("a schema");
    let of = |key: &str| &schema["properties"][key];
    assert_eq!(of("number")["type"], "string");
    assert_eq!(of("time")["type"], "integer");
    assert_eq!(of("list")["items"]["type"], "string");
    assert_eq!(of("maybe")["type"], json!(["string", "null"]));
}

#[test]
fn what_serde_as_does_not_read_fails_at_its_place() {
    let mut reply = as_they_say();
    reply["number"] = json!(7);
    reply["list"][1] = json!("300");
    reply
        .as_object_mut()
        .expect("an object")
        .remove("null_or_there");
    let expected = [
        "number: schema.type",
        "list[1]: bind.value",
        "null_or_there: schema.required",
    ];
    assert_eq!(refused::<AsTheySay>(&reply), expected);
}
