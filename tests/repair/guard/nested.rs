//! Lists in lists: what failed is the innermost element, and all around it is right.

use serde::Deserialize;
use typed_extract::Extract;

use super::{Line, repaired};

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Book {
    sections: Vec<Section>,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Section {
    title: String,
    tags: Vec<String>,
    rows: Vec<Line>,
}

const FIRST: &str = r#"{"sections":[
    {"title":"A","tags":["t"],"rows":[{"sku":"a","quantity":1},{"sku":"b","quantity":0}]},
    {"title":"B","tags":[],"rows":[{"sku":"a","quantity":1}]}]}"#;

async fn accepted(second: &str) -> bool {
    let value = repaired::<Book>(FIRST, second).await;
    let as_given = serde_json::from_str(second).unwrap();
    assert!(
        value.as_ref().is_none_or(|value| *value == as_given),
        "{value:?}"
    );
    value.is_some()
}

const B: &str = r#"{"title":"B","tags":[],"rows":[{"sku":"a","quantity":1}]}"#;

#[tokio::test]
async fn sections_and_rows_may_move_and_the_failing_row_may_go() {
    for rows in [
        r#"[{"sku":"a","quantity":1},{"sku":"b","quantity":2}]"#,
        r#"[{"sku":"b","quantity":2},{"sku":"a","quantity":1}]"#,
        r#"[{"sku":"a","quantity":1}]"#,
        r#"[{"sku":"c","quantity":3},{"sku":"a","quantity":1},{"sku":"b","quantity":2}]"#,
    ] {
        let a = format!(r#"{{"title":"A","tags":["t"],"rows":{rows}}}"#);
        assert!(
            accepted(&format!(r#"{{"sections":[{a},{B}]}}"#)).await,
            "{rows}"
        );
        assert!(
            accepted(&format!(r#"{{"sections":[{B},{a}]}}"#)).await,
            "{rows}"
        );
    }
}

#[tokio::test]
async fn a_right_row_may_not_go_though_an_equal_one_stands_elsewhere() {
    for a in [
        r#"{"title":"A","tags":["t"],"rows":[{"sku":"b","quantity":2}]}"#,
        r#"{"title":"A","tags":["t"],"rows":[]}"#,
        r#"{"title":"C","tags":["u"],"rows":[{"sku":"a","quantity":1},{"sku":"b","quantity":2}]}"#,
        r#"{"title":"A","tags":["t","u"],"rows":[{"sku":"b","quantity":2},{"sku":"a","quantity":1}]}"#,
        r#"{"title":"A","tags":[],"rows":[{"sku":"b","quantity":2},{"sku":"a","quantity":1}]}"#,
    ] {
        assert!(
            !accepted(&format!(r#"{{"sections":[{a},{B}]}}"#)).await,
            "{a}"
        );
        assert!(
            !accepted(&format!(r#"{{"sections":[{B},{a}]}}"#)).await,
            "{a}"
        );
    }
    assert!(!accepted(&format!(r#"{{"sections":[{B}]}}"#)).await);
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Table {
    rows: Vec<Vec<u8>>,
}

#[tokio::test]
async fn cells_of_lists_of_lists_are_known_by_their_values() {
    let first = r#"{"rows":[[1,2],[3,300],[400]]}"#;
    for (second, accepted) in [
        (r#"{"rows":[[1,2],[3,4],[5]]}"#, true),
        (r#"{"rows":[[4,3],[1,2],[5]]}"#, true),
        (r#"{"rows":[[1,2],[3]]}"#, true),
        (r#"{"rows":[[1,2],[4],[5]]}"#, false),
        (r#"{"rows":[[2,1],[3,4],[5]]}"#, false),
        (r#"{"rows":[[1,2,3]]}"#, false),
    ] {
        let value = repaired::<Table>(first, second).await;
        assert_eq!(value.is_some(), accepted, "{second}");
    }
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Parcel {
    tags: Vec<String>,
    #[validate(range(min = 1))]
    weight: u32,
}

#[tokio::test]
async fn what_hangs_on_an_element_that_failed_goes_with_it() {
    let first = r#"{"value":[{"tags":["a","b"],"weight":0},{"tags":["c"],"weight":1}]}"#;
    for second in [
        r#"{"value":[{"tags":["c"],"weight":1}]}"#,
        r#"{"value":[{"tags":["c"],"weight":1},{"tags":["a"],"weight":2}]}"#,
    ] {
        let value = repaired::<Vec<Parcel>>(first, second).await;
        assert!(value.is_some(), "{second}");
    }
}
