//! Patches that set what they may not, or cannot be applied: failures of their own, told by place.

use proptest::strategy::Strategy;
use serde::Deserialize;
use serde_json::json;
use typed_extract::testing::Script;
use typed_extract::{ErrorKind, Extract, Layer, Normalize, Repair, extract, extract_value};

use super::{Order, RIGHT, offered, order, with};
use crate::support::found;

const SET: &str = r#"{"/currency": "NOK"}"#;

/// What an attempt with this patch fails with, beside what was wrong before.
async fn refused(patch: &str) -> Vec<(String, String)> {
    let wrong = with("NOK", "kroner");
    let model = Script::new([wrong.as_str(), patch, SET]);
    let done = order(&model).await.unwrap();
    assert_eq!(done.value(), &serde_json::from_str::<Order>(RIGHT).unwrap());
    let attempts = done.record().attempts();
    assert_eq!(attempts.len(), 3, "{patch}");
    assert_eq!(attempts[1].patch().unwrap().merged(), None, "{patch}");
    assert_eq!(offered(&attempts[2]), ["/currency"], "{patch}");
    let prompt = model.requests()[2].prompt().to_owned();
    for failure in attempts[1].failures() {
        let told = failure.message();
        assert!(prompt.contains(told), "{patch}: {told} is not in {prompt}");
    }
    let mut failures = found(attempts[1].failures());
    let standing = failures.pop().unwrap();
    assert_eq!(
        standing,
        ("schema.length", "/currency".to_owned()),
        "{patch}"
    );
    let owned = |(code, pointer): (&str, String)| (code.to_owned(), pointer);
    failures.into_iter().map(owned).collect()
}

#[tokio::test]
async fn a_place_that_was_not_asked_for_is_refused_by_name() {
    let not_offered = |pointer: &str| [("repair.patch.not_offered".to_owned(), pointer.to_owned())];
    for (patch, pointer) in [
        (r#"{"/currency": "NOK", "/vendor": "Other AS"}"#, "/vendor"),
        (r#"{"/currency": "NOK", "/due": "1 May"}"#, "/due"),
        (r#"{"/currency": "NOK", "/lines": []}"#, "/lines"),
        (r#"{"/currency": "NOK", "/lines/1": null}"#, "/lines/1"),
        (r#"{"/currency": "NOK", "/total": 43}"#, "/total"),
        (r#"{"/currency": "NOK", "/person/age": 40}"#, "/person/age"),
        (r#"{"/currency": "NOK", "/lines/-": {}}"#, "/lines/-"),
        (r#"{"/currency": "NOK", "": {}}"#, "/"),
        (r#"{"/currency": "NOK", "currency": "NOK"}"#, "/currency"),
        (r#"{"/currency": "NOK", "/currency/0": "N"}"#, "/currency/0"),
    ] {
        assert_eq!(refused(patch).await, not_offered(pointer), "{patch}");
    }
}

#[tokio::test]
async fn a_patch_that_breaks_its_schema_is_refused() {
    for (patch, code, pointer) in [
        ("{}", "repair.patch.missing", "/currency"),
        (r#"{"/currency": 5}"#, "repair.patch.value", "/currency"),
        (r#"{"/currency": null}"#, "repair.patch.value", "/currency"),
        (r#"{"/currency": "kr"}"#, "repair.patch.value", "/currency"),
        ("null", "repair.patch.shape", ""),
        ("[]", "repair.patch.shape", ""),
        (r#""NOK""#, "repair.patch.shape", ""),
        (
            r#"[{"op": "replace", "path": "/currency", "value": "NOK"}]"#,
            "repair.patch.shape",
            "/currency",
        ),
        (
            r#"{"/currency": "NOK", "/currency": "NOK"}"#,
            "parse.duplicate_key",
            "/currency",
        ),
        ("sorry", "parse.no_json", ""),
    ] {
        assert_eq!(
            refused(patch).await,
            [(code.to_owned(), pointer.to_owned())],
            "{patch}"
        );
    }
}

#[tokio::test]
async fn a_whole_reply_in_place_of_a_patch_is_not_taken() {
    let failures = refused(RIGHT).await;
    assert_eq!(failures.len(), 6);
    assert!(failures.contains(&("repair.patch.missing".to_owned(), "/currency".to_owned())));
    assert!(failures.contains(&("repair.patch.not_offered".to_owned(), "/vendor".to_owned())));
}

#[tokio::test]
async fn a_patch_that_gives_what_was_there_ends_the_run() {
    let wrong = with(r#""total": 42"#, r#""total": 43"#);
    let model = Script::new([wrong.as_str(), r#"{"/total": 43}"#, RIGHT]);
    let error = order(&model).await.unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Rejected, 2));
    assert_eq!(found(error.failures()), [("rule", "/total".to_owned())]);
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(
    adds_up(total, parts),
    "the parts add up to the total",
    check = parts.iter().map(|part| part.size).sum::<i64>() == *total,
))]
struct Parted {
    parts: Vec<Part>,
    total: i64,
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(positive(size), "a size is more than zero", check = *size > 0))]
struct Part {
    size: i64,
}

#[tokio::test]
async fn a_list_and_a_part_of_it_must_agree() {
    let wrong = r#"{"parts": [{"size": 1}, {"size": -2}], "total": 9}"#;
    for (patch, agrees) in [
        (
            r#"{"/parts/1/size": 2, "/total": 3, "/parts": [{"size": 1}, {"size": 2}]}"#,
            true,
        ),
        (r#"{"/parts/1/size": 2, "/total": 3}"#, true),
        (
            r#"{"/parts/1/size": 2, "/total": 3, "/parts": [{"size": 1}, {"size": 3}]}"#,
            false,
        ),
        (
            r#"{"/parts/1/size": 2, "/total": 3, "/parts": [{"size": 3}]}"#,
            false,
        ),
    ] {
        let model = Script::new([wrong, patch]);
        let done = extract::<Parted>()
            .model(&model)
            .document("d")
            .repair(Repair::Patch)
            .attempts(2)
            .run()
            .await;
        let record = match &done {
            Ok(done) => done.record(),
            Err(error) => error.record(),
        };
        let attempt = &record.attempts()[1];
        assert_eq!(offered(attempt), ["/parts/1/size", "/total", "/parts"]);
        assert_eq!(done.is_ok(), agrees, "{patch}");
        if !agrees {
            let first = found(attempt.failures())[0].clone();
            assert_eq!(first, ("repair.patch.conflict", "/parts/1/size".to_owned()));
        }
    }
}

/// Keys that may be left out are left out of what a patch gives; a place that it may not set is
/// no such key.
#[tokio::test]
async fn leaving_out_unknown_keys_lets_no_place_be_set() {
    let wrong = with(r#"{"sku": "b", "quantity": 2, "amount": 12}"#, "7");
    let line = r#"{"sku": "b", "quantity": 2, "amount": 12, "colour": "red"}"#;
    let model = Script::new([
        wrong,
        format!(r#"{{"/lines/1": {line}, "/vendor": "Other AS"}}"#),
        format!(r#"{{"/lines/1": {line}}}"#),
    ]);
    let done = extract::<Order>()
        .model(&model)
        .document("d")
        .repair(Repair::Patch)
        .normalize(Normalize::default().drop_unknown_keys(true))
        .run()
        .await
        .unwrap();
    assert_eq!(done.value(), &serde_json::from_str::<Order>(RIGHT).unwrap());
    let attempts = done.record().attempts();
    let refused = found(attempts[1].failures())[0].clone();
    assert_eq!(refused, ("repair.patch.not_offered", "/vendor".to_owned()));
    assert!(attempts[1].normalizations().is_empty());
    let steps = attempts[2].normalizations();
    assert_eq!((steps.len(), steps[0].name()), (1, "unknown_key"));
    assert_eq!(steps[0].path().pointer(), "/lines/1/colour");
}

/// What stands around a patch is taken off as it is for any reply.
#[tokio::test]
async fn a_fenced_patch_is_read_as_any_fenced_reply() {
    let wrong = with("NOK", "kroner");
    let model = Script::new([wrong, format!("```json\n{SET}\n```")]);
    let done = order(&model).await.unwrap();
    let attempt = &done.record().attempts()[1];
    assert_eq!(attempt.normalizations()[0].name(), "code_fence");
    assert_eq!(attempt.patch().unwrap().merged(), Some(RIGHT));
}

proptest::proptest! {
    /// Whatever a patch holds, what it was not asked for stays as it was, and what is accepted is
    /// accepted with every check.
    #[test]
    fn no_patch_changes_what_it_was_not_asked_for(
        patch in proptest::collection::vec((key(), value()), 0..5),
        fenced: bool,
    ) {
        let members: Vec<String> = patch
            .iter()
            .map(|(key, value)| format!("\"{key}\": {value}"))
            .collect();
        let mut text = format!("{{{}}}", members.join(", "));
        if fenced {
            text = format!("```\n{text}\n```");
        }
        let wrong = with("NOK", "kroner");
        let model = Script::new([wrong, text]);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let run = runtime.block_on(
            extract::<Order>().model(&model).document("d").repair(Repair::Patch).attempts(2).run(),
        );
        match run {
            Ok(done) => {
                let right: Order = serde_json::from_str(RIGHT).unwrap();
                let currency = done.value().currency.clone();
                proptest::prop_assert_eq!(done.value(), &Order { currency, ..right });
            }
            Err(error) => {
                let attempt = &error.record().attempts()[1];
                proptest::prop_assert!(!attempt.failures().is_empty());
                proptest::prop_assert_eq!(attempt.patch().unwrap().merged(), None);
            }
        }
    }
}

fn key() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "/currency",
        "/vendor",
        "/lines",
        "/lines/0",
        "/lines/0/amount",
        "/total",
        "/",
        "",
        "currency",
    ])
}

fn value() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "\"NOK\"",
        "\"EUR\"",
        "\"kroner\"",
        "null",
        "7",
        "[]",
        "{}",
        "{\"currency\": \"NOK\"}",
    ])
}

#[tokio::test]
async fn the_same_patch_twice_ends_the_run() {
    let wrong = with("NOK", "kroner");
    let model = Script::new([wrong.as_str(), "{}", "{}", SET]);
    let error = order(&model).await.unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Rejected, 3));
    let codes = found(error.failures());
    assert_eq!(codes[0].0, "repair.patch.missing");
    assert_eq!(error.failures()[0].layer(), Layer::Repair);
}

#[tokio::test]
async fn a_patch_with_a_hundred_thousand_keys_is_refused_in_few_words() {
    let keys: Vec<String> = (0..100_000)
        .map(|n| format!("\"/lines/{n}/x\": {n}"))
        .collect();
    let failures = refused(&format!("{{{}}}", keys.join(", "))).await;
    assert!(failures.len() <= 20, "{}", failures.len());
}

#[tokio::test]
async fn a_pointer_of_a_million_steps_is_refused() {
    let failures = refused(&format!(
        r#"{{"/currency": "NOK", "{}": 1}}"#,
        "/0".repeat(1_000_000)
    ))
    .await;
    assert_eq!(failures[0].0, "repair.patch.not_offered");
}

#[tokio::test]
async fn a_patch_that_makes_the_whole_too_deep_is_refused() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "object", "properties": {"b": {"type": "array"}}}},
        "required": ["a"],
    });
    let deep = "[".repeat(63) + &"]".repeat(63);
    let model = Script::new([
        r#"{"a": {"b": 1}}"#.to_owned(),
        format!(r#"{{"/a/b": {deep}}}"#),
        r#"{"/a/b": []}"#.to_owned(),
    ]);
    let done = extract_value(schema)
        .unwrap()
        .model(&model)
        .document("d")
        .repair(Repair::Patch)
        .run()
        .await
        .unwrap();
    let failures = found(done.record().attempts()[1].failures());
    assert_eq!(failures[0].0, "parse.depth");
}
