//! OpenAI's Responses: requests as bytes, and answers that no recording holds.

use serde_json::{Value, json};
use typed_extract::{
    Finish, FormatCapability, ModelError, ModelErrorKind, Reply, Request, WireSchema,
    http::Headers,
    openai::{Responses, ResponsesBuilder, decode, decode_stream, encode},
};

fn body(builder: ResponsesBuilder, request: &Request) -> String {
    let model = builder.build().unwrap();
    let bytes = encode(model.settings(), request);
    assert_eq!(
        bytes,
        encode(model.settings(), request),
        "the same each time"
    );
    String::from_utf8(bytes).unwrap()
}

fn model() -> ResponsesBuilder {
    Responses::builder("gpt-5.6")
}

fn parcel() -> Request {
    let schema = json!({"type": "object", "properties": {"z": {"type": "string"}, "a": {}}});
    Request::new("Parcel ZX-4471.").with_wire_schema(WireSchema::new("Page<Parcel>", schema))
}

#[test]
fn a_request_with_a_schema() {
    assert_eq!(
        body(model(), &parcel()),
        concat!(
            r#"{"model":"gpt-5.6","store":false,"input":"Parcel ZX-4471.","#,
            r#""text":{"format":{"type":"json_schema","name":"Page_Parcel_","#,
            r#""schema":{"type":"object","properties":{"z":{"type":"string"},"a":{}}},"strict":true}},"#,
            r#""stream":false}"#,
        )
    );
}

#[test]
fn requests_for_an_object_and_for_text() {
    assert_eq!(
        body(model().capability(FormatCapability::JsonObject), &parcel()),
        concat!(
            r#"{"model":"gpt-5.6","store":false,"input":"Parcel ZX-4471.","#,
            r#""text":{"format":{"type":"json_object"}},"stream":false}"#,
        )
    );
    let plain = r#"{"model":"gpt-5.6","store":false,"input":"Parcel ZX-4471.","stream":false}"#;
    assert_eq!(
        body(model().capability(FormatCapability::None), &parcel()),
        plain
    );
    assert_eq!(body(model(), &Request::new("Parcel ZX-4471.")), plain);
}

#[test]
fn every_option_has_its_field() {
    let extra = json!({"reasoning": {"effort": "low"}, "prompt_cache_key": "parcels"});
    let builder = model()
        .strict(false)
        .system("Extract the parcel.")
        .temperature(0.0)
        .max_output_tokens(512)
        .extra(extra.as_object().unwrap().clone());
    assert_eq!(
        body(builder, &parcel().with_max_output_tokens(64).streamed()),
        concat!(
            r#"{"model":"gpt-5.6","store":false,"instructions":"Extract the parcel.","#,
            r#""input":"Parcel ZX-4471.","max_output_tokens":64,"temperature":0.0,"#,
            r#""text":{"format":{"type":"json_schema","name":"Page_Parcel_","#,
            r#""schema":{"type":"object","properties":{"z":{"type":"string"},"a":{}}},"strict":false}},"#,
            r#""stream":true,"reasoning":{"effort":"low"},"prompt_cache_key":"parcels"}"#,
        )
    );
}

#[test]
fn what_the_adapter_decides_is_not_overruled() {
    for field in ["store", "text", "input", "stream", "max_output_tokens"] {
        let extra = json!({field: true}).as_object().unwrap().clone();
        let error = model().extra(extra).build().unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Config);
        assert!(error.to_string().contains(field), "{error}");
    }
    let error = model()
        .base_url("https://api.openai.com/v1/responses")
        .build();
    assert!(error.unwrap_err().to_string().contains("/responses"));
}

fn read(body: &Value) -> Result<Reply, ModelError> {
    decode(200, &Headers::default(), body.to_string().as_bytes())
}

fn message(text: &str) -> Value {
    json!({"type": "message", "status": "completed", "content": [{"type": "output_text", "text": text}]})
}

fn finish(body: &Value) -> Finish {
    read(body).unwrap().finish().clone()
}

#[test]
fn only_completed_is_a_success() {
    let with = |status: &str, reason: Value| {
        finish(&json!({"status": status, "incomplete_details": reason, "output": [message("{}")]}))
    };
    assert_eq!(with("completed", Value::Null), Finish::Stop);
    for status in [
        "cancelled",
        "queued",
        "in_progress",
        "incomplete",
        "",
        "paused",
    ] {
        assert_eq!(
            with(status, Value::Null),
            Finish::Unknown(status.to_owned())
        );
    }
    for limit in ["max_output_tokens", "max_tokens"] {
        for status in ["incomplete", "completed"] {
            assert_eq!(with(status, json!({"reason": limit})), Finish::Truncated);
        }
    }
    for reason in ["max_messages", "steered", "something new"] {
        assert_eq!(
            with("incomplete", json!({"reason": reason})),
            Finish::Unknown(reason.to_owned())
        );
    }
    let filtered = with("incomplete", json!({"reason": "content_filter"}));
    assert_eq!(filtered, Finish::Filtered { reason: None });
}

#[test]
fn text_is_that_of_all_messages_and_of_nothing_else() {
    let body = json!({"status": "completed", "output": [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}],
         "content": [{"type": "output_text", "text": "hm"}]},
        message("{\"a\":"),
        {"type": "web_search_call", "status": "completed"},
        message("1}"),
        7,
        {"type": "message"},
        {"type": "message", "content": [{"type": "new_part", "text": "no"}, null, {"text": "no"}]},
    ]});
    let reply = read(&body).unwrap();
    assert_eq!((reply.text(), reply.finish()), ("{\"a\":1}", &Finish::Stop));
}

#[test]
fn a_refusal_goes_before_text_and_a_half_message_is_no_answer() {
    let refusal = json!({"type": "message", "content": [{"type": "refusal", "refusal": "no"}]});
    let refused = Finish::Refused {
        message: Some("no".into()),
    };
    for status in ["completed", "incomplete"] {
        let body = json!({"status": status, "output": [message("{}"), refusal]});
        assert_eq!(finish(&body), refused);
    }
    let empty = json!({"type": "message", "content": [{"type": "refusal", "refusal": ""}]});
    let body = json!({"status": "completed", "output": [message("{}"), empty]});
    assert_eq!(finish(&body), Finish::Stop);

    let half = json!({"type": "message", "status": "incomplete",
        "content": [{"type": "output_text", "text": "{}"}]});
    let body = json!({"status": "completed", "output": [half]});
    assert_eq!(finish(&body), Finish::Unknown("incomplete".into()));
}

#[test]
fn a_tool_call_is_no_empty_answer() {
    let call = json!({"type": "function_call", "name": "f", "arguments": "{}"});
    let body = json!({"status": "completed", "output": [call]});
    assert_eq!(finish(&body), Finish::Unknown("tool_calls".into()));
}

#[test]
fn what_failed_at_200_is_what_its_code_says() {
    for (code, kind, retryable) in [
        ("server_error", ModelErrorKind::Server, true),
        ("rate_limit_exceeded", ModelErrorKind::RateLimited, true),
        ("invalid_prompt", ModelErrorKind::BadRequest, false),
        (
            "context_length_exceeded",
            ModelErrorKind::ContextExceeded,
            false,
        ),
        ("insufficient_quota", ModelErrorKind::QuotaExhausted, false),
        ("server_is_overloaded", ModelErrorKind::Overloaded, true),
    ] {
        let error = read(&json!({"status": "failed", "output": [],
            "error": {"code": code, "message": "m"}}))
        .unwrap_err();
        assert_eq!(
            (error.kind(), error.is_retryable()),
            (kind, retryable),
            "{code}"
        );
        assert_eq!(error.code(), Some(code));
    }
    let silent = read(&json!({"status": "failed", "error": null, "output": [message("{}")]}));
    assert_eq!(silent.unwrap_err().kind(), ModelErrorKind::Server);
}

#[test]
fn what_is_no_response_is_a_decode_error_that_may_have_cost_something() {
    for body in [
        "",
        "null",
        "[]",
        "7",
        "{}",
        "<html>",
        r#"{"status":7}"#,
        r#"{"status":"completed"}"#,
        r#"{"status":"completed","output":{}}"#,
        r#"{"choices":[]}"#,
    ] {
        let error = decode(200, &Headers::default(), body.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Decode, "{body}");
        assert!(error.maybe_billed() && !error.is_retryable(), "{body}");
    }
}

fn stream(events: &[Value]) -> Result<Reply, ModelError> {
    let headers = Headers::from_iter([("content-type", "text/event-stream")]);
    let events: Vec<String> = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    let body = events.concat();
    decode_stream(&headers, body.as_bytes())
}

fn delta(text: &str) -> Value {
    json!({"type": "response.output_text.delta", "delta": text})
}

fn last(status: &str, output: &Value) -> Value {
    json!({"type": format!("response.{status}"), "response": {"id": "resp_1", "status": status,
        "output": output, "usage": {"input_tokens": 7, "output_tokens": 3}}})
}

#[test]
fn a_stream_that_contradicts_itself_is_no_answer() {
    for (pieces, output) in [
        (vec![delta("{\"a\":1")], json!([message("{\"a\":1}")])),
        (vec![delta("{}"), delta("{}")], json!([message("{}")])),
        (vec![delta("{}")], json!([])),
        (
            vec![
                delta("{}"),
                json!({"type": "response.refusal.delta", "delta": "no"}),
            ],
            json!([message("{}")]),
        ),
    ] {
        let mut events = pieces;
        events.push(last("completed", &output));
        let error = stream(&events).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Decode, "{events:?}");
        assert!(error.maybe_billed() && !error.is_retryable());
        assert_eq!(
            error.usage().unwrap().total_tokens(),
            Some(10),
            "it is told what it cost"
        );
    }
}

#[test]
fn a_stream_without_pieces_is_its_last_event() {
    let reply = stream(&[last("completed", &json!([message("{}")]))]).unwrap();
    assert_eq!((reply.text(), reply.finish()), ("{}", &Finish::Stop));
    let reply = stream(&[last("completed", &json!([]))]).unwrap();
    assert_eq!((reply.text(), reply.finish()), ("", &Finish::Stop));
}

#[test]
fn an_unfinished_stream_keeps_what_was_handed_on() {
    for output in [json!([]), json!([message("{\"a")])] {
        let mut end = last("incomplete", &output);
        end["response"]["incomplete_details"] = json!({"reason": "max_output_tokens"});
        let reply = stream(&[delta("{\"a"), delta("\":"), end]).unwrap();
        assert_eq!(
            (reply.text(), reply.finish()),
            ("{\"a\":", &Finish::Truncated)
        );
    }
}

#[test]
fn a_stream_needs_its_last_event() {
    let created = json!({"type": "response.created",
        "response": {"id": "resp_1", "status": "in_progress", "output": []}});
    let half = [created.clone(), delta("{}")];
    let error = stream(&half).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::StreamCut);
    assert_eq!(error.request_id(), Some("resp_1"));

    let headers = Headers::from_iter([("content-type", "text/event-stream")]);
    let marked = format!(
        "data: {created}\n\ndata: {}\n\ndata: [DONE]\n\n",
        delta("{}")
    );
    let error = decode_stream(&headers, marked.as_bytes()).unwrap_err();
    assert_eq!(
        error.kind(),
        ModelErrorKind::StreamCut,
        "the marker alone ends nothing"
    );
    assert!(error.is_retryable() && error.maybe_billed());
}

#[test]
fn odd_events_neither_end_a_stream_nor_break_it() {
    let odd = [
        json!(7),
        json!([]),
        json!({}),
        json!({"type": 7}),
        json!({"type": "response.output_text.delta", "delta": null}),
        json!({"type": "response.output_text.done", "text": "{}"}),
        json!({"type": "response.created", "response": null}),
        json!({"type": "response.something_new", "delta": "no", "error": "no"}),
        delta("{}"),
        last("completed", &json!([message("{}")])),
        delta("after the end"),
    ];
    assert_eq!(stream(&odd).unwrap().text(), "{}");
    let empty_end = stream(&[delta("{}"), json!({"type": "response.completed"})]);
    assert_eq!(empty_end.unwrap_err().kind(), ModelErrorKind::Decode);
}
