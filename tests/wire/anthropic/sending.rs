//! Real connections and streams.

use serde_json::json;
use typed_extract::model::anthropic::{Headers, decode_stream};
use typed_extract::model::{FinishReason, ModelErrorKind};
use typed_extract::{Model, ModelError, Reply, Request};

use super::builder;
use crate::{
    server::{Act, Server, at_once, response},
    streams::{begun, chunked, follow},
};

const KEY: &str = "sk-ant-very-secret-0123456789";
const EVENTS: &str = "text/event-stream; charset=utf-8";

/// Two pieces of text, the second with a letter that has three bytes, and these last events.
fn stream(last: &[&str]) -> String {
    let start = r#"{"type":"message_start","message":{"id":"msg_1","model":"claude-1","content":[],"stop_reason":null,"usage":{"input_tokens":10,"output_tokens":1}}}"#;
    let events = [
        start,
        r#"{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}"#,
        r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"{\"a\":"}}"#,
        r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"\"€\"}"}}"#,
    ];
    let mut text = String::new();
    for event in events.iter().chain(last) {
        text.push_str("event: x\ndata: ");
        text.push_str(event);
        text.push_str("\n\n");
    }
    text
}

const STOPPED: &str =
    r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#;
const REFUSED: &str = r#"{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":null}},"usage":{"output_tokens":5}}"#;
const END: &str = r#"{"type":"message_stop"}"#;

#[test]
fn an_error_event_is_what_its_type_says() {
    let headers = Headers::from_iter([("content-type", EVENTS)]);
    for (word, kind) in [
        ("invalid_request_error", ModelErrorKind::BadRequest),
        ("authentication_error", ModelErrorKind::Auth),
        ("billing_error", ModelErrorKind::QuotaExhausted),
        ("permission_error", ModelErrorKind::Auth),
        ("not_found_error", ModelErrorKind::NotFound),
        ("request_too_large", ModelErrorKind::TooLarge),
        ("rate_limit_error", ModelErrorKind::RateLimited),
        ("api_error", ModelErrorKind::Server),
        ("timeout_error", ModelErrorKind::Timeout),
        ("overloaded_error", ModelErrorKind::Overloaded),
        ("tomorrows_error", ModelErrorKind::Server),
    ] {
        let event = json!({"type": "error", "error": {"type": word, "message": "m"}}).to_string();
        let error = decode_stream(&headers, stream(&[&event]).as_bytes()).unwrap_err();
        assert_eq!((error.kind(), error.code()), (kind, Some(word)));
        assert_eq!(error.usage().unwrap().input_tokens(), Some(10), "{word}");
    }
}

#[test]
fn a_stream_that_never_began_is_no_empty_answer() {
    let headers = Headers::from_iter([("content-type", EVENTS)]);
    let error = decode_stream(&headers, format!("data: {END}\n\n").as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Decode);
}

#[tokio::test]
async fn key_and_version_go_in_headers_and_nowhere_else() {
    let answer = json!({"content": [{"type": "text", "text": "{}"}], "stop_reason": "end_turn"});
    let refused = json!({"error": {"type": "authentication_error", "message": KEY}});
    for bearer in [false, true] {
        let server = Server::start([
            Act::Answer(response(
                200,
                &[("request-id", "req_1")],
                &answer.to_string(),
            )),
            Act::Answer(response(401, &[], &refused.to_string())),
        ])
        .await;
        let builder = builder().base_url(server.base()).api_key(KEY);
        let model = builder.bearer(bearer).retries(at_once()).build().unwrap();
        let reply = model.generate(&Request::new("Hi")).await.unwrap();
        assert_eq!((reply.text(), reply.request_id()), ("{}", Some("req_1")));
        let error = model.generate(&Request::new("Hi")).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Auth);

        let request = &server.seen()[0];
        let (line, rest) = request.split_once("\r\n").unwrap();
        assert_eq!(line, "POST /v1/messages HTTP/1.1");
        assert!(rest.contains("anthropic-version: 2023-06-01\r\n"), "{rest}");
        let (sent, other) = if bearer {
            (format!("authorization: Bearer {KEY}\r\n"), "x-api-key")
        } else {
            (format!("x-api-key: {KEY}\r\n"), "authorization")
        };
        assert!(rest.contains(&sent) && !rest.contains(other), "{rest}");
        assert_eq!(rest.matches(KEY).count(), 1);
        let printed = format!("{model:?} {error} {error:?}");
        assert!(!printed.contains("very-secret"), "{printed}");
    }
}

/// What a stream comes to over a socket, and all that was handed on.
async fn over_a_socket(bytes: Vec<u8>) -> (Result<Reply, ModelError>, Vec<String>) {
    let server = Server::start([Act::Bytes(bytes)]).await;
    let builder = builder().base_url(server.base()).retries(at_once());
    let model = builder.build().unwrap();
    let (reply, seen) = follow(&model).await;
    assert!(server.seen()[0].ends_with(r#""stream":true}"#));
    (reply, seen)
}

#[tokio::test]
async fn a_stream_in_odd_pieces_is_one_answer() {
    let (reply, seen) = over_a_socket(chunked(EVENTS, stream(&[STOPPED, END]).as_bytes(), 1)).await;
    let reply = reply.unwrap();
    assert_eq!(
        (reply.text(), reply.finish()),
        (r#"{"a":"€"}"#, &FinishReason::Stop)
    );
    assert_eq!(
        (reply.model(), reply.request_id()),
        (Some("claude-1"), Some("msg_1"))
    );
    assert_eq!(reply.usage().unwrap().total_tokens(), Some(15));
    assert_eq!(seen, [r#"{"a":"#, r#""€"}"#]);
}

#[tokio::test]
async fn a_refusal_in_the_middle_takes_the_text_back() {
    let (reply, seen) = over_a_socket(chunked(EVENTS, stream(&[REFUSED, END]).as_bytes(), 5)).await;
    let reply = reply.unwrap();
    let message = Some("cyber".to_owned());
    assert_eq!(
        (reply.text(), reply.finish()),
        ("", &FinishReason::Refused { message })
    );
    assert_eq!(seen.last().unwrap(), "restart");
}

#[tokio::test]
async fn a_stream_without_its_end_is_cut_whatever_came_before() {
    for end in [&[][..], &[STOPPED]] {
        let whole = stream(end);
        for bytes in [
            chunked(EVENTS, whole.as_bytes(), 3),
            begun(EVENTS, whole.as_bytes(), 3),
        ] {
            let (reply, _) = over_a_socket(bytes).await;
            let error = reply.unwrap_err();
            assert_eq!(error.kind(), ModelErrorKind::StreamCut);
            assert!(error.maybe_billed());
            assert_eq!(error.usage().unwrap().input_tokens(), Some(10));
        }
    }
}
