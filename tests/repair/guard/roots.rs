//! A wrapper is a part of the reply like any other.

use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Extract, Repair, extract};

use super::{Line, repaired, run};
use crate::support::{found, restored};

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Positive,
    Negative,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Event {
    Started { at: u32 },
    Stopped { at: u32, reason: String },
}

#[tokio::test]
async fn any_root_is_repaired_after_any_wrong_wrapper() {
    for first in [
        r#"[{"sku":"a","quantity":1}]"#,
        r#"{"lines":[{"sku":"a","quantity":1}]}"#,
        r#"{"sku":"a","quantity":1}"#,
        r#"{"value":[{"sku":"a","quantity":1}],"value2":[]}"#,
        r#"{"value":{"sku":"a","quantity":1}}"#,
        r#"{"value":{"value":[{"sku":"a","quantity":1}]}}"#,
        "{}",
        "null",
        "[]",
    ] {
        let right = r#"{"value":[{"sku":"a","quantity":1}]}"#;
        let lines = repaired::<Vec<Line>>(first, right).await.expect(first);
        assert_eq!(lines.len(), 1);
    }
    for first in [
        r#""positive""#,
        r#"{"tone":"positive"}"#,
        r#"{"value":"positive","why":"kind words"}"#,
        r#"{"value":{"tone":"positive"}}"#,
        r#"["positive"]"#,
    ] {
        let tone = repaired::<Tone>(first, r#"{"value":"positive"}"#).await;
        assert_eq!(tone, Some(Tone::Positive), "{first}");
    }
    for first in [
        r#"{"kind":"started","at":4}"#,
        r#"[{"kind":"started","at":4}]"#,
        r#"{"event":{"kind":"started","at":4}}"#,
        r#"{"kind":"started","value":{"kind":"started","at":4}}"#,
    ] {
        let right = r#"{"value":{"kind":"started","at":4}}"#;
        let event = repaired::<Event>(first, right).await;
        assert_eq!(event, Some(Event::Started { at: 4 }), "{first}");
    }
    for first in [
        r#"{"sku":"a","quantity":1}"#,
        r#"{"line":null}"#,
        "null",
        r#"{"value":null,"reason":"none"}"#,
    ] {
        for right in [r#"{"value":null}"#, r#"{"value":{"sku":"a","quantity":1}}"#] {
            let line = repaired::<Option<Line>>(first, right).await;
            let has_one = right.contains("sku");
            // A value that stood in its wrapper was right.
            let kept = first.contains(r#""value":null"#) && has_one;
            assert_eq!(
                line.map(|line| line.is_some()),
                Some(has_one && !kept),
                "{first}"
            );
        }
    }
}

#[tokio::test]
async fn what_stands_beside_the_wrapper_goes_and_what_is_in_it_stays() {
    let first = r#"{"value":[{"sku":"a","quantity":1},{"sku":"b","quantity":2}],"count":2}"#;
    let lost = r#"{"value":[{"sku":"a","quantity":1}]}"#;
    let right = r#"{"value":[{"sku":"a","quantity":1},{"sku":"b","quantity":2}]}"#;
    let done = run::<Vec<Line>>(&[first, lost]).await.unwrap();
    assert_eq!(
        done.value().len(),
        2,
        "put back, since nothing in it failed"
    );
    assert_eq!(restored(&done.record().attempts()[1]), [""]);
    let done = run::<Vec<Line>>(&[first, right]).await.unwrap();
    assert_eq!(restored(&done.record().attempts()[1]), [""; 0]);
}

#[tokio::test]
async fn a_right_element_of_a_wrapped_root_may_not_go() {
    let first = r#"{"value":[{"sku":"a","quantity":1},{"sku":"b","quantity":0}]}"#;
    let model = Script::new([
        first,
        r#"{"value":[{"sku":"b","quantity":2}]}"#,
        r#"{"value":[{"sku":"b","quantity":2},{"sku":"a","quantity":1}]}"#,
    ]);
    let run = extract::<Vec<Line>>().model(&model).document("d");
    let done = run.run().await.unwrap();
    assert_eq!(done.value().len(), 2);
    let lost = done.record().attempts()[1].failures();
    assert_eq!(found(lost), [("repair.regression", String::new())]);
    let told = model.requests()[2].prompt().to_owned();
    assert!(
        told.contains(r#"- value: lost {"sku":"a","quantity":1}"#),
        "{told}"
    );
}

#[tokio::test]
async fn prompts_name_places_as_they_stand_in_the_reply_and_errors_as_the_caller_sees_them() {
    let right = r#"{"value":[{"sku":"a","quantity":1}]}"#;
    for (first, told, seen) in [
        (
            r#"{"value":[{"sku":"a","quantity":0}]}"#,
            "- value[0].quantity: ",
            "/0/quantity",
        ),
        (
            r#"{"value":[{"sku":"a","quantity":1}],"count":1}"#,
            "- count: ",
            "/count",
        ),
        ("{}", "- value: ", ""),
        ("[]", "- (root): ", ""),
        (
            r#"{"value":[{"sku":"a","sku":"a"}]}"#,
            "- value[0].sku: ",
            "/0/sku",
        ),
    ] {
        let model = Script::new([first, right]);
        let run = extract::<Vec<Line>>().model(&model).document("d");
        let done = run.run().await.unwrap();
        let prompt = model.requests()[1].prompt().to_owned();
        assert!(prompt.contains(told), "{prompt}");
        let failures = done.record().attempts()[0].failures();
        assert_eq!(failures[0].path().pointer(), seen);
    }
}

#[tokio::test]
async fn a_wrong_wrapper_is_mended_whole_where_patches_are_asked_for() {
    let right = r#"{"value":[{"sku":"a","quantity":1}]}"#;
    for first in [
        r#"[{"sku":"a","quantity":1}]"#,
        r#"{"lines":[]}"#,
        r#"{"value":[{"sku":"a","quantity":1}],"0":1}"#,
        r#"{"value":[{"sku":"a","quantity":0}],"count":1}"#,
    ] {
        let model = Script::new([first, right]);
        let run = extract::<Vec<Line>>().model(&model).document("d");
        let done = run.repair(Repair::Patch).run().await.expect(first);
        assert_eq!(done.value()[0].quantity, 1);
        assert!(done.record().attempts()[1].patch().is_none());
    }
}

#[tokio::test]
async fn a_key_beside_the_wrapper_is_not_taken_for_one_in_it() {
    let first = r#"{"value":{"sku":"a","quantity":1},"sku":"b"}"#;
    let right = r#"{"value":{"sku":"a","quantity":1}}"#;
    for repair in [Repair::Whole, Repair::Patch, Repair::Auto] {
        let model = Script::new([first, right]);
        let run = extract::<Option<Line>>().model(&model).document("d");
        let done = run.repair(repair).run().await.unwrap();
        assert_eq!(done.value().as_ref().unwrap().sku, "a");
        let attempt = &done.record().attempts()[1];
        assert!(attempt.patch().is_none() && attempt.normalizations().is_empty());
        assert_eq!(restored(attempt), [""; 0]);
    }
}
