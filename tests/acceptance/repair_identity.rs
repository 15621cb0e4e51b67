//! A repair never makes a record that no reply holds, and never stands in the way of a right one.
use rust_decimal::Decimal;
use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Extract, extract};

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Bill {
    lines: Vec<Row>,
}
#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Row {
    name: String,
    amount: Decimal,
}

fn row(name: &str, amount: &str) -> Row {
    Row {
        name: name.to_owned(),
        amount: amount.parse().unwrap(),
    }
}

const FIRST: &str = r#"{"lines": [{"name": "bolt", "amount": "1.00"}, {"name": "nut", "amount": "two"}, {"name": "cap", "amount": "3.00"}]}"#;

async fn repaired(second: &str) -> Option<Vec<Row>> {
    let model = Script::new([FIRST, second, second]);
    extract::<Bill>()
        .model(&model)
        .document("bolt 1.00 nut 2.00 cap 3.00")
        .await
        .ok()
        .map(|bill| bill.lines)
}

#[tokio::test]
async fn lines_that_move_keep_their_own_amounts() {
    for second in [
        r#"{"lines": [{"name": "nut", "amount": "2.00"}, {"name": "bolt", "amount": "1.00"}, {"name": "cap", "amount": "3.00"}]}"#,
        r#"{"lines": [{"name": "bolt", "amount": "1.00"}, {"name": "cap", "amount": "3.00"}, {"name": "nut", "amount": "2.00"}]}"#,
    ] {
        let lines = repaired(second)
            .await
            .expect("every line is there, and right");
        assert!(
            lines.contains(&row("nut", "2.00")) && lines.contains(&row("bolt", "1.00")),
            "{lines:?}"
        );
    }
}

#[tokio::test]
async fn a_line_that_failed_may_go() {
    let second =
        r#"{"lines": [{"name": "bolt", "amount": "1.00"}, {"name": "cap", "amount": "3.00"}]}"#;
    assert_eq!(
        repaired(second).await,
        Some(vec![row("bolt", "1.00"), row("cap", "3.00")])
    );
}

#[tokio::test]
async fn a_line_that_was_right_may_not() {
    let second =
        r#"{"lines": [{"name": "nut", "amount": "2.00"}, {"name": "cap", "amount": "3.00"}]}"#;
    assert_eq!(repaired(second).await, None);
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(tag = "art")]
enum Device {
    #[serde(rename = "valve")]
    Valve { dn: u32 },
    #[serde(rename = "pump")]
    Pump { size: u32 },
}
#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Plant {
    device: Device,
}

#[tokio::test]
async fn a_wrong_key_of_a_tagged_variant_is_told_and_repaired() {
    let model = Script::new([
        r#"{"device": {"art": "valve", "size": 5}}"#,
        r#"{"device": {"art": "valve", "dn": 5}}"#,
    ]);
    let done = extract::<Plant>()
        .model(&model)
        .document("valve DN 5")
        .run()
        .await
        .unwrap();
    assert_eq!(
        *done.value(),
        Plant {
            device: Device::Valve { dn: 5 }
        }
    );
    let failures = done.record().attempts()[0].failures();
    for place in ["/device/dn", "/device/size"] {
        assert!(
            failures.iter().any(|one| one.path().pointer() == place),
            "{failures}"
        );
    }
}

#[tokio::test]
async fn a_root_that_is_no_object_is_repaired_like_any_other() {
    let right = r#"{"value": [{"name": "nut", "amount": "2.00"}]}"#;
    for first in [
        r#"[{"name": "nut", "amount": "2.00"}]"#,
        r#"{"rows": [{"name": "nut", "amount": "2.00"}]}"#,
        r#"{"name": "nut", "amount": "2.00"}"#,
        r#"{"value": [{"name": "nut", "amount": "2.00"}], "count": 1}"#,
    ] {
        let model = Script::new([first, right]);
        let rows = extract::<Vec<Row>>()
            .model(&model)
            .document("nut 2.00")
            .await;
        assert_eq!(rows.expect(first), [row("nut", "2.00")]);
    }
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Positive,
    Negative,
}

#[tokio::test]
async fn a_class_is_repaired_like_any_other() {
    let model = Script::new([r#""positive""#, r#"{"value": "positive"}"#]);
    assert_eq!(
        extract::<Tone>()
            .model(&model)
            .document("good")
            .await
            .unwrap(),
        Tone::Positive
    );
}
