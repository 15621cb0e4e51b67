//! What only the outside knows joins the same repair.

use std::sync::Mutex;
use std::time::Duration;

use typed_extract::rule::Violation;
use typed_extract::testing::Script;
use typed_extract::{Budget, ErrorKind, FieldPath, Layer, Reply, extract};

use crate::support::{Count, RIGHT, WRONG, found};

fn known(value: &Count) -> Vec<Violation> {
    match value.count {
        5 => Vec::new(),
        count => {
            vec![
                Violation::new(format!("{count} is not on file"))
                    .at(FieldPath::root().key("count")),
            ]
        }
    }
}

#[tokio::test]
async fn what_a_verification_finds_is_repaired_like_a_rule() {
    let model = Script::new([RIGHT, r#"{"count":5}"#]);
    let done = extract::<Count>()
        .model(&model)
        .document("d")
        .verify(async |value: &Count| known(value))
        .run()
        .await
        .unwrap();
    assert_eq!(done.value().count, 5);
    let failures = done.record().attempts()[0].failures();
    assert_eq!(found(failures), [("rule", "/count".to_owned())]);
    assert_eq!(failures[0].layer(), Layer::Rule);
    assert_eq!(failures[0].rule(), Some("verify"));
    assert!(model.requests()[1].prompt().contains("2 is not on file"));
}

#[tokio::test]
async fn a_verification_may_answer_as_rules_do_and_then_stands_at_the_root() {
    let model = Script::new([RIGHT]);
    let error = extract::<Count>()
        .model(&model)
        .attempts(1)
        .document("d")
        .verify(async |_: &Count| false)
        .await
        .unwrap_err();
    assert_eq!(found(error.failures()), [("rule", String::new())]);
    let model = Script::new([RIGHT]);
    let error = extract::<Count>()
        .model(&model)
        .attempts(1)
        .document("d")
        .verify(async |value: &Count| Err::<(), _>(format!("not {}", value.count)))
        .await
        .unwrap_err();
    assert_eq!(error.failures()[0].message(), "not 2");
}

#[tokio::test]
async fn a_verification_is_not_asked_while_anything_else_fails() {
    let asked = Mutex::new(Vec::new());
    let model = Script::new([r#"{"count":"five"}"#, WRONG, r#"{"count":5}"#]);
    let value = extract::<Count>()
        .model(&model)
        .document("d")
        .verify(async |value: &Count| {
            asked.lock().unwrap().push(value.count);
            known(value)
        })
        .await
        .unwrap();
    assert_eq!(value.count, 5);
    assert_eq!(asked.into_inner().unwrap(), [5]);
}

#[tokio::test]
async fn runs_can_be_spawned() {
    let plain = tokio::spawn(async {
        let model = Script::new([RIGHT]);
        extract::<Count>().model(&model).document("d").await
    });
    assert_eq!(plain.await.unwrap().unwrap().count, 2);

    let awaited = extract::<Count>().model(Script::new([RIGHT])).document("d");
    let awaited = tokio::spawn(awaited.into_future());
    assert_eq!(awaited.await.unwrap().unwrap().count, 2);

    let verified = extract::<Count>()
        .model(Script::new([r#"{"count":5}"#]))
        .document("d")
        .verify(async |value: &Count| known(value));
    let verified = tokio::spawn(verified.run());
    assert_eq!(verified.await.unwrap().unwrap().value().count, 5);
}

#[tokio::test]
async fn a_verification_that_never_answers_is_left_at_the_deadline() {
    let model = Script::new([RIGHT]);
    let error = extract::<Count>()
        .model(&model)
        .budget(Budget::default().deadline(Duration::from_millis(30)))
        .document("d")
        .verify(async |_: &Count| std::future::pending::<bool>().await)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Deadline);
    let attempt = &error.record().attempts()[0];
    assert_eq!(
        attempt.reply().map(Reply::text),
        Some(RIGHT),
        "the reply is not lost"
    );
}

#[tokio::test]
async fn a_deadline_beyond_the_clock_is_none() {
    let model = Script::new([RIGHT]);
    let done = extract::<Count>()
        .model(&model)
        .budget(Budget::default().deadline(Duration::MAX))
        .document("d")
        .await;
    assert!(done.is_ok());
}
