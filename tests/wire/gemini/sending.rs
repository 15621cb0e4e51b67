//! Real connections and streams.

use serde_json::json;
use typed_extract::model::gemini::{GenerateContent, Headers, decode_stream};
use typed_extract::model::{FinishReason, ModelErrorKind};
use typed_extract::{Model, ModelError, Reply, Request};

use super::builder;
use crate::{
    server::{Act, Server, at_once, response},
    streams::{begun, chunked, follow},
};

const KEY: &str = "AIza-very-secret-0123456789";
const EVENTS: &str = "text/event-stream";

/// A part of a stream, with these further fields of its candidate.
fn part(text: &str, more: &str) -> String {
    let text = json!(text);
    format!(
        "data: {{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":{text}}}]}}{more}}}],\
         \"usageMetadata\":{{\"promptTokenCount\":10,\"candidatesTokenCount\":5}},\
         \"responseId\":\"r-1\"}}\r\n\r\n"
    )
}

#[test]
fn an_error_in_a_stream_is_what_its_code_says() {
    let headers = Headers::from_iter([("content-type", EVENTS)]);
    let stream = format!(
        "{}data: {}\r\n\r\n",
        part("{", ""),
        json!({"error": {"code": 503, "message": "m", "status": "UNAVAILABLE"}})
    );
    let error = decode_stream(&headers, stream.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Overloaded);
    assert_eq!(error.request_id(), Some("r-1"));
}

#[tokio::test]
async fn the_key_goes_in_a_header_and_nowhere_else() {
    let answer = json!({"candidates": [{"content": {"parts": [{"text": "{}"}]}, "finishReason": "STOP"}],
        "responseId": "r-1", "modelVersion": "gemini-1"});
    let refused = json!([{"error": {"code": 400, "message": format!("bad {KEY}"),
        "details": [{"reason": "API_KEY_INVALID"}]}}]);
    let vertex = || GenerateContent::vertex("p", "europe-west1", "gemini-3.5-flash");
    for (builder, path, sent) in [
        (
            builder(),
            "/v1/models/gemini-3.5-flash:generateContent",
            format!("x-goog-api-key: {KEY}\r\n"),
        ),
        (
            vertex(),
            "/v1/projects/p/locations/europe-west1/publishers/google/models/gemini-3.5-flash:generateContent",
            format!("authorization: Bearer {KEY}\r\n"),
        ),
    ] {
        let server = Server::start([
            Act::Answer(response(200, &[], &answer.to_string())),
            Act::Answer(response(400, &[], &refused.to_string())),
        ])
        .await;
        let builder = builder.base_url(server.base()).api_key(KEY);
        let model = builder.retries(at_once()).build().unwrap();
        let reply = model.generate(&Request::new("Hi")).await.unwrap();
        assert_eq!((reply.text(), reply.request_id()), ("{}", Some("r-1")));
        assert_eq!(reply.model(), Some("gemini-1"));
        let error = model.generate(&Request::new("Hi")).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Auth);

        let request = &server.seen()[0];
        assert!(
            request.starts_with(&format!("POST {path} HTTP/1.1\r\n")),
            "{request}"
        );
        assert!(request.contains(&sent), "{request}");
        assert_eq!(request.matches(KEY).count(), 1);
        let printed = format!("{model:?} {error} {error:?}");
        assert!(!printed.contains("very-secret"), "{printed}");
    }
}

/// What a stream comes to over a socket, and all that was handed on.
async fn over_a_socket(bytes: Vec<u8>) -> (Result<Reply, ModelError>, Vec<String>) {
    let server = Server::start([Act::Bytes(bytes)]).await;
    let builder = builder().base_url(server.base()).api_key(KEY);
    let model = builder.retries(at_once()).build().unwrap();
    let (reply, seen) = follow(&model).await;
    let line = "POST /v1/models/gemini-3.5-flash:streamGenerateContent?alt=sse HTTP/1.1\r\n";
    assert!(server.seen()[0].starts_with(line));
    (reply, seen)
}

#[tokio::test]
async fn a_stream_in_odd_pieces_is_one_answer() {
    let stop = ",\"finishReason\":\"STOP\"";
    let whole = part("{\"a\":", "") + &part("\"€\"}", stop);
    let (reply, seen) = over_a_socket(chunked(EVENTS, whole.as_bytes(), 1)).await;
    let reply = reply.unwrap();
    assert_eq!(
        (reply.text(), reply.finish()),
        (r#"{"a":"€"}"#, &FinishReason::Stop)
    );
    assert_eq!(reply.usage().unwrap().total_tokens(), Some(15));
    assert_eq!(seen, [r#"{"a":"#, r#""€"}"#]);
}

#[tokio::test]
async fn a_stream_without_a_finish_reason_is_cut() {
    let half = part("{\"a\":", "");
    let stopped = part("{}", ",\"finishReason\":\"STOP\"");
    for bytes in [
        chunked(EVENTS, half.as_bytes(), 3),
        begun(EVENTS, half.as_bytes(), 3),
        begun(EVENTS, stopped.as_bytes(), 3),
        chunked(EVENTS, stopped.trim_end().as_bytes(), 3),
    ] {
        let (reply, _) = over_a_socket(bytes).await;
        let error = reply.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::StreamCut);
        assert!(error.maybe_billed());
    }
}

#[tokio::test]
async fn a_prompt_blocked_after_text_takes_the_text_back() {
    let block = "data: {\"promptFeedback\":{\"blockReason\":\"OTHER\"}}\n\n";
    let whole = part("{", "") + block;
    let (reply, seen) = over_a_socket(chunked(EVENTS, whole.as_bytes(), 5)).await;
    let reason = Some("OTHER".to_owned());
    assert_eq!(reply.unwrap().finish(), &FinishReason::Filtered { reason });
    assert_eq!(seen, ["{", "restart"]);
}
