//! Cases about getting an answer at all: many documents at once, time limits, busy servers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use typed_extract::model::{FormatCapability, ModelErrorKind, RetryPolicy};
use typed_extract::testing::Script;
use typed_extract::{
    Budget, Error, ErrorKind, Model, ModelError, Reply, Request, Usage, extract_value, model_fn,
};
use typed_extract_tests::server::{Act, Server, at_once, completion, response};

use super::data::{Case, one};

async fn ask(case: &Case, model: &dyn Model) -> Result<Value, Error> {
    let run = extract_value(case.schema.clone().expect("a schema")).expect("a usable one");
    run.attempts(case.config.max_attempts.unwrap_or(3))
        .model(model)
        .document("a page")
        .await
}

/// The word of the cases for what went wrong.
fn class(error: &Error) -> String {
    match (error.model_error().map(ModelError::kind), error.kind()) {
        (Some(ModelErrorKind::Timeout), _) => "transport.timeout".to_owned(),
        (Some(ModelErrorKind::Connect), _) => "transport.connect".to_owned(),
        (_, ErrorKind::Rejected) => error.failures()[0].code().to_string(),
        (_, other) => format!("{other:?}"),
    }
}

/// What a document came to: a value, or what went wrong and whether the reply is kept.
type Came = Result<Value, (String, bool)>;

/// What each document of a batch came to, in the order they were given.
async fn batch(case: &Case) -> Vec<Came> {
    let mut runs = JoinSet::new();
    for (place, item) in case.batch.iter().cloned().enumerate() {
        let case = case.clone();
        runs.spawn(async move { (place, document(&case, &item).await) });
    }
    let mut done = runs.join_all().await;
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, came)| came).collect()
}

async fn document(case: &Case, item: &Value) -> Came {
    let fault = item["transport_error"].as_str().map(|word| match word {
        "timeout" => ModelError::new(ModelErrorKind::Timeout, "").with_maybe_billed(true),
        _ => ModelError::new(ModelErrorKind::Connect, ""),
    });
    let delay = Duration::from_millis(item["delay_ms"].as_u64().unwrap_or(0));
    let reply = item["reply"].as_str().unwrap_or_default();
    let model = model_fn("batch", FormatCapability::Text, |_: Request| {
        let answer = fault.clone().map_or(Ok(Reply::new(reply)), Err);
        async move {
            tokio::time::sleep(delay).await;
            answer
        }
    });
    ask(case, &model).await.map_err(|error| {
        let last = error.record().attempts().last();
        let kept = last.and_then(|attempt| attempt.reply());
        (class(&error), kept.is_some_and(|kept| kept.text() == reply))
    })
}

#[tokio::test]
async fn f01_f03_f11_f12_every_document_of_a_batch_has_its_own_result() {
    for id in ["F01", "F03", "F11", "F12"] {
        let case = one(id);
        let all = batch(&case).await;
        assert_eq!(all.len(), case.expected.results.len(), "{id}");
        for (came, wanted) in all.iter().zip(&case.expected.results) {
            match (came, &wanted.error) {
                (Ok(value), None) => assert_eq!(Some(value), wanted.value.as_ref(), "{id}"),
                (Err((class, kept)), Some(wrong)) => {
                    assert_eq!(class, &wrong.class, "{id}");
                    assert_eq!(*kept, wrong.carries == ["raw reply"], "{id}");
                }
                (other, _) => panic!("{id}, {}: {other:?}", wanted.id),
            }
        }
        let missing = all.iter().zip(&case.expected.results);
        let missing: Vec<_> = missing
            .filter(|(came, _)| came.is_err())
            .map(|(_, wanted)| wanted.id.clone())
            .collect();
        assert!(
            case.expected.missing.is_none_or(|wanted| wanted == missing),
            "{id}"
        );
    }
}

#[tokio::test]
async fn f14_the_caller_bounds_what_is_started() {
    let case = one("F14");
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let model = model_fn("slow", FormatCapability::Text, {
        let (running, most) = (Arc::clone(&running), Arc::clone(&most));
        move |_: Request| {
            let (running, most) = (Arc::clone(&running), Arc::clone(&most));
            async move {
                let now = running.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(5)).await;
                running.fetch_sub(1, Ordering::SeqCst);
                Ok(Reply::new("{\"n\":1}"))
            }
        }
    });
    let model = Arc::new(model);
    let mut runs = JoinSet::new();
    let mut right = 0;
    for _ in 0..50 {
        if runs.len() == 4 {
            right += usize::from(runs.join_next().await.expect("a run").expect("no panic"));
        }
        let (case, model) = (case.clone(), Arc::clone(&model));
        runs.spawn(async move { ask(&case, &*model).await.is_ok() });
    }
    right += runs
        .join_all()
        .await
        .into_iter()
        .filter(|right| *right)
        .count();
    assert_eq!(right, 50);
    assert_eq!(
        most.load(Ordering::SeqCst),
        4,
        "nothing is started before it is awaited"
    );
}

#[tokio::test]
async fn f09_a_request_that_may_have_arrived_is_not_sent_again() {
    let case = one("F09");
    let server = Server::start([Act::Deaf, Act::Answer(completion("{\"n\":1}"))]).await;
    let model = server
        .model()
        .retries(at_once().retries(1))
        .timeout(Duration::from_millis(200))
        .build()
        .expect("a model");
    // Larger than what two sockets hold, so that the body is still being sent at the time limit.
    let long = "x".repeat(32 << 20);
    let run = extract_value(case.schema.clone().expect("a schema")).expect("a usable one");
    let error = run
        .model(&model)
        .document(long)
        .await
        .expect_err("no answer");
    let timeout = error.model_error().expect("one of the model");
    assert_eq!(timeout.kind(), ModelErrorKind::Timeout);
    assert!(timeout.maybe_billed());
    assert!(server.seen().len() <= 1, "one request at most");
    assert_eq!(error.record().attempts().len(), 1);
}

#[tokio::test]
async fn f15_a_busy_server_is_waited_for_and_uses_no_attempt() {
    let case = one("F15");
    let body = r#"{"error":{"message":"slow down"}}"#;
    let server = Server::start([
        Act::Answer(response(429, &[("retry-after", "2")], body)),
        Act::Answer(completion("{\"n\": 5}")),
    ])
    .await;
    let policy = RetryPolicy::default().retries(2).jitter(|| 0.0);
    let model = server.model().retries(policy).build().expect("a model");
    let begun = Instant::now();
    let run = extract_value(case.schema.clone().expect("a schema")).expect("a usable one");
    let done = run.attempts(1).model(&model).document("a page").run().await;
    let done = done.expect("accepted");
    assert!(
        begun.elapsed() >= Duration::from_secs(2),
        "never earlier than asked"
    );
    assert_eq!(done.value(), &json!({"n": 5}));
    assert_eq!(done.record().attempts().len(), 1);
    assert_eq!(server.seen().len(), 2);
    assert!(
        server
            .seen()
            .iter()
            .all(|request| !request.contains("slow down"))
    );
}

/// In a hundredth of the time: the first answer takes most of it, the second would take as much.
#[tokio::test]
async fn f17_one_deadline_bounds_all_attempts() {
    let case = one("F17");
    let calls = Arc::new(AtomicUsize::new(0));
    let model = model_fn("slow", FormatCapability::Text, {
        let calls = Arc::clone(&calls);
        move |request: Request| {
            let first = calls.fetch_add(1, Ordering::SeqCst) == 0;
            async move {
                let left = request.time_left().expect("a deadline");
                assert!(first || left < Duration::from_millis(500), "it shrinks");
                let takes = if first { 600 } else { 60_000 };
                tokio::time::sleep(Duration::from_millis(takes)).await;
                Ok(Reply::new(r#"{"name": "Ida", "age": "x"}"#).with_usage(Usage::new(40, 9)))
            }
        }
    });
    let run = extract_value(case.schema.clone().expect("a schema")).expect("a usable one");
    let error = run
        .budget(Budget::default().deadline(Duration::from_secs(1)))
        .model(&model)
        .document("Ida")
        .await
        .expect_err("late");
    assert_eq!(error.kind(), ErrorKind::Deadline);
    assert_eq!(calls.load(Ordering::SeqCst), 2);
    assert_eq!(error.failures()[0].path().pointer(), "/age");
    let attempts = error.record().attempts();
    assert_eq!(attempts[0].usage().and_then(Usage::total_tokens), Some(49));
    let late = attempts[1].error().expect("no answer");
    assert!(
        late.usage().is_none() && late.maybe_billed(),
        "unknown, not nothing"
    );
}

#[tokio::test]
async fn a_tool_call_is_no_answer_and_is_never_read_as_one() {
    for (id, reads) in [("A49", 0), ("D01", 0), ("D05", 0), ("E11", 0), ("D02", 1)] {
        let case = one(id);
        let replies = case.replies.iter().skip(reads).map(|written| {
            let written = written
                .get("http")
                .map_or_else(|| as_chunks(written), |_| written.clone());
            super::data::reply(&written).expect("a reply")
        });
        let replies: Vec<Reply> = replies.collect();
        let model = Script::new(replies);
        let error = ask(&case, &model).await.expect_err(id);
        assert_eq!(error.kind(), ErrorKind::Unfinished, "{id}");
        assert_eq!(
            model.calls(),
            1,
            "{id}: it is not taken for a faulty answer"
        );
        assert!(error.record().attempts()[0].usage().is_some() || id == "E11");
    }
}

/// Deltas of tool calls as the completion they add up to.
fn as_chunks(written: &Value) -> Value {
    let choice = json!({"message": {"content": null, "tool_calls": written["deltas"]},
        "finish_reason": written["finish_reason"]});
    json!({"http": {"status": 200, "body": {"choices": [choice]}}})
}

#[tokio::test]
async fn a23_a_printed_tool_call_is_the_wrong_shape() {
    let case = one("A23");
    let model = Script::new([super::data::reply(&case.replies[0]).expect("a reply")]);
    let run = extract_value(case.schema.clone().expect("a schema")).expect("a usable one");
    let error = run
        .attempts(1)
        .model(&model)
        .document("x")
        .await
        .expect_err("no answer");
    let codes: Vec<_> = error
        .failures()
        .iter()
        .map(|failure| failure.code().to_string())
        .collect();
    assert!(
        codes.iter().all(|code| code.starts_with("schema.")),
        "{codes:?}"
    );
}
