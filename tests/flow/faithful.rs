//! What is bound is what was said: for each shape of type, replies around right
//! ones are judged, and whatever is accepted holds every key, element and digit.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Debug;
use std::net::IpAddr;

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};
use typed_extract::{Cited, Extract, Normalize, extract, json_schema};

use crate::shapes::*;

/// Changes replies, from a fixed seed.
struct Changes {
    state: u64,
}

impl Changes {
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
            json!(-0.0),
            json!(7),
            json!(-1),
            json!(300),
            json!(5_000_000_000_u64),
            json!(1.5),
            json!(1e39),
            json!(1e-50),
            json!(""),
            json!("a"),
            json!("10.0"),
            json!("10.00"),
            json!("0.12345678901234567890123456789"),
            json!("2026-03-02"),
            json!("2026-3-2"),
            json!("2026-03-02T10:00:00Z"),
            json!("2026-03-02T12:00:00+02:00"),
            json!("card"),
            json!("DE1"),
            json!("XX1"),
            json!([]),
            json!({}),
            json!([1, "a"]),
            json!({"name": "n"}),
        ];
        all[self.below(all.len())].clone()
    }

    fn key(&mut self) -> &'static str {
        let all = [
            "name",
            "vat",
            "iban",
            "amount",
            "kind",
            "of",
            "7",
            "07",
            "10.0",
            "10.00",
            "::1",
            "0:0:0:0:0:0:0:1",
            "2026-03-02",
            "2026-3-2",
            "card",
            "a",
            "extra",
        ];
        all[self.below(all.len())]
    }

    /// One place of a value changed: replaced, left out, added, doubled, or an
    /// object turned into the list of its values.
    fn change(&mut self, value: &mut Value) {
        match value {
            Value::Object(object) if !object.is_empty() && self.below(5) > 0 => {
                let at = self.below(object.len());
                let key = object.keys().nth(at).unwrap().clone();
                match self.below(6) {
                    0 => {
                        object.shift_remove(&key);
                    }
                    1 => {
                        let added = self.key().to_owned();
                        let like = object[&key].clone();
                        let value = if self.below(2) == 0 {
                            like
                        } else {
                            self.scalar()
                        };
                        object.insert(added, value);
                    }
                    _ => self.change(&mut object[&key]),
                }
            }
            Value::Array(list) if !list.is_empty() && self.below(5) > 0 => {
                let at = self.below(list.len());
                match self.below(4) {
                    0 => list.push(list[at].clone()),
                    1 => {
                        list.remove(at);
                    }
                    _ => self.change(&mut list[at]),
                }
            }
            Value::Object(object) if self.below(3) == 0 => {
                *value = Value::Array(object.values().cloned().collect());
            }
            other => *other = self.scalar(),
        }
    }
}

/// Judges `rounds` replies around the given ones.
fn is_faithful<T>(seeds: &[Value])
where
    T: Extract<Context = ()> + Serialize + Debug,
{
    let schema = json_schema::<T>().unwrap();
    let wrapped = schema["properties"].get("value").is_some()
        && seeds.iter().all(|seed| seed.get("value").is_none());
    let flow = extract::<T>()
        .document("a document of 10.0 and 12.50")
        .normalize(Normalize::none());
    let judged = |reply: &Value| {
        let text = if wrapped {
            json!({ "value": reply }).to_string()
        } else {
            reply.to_string()
        };
        flow.validate(&text)
    };
    for seed in seeds {
        let done = judged(seed).unwrap_or_else(|failures| {
            let all: Vec<String> = failures.iter().map(ToString::to_string).collect();
            panic!("{seed}: {all:#?}")
        });
        let bound = serde_json::to_value(done.value()).unwrap();
        assert_eq!(lost(seed, &bound, ""), None, "{seed} became {bound}");
    }
    let mut changes = Changes { state: 11 };
    let mut accepted = 0;
    for round in 0..600 {
        let mut reply = seeds[round % seeds.len()].clone();
        for _ in 0..=round % 3 {
            changes.change(&mut reply);
        }
        if let Ok(done) = judged(&reply) {
            accepted += 1;
            let bound = serde_json::to_value(done.value()).unwrap();
            let lost = lost(&reply, &bound, "");
            assert_eq!(lost, None, "{reply} became {bound}");
        }
    }
    assert!(accepted > 0, "no changed reply was accepted");
}

macro_rules! shapes {
    ($($name:ident: $type:ty = [$($seed:tt),+ $(,)?];)*) => {
        $(#[test]
        fn $name() {
            is_faithful::<$type>(&[$(json!($seed)),+]);
        })*
    };
}

for_each_shape!(shapes);
