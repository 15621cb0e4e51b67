//! Answers that OpenAI is not known to give, and that it may give tomorrow.

use serde_json::{Value, json};
use typed_extract::model::http::Headers;
use typed_extract::model::openai::decode;
use typed_extract::model::{FinishReason, ModelErrorKind};
use typed_extract::{ModelError, Reply};

use super::message;

fn read(body: &Value) -> Result<Reply, ModelError> {
    decode(200, &Headers::default(), body.to_string().as_bytes())
}

fn finish(body: &Value) -> FinishReason {
    read(body).unwrap().finish().clone()
}

#[test]
fn only_completed_is_a_success() {
    let with = |status: &str, reason: Value| {
        finish(&json!({"status": status, "incomplete_details": reason, "output": [message("{}")]}))
    };
    assert_eq!(with("completed", Value::Null), FinishReason::Stop);
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
            FinishReason::Unknown(status.to_owned())
        );
    }
    for limit in ["max_output_tokens", "max_tokens"] {
        for status in ["incomplete", "completed"] {
            assert_eq!(
                with(status, json!({"reason": limit})),
                FinishReason::Truncated
            );
        }
    }
    for reason in ["max_messages", "steered", "something new"] {
        assert_eq!(
            with("incomplete", json!({"reason": reason})),
            FinishReason::Unknown(reason.to_owned())
        );
    }
    let filtered = with("incomplete", json!({"reason": "content_filter"}));
    assert_eq!(filtered, FinishReason::Filtered { reason: None });
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
    assert_eq!(
        (reply.text(), reply.finish()),
        ("{\"a\":1}", &FinishReason::Stop)
    );
}

#[test]
fn a_refusal_goes_before_text_and_a_half_message_is_no_answer() {
    let refusal = json!({"type": "message", "content": [{"type": "refusal", "refusal": "no"}]});
    let refused = FinishReason::Refused {
        message: Some("no".into()),
    };
    for status in ["completed", "incomplete"] {
        let body = json!({"status": status, "output": [message("{}"), refusal]});
        assert_eq!(finish(&body), refused);
    }
    let empty = json!({"type": "message", "content": [{"type": "refusal", "refusal": ""}]});
    let body = json!({"status": "completed", "output": [message("{}"), empty]});
    assert_eq!(finish(&body), FinishReason::Stop);

    let half = json!({"type": "message", "status": "incomplete",
        "content": [{"type": "output_text", "text": "{}"}]});
    let body = json!({"status": "completed", "output": [half]});
    assert_eq!(finish(&body), FinishReason::Unknown("incomplete".into()));
}

#[test]
fn a_tool_call_is_no_empty_answer() {
    let call = json!({"type": "function_call", "name": "f", "arguments": "{}"});
    let body = json!({"status": "completed", "output": [call]});
    assert_eq!(finish(&body), FinishReason::Unknown("tool_calls".into()));
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
