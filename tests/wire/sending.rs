//! Real connections: what is sent again, what is not, and where it ends.

use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use typed_extract::model::openai_compatible::{ChatCompletions, ChatCompletionsBuilder};
use typed_extract::model::{FinishReason, ModelErrorKind};
use typed_extract::{Model, ModelError, Reply, Request};

use super::server::{Act, Server, at_once, completion, response};

/// Makes a fault out of the first half of a response.
type Fault = fn(String) -> Act;

const SOON: Duration = Duration::from_millis(100);

async fn ask(builder: ChatCompletionsBuilder) -> Result<Reply, ModelError> {
    builder
        .build()
        .unwrap()
        .generate(&Request::new("Hello"))
        .await
}

#[tokio::test]
async fn an_answer_comes_with_all_that_is_known_of_it() {
    let server = Server::start([Act::Answer(completion("{}"))]).await;
    let reply = ask(server.model().api_key("sk-1")).await.unwrap();
    assert_eq!((reply.text(), reply.finish()), ("{}", &FinishReason::Stop));
    assert_eq!(reply.usage().unwrap().total_tokens(), Some(15));
    assert_eq!(
        (reply.request_id(), reply.model()),
        (Some("req-1"), Some("m-2026"))
    );
    let request = &server.seen()[0];
    assert!(
        request.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{request}"
    );
    assert!(request.contains("authorization: Bearer sk-1\r\n"));
    assert!(request.contains("content-type: application/json\r\n"));
    assert!(request.ends_with(
        r#"{"model":"m","messages":[{"role":"user","content":"Hello"}],"stream":false}"#
    ));
}

#[tokio::test]
async fn passing_faults_are_sent_again_with_the_same_bytes() {
    for status in [408, 409, 429, 500, 502, 503, 504, 529] {
        let server = Server::start([
            Act::Answer(response(status, &[("retry-after", "0")], "")),
            Act::Answer(response(status, &[("retry-after-ms", "1")], "<html>")),
            Act::Answer(completion("{}")),
        ])
        .await;
        let reply = ask(server.model()).await.unwrap();
        assert_eq!(reply.text(), "{}", "{status}");
        let seen = server.seen();
        assert_eq!(seen.len(), 3, "{status}");
        assert!(seen[0] == seen[1] && seen[1] == seen[2]);
        assert!(!seen[0].contains("authorization"));
    }
}

#[tokio::test]
async fn lasting_faults_are_sent_once() {
    let quota = r#"{"error":{"message":"no credit","code":"insufficient_quota"}}"#;
    for (status, body, kind) in [
        (400, "", ModelErrorKind::BadRequest),
        (401, "", ModelErrorKind::Auth),
        (404, "", ModelErrorKind::NotFound),
        (429, quota, ModelErrorKind::QuotaExhausted),
        (
            400,
            r#"{"error":{"code":"json_validate_failed"}}"#,
            ModelErrorKind::InvalidOutput,
        ),
        (302, "", ModelErrorKind::Config),
    ] {
        let server = Server::start([
            Act::Answer(response(
                status,
                &[("location", "http://127.0.0.1:1/")],
                body,
            )),
            Act::Answer(completion("{}")),
        ])
        .await;
        assert_eq!(ask(server.model()).await.unwrap_err().kind(), kind);
        assert_eq!(server.seen().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn the_last_fault_is_returned_when_retries_are_used_up() {
    let busy = || Act::Answer(response(503, &[], ""));
    let server = Server::start([busy(), busy(), busy(), busy(), busy()]).await;
    assert_eq!(
        ask(server.model()).await.unwrap_err().kind(),
        ModelErrorKind::Overloaded
    );
    assert_eq!(server.seen().len(), 4);
}

#[tokio::test]
async fn nothing_waits_past_the_deadline() {
    let server = Server::start([
        Act::Answer(response(429, &[("retry-after", "50")], "")),
        Act::Answer(completion("{}")),
    ])
    .await;
    let model = server.model().build().unwrap();
    let request = Request::new("Hello").with_deadline(Instant::now() + Duration::from_secs(40));
    let error = model.generate(&request).await.unwrap_err();
    assert_eq!(
        error.kind(),
        ModelErrorKind::RateLimited,
        "the error itself, at once"
    );
    assert_eq!(error.retry_after(), Some(Duration::from_secs(50)));
    assert_eq!(server.seen().len(), 1);

    let late = model
        .generate(&Request::new("Hello").with_deadline(Instant::now()))
        .await
        .unwrap_err();
    assert_eq!(late.kind(), ModelErrorKind::Deadline);
    assert!(!late.maybe_billed());
    assert_eq!(server.seen().len(), 1, "nothing was sent");
}

#[tokio::test]
async fn a_deadline_cuts_an_exchange_short() {
    let server = Server::start([Act::Stall(String::new()), Act::Answer(completion("{}"))]).await;
    let model = server.model().build().unwrap();
    let error = model
        .generate(&Request::new("Hello").with_deadline(Instant::now() + SOON))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Deadline);
    assert!(error.maybe_billed());
}

#[tokio::test]
async fn what_may_have_been_worked_on_is_not_sent_again_unless_allowed() {
    let half =
        || response(200, &[], "{\"choices\":").replace("content-length: 11", "content-length: 99");
    let cases: [(Fault, ModelErrorKind); 4] = [
        (Act::Answer, ModelErrorKind::StreamCut),
        (|_| Act::Reset, ModelErrorKind::StreamCut),
        (Act::Stall, ModelErrorKind::Timeout),
        (|_| Act::Stall(String::new()), ModelErrorKind::Timeout),
    ];
    for (act, kind) in cases {
        let server = Server::start([act(half()), Act::Answer(completion("{}"))]).await;
        let error = ask(server.model().timeout(SOON * 5)).await.unwrap_err();
        assert_eq!(error.kind(), kind);
        assert!(error.maybe_billed() && error.is_retryable());
        assert_eq!(server.seen().len(), 1);

        let server = Server::start([act(half()), Act::Answer(completion("{}"))]).await;
        let allowed = server
            .model()
            .timeout(SOON * 5)
            .retries(at_once().resend_maybe_billed(true));
        assert_eq!(ask(allowed).await.unwrap().text(), "{}");
        assert_eq!(server.seen().len(), 2);
    }
}

#[tokio::test]
async fn a_request_that_is_billed_once_is_sent_again_only_where_nothing_was_billed() {
    let request = Request::new("Hello").billed_once();
    let policy = at_once().resend_maybe_billed(true);
    let server = Server::start([Act::Reset, Act::Answer(completion("{}"))]).await;
    let model = server.model().retries(policy).build().unwrap();
    let error = model.generate(&request).await.unwrap_err();
    assert!(error.maybe_billed() && error.is_retryable());
    assert_eq!(server.seen().len(), 1);

    let busy = response(503, &[], "busy");
    let server = Server::start([Act::Answer(busy), Act::Answer(completion("{}"))]).await;
    let model = server.model().retries(policy).build().unwrap();
    assert_eq!(model.generate(&request).await.unwrap().text(), "{}");
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn a_refusal_whose_page_is_cut_is_still_a_refusal() {
    let cut = response(503, &[], "busy").replace("content-length: 4", "content-length: 99");
    let server = Server::start([Act::Answer(cut), Act::Answer(completion("{}"))]).await;
    assert_eq!(ask(server.model()).await.unwrap().text(), "{}");
}

#[tokio::test]
async fn a_response_larger_than_allowed_is_not_read() {
    let text = "x".repeat(5000);
    let announced = completion(&text);
    let chunked = {
        let (_, body) = announced.split_once("\r\n\r\n").unwrap();
        format!(
            "HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
            body.len()
        )
    };
    for bytes in [announced, chunked] {
        let server = Server::start([Act::Answer(bytes.clone())]).await;
        let error = ask(server.model().max_response_bytes(4096))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::TooLarge);
        assert!(!error.is_retryable() && error.maybe_billed());
        let server = Server::start([Act::Answer(bytes)]).await;
        assert_eq!(ask(server.model()).await.unwrap().text(), text);
    }
}

#[tokio::test]
async fn an_unreachable_server_is_a_connection_fault() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let error = ask(ChatCompletions::builder(&base, "m").retries(at_once()))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Connect);
    assert!(error.is_retryable() && !error.maybe_billed());
    assert!(std::error::Error::source(&error).is_some());
    assert!(!format!("{error} {error:?}").contains("127.0.0.1"));
}

#[tokio::test]
async fn the_known_cost_of_a_failed_try_is_not_lost() {
    let cut = r#"{"choices":[{"finish_reason":"insufficient_system_resource"}],"usage":{"prompt_tokens":10,"completion_tokens":3}}"#;
    let server = Server::start([
        Act::Answer(response(200, &[], cut)),
        Act::Answer(completion("{}")),
    ])
    .await;
    assert_eq!(
        ask(server.model())
            .await
            .unwrap()
            .usage()
            .unwrap()
            .total_tokens(),
        Some(28)
    );

    let silent = r#"{"choices":[{"finish_reason":"stop","message":{"content":"{}"}}]}"#;
    let server = Server::start([
        Act::Answer(response(200, &[], cut)),
        Act::Answer(response(200, &[], silent)),
    ])
    .await;
    assert_eq!(
        ask(server.model())
            .await
            .unwrap()
            .usage()
            .unwrap()
            .total_tokens(),
        None,
        "unknown, not 13"
    );

    let server = Server::start([
        Act::Answer(response(200, &[], cut)),
        Act::Answer(response(401, &[], "")),
    ])
    .await;
    assert_eq!(
        ask(server.model())
            .await
            .unwrap_err()
            .usage()
            .unwrap()
            .total_tokens(),
        Some(13)
    );
}

#[test]
fn outside_of_tokio_there_is_an_error_and_no_panic() {
    use std::{
        pin::pin,
        task::{Context, Poll, Waker},
    };
    let model = ChatCompletions::builder("http://localhost:1/v1", "m")
        .build()
        .unwrap();
    let request = Request::new("Hello");
    let mut answer = pin!(model.generate(&request));
    let Poll::Ready(answer) = answer
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    else {
        panic!("it waits")
    };
    assert_eq!(answer.unwrap_err().kind(), ModelErrorKind::Config);
}
