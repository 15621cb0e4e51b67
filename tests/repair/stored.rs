//! Records as JSON: what they hold, how they are read, what redaction removes.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::budget::{Price, Prices};
use typed_extract::model::{FinishReason, ModelErrorKind};
use typed_extract::record::Record;
use typed_extract::testing::{Script, Scripted};
use typed_extract::{
    Budget, ErrorKind, Extract, FieldPath, Layer, ModelError, Provider, Reply, Usage, extract,
    rules,
};

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Parcel {
    owner: String,
    #[validate(length(max = 3))]
    notes: Vec<String>,
    marks: BTreeMap<String, u32>,
}

#[rules]
impl Parcel {
    /// The owner is not noted.
    fn no_owner_in_notes(notes: &[String], owner: &str) -> Result<(), String> {
        if notes.iter().any(|note| note == owner) {
            return Err(format!("{owner} is noted"));
        }
        Ok(())
    }
}

const DOCUMENT: &str = "A parcel for Quartz-Jay, marked odd/key~";

async fn eventful() -> Record {
    let lost = ModelError::new(ModelErrorKind::RateLimited, "slow down")
        .with_status(429)
        .with_code("rate_limit")
        .with_request_id("req-0")
        .with_retry_after(Duration::from_millis(1_500))
        .with_usage(Usage::new(7, 0));
    let busy = Script::new([Scripted::from(lost)]);
    let first = Reply::new(
        "```json\n{\"owner\": \"Quartz-Jay\", \"notes\": \"Quartz-Jay, b\", \
                            \"marks\": {\"odd/key~\": -1}, \"Quirk\": null}\n```",
    )
    .with_usage(Usage::new(900, 40).with_cached_input(100).with_reasoning(9))
    .with_request_id("req-1")
    .with_model("script-2026");
    let second = Reply::new(
        r#"{"owner": "Quartz-Jay", "notes": ["Quartz-Jay", "b"], "marks": {"odd/key~": 1}}"#,
    );
    let third = Reply::new("I will not say Quartz").with_finish(FinishReason::Refused {
        message: Some("not Quartz".into()),
    });
    let model = Script::new([first, second, third]).with_dialect(Provider::OpenAi);
    let prices = Prices::new("USD").with(
        "script",
        Price::new("1".parse().unwrap(), "10".parse().unwrap()),
    );
    let run = extract::<Parcel>()
        .model(&busy)
        .fallback(&model)
        .document(DOCUMENT);
    let error = run
        .budget(Budget::default().prices(prices))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    error.record().clone()
}

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[tokio::test]
async fn a_record_says_all_that_is_in_it() {
    let record = eventful().await;
    let stored = serde_json::to_value(&record).unwrap();
    assert_eq!(
        keys(&stored),
        [
            "version",
            "redacted",
            "crate_version",
            "prompt_version",
            "model",
            "document",
            "schema_dialect",
            "schema",
            "rules",
            "wire",
            "skipped_models",
            "attempts",
            "accepted",
            "warnings",
            "spent",
        ]
    );
    assert_eq!(stored["version"], 1);
    assert_eq!(stored["model"], "script");
    assert_eq!(
        stored["document"],
        json!({"sha256": record.document_hash(), "bytes": DOCUMENT.len(), "text": DOCUMENT})
    );
    assert_eq!(stored["schema"]["sha256"], record.schema_hash());
    assert_eq!(stored["rules"]["sha256"], record.rules_hash());
    assert_eq!(stored["wire"]["dialect"], "openai-strict");
    let passed = &stored["skipped_models"][0];
    assert_eq!(passed["error"]["kind"], "rate_limited");
    assert_eq!(passed["error"]["retry_after_ms"], 1_500);
    assert_eq!(passed["spent"]["input_tokens"], 7);

    let first = &stored["attempts"][0];
    assert_eq!(
        keys(first),
        [
            "reply",
            "error",
            "latency_ms",
            "spent",
            "failures",
            "omitted_failures",
            "normalizations",
            "citations",
            "restored",
        ]
    );
    assert_eq!(
        first["reply"]["finish"],
        json!({"reason": "stop", "detail": null})
    );
    assert_eq!(first["reply"]["model"], "script-2026");
    assert_eq!(
        first["reply"]["usage"],
        json!({
            "input": 900, "cached_input": 100, "cache_write": null, "output": 40, "reasoning": 9
        })
    );
    assert_eq!(first["spent"]["money"], "0.0013");
    assert_eq!(first["spent"]["estimated"], false);
    assert_eq!(stored["attempts"][1]["spent"]["estimated"], true);
    let failures = first["failures"].as_array().unwrap();
    let mark = failures
        .iter()
        .find(|one| one["pointer"] == "/marks/odd~1key~0")
        .unwrap();
    assert_eq!(mark["layer"], "schema");
    assert_eq!(mark["path"], r#"marks["odd/key~"]"#);
    assert_eq!(mark["found"], "-1");
    let refused = &stored["attempts"][2];
    assert_eq!(
        refused["reply"]["finish"],
        json!({"reason": "refused", "detail": "not Quartz"})
    );
    assert_eq!(refused["failures"][0]["layer"], "finish");
    assert_eq!(stored["spent"]["currency"], "USD");
    assert_eq!(stored["spent"]["estimated"], true);
}

#[tokio::test]
async fn a_stored_record_is_read_as_it_was() {
    let record = eventful().await;
    for record in [record.redacted(), record] {
        let stored = serde_json::to_string(&record).unwrap();
        let read: Record = serde_json::from_str(&stored).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), stored);
        assert_eq!(read.is_redacted(), record.is_redacted());
        assert_eq!(read.document(), record.document());
        assert_eq!(read.dropped(), record.dropped());
        assert_eq!(read.cost().tokens(), record.cost().tokens());
        assert_eq!(read.usage(), record.usage());
        for (read, kept) in read.attempts().iter().zip(record.attempts()) {
            assert_eq!(read.failures(), kept.failures());
            assert_eq!(read.reply(), kept.reply());
            assert_eq!(read.restored(), kept.restored());
            assert_eq!(read.normalizations(), kept.normalizations());
        }
    }
}

#[tokio::test]
async fn a_record_of_a_later_version_or_another_text_is_refused() {
    let stored = serde_json::to_value(eventful().await).unwrap();
    let changed = |pointer: &str, value: Value| {
        let mut changed = stored.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        serde_json::from_value::<Record>(changed).map_err(|error| error.to_string())
    };
    assert!(
        changed("/version", 2.into())
            .unwrap_err()
            .contains("version 2")
    );
    assert!(changed("/document/text", "another".into()).is_err());
    assert!(changed("/document/bytes", 3.into()).is_err());
    assert!(changed("/attempts/0/failures/0/pointer", "/x".into()).is_err());
    assert!(changed("/attempts/0/failures/0/layer", "taste".into()).is_err());
    assert!(changed("/attempts/0/failures/0/code", "not a word".into()).is_err());
    assert!(changed("/wire/dialect", "latin".into()).is_err());
    assert!(changed("/attempts/0/failures/0/code", "later.code".into()).is_ok());

    let mut later = stored.clone();
    later["reviewer"] = "somebody".into();
    assert!(
        serde_json::from_value::<Record>(later).is_ok(),
        "keys are only added"
    );
}

#[tokio::test]
async fn redaction_keeps_the_structure() {
    let record = eventful().await;
    let redacted = record.redacted();
    assert!(redacted.is_redacted() && !record.is_redacted());
    assert_eq!(redacted.document(), None);
    assert_eq!(redacted.document_hash(), record.document_hash());
    assert_eq!(redacted.schema_hash(), record.schema_hash());
    assert_eq!(redacted.rules_hash(), record.rules_hash());
    assert_eq!(redacted.usage(), record.usage());
    assert_eq!(redacted.cost(), record.cost());
    for (one, kept) in redacted.attempts().iter().zip(record.attempts()) {
        assert_eq!(one.reply_bytes(), kept.reply_bytes());
        assert_eq!(one.reply().unwrap().text(), "");
        assert_eq!(one.failures().len(), kept.failures().len());
        for (one, kept) in one.failures().iter().zip(kept.failures()) {
            assert_eq!(
                (one.layer(), one.code(), one.rule()),
                (kept.layer(), kept.code(), kept.rule())
            );
            assert_eq!((one.message(), one.found()), ("", None));
        }
    }
    let places = |record: &Record| -> Vec<String> {
        let failures = record.attempts()[0].failures().iter();
        failures.map(|failure| failure.path().pointer()).collect()
    };
    assert!(places(&record).contains(&"/Quirk".to_owned()));
    assert!(places(&redacted).contains(&"/marks/*".to_owned()));
    assert!(places(&redacted).contains(&"/*".to_owned()));
    let rule = |record: &Record| record.attempts()[1].failures()[0].clone();
    assert_eq!(rule(&record).layer(), Layer::Rule);
    assert_eq!(rule(&record).message(), "Quartz-Jay is noted");
    assert_eq!(rule(&redacted).path(), &FieldPath::root().key("notes"));
    assert_eq!(rule(&redacted).related(), [FieldPath::root().key("owner")]);
    assert_eq!(rule(&redacted).rule(), Some("no_owner_in_notes"));
    let again = serde_json::to_string(&redacted.redacted()).unwrap();
    assert_eq!(again, serde_json::to_string(&redacted).unwrap());
}

/// Words that nothing but a document or a reply could hold.
fn word() -> impl Strategy<Value = String> {
    "[QXJZ]{4,9}|[αβγδ]{4,9}|[QX] [JZ]/~\"[αβ]{2}"
}

fn reply() -> impl Strategy<Value = String> {
    let marks = prop::collection::btree_map(word(), -1..3, 0..3);
    let object = (
        word(),
        prop::collection::vec(word(), 0..5),
        marks,
        word(),
        0..4,
    );
    let object = object.prop_map(|(owner, mut notes, marks, extra, shape)| {
        notes.push(owner.clone());
        let mut value = json!({"owner": owner, "notes": notes, "marks": marks});
        match shape {
            0 => value[extra.as_str()] = json!({extra.clone(): owner}),
            1 => value["owner"] = json!([extra]),
            2 => value["notes"] = json!(format!("{extra}, {owner}")),
            _ => {}
        }
        value.to_string()
    });
    let object = object.boxed();
    let prose = (word(), object.clone()).prop_map(|(word, json)| format!("{word} {json} {word}"));
    prop_oneof![4 => object, 1 => prose, 1 => word()]
}

fn leaks(json: &str) -> bool {
    let foreign = |c: char| "QXJZαβγδ".contains(c);
    json.split(|c| !foreign(c))
        .any(|run| run.chars().count() >= 2)
}

proptest! {
    #[test]
    fn nothing_that_document_or_replies_say_is_left_after_redaction(
        document in word(),
        replies in prop::collection::vec((reply(), word(), 0..5), 1..4),
    ) {
        let replies = replies.into_iter().map(|(text, said, end)| match end {
            0 => Scripted::from(ModelError::new(ModelErrorKind::Other, said)),
            1 => Reply::new(text).with_finish(FinishReason::Refused { message: Some(said) }).into(),
            _ => Reply::new(text).into(),
        });
        let model = Script::new(replies);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let run = extract::<Parcel>().model(&model).document(document).run();
        let record = match runtime.block_on(run) {
            Ok(done) => done.record().clone(),
            Err(error) => error.record().clone(),
        };
        let whole = serde_json::to_string(&record).unwrap();
        prop_assert!(leaks(&whole));
        let read: Record = serde_json::from_str(&whole).unwrap();
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), whole);
        for record in [record, read] {
            let redacted = record.redacted();
            let text = serde_json::to_string(&redacted).unwrap();
            prop_assert!(!leaks(&text), "{}", text);
            let debug = format!("{redacted:?}");
            prop_assert!(!leaks(&debug), "{}", debug);
        }
    }
}

#[tokio::test]
async fn foreign_words_of_any_number_do_not_keep_this_process_from_reading_its_own_records() {
    let stored = serde_json::to_value(eventful().await).unwrap();
    let mut foreign = stored.clone();
    for number in 0..5_000 {
        let word = format!("later.code_{number}");
        for place in [
            "/attempts/0/failures/0/code",
            "/attempts/0/normalizations/0/name",
            "/prompt_version",
            "/crate_version",
        ] {
            *foreign.pointer_mut(place).unwrap() = word.as_str().into();
        }
        let read: Record = serde_json::from_value(foreign.clone()).unwrap();
        let attempt = &read.attempts()[0];
        assert_eq!(attempt.failures()[0].code(), word.as_str());
        assert_eq!(attempt.normalizations()[0].name(), word);
        assert_eq!(read.prompt_version(), word);
        assert_eq!(serde_json::to_value(&read).unwrap(), foreign);
    }
    assert!(serde_json::from_value::<Record>(stored).is_ok());
}
