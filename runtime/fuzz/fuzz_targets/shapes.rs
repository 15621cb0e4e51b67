//! Whatever the reply and whatever the shape of the type, the flow does not
//! panic, and what it accepts holds all that the reply says.
#![no_main]
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::IpAddr;

use chrono::{DateTime, NaiveDate, Utc};
use libfuzzer_sys::fuzz_target;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::Value;
use typed_extract::{Cited, Extract, Normalize, extract};

#[path = "../../../tests/flow/shapes.rs"]
mod shapes;

use shapes::*;

fn judge<T: Extract<Context = ()> + Serialize>(reply: &str) {
    let flow = extract::<T>().document("a document of 10.0 and 12.50");
    let _ = flow.validate(reply);
    let Ok(done) = flow.normalize(Normalize::none()).validate(reply) else {
        return;
    };
    let Ok(said) = serde_json::from_str::<Value>(reply) else {
        return;
    };
    let bound = serde_json::to_value(done.value()).expect("a value of these types is written");
    let said = match said.get("value") {
        Some(inner) if bound.get("value").is_none() => inner,
        _ => &said,
    };
    assert_eq!(lost(said, &bound, ""), None, "{reply} became {bound}");
}

macro_rules! judges {
    ($($name:ident: $type:ty = $seeds:tt;)*) => {
        const JUDGES: &[fn(&str)] = &[$(judge::<$type>),*];
    };
}

for_each_shape!(judges);

fuzz_target!(|input: (u8, &str)| {
    let (shape, reply) = input;
    if let Some(judge) = JUDGES.get(usize::from(shape) % JUDGES.len()) {
        judge(reply);
    }
});
