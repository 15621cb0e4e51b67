//! A key is an identity: what stands below keys alone and had no error is put back.

use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Extract, extract};

use super::Line;
use crate::support::{found, restored};

#[derive(Debug, Deserialize, Extract)]
struct Address {
    city: String,
    #[validate(length(min = 4))]
    zip: String,
}

#[derive(Debug, Deserialize, Extract)]
struct Order {
    customer: String,
    address: Address,
    #[validate(range(min = 0.01))]
    weight: f64,
    lines: Vec<Line>,
    #[serde(default)]
    note: Option<String>,
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(
    adds_up(net, tax, gross),
    "net and tax make up gross",
    check = net + tax == *gross
))]
struct Sums {
    vendor: String,
    net: u32,
    tax: u32,
    gross: u32,
}

#[tokio::test]
async fn a_nested_field_beside_the_failing_one_is_put_back() {
    let model = Script::new([
        r#"{"customer":"Ida","address":{"city":"Oslo","zip":"1"},"weight":2.5,"lines":[]}"#,
        r#"{"customer":"Ida","address":{"city":"Bergen","zip":"0150"},"weight":2.5,"lines":[]}"#,
    ]);
    let done = extract::<Order>()
        .model(&model)
        .document("d")
        .run()
        .await
        .unwrap();
    assert_eq!(done.value().address.city, "Oslo");
    assert_eq!(done.value().address.zip, "0150");
    let attempts = done.record().attempts();
    assert_eq!(restored(&attempts[0]), [""; 0]);
    assert_eq!(restored(&attempts[1]), ["/address/city"]);
}

#[tokio::test]
async fn a_dropped_object_comes_back_and_an_added_key_goes() {
    let model = Script::new([
        r#"{"customer":"Ida","address":{"city":"Oslo","zip":"0150"},"weight":0,"lines":[]}"#,
        r#"{"customer":"Ida","note":"fragile","weight":2.5,"lines":[]}"#,
    ]);
    let done = extract::<Order>()
        .model(&model)
        .document("d")
        .run()
        .await
        .unwrap();
    assert_eq!(done.value().note, None);
    assert_eq!(done.value().address.city, "Oslo");
    let last = &done.record().attempts()[1];
    assert_eq!(restored(last), ["/address", "/note"]);
}

#[tokio::test]
async fn keys_in_another_order_are_no_change() {
    let model = Script::new([
        r#"{"vendor":"A","net":1,"tax":1,"gross":3}"#,
        r#"{"gross":2,"tax":1,"net":1,"vendor":"\u0041"}"#,
    ]);
    let done = extract::<Sums>()
        .model(&model)
        .document("d")
        .run()
        .await
        .unwrap();
    assert_eq!(restored(&done.record().attempts()[1]), [""; 0]);
}

#[tokio::test]
async fn every_field_of_a_broken_rule_may_change_and_no_other() {
    let model = Script::new([
        r#"{"vendor":"A","net":10,"tax":2,"gross":13}"#,
        r#"{"vendor":"B","net":11,"tax":3,"gross":14}"#,
    ]);
    let done = extract::<Sums>()
        .model(&model)
        .document("d")
        .run()
        .await
        .unwrap();
    let value = done.value();
    assert_eq!(
        (value.vendor.as_str(), value.net, value.tax, value.gross),
        ("A", 11, 3, 14)
    );
    assert_eq!(restored(&done.record().attempts()[1]), ["/vendor"]);
}

#[tokio::test]
async fn a_list_that_failed_as_a_whole_may_change_its_length() {
    #[derive(Debug, Deserialize, Extract)]
    struct Tags {
        #[validate(length(min = 2))]
        tags: Vec<String>,
    }
    let model = Script::new([r#"{"tags":["a"]}"#, r#"{"tags":["b","c"]}"#]);
    let tags = extract::<Tags>().model(&model).document("d").await.unwrap();
    assert_eq!(tags.tags, ["b", "c"]);
}

#[tokio::test]
async fn a_parent_that_vanished_with_parts_that_were_right_is_a_regression() {
    #[derive(Debug, Deserialize, Extract)]
    struct Parcel {
        to: Option<Address>,
    }
    let model = Script::new([
        r#"{"to":{"city":"Oslo","zip":"1"}}"#,
        r#"{"to":null}"#,
        r#"{"to":{"city":"Oslo","zip":"0150"}}"#,
    ]);
    let done = extract::<Parcel>()
        .model(&model)
        .document("d")
        .run()
        .await
        .unwrap();
    let attempts = done.record().attempts();
    assert_eq!(
        found(attempts[1].failures()),
        [("repair.regression", "/to".to_owned())]
    );
    assert_eq!(done.value().to.as_ref().unwrap().city, "Oslo");
}

#[tokio::test]
async fn a_reply_that_cannot_be_read_does_not_undo_what_was_right() {
    let model = Script::new([
        r#"{"vendor":"A","net":1,"tax":1,"gross":3}"#,
        "I am sorry.",
        r#"{"vendor":"B","net":1,"tax":1,"gross":2}"#,
    ]);
    let done = extract::<Sums>()
        .model(&model)
        .document("d")
        .run()
        .await
        .unwrap();
    assert_eq!(done.value().vendor, "A");
    assert_eq!(restored(&done.record().attempts()[2]), ["/vendor"]);
}

#[tokio::test]
async fn numbers_are_put_back_as_they_were_written() {
    let model = Script::new([
        r#"{"customer":"Ida","address":{"city":"Oslo","zip":"1"},"weight":1.10,"lines":[]}"#,
        r#"{"customer":"Ida","address":{"city":"Oslo","zip":"2"},"weight":1.1,"lines":[]}"#,
        r#"{"customer":"Ida","address":{"city":"Oslo","zip":"0150"},"weight":1.1e0,"lines":[]}"#,
    ]);
    let done = extract::<Order>()
        .model(&model)
        .document("d")
        .run()
        .await
        .unwrap();
    let prompt = model.requests()[2].prompt().to_owned();
    let (_, shown) = prompt.split_once("<previous_reply>").unwrap();
    assert!(
        shown.contains("1.10,") && !shown.contains("1.1,"),
        "{shown}"
    );
    assert_eq!(restored(&done.record().attempts()[1]), ["/weight"]);
    assert_eq!(restored(&done.record().attempts()[2]), ["/weight"]);
}
