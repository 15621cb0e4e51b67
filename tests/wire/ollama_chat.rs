//! Ollama's own chat: requests as bytes, and answers that no recording holds.

use serde_json::{Value, json};
use typed_extract::model::http::Headers;
use typed_extract::model::ollama::{Chat, ChatBuilder, decode, decode_stream, encode};
use typed_extract::model::{FinishReason, FormatCapability, ModelErrorKind, ResponseSchema};
use typed_extract::{ModelError, Reply, Request};

fn body(builder: ChatBuilder, request: &Request) -> String {
    let model = builder.build().unwrap();
    let bytes = encode(model.settings(), request);
    assert_eq!(
        bytes,
        encode(model.settings(), request),
        "the same each time"
    );
    String::from_utf8(bytes).unwrap()
}

fn model() -> ChatBuilder {
    Chat::builder("qwen3:8b")
}

fn parcel() -> Request {
    let schema = json!({"type": "object", "properties": {"z": {}, "a": {}}});
    Request::new("Parcel ZX-4471.").with_wire_schema(ResponseSchema::new("Parcel", schema))
}

#[test]
fn requests_of_every_mode() {
    let user = r#"{"model":"qwen3:8b","messages":[{"role":"user","content":"Parcel ZX-4471."}],"#;
    let end = r#""truncate":false,"shift":false,"stream":false}"#;
    let schema = r#""format":{"type":"object","properties":{"z":{},"a":{}}},"#;
    assert_eq!(body(model(), &parcel()), format!("{user}{schema}{end}"));
    let object = model().capability(FormatCapability::JsonObject);
    assert_eq!(
        body(object, &parcel()),
        format!(r#"{user}"format":"json",{end}"#)
    );
    let text = model().capability(FormatCapability::Text);
    assert_eq!(body(text, &parcel()), format!("{user}{end}"));
}

#[test]
fn every_option_has_its_field() {
    let extra = json!({"think": false, "keep_alive": "10m"});
    let builder = model()
        .system("Extract the parcel.")
        .temperature(0.0)
        .seed(7)
        .context_tokens(8192)
        .max_output_tokens(512)
        .extra(extra.as_object().unwrap().clone());
    assert_eq!(
        body(builder, &Request::new("Hi").streamed()),
        concat!(
            r#"{"model":"qwen3:8b","messages":[{"role":"system","content":"Extract the parcel."},"#,
            r#"{"role":"user","content":"Hi"}],"#,
            r#""options":{"num_predict":512,"temperature":0.0,"seed":7,"num_ctx":8192},"#,
            r#""truncate":false,"shift":false,"stream":true,"think":false,"keep_alive":"10m"}"#,
        )
    );
}

#[test]
fn what_cannot_work_is_refused() {
    let complaint = |builder: ChatBuilder| builder.build().unwrap_err().to_string();
    assert!(complaint(model().context_tokens(0)).contains("context"));
    assert!(complaint(model().base_url("localhost")).contains("http://localhost:11434"));
    let extra = json!({"truncate": true}).as_object().unwrap().clone();
    assert!(complaint(model().extra(extra)).contains("`truncate`"));
}

fn read(status: u16, body: &Value) -> Result<Reply, ModelError> {
    decode(status, &Headers::default(), body.to_string().as_bytes())
}

#[test]
fn only_done_with_stop_is_a_success() {
    let finish = |body: Value| read(200, &body).unwrap().finish().clone();
    let with = |done: Value, reason: Value| {
        finish(json!({"message": {"content": "{}"}, "done": done, "done_reason": reason}))
    };
    assert_eq!(with(json!(true), json!("stop")), FinishReason::Stop);
    assert_eq!(with(json!(true), json!("length")), FinishReason::Truncated);
    for word in ["load", "unload", "something new"] {
        assert_eq!(
            with(json!(true), json!(word)),
            FinishReason::Unknown(word.into())
        );
    }
    assert_eq!(
        with(json!(true), Value::Null),
        FinishReason::Unknown("no done reason".into())
    );
    for done in [json!(false), json!("true"), Value::Null] {
        assert_eq!(
            with(done, json!("stop")),
            FinishReason::Unknown("not done".into())
        );
    }
    let called = json!({"message": {"content": "", "tool_calls": [{"function": {"name": "f"}}]},
        "done": true, "done_reason": "stop"});
    assert_eq!(finish(called), FinishReason::Unknown("tool_calls".into()));
}

#[test]
fn faults_are_told_by_their_sentences() {
    let kind = |status, sentence: &str| {
        read(status, &json!({"error": sentence}))
            .unwrap_err()
            .kind()
    };
    assert_eq!(
        kind(400, "the input length exceeds the context length"),
        ModelErrorKind::ContextExceeded
    );
    assert_eq!(
        kind(
            400,
            "prompt too long; exceeded max context length by 12 tokens"
        ),
        ModelErrorKind::ContextExceeded
    );
    assert_eq!(
        kind(404, "model 'qwen' not found"),
        ModelErrorKind::NotFound
    );
    assert_eq!(
        kind(200, "an error was encountered"),
        ModelErrorKind::Server
    );
    for body in ["", "{}", "[]", r#"{"choices":[]}"#] {
        let error = decode(200, &Headers::default(), body.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Decode, "{body}");
        assert!(error.maybe_billed());
    }
}

#[test]
fn counts_that_are_none_stay_unknown() {
    let usage = |extra: &Value| {
        let mut body = json!({"message": {"content": "{}"}, "done": true, "done_reason": "stop"});
        for (key, value) in extra.as_object().unwrap() {
            body[key] = value.clone();
        }
        read(200, &body).unwrap().usage().copied()
    };
    assert_eq!(usage(&json!({})), None);
    let half = usage(&json!({"eval_count": 30})).unwrap();
    assert_eq!(
        (half.output_tokens(), half.total_tokens()),
        (Some(30), None)
    );
}

fn stream(lines: &str) -> Result<Reply, ModelError> {
    let headers = Headers::from_iter([("content-type", "application/x-ndjson")]);
    decode_stream(&headers, lines.as_bytes())
}

#[test]
fn thinking_and_odd_lines_are_not_text() {
    let lines = concat!(
        "7\n[]\n{}\n",
        r#"{"message":{"content":"","thinking":"hm"},"done":false}"#,
        "\n\n",
        r#"{"message":{"content":"{"}}"#,
        "\n",
        r#"{"message":{"content":"}"},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":2}"#,
    );
    let reply = stream(lines).unwrap();
    assert_eq!((reply.text(), reply.finish()), ("{}", &FinishReason::Stop));
    assert_eq!(reply.usage().unwrap().total_tokens(), Some(5));
}

#[test]
fn a_stream_needs_its_last_line() {
    let half = r#"{"message":{"content":"{}"},"done":false,"done_reason":"stop"}"#;
    for lines in [half.to_owned(), String::new(), format!("{half}\n[DONE]\n")] {
        let decoded = stream(&lines);
        let whole = decoded
            .as_ref()
            .is_ok_and(|reply| *reply.finish() == FinishReason::Stop);
        assert!(!whole, "{lines}: {decoded:?}");
    }
    let error = stream(half).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::StreamCut);
    assert!(error.is_retryable() && error.maybe_billed());
    let cut_inside = format!("{half}\n{{\"mess");
    assert_eq!(
        stream(&cut_inside).unwrap_err().kind(),
        ModelErrorKind::Decode
    );
}
