//! How a run ends that gives no value, and what it leaves behind.

use std::future::pending;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use typed_extract::model::{FinishReason, FormatCapability, ModelErrorKind};
use typed_extract::testing::{Script, Scripted};
use typed_extract::{Budget, ErrorKind, ModelError, Reply, Usage, extract, model_fn};

use crate::support::{Count, RIGHT, WRONG, found};

#[tokio::test]
async fn the_last_allowed_attempt_ends_the_run_with_its_failures() {
    let model = Script::new([WRONG, r#"{"count":"two"}"#, RIGHT]);
    let error = extract::<Count>()
        .model(&model)
        .attempts(2)
        .document("d")
        .await
        .unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Rejected, 2));
    assert_eq!(
        found(error.failures()),
        [("schema.type", "/count".to_owned())]
    );
    assert_eq!(error.record().attempts().len(), 2);
    assert!(error.model_error().is_none());
}

#[tokio::test]
async fn three_attempts_are_made_where_nothing_is_said() {
    let model = Script::new([WRONG, r#"{"count":"two"}"#, "two", RIGHT]);
    let run = extract::<Count>().model(&model).document("d").await;
    assert_eq!(run.unwrap_err().kind(), ErrorKind::Rejected);
    assert_eq!(model.calls(), 3);
}

#[tokio::test]
async fn output_that_the_provider_kept_costs_an_attempt_and_no_more() {
    let kept = || {
        let error = ModelError::new(ModelErrorKind::InvalidOutput, "it breaks the schema");
        Scripted::from(error.with_usage(Usage::new(30, 5)))
    };
    let model = Script::new([Scripted::from(WRONG), kept(), Scripted::from(RIGHT)]);
    let run = extract::<Count>().model(&model).document("d");
    let done = run.run().await.unwrap();
    assert_eq!(done.record().attempts().len(), 3);
    let requests = model.requests();
    assert_eq!(requests[1].prompt(), requests[2].prompt());

    let model = Script::new([Scripted::from(WRONG), kept(), kept(), Scripted::from(RIGHT)]);
    let run = extract::<Count>().model(&model).document("d").await;
    let error = run.unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Model, 3));
    assert_eq!(error.failures().len(), 1, "those of the last reply");

    let dear = ModelError::new(ModelErrorKind::InvalidOutput, "").with_usage(Usage::new(90, 5));
    let model = Script::new([dear.clone(), dear]);
    let run = extract::<Count>().model(&model).document("d");
    let error = run.budget(Budget::default().tokens(100)).await.unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Budget, 1));
}

#[tokio::test]
async fn the_same_wrong_reply_again_ends_the_run_before_its_attempts_do() {
    let model = Script::new([WRONG, WRONG, RIGHT]);
    let error = extract::<Count>()
        .model(&model)
        .document("d")
        .await
        .unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Rejected, 2));
    assert!(error.to_string().contains("same reply twice"), "{error}");
    assert_eq!(error.failures().len(), 1);
}

#[tokio::test]
async fn a_reply_that_did_not_end_by_itself_is_not_read_even_if_it_would_pass() {
    let refused = FinishReason::Refused {
        message: Some("no".into()),
    };
    let filtered = FinishReason::Filtered { reason: None };
    let cases = [
        (FinishReason::Truncated, ErrorKind::Truncated, "truncated"),
        (refused, ErrorKind::Refused, "refusal"),
        (filtered, ErrorKind::Filtered, "content_filter"),
        (
            FinishReason::Unknown("tool_calls".into()),
            ErrorKind::Unfinished,
            "finish.unknown",
        ),
    ];
    for (finish, kind, code) in cases {
        let cut = Reply::new(RIGHT).with_finish(finish);
        let model = Script::new([cut.into(), Scripted::from(RIGHT)]);
        let error = extract::<Count>()
            .model(&model)
            .document("d")
            .await
            .unwrap_err();
        assert_eq!((error.kind(), model.calls()), (kind, 1));
        assert_eq!(found(error.failures()), [(code, String::new())]);
        let attempt = &error.record().attempts()[0];
        assert_eq!(attempt.reply().unwrap().text(), RIGHT);
    }
}

fn cut() -> Scripted {
    Reply::new(r#"{"cou"#)
        .with_finish(FinishReason::Truncated)
        .into()
}

#[tokio::test]
async fn a_cut_reply_is_asked_for_again_with_the_higher_cap() {
    let model = Script::new([cut(), RIGHT.into()]);
    let done = extract::<Count>()
        .model(&model)
        .max_output_tokens(10)
        .retry_truncated_with(500)
        .document("d")
        .run()
        .await
        .unwrap();
    assert_eq!(done.record().attempts().len(), 2);
    let sent = model.requests();
    assert_eq!(sent[0].max_output_tokens(), Some(10));
    assert_eq!(sent[1].max_output_tokens(), Some(500));
    assert_eq!(sent[0].prompt(), sent[1].prompt());
}

#[tokio::test]
async fn the_cap_is_raised_once_and_only_upwards() {
    let model = Script::new([cut(), cut(), RIGHT.into()]);
    let error = extract::<Count>()
        .model(&model)
        .retry_truncated_with(500)
        .document("d")
        .await
        .unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Truncated, 2));

    let model = Script::new([cut(), RIGHT.into()]);
    let error = extract::<Count>()
        .model(&model)
        .max_output_tokens(500)
        .retry_truncated_with(500)
        .document("d")
        .await
        .unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Truncated, 1));
}

#[tokio::test]
async fn a_cut_reply_of_the_last_attempt_is_reported_as_cut() {
    let model = Script::new([cut(), RIGHT.into()]);
    let error = extract::<Count>()
        .model(&model)
        .attempts(1)
        .retry_truncated_with(500)
        .document("d")
        .await
        .unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Truncated, 1));
}

#[tokio::test]
async fn a_repair_keeps_the_raised_cap() {
    let model = Script::new([cut(), WRONG.into(), RIGHT.into()]);
    let run = extract::<Count>().model(&model).retry_truncated_with(500);
    run.document("d").await.unwrap();
    assert_eq!(model.requests()[2].max_output_tokens(), Some(500));
}

#[tokio::test]
async fn a_model_error_ends_the_run_and_keeps_what_was_known() {
    let lost =
        ModelError::new(ModelErrorKind::Connect, "no route to host").with_request_id("req-2");
    let model = Script::new([WRONG.into(), Scripted::from(lost)]);
    let error = extract::<Count>()
        .model(&model)
        .document("d")
        .await
        .unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Model, 2));
    let source = error.model_error().unwrap();
    assert_eq!(source.kind(), ModelErrorKind::Connect);
    assert!(std::error::Error::source(&error).is_some());
    assert_eq!(error.failures()[0].path().pointer(), "/count");
    let attempts = error.record().attempts();
    assert_eq!(attempts.len(), 2);
    assert_eq!(attempts[0].reply().unwrap().text(), WRONG);
    assert!(attempts[0].error().is_none());
    assert!(attempts[1].reply().is_none());
    assert_eq!(attempts[1].error().unwrap().kind(), ModelErrorKind::Connect);
    assert_eq!(attempts[1].request_id(), Some("req-2"));
}

#[tokio::test]
async fn a_model_that_never_answers_is_left_at_the_deadline() {
    let model = model_fn("silent", FormatCapability::Text, |_| pending());
    let error = extract::<Count>()
        .model(&model)
        .budget(Budget::default().deadline(Duration::from_millis(30)))
        .document("d")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Deadline);
    assert_eq!(
        error.model_error().unwrap().kind(),
        ModelErrorKind::Deadline
    );
    assert_eq!(error.record().attempts().len(), 1);
}

#[tokio::test]
async fn the_deadline_bounds_all_attempts_together() {
    let calls = AtomicU32::new(0);
    let model = model_fn("slow", FormatCapability::Text, async |request| {
        assert!(request.deadline().is_some(), "an adapter can see it");
        if calls.fetch_add(1, Ordering::Relaxed) > 0 {
            pending::<()>().await;
        }
        Ok(WRONG.into())
    });
    let error = extract::<Count>()
        .model(&model)
        .budget(Budget::default().deadline(Duration::from_millis(30)))
        .document("d")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Deadline);
    assert_eq!(error.record().attempts().len(), 2);
    assert_eq!(error.failures()[0].path().pointer(), "/count");
}

#[tokio::test]
async fn a_deadline_that_has_passed_already_asks_nobody() {
    let model = Script::new([RIGHT]);
    let error = extract::<Count>()
        .model(&model)
        .budget(Budget::default().deadline(Duration::ZERO))
        .document("d")
        .await
        .unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Deadline, 0));
}

#[tokio::test]
async fn the_next_request_is_not_sent_where_it_would_pass_the_token_limit() {
    let wrong = || Reply::new(WRONG).with_usage(Usage::new(100, 20));
    for (limit, calls) in [(120, 1), (239, 1), (240, 2)] {
        let model = Script::new([Scripted::from(wrong()), "no".into(), RIGHT.into()]);
        let error = extract::<Count>()
            .model(&model)
            .attempts(2)
            .budget(Budget::default().attempts(2).tokens(limit))
            .document("d")
            .await
            .unwrap_err();
        let kind = if calls == 1 {
            ErrorKind::Budget
        } else {
            ErrorKind::Rejected
        };
        assert_eq!((error.kind(), model.calls()), (kind, calls), "{limit}");
    }
}

#[tokio::test]
async fn tokens_are_estimated_from_bytes_where_none_are_reported() {
    let document = "d".repeat(4000);
    let run = async |limit| {
        let model = Script::new([WRONG, RIGHT]);
        let run = extract::<Count>()
            .model(&model)
            .budget(Budget::default().tokens(limit))
            .document(document.as_str())
            .await;
        (run.map_err(|error| error.kind()), model.calls())
    };
    assert_eq!(run(1_500).await, (Err(ErrorKind::Budget), 1));
    assert_eq!(run(10_000).await, (Ok(Count { count: 2 }), 2));
}

#[tokio::test]
async fn a_limit_of_no_tokens_sends_nothing() {
    let model = Script::new([RIGHT]);
    let error = extract::<Count>()
        .model(&model)
        .budget(Budget::default().tokens(0))
        .document("d")
        .await
        .unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Budget, 0));
}
