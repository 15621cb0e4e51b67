//! Slow, broken and busy connections under the whole extraction.

use std::time::Duration;

use serde::Deserialize;
use typed_extract::model::openai_compatible::ChatCompletions;
use typed_extract::model::{ModelErrorKind, RetryPolicy};
use typed_extract::{Budget, ErrorKind, Extract, Extracted, extract};

use super::{
    server::{Act, Server, at_once, completion, response},
    streams::chunked,
};

#[derive(Debug, Deserialize, Extract)]
struct Count {
    n: u32,
}

type Run = Result<Extracted<Count>, typed_extract::Error>;

const GOOD: &str = r#"{"n": 5}"#;
const BAD: &str = r#"{"n": "five"}"#;
const SOON: Duration = Duration::from_millis(400);

async fn count(model: &ChatCompletions, attempts: u32) -> Run {
    let extraction = extract::<Count>().attempts(attempts).model(model);
    extraction.document("Five of them").run().await
}

async fn streamed(model: &ChatCompletions) -> Run {
    let extraction = extract::<Count>().model(model);
    extraction.document("Five of them").stream().finish().await
}

fn good() -> Act {
    Act::Answer(completion(GOOD))
}

fn status(status: u16) -> Act {
    Act::Answer(response(
        status,
        &[("retry-after", "0")],
        "slow down, words of the host",
    ))
}

/// A policy that must never be asked how long to wait.
fn never_waits() -> RetryPolicy {
    RetryPolicy::default().jitter(|| panic!("nothing has to wait here"))
}

#[tokio::test]
async fn an_answer_that_trickles_in_is_an_answer() {
    let pieces = completion(GOOD)
        .bytes()
        .map(|byte| vec![byte])
        .collect::<Vec<_>>();
    let server = Server::start([Act::Trickle(pieces)]).await;
    let model = server.model().build().unwrap();
    assert_eq!(count(&model, 1).await.unwrap().value().n, 5);

    let chunks = "data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"n\\\": 5}\"}}]}\n\n\
                  data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let bytes = chunked("text/event-stream", chunks.as_bytes(), 3);
    let pieces = bytes.chunks(2).map(<[u8]>::to_vec).collect();
    let server = Server::start([Act::Trickle(pieces)]).await;
    let model = server.model().build().unwrap();
    assert_eq!(streamed(&model).await.unwrap().value().n, 5);
    assert_eq!(server.seen().len(), 1);
}

/// The time is that of the exchange, not of each piece.
#[tokio::test]
async fn an_answer_that_trickles_for_ever_is_given_up_and_not_asked_for_again() {
    let json = || {
        let head = "HTTP/1.1 200 X\r\ncontent-type: application/json\r\n\r\n{\"choices\":";
        Act::Endless(head.to_owned(), " ")
    };
    let events = || {
        let head = "HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\n\r\n";
        Act::Endless(head.to_owned(), ": still there\n\n")
    };
    for is_streamed in [false, true] {
        let act = if is_streamed { events } else { json };
        let server = Server::start([act(), good()]).await;
        let model = server.model().timeout(SOON).build().unwrap();
        let run = if is_streamed {
            streamed(&model).await
        } else {
            count(&model, 3).await
        };
        let error = run.unwrap_err();
        let why = error.model_error().unwrap();
        assert_eq!(
            (error.kind(), why.kind()),
            (ErrorKind::Model, ModelErrorKind::Timeout)
        );
        assert!(why.maybe_billed() && why.is_retryable());
        assert_eq!(
            (server.seen().len(), error.record().attempts().len()),
            (1, 1)
        );

        let server = Server::start([act(), good()]).await;
        let retries = at_once().resend_maybe_billed(true);
        let model = server
            .model()
            .timeout(SOON)
            .retries(retries)
            .build()
            .unwrap();
        let run = if is_streamed {
            streamed(&model).await
        } else {
            count(&model, 1).await
        };
        let done = run.unwrap();
        assert_eq!(
            (server.seen().len(), done.record().attempts().len()),
            (2, 1)
        );
        assert_eq!(
            done.record().usage().total_tokens(),
            Some(15),
            "what is known"
        );
    }
}

/// Whatever is allowed to be sent again, nothing outlives the deadline.
#[tokio::test]
async fn a_deadline_ends_a_trickle_and_says_that_it_may_be_billed() {
    let head = "HTTP/1.1 200 X\r\ncontent-type: application/json\r\n\r\n{\"choices\":";
    let server = Server::start([Act::Endless(head.to_owned(), " "), good()]).await;
    let retries = at_once().resend_maybe_billed(true);
    let model = server.model().retries(retries).build().unwrap();
    let extraction = extract::<Count>().budget(Budget::default().deadline(SOON));
    let run = extraction
        .model(&model)
        .document("Five of them")
        .run()
        .await;
    let error = run.unwrap_err();
    let why = error.model_error().unwrap();
    assert_eq!(
        (error.kind(), why.kind()),
        (ErrorKind::Deadline, ModelErrorKind::Deadline)
    );
    assert!(why.maybe_billed());
    assert_eq!(
        error.record().usage().total_tokens(),
        None,
        "unknown, not zero"
    );
    assert_eq!(
        (server.seen().len(), error.record().attempts().len()),
        (1, 1)
    );
}

#[tokio::test]
async fn a_reset_before_the_request_is_read_may_still_be_billed() {
    let server = Server::start([Act::Reset, good()]).await;
    let model = server.model().build().unwrap();
    let error = count(&model, 3).await.unwrap_err();
    let why = error.model_error().unwrap();
    assert_eq!(
        (error.kind(), why.kind()),
        (ErrorKind::Model, ModelErrorKind::StreamCut)
    );
    assert!(why.maybe_billed());
    assert_eq!(server.seen().len(), 1);

    let server = Server::start([Act::Reset, good()]).await;
    let retries = at_once().resend_maybe_billed(true);
    let model = server.model().retries(retries).build().unwrap();
    assert_eq!(count(&model, 1).await.unwrap().value().n, 5);
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn a_retry_uses_no_attempt_and_is_not_told_to_the_model() {
    let server = Server::start([
        status(503),
        status(429),
        Act::Answer(completion(BAD)),
        status(500),
        good(),
    ])
    .await;
    let model = server.model().build().unwrap();
    let done = count(&model, 2).await.unwrap();
    let attempts = done.record().attempts();
    assert_eq!(attempts.len(), 2);
    assert_eq!(attempts[0].failures()[0].path().pointer(), "/n");
    let seen = server.seen();
    assert_eq!(seen.len(), 5);
    assert!(seen[0] == seen[1] && seen[1] == seen[2] && seen[3] == seen[4] && seen[2] != seen[3]);
    assert!(
        seen.iter()
            .all(|request| !request.contains("words of the host"))
    );
    assert_eq!(done.record().usage().total_tokens(), Some(30));
}

#[tokio::test]
async fn a_repair_is_sent_at_once() {
    let server = Server::start([
        Act::Answer(completion(BAD)),
        Act::Answer(completion(r#"{"n": -5}"#)),
        good(),
    ])
    .await;
    let model = server.model().retries(never_waits()).build().unwrap();
    let done = count(&model, 3).await.unwrap();
    assert_eq!((done.value().n, done.record().attempts().len()), (5, 3));
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn no_wait_is_thought_of_for_what_is_not_sent_again() {
    let cut =
        || response(200, &[], "{\"choices\":").replace("content-length: 11", "content-length: 99");
    for act in [
        Act::Reset,
        Act::Answer(cut()),
        Act::AnswerAndReset(cut().into_bytes()),
        status(401),
    ] {
        let server = Server::start([act, good()]).await;
        let model = server.model().retries(never_waits()).build().unwrap();
        assert_eq!(count(&model, 3).await.unwrap_err().kind(), ErrorKind::Model);
        assert_eq!(server.seen().len(), 1);
    }
}
