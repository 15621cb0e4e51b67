//! A message as a reply: stop reason before text, since a refusal makes all text void.

use serde_json::Value;

use super::{Anthropic, usage::usage};
use crate::model::{
    FinishReason, ModelError, ModelErrorKind, Reply,
    api::{self, Response, Wire, word},
    http::Headers,
};

pub(super) const WIRE: Wire = Wire {
    endpoint: "Messages",
    usage,
    reply,
};

/// Reads a response: status, error inside, stop reason, and only then the text.
///
/// A refusal is a reply with [`FinishReason::Refused`] and without text, whatever had been written. A
/// text that came before the model was cut is kept. An answer that pauses or calls a tool is
/// [`FinishReason::Unknown`], since none was offered. A 429 in Anthropic's words without `retry-after` is
/// a spending limit, and not retryable. A body that is not a message is a `Decode` error.
///
/// ```
/// use typed_extract::model::{FinishReason, ModelErrorKind};
/// use typed_extract::model::anthropic::{Headers, decode};
///
/// let body = br#"{"content":[{"type":"text","text":"[1,2]"}],"stop_reason":"max_tokens"}"#;
/// let reply = decode(200, &Headers::default(), body)?;
/// assert_eq!((reply.text(), reply.finish()), ("[1,2]", &FinishReason::Truncated));
///
/// let error = decode(529, &Headers::default(), b"").unwrap_err();
/// assert_eq!(error.kind(), ModelErrorKind::Overloaded);
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn decode(status: u16, headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    WIRE.decode(status, headers, body).map_err(spending_limit)
}

/// Reads a whole stream of events, as [`decode`] reads a response; the content type in the headers
/// says that it is one. A stream without its `message_stop` is a
/// [`StreamCut`](ModelErrorKind::StreamCut) error, whatever came before; an `error` event is the
/// error that the same words would be with a failed status.
///
/// ```
/// use typed_extract::model::ModelErrorKind;
/// use typed_extract::model::anthropic::{Headers, decode_stream};
///
/// let headers = Headers::from_iter([("content-type", "text/event-stream")]);
/// let begun = concat!(
///     "data: {\"type\":\"message_start\",\"message\":{\"content\":[]}}\n\n",
///     "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"{}\"}}\n\n",
///     "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n",
/// );
/// let error = decode_stream(&headers, begun.as_bytes()).unwrap_err();
/// assert_eq!(error.kind(), ModelErrorKind::StreamCut);
///
/// let whole = format!("{begun}data: {{\"type\":\"message_stop\"}}\n\n");
/// assert_eq!(decode_stream(&headers, whole.as_bytes())?.text(), "{}");
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn decode_stream(headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    api::decode_stream::<Anthropic>(headers, body)
}

/// Every real rate limit tells when to come back; what does not is a limit that money ends.
fn spending_limit(error: ModelError) -> ModelError {
    let rate_limit = error.kind() == ModelErrorKind::RateLimited
        && error.status() == Some(429)
        && error.code() == Some("rate_limit_error");
    if rate_limit && error.retry_after().is_none() {
        error.with_kind(ModelErrorKind::QuotaExhausted)
    } else {
        error
    }
}

fn reply(response: &Response<'_>) -> Result<Reply, ModelError> {
    let body = response.body;
    let blocks = body
        .get("content")
        .and_then(Value::as_array)
        .ok_or_else(|| response.lacks("content"))?;
    let finish = finish(body);
    let text = match finish {
        FinishReason::Refused { .. } => String::new(),
        _ => blocks.iter().filter_map(block_text).collect(),
    };
    Ok(response
        .reply(text, finish)
        .with_reasoning(blocks.iter().any(reasons)))
}

fn block_text(block: &Value) -> Option<&str> {
    let is_text = block.get("type").is_some_and(|kind| kind == "text");
    block.get("text")?.as_str().filter(|_| is_text)
}

/// Whether a block, or a piece of one, holds words of the model's thinking.
pub(super) fn reasons(block: &Value) -> bool {
    let kind = block.get("type").and_then(Value::as_str);
    matches!(kind, Some("thinking" | "thinking_delta"))
        && (block.get("thinking").and_then(Value::as_str))
            .is_some_and(|text| !text.trim().is_empty())
}

/// Everything that is not known to be a natural end is something else.
fn finish(body: &Value) -> FinishReason {
    match body.get("stop_reason").and_then(Value::as_str) {
        Some("end_turn" | "stop_sequence") => FinishReason::Stop,
        Some("max_tokens" | "model_context_window_exceeded") => FinishReason::Truncated,
        Some("refusal") => FinishReason::Refused {
            message: explanation(body),
        },
        Some("tool_use") => FinishReason::Unknown("tool_calls".to_owned()),
        Some(other) => FinishReason::Unknown(word(other)),
        None => FinishReason::Unknown("no stop reason".to_owned()),
    }
}

/// The category and the sentence of a refusal; either may be missing, or both.
fn explanation(body: &Value) -> Option<String> {
    let details = body.get("stop_details")?;
    let said: Vec<&str> = ["category", "explanation"]
        .into_iter()
        .filter_map(|key| details.get(key)?.as_str())
        .filter(|text| !text.is_empty())
        .collect();
    Some(said.join(": ")).filter(|text| !text.is_empty())
}
