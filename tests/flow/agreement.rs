//! The schema accepts exactly what serde accepts: asked over many values for
//! each shape of type. Unknown keys are the one difference by design, since the
//! schema closes every object.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use typed_extract::{Extract, Layer, json_schema, validate};

/// Values that look like an answer and mutations of them, from a fixed seed.
struct Values {
    state: u64,
}

impl Values {
    fn below(&mut self, bound: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 33).unwrap() % bound
    }

    fn scalar(&mut self) -> Value {
        let all = [
            json!(null),
            json!(true),
            json!(0),
            json!(1),
            json!(-1),
            json!(255),
            json!(256),
            json!(4_294_967_296_u64),
            json!(1.5),
            json!(""),
            json!("a"),
            json!("Card"),
            json!("card"),
            json!("2026-03-02"),
            json!("x@example.org"),
            json!([]),
            json!({}),
            json!([1]),
            json!(["a"]),
        ];
        all[self.below(all.len())].clone()
    }

    /// One value somewhere inside changed, or a key taken away.
    fn mutate(&mut self, value: &mut Value) {
        match value {
            Value::Object(object) if !object.is_empty() => {
                let at = self.below(object.len());
                let key = object.keys().nth(at).unwrap().clone();
                match self.below(4) {
                    0 => {
                        object.shift_remove(&key);
                    }
                    1 => {
                        object[&key] = self.scalar();
                    }
                    _ => self.mutate(&mut object[&key]),
                }
            }
            Value::Array(list) if !list.is_empty() && self.below(4) > 0 => {
                let at = self.below(list.len());
                self.mutate(&mut list[at]);
            }
            other => *other = self.scalar(),
        }
    }
}

/// Whether the flow's schema layer says nothing against a value.
fn schema_accepts<T: Extract<Context = ()>>(text: &str) -> bool {
    match validate::<T>(text) {
        Ok(_) => true,
        Err(failures) => failures
            .iter()
            .all(|failure| failure.layer() != Layer::Schema),
    }
}

fn agrees<T: Extract<Context = ()> + DeserializeOwned + Debug>(seeds: &[Value]) {
    let wrapped = json_schema::<T>().unwrap()["properties"]
        .get("value")
        .is_some()
        && seeds.iter().all(|seed| seed.get("value").is_none());
    let mut values = Values { state: 7 };
    for round in 0..400 {
        let mut value = seeds[round % seeds.len()].clone();
        for _ in 0..round % 3 {
            values.mutate(&mut value);
        }
        let inner = value.to_string();
        let text = if wrapped {
            json!({"value": value}).to_string()
        } else {
            inner.clone()
        };
        let by_serde = serde_json::from_str::<T>(&inner);
        let by_schema = schema_accepts::<T>(&text);
        assert_eq!(
            by_serde.is_ok(),
            by_schema,
            "{inner}: serde says {by_serde:?}"
        );
    }
}

#[derive(Debug, Deserialize, Extract)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[allow(dead_code)]
struct Plain {
    some_text: String,
    flag: bool,
    small: u8,
    signed: i16,
    wide: u32,
    ratio: f64,
    maybe: Option<i64>,
    #[serde(default)]
    list: Vec<u16>,
    pair: (u8, String),
    map: BTreeMap<String, bool>,
    fixed: [u8; 2],
    boxed: Box<str>,
}

#[test]
fn structs_with_every_kind_of_field() {
    agrees::<Plain>(&[json!({
        "someText": "a", "flag": true, "small": 1, "signed": -1, "wide": 7, "ratio": 1.5,
        "maybe": 4, "list": [1, 2], "pair": [1, "a"], "map": {"k": true}, "fixed": [1, 2],
        "boxed": "b",
    })]);
}

#[derive(Debug, Deserialize, Extract)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Inner {
    a: u8,
    b: Option<String>,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
enum External {
    Unit,
    Newtype(Inner),
    Tuple(u8, String),
    Struct { x: u8, y: Option<bool> },
}

#[test]
fn externally_tagged_enums() {
    agrees::<External>(&[
        json!("Unit"),
        json!({"Newtype": {"a": 1, "b": "c"}}),
        json!({"Tuple": [1, "a"]}),
        json!({"Struct": {"x": 1, "y": true}}),
    ]);
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
#[allow(dead_code)]
enum Internal {
    Card { last4: String, year: Option<u16> },
    Cash { cents: u32 },
}

#[test]
fn internally_tagged_enums() {
    agrees::<Internal>(&[
        json!({"kind": "card", "last4": "0071", "year": 2026}),
        json!({"kind": "cash", "cents": 5}),
    ]);
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
#[allow(dead_code)]
enum Adjacent {
    Num(u8),
    Named { a: String },
}

#[test]
fn adjacently_tagged_enums() {
    agrees::<Adjacent>(&[
        json!({"t": "Num", "c": 4}),
        json!({"t": "Named", "c": {"a": "x"}}),
    ]);
}

#[derive(Debug, Deserialize, Extract)]
#[serde(untagged, deny_unknown_fields)]
#[allow(dead_code)]
enum Untagged {
    Num(u8),
    Text(String),
    Both { a: u8, b: String },
}

#[test]
fn untagged_enums() {
    agrees::<Untagged>(&[json!(4), json!("a"), json!({"a": 1, "b": "c"})]);
}

#[derive(Debug, Deserialize, Extract)]
#[serde(transparent)]
struct Wrapped<T>(#[allow(dead_code)] T);

#[derive(Debug, Deserialize, Extract)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Generic<T> {
    held: T,
    list: Vec<Wrapped<T>>,
}

#[test]
fn generics_and_newtypes() {
    agrees::<Generic<u8>>(&[json!({"held": 1, "list": [2, 3]})]);
    agrees::<Wrapped<Inner>>(&[json!({"a": 1, "b": null})]);
    agrees::<Vec<Inner>>(&[json!([{"a": 1, "b": "x"}])]);
    agrees::<Option<Inner>>(&[json!(null), json!({"a": 1})]);
}

#[derive(Debug, Deserialize, Extract)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Recursive {
    name: String,
    children: Vec<Recursive>,
    links: HashMap<String, Recursive>,
}

#[test]
fn types_inside_themselves() {
    agrees::<Recursive>(&[json!({
        "name": "a",
        "children": [{"name": "b", "children": [], "links": {}}],
        "links": {"c": {"name": "c", "children": [], "links": {}}},
    })]);
}
