//! An element of a list is what it holds, wherever it stands.

use std::collections::BTreeSet;

use serde::Deserialize;
use typed_extract::rule::Violation;
use typed_extract::testing::Script;
use typed_extract::{Extract, FieldPath, Layer, Normalize, extract};

use super::{Line, repaired, run};
use crate::support::{found, restored};

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Order {
    lines: Vec<Line>,
}

fn line(sku: &str, quantity: u32) -> Line {
    let sku = sku.to_owned();
    Line { sku, quantity }
}

fn order(lines: &str) -> String {
    let lines: Vec<String> = lines
        .split_whitespace()
        .map(|line| {
            let (sku, quantity) = line.split_at(1);
            format!(r#"{{"sku":"{sku}","quantity":{quantity}}}"#)
        })
        .collect();
    format!(r#"{{"lines":[{}]}}"#, lines.join(","))
}

async fn lines(first: &str, second: &str) -> Option<Vec<Line>> {
    let done = repaired::<Order>(&order(first), &order(second)).await;
    done.map(|order| order.lines)
}

#[tokio::test]
async fn what_was_right_may_stand_anywhere_and_what_failed_may_be_anything() {
    for second in [
        "a1 b2",
        "b2 a1",
        "a1",
        "a1 c7",
        "c7 a1 d8",
        "a1 b2 c3 d4",
        "a1 a1",
    ] {
        let accepted = lines("a1 b0", second).await;
        let as_given = serde_json::from_str::<Order>(&order(second)).unwrap().lines;
        assert_eq!(accepted, Some(as_given), "{second}");
    }
}

#[tokio::test]
async fn an_element_that_was_right_and_is_gone_is_a_regression() {
    for second in ["b2", "c1 b2", "a9 b2", "", "a2 c2 b2", "b1 a2"] {
        assert_eq!(lines("a1 b0", second).await, None, "{second}");
    }
}

#[tokio::test]
async fn equal_elements_must_come_back_as_often_as_they_were_there() {
    assert_eq!(lines("a1 a1 b0", "a1 b2").await, None);
    assert_eq!(lines("a1 a1 b0", "a1 b2 b2").await, None);
    assert!(lines("a1 a1 b0", "a1 b2 a1").await.is_some());
    assert!(lines("a1 a1 b0", "a1 a1 a1").await.is_some());
}

#[tokio::test]
async fn elements_that_change_places_are_never_mixed() {
    #[derive(Debug, PartialEq, Deserialize, Extract)]
    struct Priced {
        name: String,
        unit: String,
        #[validate(range(min = 1))]
        cents: u32,
    }
    #[derive(Debug, PartialEq, Deserialize, Extract)]
    struct Bill {
        lines: Vec<Priced>,
    }
    let first = r#"{"lines":[{"name":"bolt","unit":"pcs","cents":100},{"name":"nut","unit":"pcs","cents":0}]}"#;
    let moved = r#"{"lines":[{"name":"nut","unit":"pcs","cents":200},{"name":"bolt","unit":"pcs","cents":100}]}"#;
    let other = r#"{"lines":[{"name":"bolt","unit":"pcs","cents":100},{"name":"cap","unit":"pcs","cents":300}]}"#;
    for second in [moved, other] {
        let accepted = repaired::<Bill>(first, second).await;
        assert_eq!(accepted, Some(serde_json::from_str(second).unwrap()));
    }
    let both = first.replace("100", "0");
    let accepted = repaired::<Bill>(&both, moved).await;
    assert_eq!(accepted, Some(serde_json::from_str(moved).unwrap()));
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Noted {
    sku: String,
    #[validate(range(min = 1))]
    quantity: u32,
    note: String,
}

#[tokio::test]
async fn the_one_value_that_changed_in_a_known_element_is_put_back() {
    let first =
        r#"{"value":[{"sku":"a","quantity":1,"note":"x"},{"sku":"b","quantity":0,"note":"x"}]}"#;
    let second =
        r#"{"value":[{"sku":"a","quantity":1,"note":"x"},{"sku":"b","quantity":2,"note":"y"}]}"#;
    let done = run::<Vec<Noted>>(&[first, second]).await.unwrap();
    assert_eq!(done.value()[1].note, "x");
    assert_eq!(done.value()[1].quantity, 2);
    assert_eq!(restored(&done.record().attempts()[1]), ["/1/note"]);

    // An element without a failure is all that it holds.
    let changed = second.replace(r#""quantity":1"#, r#""quantity":9"#);
    assert_eq!(repaired::<Vec<Noted>>(first, &changed).await, None);
}

#[tokio::test]
async fn an_element_that_nothing_tells_from_the_others_is_taken_as_it_came() {
    // The same beside the changed value in both elements: which is which cannot be told.
    let first =
        r#"{"value":[{"sku":"a","quantity":1,"note":"x"},{"sku":"b","quantity":0,"note":"x"}]}"#;
    let second =
        r#"{"value":[{"sku":"a","quantity":1,"note":"x"},{"sku":"c","quantity":2,"note":"x"}]}"#;
    let done = run::<Vec<Noted>>(&[first, second]).await.unwrap();
    assert_eq!(done.value()[1].sku, "c");
    assert_eq!(restored(&done.record().attempts()[1]), [""; 0]);
}

#[tokio::test]
async fn what_was_lost_is_named_in_one_line_and_compared_with_the_reply_before() {
    let odd = "a\\n\u{202E}<errors>\\u0007";
    let first = format!(
        r#"{{"lines":[{{"sku":"{odd}",
        "quantity":1}},{{"sku":"b","quantity":0}}]}}"#
    );
    let model = Script::new([
        first.clone(),
        order("b2"),
        first.replace(r#""quantity":0"#, r#""quantity":4"#),
    ]);
    let documents = "a\n\u{202E}<errors>\u{7}";
    let run = extract::<Order>().model(&model).document(documents);
    let done = run.run().await.unwrap();
    assert_eq!(done.value().lines[1], line("b", 4));
    let lost = done.record().attempts()[1].failures();
    assert_eq!(found(lost), [("repair.regression", "/lines".to_owned())]);
    assert_eq!(lost[0].layer(), Layer::Repair);
    let told = lost[0].message();
    assert!(told.starts_with(r#"lost {"sku":"a"#), "{told}");
    assert!(!told.contains(['\n', '\u{202E}', '\u{7}']), "{told}");
    let prompt = model.requests()[2].prompt().to_owned();
    assert!(prompt.contains("- lines: lost"), "{prompt}");
}

#[tokio::test]
async fn what_was_lost_is_named_with_a_bound() {
    let first: Vec<String> = (1..200).map(|number| format!("a{number}")).collect();
    let first = order(&format!("{} b0", first.join(" ")));
    let error = run::<Order>(&[&first, &order("b1")]).await.unwrap_err();
    let regressions = error.failures();
    assert_eq!(regressions.len(), 1);
    let message = regressions[0].message();
    assert!(message.contains("and 196 more"), "{message}");
    assert!(message.len() < 700, "{message}");
}

#[tokio::test]
async fn a_number_written_otherwise_is_the_same_element() {
    #[derive(Debug, Deserialize, Extract)]
    struct Weights {
        weights: Vec<Weight>,
    }
    #[derive(Debug, Deserialize, Extract)]
    struct Weight {
        #[validate(range(min = 0.1))]
        weight: f64,
    }
    let first = r#"{"weights":[{"weight":1.10},{"weight":0}]}"#;
    let second = r#"{"weights":[{"weight":2},{"weight":1.1}]}"#;
    assert!(repaired::<Weights>(first, second).await.is_some());
}

#[tokio::test]
async fn sets_and_lists_of_plain_values_are_known_by_their_values() {
    #[derive(Debug, Deserialize, Extract)]
    struct Tagged {
        tags: BTreeSet<Tag>,
    }
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Extract)]
    #[serde(rename_all = "lowercase")]
    enum Tag {
        Red,
        Green,
        Blue,
    }
    let first = r#"{"tags":["red","gren","blue"]}"#;
    for (second, accepted) in [
        (r#"{"tags":["blue","red","green"]}"#, true),
        (r#"{"tags":["red","blue"]}"#, true),
        (r#"{"tags":["red","green"]}"#, false),
    ] {
        let done = repaired::<Tagged>(first, second).await;
        assert_eq!(done.is_some(), accepted, "{second}");
    }
}

#[tokio::test]
async fn a_place_of_a_tuple_is_an_identity() {
    #[derive(Debug, PartialEq, Deserialize, Extract)]
    struct Drawing {
        origin: (u32, u8, String),
    }
    let first = r#"{"origin":[7,300,"mm"]}"#;
    let second = r#"{"origin":[8,30,"cm"]}"#;
    let done = run::<Drawing>(&[first, second]).await.unwrap();
    assert_eq!(done.value().origin, (7, 30, "mm".to_owned()));
    let last = &done.record().attempts()[1];
    assert_eq!(restored(last), ["/origin/0", "/origin/2"]);
}

#[tokio::test]
async fn a_tuple_in_a_list_is_one_element() {
    #[derive(Debug, PartialEq, Deserialize, Extract)]
    struct Pairs {
        pairs: Vec<(String, u8)>,
    }
    let first = r#"{"pairs":[["bolt",1],["nut",300]]}"#;
    for second in [
        r#"{"pairs":[["nut",2],["bolt",1]]}"#,
        r#"{"pairs":[["bolt",1]]}"#,
        r#"{"pairs":[["bolt",1],["cap",3]]}"#,
    ] {
        let accepted = repaired::<Pairs>(first, second).await;
        assert_eq!(accepted, Some(serde_json::from_str(second).unwrap()));
    }
    let lost = r#"{"pairs":[["bolt",2],["nut",2]]}"#;
    assert_eq!(repaired::<Pairs>(first, lost).await, None);
}

#[tokio::test]
async fn a_key_that_is_left_out_is_no_part_of_an_element() {
    let first = order("a1 b0").replace("},{", r#","colour":"red"},{"#);
    for (second, accepted) in [
        (order("a1 b2"), true),
        (order("b2 a1").replace("},{", r#","hue":1},{"#), true),
        (order("b2"), false),
    ] {
        let model = Script::new([first.as_str(), &second, &second]);
        let done = extract::<Order>()
            .model(&model)
            .normalize(Normalize::default().drop_unknown_keys(true))
            .document("d")
            .run()
            .await;
        assert_eq!(done.is_ok(), accepted, "{second}");
    }
}

#[tokio::test]
async fn where_not_all_failures_are_told_nothing_is_known_to_be_right() {
    let broken = r#"{"sku":"a","quantity":"one"}"#;
    let first = format!(r#"{{"lines":[{}]}}"#, vec![broken; 1_000].join(","));
    let second = order(&"a1 ".repeat(1_000));
    let done = run::<Order>(&[&first, &second]).await.unwrap();
    assert_eq!(done.value().lines.len(), 1_000);
    let attempts = done.record().attempts();
    assert!(attempts[0].failures().omitted() > 0);
    assert_eq!(restored(&attempts[1]), [""; 0]);
}

/// What a reply is accepted as after a verification refused the one before at these places.
async fn refused_at(places: &[&str], first: &str, second: &str) -> Option<Vec<Line>> {
    let (first, second) = (order(first), order(second));
    let refused = serde_json::from_str::<Order>(&first).unwrap();
    let model = Script::new([first.as_str(), &second, &second]);
    let done = extract::<Order>()
        .model(&model)
        .document("d")
        .verify(async |order: &Order| {
            let places = places.iter().filter(|_| *order == refused);
            let at = |place: &&str| Violation::new("is not on file").at(FieldPath::from(*place));
            places.map(at).collect::<Vec<_>>()
        })
        .await;
    done.ok().map(|order| order.lines)
}

#[tokio::test]
async fn a_verification_may_name_an_element_as_people_write_it() {
    for place in ["lines[1].sku", "lines.1.sku", "lines[1]", "lines.1"] {
        let lines = refused_at(&[place], "a1 b2 c3", "c3 d2 a1").await;
        assert_eq!(lines, Some(vec![line("c", 3), line("d", 2), line("a", 1)]));
        assert_eq!(refused_at(&[place], "a1 b2 c3", "d1 b2 c3").await, None);
    }
}

#[tokio::test]
async fn a_verification_may_name_places_that_are_not_there() {
    let places = [
        "lines[9]",
        "lines[1].sku.first",
        "nowhere[3]",
        "lines[1][4]",
    ];
    let lines = refused_at(&places, "a1 b2", "a1 d2 e3").await;
    assert_eq!(lines.map(|lines| lines.len()), Some(3));
    assert_eq!(refused_at(&places, "a1 b2", "d1 b2").await, None);
    let anything = refused_at(&["lines[1].sku", ""], "a1 b2", "d4").await;
    assert_eq!(anything, Some(vec![line("d", 4)]), "the whole was refused");
}
