//! xAI's Responses: requests as bytes, and what only xAI answers.

use serde_json::{Value, json};
use typed_extract::model::http::Headers;
use typed_extract::model::xai::{Responses, ResponsesBuilder, decode, decode_stream, encode};
use typed_extract::model::{FinishReason, FormatCapability, ModelErrorKind, ResponseSchema};
use typed_extract::{ModelError, Reply, Request};

fn body(builder: ResponsesBuilder, request: &Request) -> String {
    String::from_utf8(encode(builder.build().unwrap().settings(), request)).unwrap()
}

fn model() -> ResponsesBuilder {
    Responses::builder("grok-4.6")
}

fn parcel() -> Request {
    let schema = ResponseSchema::new("Parcel", json!({"type": "object"}));
    Request::new("Parcel ZX-4471.").with_wire_schema(schema)
}

#[test]
fn requests_of_every_mode() {
    assert_eq!(
        body(
            model().system("Extract the parcel.").max_output_tokens(512),
            &parcel()
        ),
        concat!(
            r#"{"model":"grok-4.6","store":false,"instructions":"Extract the parcel.","#,
            r#""input":"Parcel ZX-4471.","max_output_tokens":512,"#,
            r#""text":{"format":{"type":"json_schema","name":"Parcel","schema":{"type":"object"},"strict":true}},"#,
            r#""stream":false}"#,
        )
    );
    assert_eq!(
        body(
            model().capability(FormatCapability::JsonObject),
            &parcel().streamed()
        ),
        concat!(
            r#"{"model":"grok-4.6","store":false,"input":"Parcel ZX-4471.","#,
            r#""text":{"format":{"type":"json_object"}},"stream":true}"#,
        )
    );
    assert_eq!(
        body(model().capability(FormatCapability::Text), &parcel()),
        r#"{"model":"grok-4.6","store":false,"input":"Parcel ZX-4471.","stream":false}"#
    );
}

fn read(body: &Value) -> Result<Reply, ModelError> {
    decode(200, &Headers::default(), body.to_string().as_bytes())
}

#[test]
fn its_own_limits_are_limits_and_new_ones_are_unknown() {
    let finish = |reason: &str| {
        let body =
            json!({"status": "incomplete", "incomplete_details": {"reason": reason}, "output": []});
        read(&body).unwrap().finish().clone()
    };
    for reason in [
        "max_prompt_tokens",
        "max_time_limit",
        "turn_limit",
        "tool_use_limit",
    ] {
        assert_eq!(finish(reason), FinishReason::Truncated, "{reason}");
    }
    assert_eq!(
        finish("moon_phase"),
        FinishReason::Unknown("moon_phase".into())
    );
}

#[test]
fn an_error_at_200_is_an_error() {
    let error =
        read(&json!({"code": "The service is currently unavailable", "error": "at capacity"}))
            .unwrap_err();
    assert_eq!(
        (error.kind(), error.is_retryable()),
        (ModelErrorKind::Overloaded, true)
    );
    assert_eq!(error.code(), Some("The service is currently unavailable"));
    let error =
        read(&json!({"code": "Some resource has been exhausted", "error": "Too many requests"}))
            .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::RateLimited);
}

fn stream(body: &str) -> Result<Reply, ModelError> {
    let headers = Headers::from_iter([("content-type", "text/event-stream")]);
    decode_stream(&headers, body.as_bytes())
}

#[test]
fn a_stream_may_end_in_done() {
    let response = json!({"status": "completed", "output": [
        {"type": "message", "content": [{"type": "output_text", "text": "{}"}]}]});
    let delta = json!({"type": "response.output_text.delta", "delta": "{}"});
    let done = json!({"type": "response.done", "response": response});
    let body = format!("data: {delta}\n\ndata: {done}\n\ndata: [DONE]\n\n");
    assert_eq!(stream(&body).unwrap().text(), "{}");
    let body = format!("data: {delta}\n\ndata: [DONE]\n\n");
    assert_eq!(stream(&body).unwrap_err().kind(), ModelErrorKind::StreamCut);
}

#[test]
fn an_error_in_a_stream_needs_no_type() {
    for event in [
        json!({"code": "The service is currently unavailable", "error": "at capacity"}),
        json!({"error": {"code": "503", "message": "at capacity"}}),
        json!({"type": "error", "code": "x", "message": "at capacity"}),
        json!({"type": "error", "error": "at capacity"}),
    ] {
        let error = stream(&format!("data: {event}\n\n")).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Overloaded, "{event}");
    }
}
