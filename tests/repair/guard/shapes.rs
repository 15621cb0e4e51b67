//! A repair keeps what was right wherever it stands, in every shape of value.
use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Extract, extract};

async fn run<T: Extract<Context = ()> + Sync + 'static>(replies: &[&str]) -> Option<T> {
    let model = Script::new(replies.iter().copied());
    extract::<T>().model(&model).document("d").await.ok()
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[allow(dead_code)]
struct Row {
    name: String,
    amount: Decimal,
}

#[tokio::test]
async fn a_root_of_any_shape_is_repaired() {
    let right = r#"{"value": {"name": "nut", "amount": "2.00"}}"#;
    for first in [
        r#"{"name": "nut", "amount": "2.00"}"#,
        r#"{"value": [{"name": "nut", "amount": "2.00"}]}"#,
        r#"{"row": {"name": "nut", "amount": "2.00"}}"#,
        r#""nut""#,
        r#"{"value": {"name": "nut", "amount": "two"}}"#,
    ] {
        assert!(
            run::<Option<Row>>(&[first, right]).await.is_some(),
            "{first}"
        );
    }
    assert_eq!(
        run::<Option<Row>>(&[r#"{"name": "nut"}"#, r#"{"value": null}"#]).await,
        Some(None)
    );
    let rights =
        r#"{"value": [{"name": "nut", "amount": "2.00"}, {"name": "cap", "amount": "1"}]}"#;
    for first in [
        r#"{"value": {"name": "nut", "amount": "2.00"}}"#,
        r#"[{"name": "nut", "amount": "2.00"}, {"name": "cap", "amount": "1"}]"#,
        r#"{"items": [], "value": []  , "x": {}}"#,
        r#"{"value": [{"name": "nut", "amount": "2.00"}, {"name": "cap", "amount": "one"}]}"#,
    ] {
        assert!(run::<Vec<Row>>(&[first, rights]).await.is_some(), "{first}");
    }
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(tag = "kind", content = "of", rename_all = "lowercase")]
enum Adjacent {
    Valve { dn: u32 },
    Pump { size: u32 },
}
#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
enum External {
    Valve { dn: u32 },
    Pump { size: u32 },
}
#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum Untagged {
    Valve { dn: u32 },
    Pump { size: u32, power: u32 },
}
#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Internal {
    Valve { dn: u32 },
    Pump { size: u32 },
}
#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Plant<T> {
    name: String,
    device: T,
    all: Vec<T>,
}

#[tokio::test]
async fn a_variant_of_any_tagging_is_repaired() {
    let r = run::<Plant<Adjacent>>(&[
        r#"{"name": "n", "device": {"kind": "valve", "of": {"size": 5}}, "all": []}"#,
        r#"{"name": "n", "device": {"kind": "valve", "of": {"dn": 5}}, "all": []}"#,
    ])
    .await;
    assert_eq!(r.unwrap().device, Adjacent::Valve { dn: 5 });
    let r = run::<Plant<External>>(&[
        r#"{"name": "n", "device": {"valve": {"size": 5}}, "all": [{"pump": {"size": 1}}]}"#,
        r#"{"name": "n", "device": {"pump": {"size": 5}}, "all": [{"pump": {"size": 1}}]}"#,
    ])
    .await;
    assert_eq!(r.unwrap().device, External::Pump { size: 5 });
    let r = run::<Plant<Untagged>>(&[
        r#"{"name": "n", "device": {"size": 5}, "all": []}"#,
        r#"{"name": "n", "device": {"size": 5, "power": 7}, "all": []}"#,
    ])
    .await;
    assert_eq!(r.unwrap().device, Untagged::Pump { size: 5, power: 7 });
    let r = run::<Plant<Internal>>(&[
        r#"{"name": "n", "device": {"kind": "vlave", "dn": 5}, "all": [{"kind": "pump", "size": 1}, {"kind": "valve", "size": 3}]}"#,
        r#"{"name": "n", "device": {"kind": "valve", "dn": 5}, "all": [{"kind": "valve", "dn": 3}, {"kind": "pump", "size": 1}]}"#]).await.unwrap();
    assert_eq!(
        r.all,
        [Internal::Valve { dn: 3 }, Internal::Pump { size: 1 }]
    );
    // A list without a failure stands under its key: it is put back whole.
    let r = run::<Plant<Internal>>(&[
        r#"{"name": "n", "device": {"kind": "vlave", "dn": 5}, "all": [{"kind": "pump", "size": 1}]}"#,
        r#"{"name": "n", "device": {"kind": "valve", "dn": 5}, "all": []}"#,
    ])
    .await
    .unwrap();
    assert_eq!(r.all, [Internal::Pump { size: 1 }]);
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Nested {
    groups: Vec<Vec<Row>>,
    by_year: BTreeMap<u32, Row>,
    note: Option<String>,
}

#[tokio::test]
async fn lists_in_lists_and_maps_keep_what_was_right() {
    let r = run::<Nested>(&[
        r#"{"groups": [[{"name": "a", "amount": "1"}, {"name": "b", "amount": "x"}], [{"name": "c", "amount": "3"}]], "by_year": {"2025": {"name": "y", "amount": "1"}, "2026": {"name": "z", "amount": "?"}}, "note": null}"#,
        r#"{"groups": [[{"name": "c", "amount": "3"}], [{"name": "b", "amount": "2"}, {"name": "a", "amount": "1"}]], "by_year": {"2026": {"name": "z", "amount": "4"}, "2025": {"name": "y", "amount": "1"}}, "note": null}"#]).await.unwrap();
    assert_eq!(r.by_year[&2026].amount, Decimal::from(4));
    assert_eq!(r.groups[1].len(), 2);
    // A lone scalar beside the failing one is put back.
    let r = run::<Nested>(&[
        r#"{"groups": [], "by_year": {"2026": {"name": "z", "amount": "?"}}, "note": "keep"}"#,
        r#"{"groups": [], "by_year": {"2026": {"name": "z", "amount": "4"}}, "note": "changed"}"#,
    ])
    .await
    .unwrap();
    assert_eq!(r.note.as_deref(), Some("keep"));
    // The key of a map that was right may not go.
    let r = run::<Nested>(&[
        r#"{"groups": [], "by_year": {"2025": {"name": "y", "amount": "1"}, "2026": {"name": "z", "amount": "?"}}, "note": null}"#,
        r#"{"groups": [], "by_year": {"2026": {"name": "z", "amount": "4"}}, "note": null}"#,
        r#"{"groups": [], "by_year": {"2026": {"name": "z", "amount": "4"}}, "note": null}"#]).await;
    assert!(r.is_none_or(|one| one.by_year.len() == 2));
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[extract(rule(adds_up(total, lines), "the lines add up", check = lines.iter().map(|l| l.amount).sum::<Decimal>() == *total))]
struct Bill {
    lines: Vec<Row>,
    total: Decimal,
    vendor: String,
}

#[tokio::test]
async fn a_rule_over_a_list_leaves_the_list_free() {
    let r = run::<Bill>(&[
        r#"{"lines": [{"name": "a", "amount": "1"}, {"name": "b", "amount": "2"}], "total": "6", "vendor": "v"}"#,
        r#"{"lines": [{"name": "c", "amount": "3"}, {"name": "b", "amount": "2"}, {"name": "a", "amount": "1"}], "total": "6", "vendor": "v"}"#]).await.unwrap();
    assert_eq!(r.lines.len(), 3);
    let r = run::<Bill>(&[
        r#"{"lines": [{"name": "a", "amount": "1"}, {"name": "b", "amount": "2"}], "total": "6", "vendor": "v"}"#,
        r#"{"lines": [{"name": "a", "amount": "1"}, {"name": "b", "amount": "2"}], "total": "3", "vendor": "w"}"#]).await.unwrap();
    assert_eq!(r.vendor, "v");
    // Numbers for decimals are read in both replies.
    let r = run::<Bill>(&[
        r#"{"lines": [{"name": "a", "amount": 1.00}, {"name": "b", "amount": "two"}], "total": 3, "vendor": "v"}"#,
        r#"{"lines": [{"name": "b", "amount": 2}, {"name": "a", "amount": "1.00"}], "total": 3, "vendor": "v"}"#]).await.unwrap();
    assert_eq!(r.lines.len(), 2);
}
