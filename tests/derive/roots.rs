//! Types that are extracted by themselves.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;
use std::net::IpAddr;
use std::sync::Arc;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Cited, Extract, extract, json_schema, rules, validate};

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[extract(rule(some(count), "there is at least one", check = *count > 0))]
struct Item {
    count: u32,
}

fn reads<T: Extract<Context = ()> + Debug + PartialEq>(value: &str, expected: &T) {
    let reply = format!(r#"{{"value": {value}}}"#);
    reads_whole(&reply, expected);
}

/// An object needs no wrapper.
fn reads_whole<T: Extract<Context = ()> + Debug + PartialEq>(reply: &str, expected: &T) {
    assert_eq!(&validate::<T>(reply).expect(reply), expected);
}

#[test]
fn a_plain_value_is_read_out_of_its_wrapper() {
    reads("true", &true);
    reads(r#""Ida""#, &"Ida".to_owned());
    reads(r#""é""#, &'é');
    reads("-7", &-7_i64);
    reads("0.5", &0.5_f64);
    reads("18446744073709551615", &u64::MAX);
    reads(r#""12.50""#, &Decimal::new(1250, 2));
    reads(
        r#""2026-05-12""#,
        &NaiveDate::from_ymd_opt(2026, 5, 12).unwrap(),
    );
    reads(r#""10.0.0.1""#, &IpAddr::from([10, 0, 0, 1]));
}

#[test]
fn lists_maps_and_tuples_of_plain_values_are_read() {
    reads("[1, 2, 2]", &vec![1_u8, 2, 2]);
    reads("[1, 2]", &[1_u8, 2]);
    reads("[2, 1]", &BTreeSet::from([1_u8, 2]));
    reads("null", &None::<u8>);
    reads_whole(r#"{"a": 1}"#, &HashMap::from([("a".to_owned(), 1_u8)]));
    reads_whole(
        r#"{"2025": ["x"]}"#,
        &BTreeMap::from([(2025_u16, vec!["x".to_owned()])]),
    );
    reads(r#"["Ida", 40]"#, &("Ida".to_owned(), 40_u8));
    reads(
        r#"[true, {"count": 2}]"#,
        &(true, Arc::new(Item { count: 2 })),
    );
}

#[test]
fn what_is_wrong_in_a_plain_value_is_told_at_its_own_place() {
    let of_number = |reply: &str| told(validate::<u8>(reply).map(|_| ()));
    let of_pair = |reply: &str| told(validate::<(String, Item)>(reply).map(|_| ()));
    let of_map = |reply: &str| told(validate::<BTreeMap<String, Item>>(reply).map(|_| ()));
    let one = |place: &str, code: &str| vec![(place.to_owned(), code.to_owned())];

    assert_eq!(of_number(r#"{"value": 256}"#), one("", "schema.range"));
    assert_eq!(
        of_pair(r#"{"value": ["a", {"count": 0}]}"#),
        one("/1/count", "rule")
    );
    assert_eq!(of_pair(r#"{"value": ["a"]}"#), one("", "schema.length"));
    assert_eq!(of_map(r#"{"x": {"count": 0}}"#), one("/x/count", "rule"));
}

fn told(verdict: Result<(), typed_extract::Failures>) -> Vec<(String, String)> {
    let failures = verdict.unwrap_err();
    let all = failures.iter();
    all.map(|one| (one.path().pointer(), one.code().to_string()))
        .collect()
}

#[derive(Debug, Deserialize, Extract)]
#[extract(context = u32)]
struct Limited {
    amount: u32,
}

#[rules]
impl Limited {
    /// It stays under the limit.
    fn limited(amount: &u32, context: &u32) -> bool {
        amount <= context
    }
}

#[tokio::test]
async fn the_places_of_a_tuple_read_one_context() {
    let model = Script::new([r#"{"value": [{"amount": 3}, [{"amount": 9}]]}"#]);
    let run = extract::<(Limited, Vec<Limited>)>().context(&5).attempts(1);
    let error = run.model(&model).document("3, 9").await.unwrap_err();
    assert_eq!(error.failures()[0].path().pointer(), "/1/0/amount");
}

#[tokio::test]
async fn a_text_is_repaired_like_any_other_value() {
    let model = Script::new([r#"{"text": "Ida"}"#, r#"{"value": "Ida"}"#]);
    let name = extract::<String>()
        .model(&model)
        .document("Ida")
        .await
        .unwrap();
    assert_eq!(name, "Ida");
}

#[tokio::test]
async fn a_cited_value_alone_is_looked_up() {
    let model = Script::new([r#"{"quote": "on 12 May 2026", "value": "2026-05-12"}"#]);
    let signed = extract::<Cited<NaiveDate>>();
    let signed = signed
        .model(&model)
        .document("Signed on 12 May 2026.")
        .await
        .unwrap();
    assert_eq!(signed.span(), Some(7..21));
}

#[test]
fn the_schema_of_a_plain_value_has_the_wrapper() {
    let schema = json_schema::<(String, u8)>().unwrap();
    assert_eq!(
        schema["properties"]["value"]["prefixItems"][1]["maximum"],
        255
    );
    assert_eq!(schema["required"][0], "value");
}
