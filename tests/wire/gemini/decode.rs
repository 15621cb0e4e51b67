//! Answers that Gemini is not known to give, and that it may give tomorrow.

use serde_json::{Value, json};
use typed_extract::model::gemini::{Headers, decode};
use typed_extract::model::{FinishReason, ModelErrorKind};
use typed_extract::{Reply, Usage};

fn read(body: &Value) -> Reply {
    decode(200, &Headers::default(), body.to_string().as_bytes()).unwrap()
}

fn candidate(parts: &Value, reason: &Value) -> Reply {
    read(&json!({"candidates": [{"content": {"parts": parts}, "finishReason": reason}]}))
}

#[test]
fn an_unknown_missing_or_null_finish_reason_is_no_success() {
    let parts = json!([{"text": "{}"}]);
    for (reason, word) in [
        (json!("OTHER"), "OTHER"),
        (
            json!("FINISH_REASON_UNSPECIFIED"),
            "FINISH_REASON_UNSPECIFIED",
        ),
        (json!("MALFORMED_FUNCTION_CALL"), "MALFORMED_FUNCTION_CALL"),
        (json!("stop"), "stop"),
        (json!(null), "no finish reason"),
        (json!(1), "no finish reason"),
    ] {
        let reply = candidate(&parts, &reason);
        assert_eq!(reply.finish(), &FinishReason::Unknown(word.to_owned()));
        assert_eq!(reply.text(), "{}", "what came is kept");
    }
    for filter in ["LANGUAGE", "IMAGE_SAFETY", "IMAGE_OTHER", "MODEL_ARMOR"] {
        let reply = candidate(&parts, &json!(filter));
        let reason = Some(filter.to_owned());
        assert_eq!(reply.finish(), &FinishReason::Filtered { reason });
    }
}

#[test]
fn a_blocked_prompt_goes_before_everything_and_names_its_categories() {
    let rated = json!([
        {"category": "HARM_CATEGORY_HARASSMENT", "probability": "LOW"},
        {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "blocked": true},
    ]);
    let answered = json!([{"content": {"parts": [{"text": "{}"}]}, "finishReason": "STOP"}]);
    let blocked = |reason: Value| {
        read(&json!({
            "promptFeedback": {"blockReason": reason, "safetyRatings": rated},
            "candidates": answered,
        }))
    };
    let reason = Some("SAFETY: HARM_CATEGORY_DANGEROUS_CONTENT".to_owned());
    let reply = blocked(json!("SAFETY"));
    assert_eq!(
        (reply.text(), reply.finish()),
        ("", &FinishReason::Filtered { reason })
    );
    assert_ne!(
        blocked(json!(7)).finish(),
        &FinishReason::Stop,
        "in any shape"
    );
    assert_eq!(blocked(json!(null)).finish(), &FinishReason::Stop);
}

#[test]
fn thoughts_are_no_text_and_a_function_call_is_no_empty_answer() {
    let parts =
        json!([{"text": "hm", "thought": true}, {"text": "{"}, {"text": "}", "thought": false}, 7]);
    assert_eq!(candidate(&parts, &json!("STOP")).text(), "{}");
    let call = candidate(&json!([{"functionCall": {"name": "f"}}]), &json!("STOP"));
    assert_eq!(call.finish(), &FinishReason::Unknown("tool_calls".into()));
}

#[test]
fn what_is_no_response_is_a_decode_error_that_may_have_cost_something() {
    for body in [
        "",
        "null",
        "[]",
        "{}",
        r#"{"candidates":[]}"#,
        r#"{"candidates":{}}"#,
        "<html>",
    ] {
        let error = decode(200, &Headers::default(), body.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Decode, "{body}");
        assert!(error.maybe_billed() && !error.is_retryable(), "{body}");
    }
}

#[test]
fn counts_left_out_are_zero_only_where_the_prompt_is_counted() {
    let usage = |usage: Value| {
        let body = json!({"candidates": [{"finishReason": "STOP"}], "usageMetadata": usage});
        read(&body).usage().copied()
    };
    let zeros = Usage::new(9, 0).with_cached_input(0).with_reasoning(0);
    assert_eq!(usage(json!({"promptTokenCount": 9})), Some(zeros));
    let odd = usage(json!({"candidatesTokenCount": 3})).unwrap();
    assert_eq!((odd.input_tokens(), odd.output_tokens()), (None, None));
    let odd = usage(json!({"promptTokenCount": 9, "thoughtsTokenCount": "many"})).unwrap();
    assert_eq!((odd.input_tokens(), odd.output_tokens()), (Some(9), None));
    let tools = usage(json!({"promptTokenCount": 9, "toolUsePromptTokenCount": 4})).unwrap();
    assert_eq!(tools.input_tokens(), Some(13));
    assert_eq!(usage(json!(null)), None);
}
