//! Answers that no host is known to give, and that one may give tomorrow.

use serde_json::{Value, json};
use typed_extract::model::openai_compatible::{Headers, decode};
use typed_extract::model::{FinishReason, ModelErrorKind};
use typed_extract::{ModelError, Reply};

fn read(status: u16, body: &Value) -> Result<Reply, ModelError> {
    decode(status, &Headers::default(), body.to_string().as_bytes())
}

fn choice(choice: &Value) -> Result<Reply, ModelError> {
    read(200, &json!({"choices": [choice]}))
}

#[test]
fn an_unknown_missing_or_null_finish_reason_is_no_success() {
    for (reason, word) in [
        (json!("daydream"), "daydream"),
        (json!("function_call"), "function_call"),
        (json!("abort"), "abort"),
        (json!(""), ""),
        (json!(null), "no finish reason"),
        (json!(7), "no finish reason"),
    ] {
        let reply =
            choice(&json!({"message": {"content": "{}"}, "finish_reason": reason})).unwrap();
        assert_eq!(reply.finish(), &FinishReason::Unknown(word.to_owned()));
    }
    let reply = choice(&json!({"message": {"content": "{}"}})).unwrap();
    assert_eq!(
        reply.finish(),
        &FinishReason::Unknown("no finish reason".to_owned())
    );
    let endless = "x".repeat(10_000);
    let reply = choice(&json!({"message": {"content": "{}"}, "finish_reason": endless})).unwrap();
    assert_eq!(reply.finish().as_str().len(), 64);
}

#[test]
fn a_refusal_goes_before_text_and_an_empty_one_is_none() {
    let refused =
        choice(&json!({"message": {"content": "{}", "refusal": "no"}, "finish_reason": "stop"}))
            .unwrap();
    assert_eq!(
        refused.finish(),
        &FinishReason::Refused {
            message: Some("no".into())
        }
    );
    let answered =
        choice(&json!({"message": {"content": "{}", "refusal": ""}, "finish_reason": "stop"}))
            .unwrap();
    assert_eq!(answered.finish(), &FinishReason::Stop);
}

#[test]
fn a_tool_call_is_no_empty_answer() {
    let message =
        json!({"content": null, "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]});
    let reply = choice(&json!({"message": message, "finish_reason": "stop"})).unwrap();
    assert_eq!(reply.finish(), &FinishReason::Unknown("tool_calls".into()));
}

#[test]
fn text_in_parts_is_joined_and_thinking_left_out() {
    let parts = json!([
        {"type": "thinking", "text": "hm", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "{\"a\":"},
        {"type": "text", "text": "1}"},
        {"type": "image_url", "image_url": "x"},
        7,
    ]);
    let reply = choice(&json!({"message": {"content": parts}, "finish_reason": "stop"})).unwrap();
    assert_eq!(reply.text(), r#"{"a":1}"#);
}

#[test]
fn what_is_no_completion_is_a_decode_error_that_may_have_cost_something() {
    for body in [
        "",
        "null",
        "[]",
        "7",
        "{}",
        r#"{"choices":[]}"#,
        r#"{"choices":{}}"#,
        "<html>",
        "{\"choices\":",
        "\u{feff}{}",
    ] {
        let error = decode(200, &Headers::default(), body.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Decode, "{body}");
        assert!(error.maybe_billed() && !error.is_retryable(), "{body}");
    }
    assert_eq!(
        decode(200, &Headers::default(), &[0xff, 0xfe])
            .unwrap_err()
            .kind(),
        ModelErrorKind::Decode
    );
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(
        decode(200, &Headers::default(), deep.as_bytes())
            .unwrap_err()
            .kind(),
        ModelErrorKind::Decode
    );
}

#[test]
fn a_choice_without_message_is_an_empty_answer() {
    let reply = choice(&json!({"finish_reason": "stop"})).unwrap();
    assert_eq!((reply.text(), reply.finish()), ("", &FinishReason::Stop));
}

#[test]
fn a_failed_status_needs_no_body_to_be_understood() {
    for (status, kind, retryable) in [
        (302, ModelErrorKind::Config, false),
        (400, ModelErrorKind::BadRequest, false),
        (401, ModelErrorKind::Auth, false),
        (402, ModelErrorKind::QuotaExhausted, false),
        (403, ModelErrorKind::Auth, false),
        (404, ModelErrorKind::NotFound, false),
        (408, ModelErrorKind::Timeout, true),
        (409, ModelErrorKind::Server, true),
        (413, ModelErrorKind::TooLarge, false),
        (422, ModelErrorKind::BadRequest, false),
        (424, ModelErrorKind::Server, true),
        (429, ModelErrorKind::RateLimited, true),
        (498, ModelErrorKind::Overloaded, true),
        (499, ModelErrorKind::Other, false),
        (500, ModelErrorKind::Server, true),
        (502, ModelErrorKind::Server, true),
        (503, ModelErrorKind::Overloaded, true),
        (504, ModelErrorKind::Timeout, true),
        (524, ModelErrorKind::Timeout, true),
        (529, ModelErrorKind::Overloaded, true),
    ] {
        for body in [
            "",
            "<html>",
            "[]",
            "[null]",
            "null",
            "\"x\"",
            r#"{"error":null}"#,
            r#"{"error":[]}"#,
        ] {
            let error = decode(status, &Headers::default(), body.as_bytes()).unwrap_err();
            assert_eq!(
                (error.kind(), error.is_retryable()),
                (kind, retryable),
                "{status} {body}"
            );
            assert_eq!(error.status(), Some(status));
            assert!(!error.maybe_billed(), "{status}");
        }
    }
}

#[test]
fn a_code_may_be_a_number_a_string_or_null() {
    let code = |code: Value| {
        read(400, &json!({"error": {"message": "m", "code": code}}))
            .unwrap_err()
            .code()
            .map(str::to_owned)
    };
    assert_eq!(code(json!(400)), Some("400".into()));
    assert_eq!(code(json!("bad")), Some("bad".into()));
    assert_eq!(code(json!(null)), None);
}

#[test]
fn an_error_in_a_list_is_found() {
    let error = read(
        400,
        &json!([{"error": {"message": "too long", "code": "context_length_exceeded"}}]),
    )
    .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextExceeded);
}

#[test]
fn the_host_may_overrule_what_a_status_says() {
    let headers = |value: &str| Headers::from_iter([("x-should-retry", value)]);
    assert!(
        !decode(503, &headers("false"), b"")
            .unwrap_err()
            .is_retryable()
    );
    assert!(
        decode(400, &headers("true"), b"")
            .unwrap_err()
            .is_retryable()
    );
}

#[test]
fn messages_are_one_line_of_bounded_length() {
    let error = read(
        400,
        &json!({"error": {"message": "two\nlines ".repeat(500)}}),
    )
    .unwrap_err();
    let text = error.to_string();
    assert!(
        text.chars().count() < 360 && !text.contains('\n') && text.ends_with('…'),
        "{text}"
    );
}

#[test]
fn counts_that_are_none_stay_unknown() {
    let usage = |usage: Value| {
        let body = json!({"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}], "usage": usage});
        read(200, &body).unwrap().usage().copied()
    };
    assert_eq!(usage(json!(null)), None);
    assert_eq!(usage(json!("many")), None);
    let odd = usage(
        json!({"prompt_tokens": -3, "completion_tokens": 1.5, "prompt_tokens_details": null}),
    )
    .unwrap();
    assert_eq!(
        (odd.input_tokens(), odd.output_tokens(), odd.total_tokens()),
        (None, None, None)
    );
    let half = usage(json!({"prompt_tokens": 12})).unwrap();
    assert_eq!((half.input_tokens(), half.total_tokens()), (Some(12), None));
}

#[test]
fn reasoning_beside_the_completion_is_counted_once() {
    let output = |total: u64| {
        let usage = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": total,
            "completion_tokens_details": {"reasoning_tokens": 3}});
        let body = json!({"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}], "usage": usage});
        read(200, &body).unwrap().usage().unwrap().output_tokens()
    };
    assert_eq!(output(15), Some(5), "inside the completion");
    assert_eq!(output(18), Some(8), "beside it");
}
