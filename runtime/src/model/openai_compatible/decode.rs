//! A Chat Completions response as a reply, read in the one order that no host can trick.

use serde_json::Value;

use super::{Chat, usage::usage};
use crate::model::{
    FinishReason, ModelError, ModelErrorKind, Reply,
    api::{self, Fault, Response, Wire, calls_tools, filtered_categories, word},
    http::Headers,
};

pub(super) const WIRE: Wire = Wire {
    endpoint: "Chat Completions",
    usage,
    reply,
};

/// Reads a response: status, error inside, finish reason, refusal, and only then the text.
///
/// What a filter stopped is a reply with [`FinishReason::Filtered`], also where the host answers with a
/// failed status. A text that came before the model was cut is kept. An empty text with `stop` is
/// a reply with an empty text. A body that is not a completion is a `Decode` error.
///
/// ```
/// use typed_extract::model::{FinishReason, ModelErrorKind};
/// use typed_extract::model::openai_compatible::{Headers, decode};
///
/// let body = br#"{"choices":[{"message":{"content":"[1,2]"},"finish_reason":"length"}]}"#;
/// let reply = decode(200, &Headers::default(), body)?;
/// assert_eq!((reply.text(), reply.finish()), ("[1,2]", &FinishReason::Truncated));
///
/// let headers = Headers::from_iter([("retry-after", "2")]);
/// let error = decode(503, &headers, b"<html>try later</html>").unwrap_err();
/// assert_eq!(error.kind(), ModelErrorKind::Overloaded);
/// assert_eq!(error.retry_after().unwrap().as_secs(), 2);
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn decode(status: u16, headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    WIRE.decode(status, headers, body)
}

/// Reads a whole stream of chunks, as [`decode`] reads a response; the content type in the headers
/// says that it is one. A stream without its `[DONE]` is a
/// [`StreamCut`](ModelErrorKind::StreamCut) error, whatever came before.
///
/// ```
/// use typed_extract::model::ModelErrorKind;
/// use typed_extract::model::openai_compatible::{Headers, decode_stream};
///
/// let headers = Headers::from_iter([("content-type", "text/event-stream")]);
/// let chunk = r#"data: {"choices":[{"delta":{"content":"{}"},"finish_reason":"stop"}]}"#;
/// let whole = format!("{chunk}\n\ndata: [DONE]\n\n");
/// assert_eq!(decode_stream(&headers, whole.as_bytes())?.text(), "{}");
///
/// let cut = format!("{chunk}\n\n");
/// let error = decode_stream(&headers, cut.as_bytes()).unwrap_err();
/// assert_eq!(error.kind(), ModelErrorKind::StreamCut);
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn decode_stream(headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    api::decode_stream::<Chat>(headers, body)
}

fn reply(response: &Response<'_>) -> Result<Reply, ModelError> {
    let choice = response
        .first("choices")?
        .ok_or_else(|| response.lacks("choice"))?;
    if let Some(fault) = Fault::find(choice) {
        return response.failed(fault.inner_status(), &fault);
    }
    if let Some(error) = broken_off(response, choice) {
        return Err(error);
    }
    let message = choice.get("message").unwrap_or(&Value::Null);
    let content = message.get("content").unwrap_or(&Value::Null);
    if !(content.is_null() || content.is_string() || content.is_array()) {
        return Err(response.lacks("content that is text"));
    }
    let text = text(message);
    let finish = finish(choice, message, &text);
    Ok(response
        .reply(text, finish)
        .with_reasoning(reasons(message)))
}

/// The host gave up half-way and says so in the finish reason.
fn broken_off(response: &Response<'_>, choice: &Value) -> Option<ModelError> {
    let (kind, message) = match choice.get("finish_reason")?.as_str()? {
        "insufficient_system_resource" => {
            (ModelErrorKind::Overloaded, "stopped for lack of capacity")
        }
        "error" => (ModelErrorKind::Server, "the finish reason is `error`"),
        _ => return None,
    };
    Some(response.error(kind, message))
}

/// The text of a message: a string, or a list of parts of which some are the model's thinking.
pub(super) fn text(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        _ => parts(message).filter_map(part_text).collect(),
    }
}

fn part_text(part: &Value) -> Option<&str> {
    let is_text = part.get("type").is_none_or(|kind| kind == "text");
    part.get("text")?.as_str().filter(|_| is_text)
}

/// Whether a message holds words of the model's reasoning, in the fields and parts that hosts use.
pub(super) fn reasons(message: &Value) -> bool {
    let beside = ["reasoning_content", "reasoning", "thinking"]
        .into_iter()
        .filter_map(|key| message.get(key)?.as_str())
        .any(|text| !text.trim().is_empty());
    beside || parts(message).any(|part| part.get("type").is_some_and(|kind| kind == "thinking"))
}

fn parts(message: &Value) -> impl Iterator<Item = &Value> {
    let parts = message.get("content").and_then(Value::as_array);
    parts.into_iter().flatten()
}

/// Some servers give an empty refusal beside every answer.
pub(super) fn refusal(message: &Value) -> Option<&str> {
    let refusal = message.get("refusal")?.as_str()?;
    Some(refusal).filter(|refusal| !refusal.is_empty())
}

/// Everything that is not known to be a natural end is something else.
fn finish(choice: &Value, message: &Value, text: &str) -> FinishReason {
    let reason = choice.get("finish_reason").and_then(Value::as_str);
    if reason == Some("content_filter") {
        return FinishReason::Filtered {
            reason: filter_reason(choice),
        };
    }
    if let Some(refusal) = refusal(message) {
        return FinishReason::Refused {
            message: Some(refusal.to_owned()),
        };
    }
    match reason {
        Some("stop" | "eos") if text.is_empty() && calls_tools(message) => {
            FinishReason::Unknown("tool_calls".to_owned())
        }
        Some("stop" | "eos") => FinishReason::Stop,
        Some("length" | "model_length" | "repetition") => FinishReason::Truncated,
        Some(other) => FinishReason::Unknown(word(other)),
        None => FinishReason::Unknown("no finish reason".to_owned()),
    }
}

/// Azure names the categories beside the choice.
fn filter_reason(choice: &Value) -> Option<String> {
    let categories = filtered_categories(choice.get("content_filter_results"));
    Some(categories.join(", ")).filter(|names| !names.is_empty())
}
