//! Other models, where one gives no answer.

use serde::Deserialize;
use typed_extract::model::{FinishReason, FormatCapability, ModelErrorKind, SchemaDialect};
use typed_extract::testing::{Script, Scripted};
use typed_extract::{ErrorKind, Event, Extract, ModelError, Usage, extract};

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Part {
    name: String,
    #[validate(range(min = 1))]
    count: u32,
}

fn down() -> ModelError {
    ModelError::new(ModelErrorKind::Connect, "is the server up?")
}

const RIGHT: &str = r#"{"name":"bolt","count":4}"#;
const WRONG: &str = r#"{"name":"bolt","count":0}"#;

#[tokio::test]
async fn the_next_is_asked_and_kept_for_the_repair() {
    let first = Script::new([down()]);
    let second =
        Script::new([ModelError::new(ModelErrorKind::Auth, "no key").with_usage(Usage::new(7, 0))]);
    let third = Script::new([WRONG, RIGHT]);
    let run = extract::<Part>()
        .model(&first)
        .fallback(&second)
        .fallback(&third)
        .attempts(2)
        .document("4 bolts");
    let done = run.run().await.unwrap();
    assert_eq!(done.value().count, 4);
    assert_eq!((first.calls(), second.calls(), third.calls()), (1, 1, 2));
    let record = done.record();
    assert_eq!(record.attempts().len(), 2, "passing over uses no attempt");
    let why: Vec<_> = record
        .skipped_models()
        .iter()
        .map(|passed| passed.error().kind())
        .collect();
    assert_eq!(why, [ModelErrorKind::Connect, ModelErrorKind::Auth]);
    assert_eq!(record.model(), Some("script"));
}

#[tokio::test]
async fn each_gets_the_request_in_its_own_form() {
    let first = Script::new([Scripted::from(WRONG), Scripted::from(down())])
        .with_capability(FormatCapability::JsonSchema)
        .with_dialect(SchemaDialect::OpenAiStrict);
    let second = Script::new([RIGHT]).with_capability(FormatCapability::Text);
    let run = extract::<Part>()
        .model(&first)
        .fallback(&second)
        .document("4 bolts");
    let done = run.run().await.unwrap();
    let repaired = &first.requests()[1];
    assert!(repaired.wire_schema().is_some());
    let fallen = &second.requests()[0];
    assert!(fallen.wire_schema().is_none());
    assert!(
        fallen.prompt().starts_with(repaired.prompt()),
        "the same repair"
    );
    assert!(
        fallen.prompt().len() > repaired.prompt().len(),
        "and the shape restated"
    );
    assert_eq!(
        done.record().wire_dialect(),
        None,
        "of the one that answered"
    );
}

#[tokio::test]
async fn an_answer_is_an_answer() {
    let spare = Script::new([RIGHT, RIGHT]);
    let refusing =
        Script::new([Scripted::from("").with_finish(FinishReason::Refused { message: None })]);
    let error = extract::<Part>()
        .model(&refusing)
        .fallback(&spare)
        .document("x")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    let wrong = Script::new([WRONG]);
    let run = extract::<Part>()
        .model(&wrong)
        .fallback(&spare)
        .attempts(1)
        .document("x");
    assert_eq!(run.await.unwrap_err().kind(), ErrorKind::Rejected);
    let late = Script::new([ModelError::new(ModelErrorKind::Deadline, "")]);
    let error = extract::<Part>()
        .model(&late)
        .fallback(&spare)
        .document("x")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Deadline);
    assert_eq!(spare.calls(), 0);
}

#[tokio::test]
async fn the_last_ones_error_is_the_runs_and_the_others_are_in_the_record() {
    let first = Script::new([ModelError::new(ModelErrorKind::Overloaded, "")]);
    let second = Script::new([down()]);
    let error = extract::<Part>()
        .model(&first)
        .fallback(&second)
        .document("x")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Model);
    assert!(error.to_string().contains("could not connect"), "{error}");
    let passed = error.record().skipped_models();
    assert_eq!(passed.len(), 1);
    assert_eq!(passed[0].error().kind(), ModelErrorKind::Overloaded);
}

#[tokio::test]
async fn a_schema_that_a_fallback_cannot_carry_is_told_before_any_call() {
    #[derive(Debug, Deserialize, Extract)]
    #[allow(dead_code)]
    struct Tree {
        below: Vec<Tree>,
    }
    let first = Script::new([r#"{"below":[]}"#]);
    let strict = Script::new(["{}"])
        .with_capability(FormatCapability::JsonSchema)
        .with_dialect(SchemaDialect::Anthropic);
    let error = extract::<Tree>()
        .model(&first)
        .fallback(&strict)
        .document("x")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    assert_eq!(first.calls(), 0);
}

#[tokio::test]
async fn a_watcher_sees_the_answer_begin_anew() {
    let cut = Script::new([Scripted::streamed([r#"{"name":"bo"#]).with_error(down())]);
    let spare = Script::new([Scripted::streamed([r#"{"name":"nut","#, r#""count":4}"#])]);
    let mut stream = extract::<Part>()
        .model(&cut)
        .fallback(&spare)
        .document("x")
        .stream();
    let mut seen = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Event::Attempt(number) => seen.push(format!("attempt {number}")),
            Event::Partial(partial) => {
                seen.push(partial.get("name").as_str().unwrap_or("-").to_owned());
            }
            Event::Done(done) => seen.push(done.unwrap().value().name.clone()),
            _ => {}
        }
    }
    assert_eq!(seen, ["attempt 1", "bo", "-", "nut", "nut", "nut"]);
}
