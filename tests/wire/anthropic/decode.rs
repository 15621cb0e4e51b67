//! Answers that Anthropic is not known to give, and that it may give tomorrow.

use serde_json::{Value, json};
use typed_extract::Reply;
use typed_extract::model::anthropic::{Headers, decode};
use typed_extract::model::{FinishReason, ModelErrorKind};

fn read(body: &Value) -> Reply {
    decode(200, &Headers::default(), body.to_string().as_bytes()).unwrap()
}

#[test]
fn an_unknown_missing_or_null_stop_reason_is_no_success() {
    let text = json!([{"type": "text", "text": "{}"}]);
    for (reason, word) in [
        (json!("compaction"), "compaction"),
        (json!("pause_turn"), "pause_turn"),
        (json!("tool_use"), "tool_calls"),
        (json!("END_TURN"), "END_TURN"),
        (json!(null), "no stop reason"),
        (json!(7), "no stop reason"),
    ] {
        let reply = read(&json!({"content": text, "stop_reason": reason}));
        assert_eq!(reply.finish(), &FinishReason::Unknown(word.to_owned()));
        assert_eq!(reply.text(), "{}", "what came is kept");
    }
}

#[test]
fn only_text_blocks_are_text() {
    let content = json!([
        {"type": "thinking", "thinking": "hm", "text": "hm"},
        {"type": "text", "text": "{\"a\":"},
        {"type": "tool_use", "input": {}},
        {"type": "text", "text": "1}", "citations": null},
        {"text": "no type"},
        7,
    ]);
    let reply = read(&json!({"content": content, "stop_reason": "end_turn"}));
    assert_eq!(reply.text(), r#"{"a":1}"#);
}

#[test]
fn what_is_no_message_is_a_decode_error_that_may_have_cost_something() {
    for body in ["", "null", "[]", "{}", r#"{"content":{}}"#, "<html>"] {
        let error = decode(200, &Headers::default(), body.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Decode, "{body}");
        assert!(error.maybe_billed() && !error.is_retryable(), "{body}");
    }
}

#[test]
fn only_a_rate_limit_in_anthropics_words_and_without_a_time_is_a_spending_limit() {
    let anthropic = r#"{"type":"error","error":{"type":"rate_limit_error","message":"m"}}"#;
    for (headers, body, kind) in [
        (vec![], anthropic, ModelErrorKind::QuotaExhausted),
        (
            vec![("retry-after", "1")],
            anthropic,
            ModelErrorKind::RateLimited,
        ),
        (vec![], "<html>", ModelErrorKind::RateLimited),
        (vec![], r#"{"error":"busy"}"#, ModelErrorKind::RateLimited),
    ] {
        let error = decode(429, &headers.into_iter().collect(), body.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), kind, "{body}");
    }
}

#[test]
fn a_limit_that_money_ends_may_be_told_like_a_mistake() {
    for message in [
        "Your credit balance is too low to access the Anthropic API.",
        "You have reached your specified API usage limits.",
    ] {
        let body = json!({"error": {"type": "invalid_request_error", "message": message}});
        let body = body.to_string();
        let error = decode(400, &Headers::default(), body.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::QuotaExhausted);
        assert!(!error.is_retryable());
    }
}

#[test]
fn a_cache_count_that_is_missing_is_unknown_and_adds_nothing() {
    let message = |usage: Value| {
        let body = json!({"content": [], "stop_reason": "end_turn", "usage": usage});
        read(&body).usage().copied()
    };
    let usage = message(json!({"input_tokens": 5, "cache_read_input_tokens": null})).unwrap();
    assert_eq!(usage.input_tokens(), Some(5));
    assert_eq!(usage.cached_input_tokens(), None);
    assert_eq!(usage.output_tokens(), None);
    let endless = json!({"input_tokens": u64::MAX, "cache_creation_input_tokens": 2});
    assert_eq!(message(endless).unwrap().input_tokens(), Some(u64::MAX));
    assert_eq!(message(json!([])), None);
}
