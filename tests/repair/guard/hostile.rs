//! Replies that are made to be mixed, or to be refused although they are right.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Extract, extract};

use super::{Line, repaired, run};
use crate::support::{found, restored};

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(tag = "art", rename_all = "lowercase")]
enum Device {
    Valve {
        dn: u8,
        maker: String,
        model: String,
    },
    Pipe {
        length: u8,
        maker: String,
    },
    Off,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Numbered {
    devices: BTreeMap<u32, Device>,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Dated {
    devices: BTreeMap<NaiveDate, Device>,
}

/// What a variant under this key is accepted as.
async fn keyed<T: Extract<Context = ()>>(key: &str, second: &str) -> Option<T> {
    let map = |device: &str| format!(r#"{{"devices":{{"{key}":{device}}}}}"#);
    let first = r#"{"art":"valve","dn":300,"maker":"Holm","model":"M1"}"#;
    repaired(&map(first), &map(second)).await
}

#[tokio::test]
async fn variants_under_keys_of_any_type_are_never_mixed() {
    let both = r#"{"art":"valve","dn":30,"maker":"Berg","model":"B7"}"#;
    assert_eq!(keyed::<Numbered>("7", both).await, None);
    assert_eq!(keyed::<Dated>("2025-01-02", both).await, None);
    let other = r#"{"art":"pipe","length":3,"maker":"Berg"}"#;
    let numbered = keyed::<Numbered>("7", other).await.unwrap();
    let dated = keyed::<Dated>("2025-01-02", other).await.unwrap();
    for device in numbered.devices.values().chain(dated.devices.values()) {
        assert!(matches!(device, Device::Pipe { length: 3, maker } if maker == "Berg"));
    }
}

#[tokio::test]
async fn an_entry_under_a_number_keeps_what_was_right() {
    #[derive(Debug, Deserialize, Extract)]
    struct Orders {
        orders: BTreeMap<u32, Line>,
    }
    let first = r#"{"orders":{"7":{"sku":"a","quantity":0},"8":{"sku":"b","quantity":1}}}"#;
    let second = r#"{"orders":{"7":{"sku":"z","quantity":2}}}"#;
    let done = run::<Orders>(&[first, second]).await.unwrap();
    assert_eq!(done.value().orders[&7].sku, "a");
    assert_eq!(done.value().orders[&8].sku, "b");
    let last = &done.record().attempts()[1];
    assert_eq!(restored(last), ["/orders/7/sku", "/orders/8"]);
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum Ordered {
    Many(Vec<Line>),
    One(Line),
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Cart {
    ordered: Option<Ordered>,
    notes: Option<Vec<Line>>,
}

#[tokio::test]
async fn a_list_of_which_all_failed_may_go_whole() {
    let cart = |ordered: &str, notes: &str| format!(r#"{{"ordered":{ordered},"notes":{notes}}}"#);
    let failed = r#"[{"sku":"a","quantity":0}]"#;
    let one = r#"{"sku":"a","quantity":1}"#;
    for (first, second, accepted) in [
        (cart("null", failed), cart("null", "null"), true),
        (cart("null", failed), cart("null", "[]"), true),
        (cart(failed, "null"), cart(one, "null"), true),
        (cart(failed, "null"), cart("null", "null"), true),
    ] {
        let done = repaired::<Cart>(&first, &second).await;
        assert_eq!(done.is_some(), accepted, "{first} {second}");
    }
    let mixed = r#"[{"sku":"a","quantity":1},{"sku":"b","quantity":0}]"#;
    for (first, second) in [
        (cart("null", mixed), cart("null", "null")),
        (cart(mixed, "null"), cart("null", "null")),
        (
            cart(mixed, "null"),
            cart(r#"{"sku":"b","quantity":1}"#, "null"),
        ),
    ] {
        let done = repaired::<Cart>(&first, &second).await;
        assert_eq!(done, None, "{first} {second}");
    }
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Bill {
    lines: Vec<Row>,
    total: Decimal,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Row {
    name: String,
    amount: Decimal,
}

fn bill(rows: &[(&str, &str)]) -> String {
    let row = |(name, amount): &(&str, &str)| format!(r#"{{"name":"{name}","amount":{amount}}}"#);
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!(r#"{{"lines":[{}],"total":"4.00"}}"#, rows.join(","))
}

#[tokio::test]
async fn another_reading_of_the_same_value_is_no_change() {
    let first = bill(&[("bolt", r#""1.00""#), ("nut", r#""two""#)]);
    let moved = bill(&[("nut", "2.00"), ("bolt", "1.00")]);
    let fenced = format!("```json\n{moved}\n```");
    let escaped = moved.replace("bolt", r"b\u006flt");
    for second in [&moved, &fenced, &escaped] {
        let done = run::<Bill>(&[&first, second]).await.unwrap();
        let names = done.value().lines.iter().map(|row| row.name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["nut", "bolt"], "{second}");
        assert_eq!(restored(&done.record().attempts()[1]), [""; 0]);
    }
    let other = bill(&[("nut", r#""1.00""#)]);
    assert_eq!(repaired::<Bill>(&first, &other).await, None);
}

#[tokio::test]
async fn what_a_cut_or_wrongly_wrapped_reply_lacks_is_not_lost() {
    let first = r#"{"value":[{"sku":"a","quantity":0},{"sku":"b","quantity":1}]}"#;
    let right = r#"{"value":[{"sku":"a","quantity":2},{"sku":"b","quantity":1}]}"#;
    let bare = r#"[{"sku":"a","quantity":2},{"sku":"b","quantity":1}]"#;
    for second in [&right[..30], bare, "null", r#"{"value":null}"#] {
        let done = run::<Vec<Line>>(&[first, second, right]).await;
        assert_eq!(done.expect(second).value().len(), 2, "{second}");
    }
}

#[tokio::test]
async fn a_variant_without_fields_is_an_element_like_any_other() {
    let valve = r#"{"art":"valve","dn":300,"maker":"Holm","model":"M1"}"#;
    let mended = valve.replace("300", "30");
    let off = r#"{"art":"off"}"#;
    let list = |devices: &[&str]| format!(r#"{{"value":[{}]}}"#, devices.join(","));
    let first = list(&[off, valve]);
    for (second, length) in [
        (list(&[&mended, off]), Some(2)),
        (list(&[off]), Some(1)),
        (list(&[&mended]), None),
    ] {
        let done = repaired::<Vec<Device>>(&first, &second).await;
        assert_eq!(done.map(|devices| devices.len()), length, "{second}");
    }
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(
    adds_up(total, lines),
    "the quantities make up the total",
    check = lines.iter().map(|line| line.quantity).sum::<u32>() == *total
))]
struct Sum {
    lines: Vec<Line>,
    total: u32,
    vendor: String,
}

#[tokio::test]
async fn what_was_lost_in_one_attempt_is_right_when_it_is_back_in_the_next() {
    let sum =
        |lines: &str, vendor| format!(r#"{{"lines":[{lines}],"total":3,"vendor":"{vendor}"}}"#);
    let (a, b) = (r#"{"sku":"a","quantity":1}"#, r#"{"sku":"b","quantity":2}"#);
    let first = sum(&format!(r#"{a},{{"sku":"b","quantity":0}}"#), "V");
    let third = sum(&format!("{b},{a}"), "W");
    let done = run::<Sum>(&[&first, &sum(b, "V"), &third]).await.unwrap();
    let attempts = done.record().attempts();
    assert_eq!(
        found(attempts[1].failures())[0],
        ("repair.regression", "/lines".to_owned())
    );
    assert_eq!(restored(&attempts[2]), ["/vendor"]);
    assert_eq!((done.value().lines.len(), &*done.value().vendor), (2, "V"));
}

#[tokio::test]
async fn a_reply_that_was_undone_is_accepted_once_a_rule_frees_what_it_changed() {
    let sum = |quantity: i32, total| {
        format!(r#"{{"lines":[{{"sku":"a","quantity":{quantity}}}],"total":{total},"vendor":"V"}}"#)
    };
    let model = Script::new([sum(-1, 4), sum(3, 3), sum(3, 3)]);
    let run = extract::<Sum>().model(&model).document("d");
    let done = run.run().await.unwrap();
    assert_eq!(done.value().total, 3);
    let attempts = done.record().attempts();
    assert_eq!(restored(&attempts[1]), ["/total"]);
    assert_eq!(restored(&attempts[2]), [""; 0]);
}
