//! An Ollama answer as a reply, read in the one order that no server can trick.

use serde_json::Value;

use super::OllamaChat;
use crate::model::{
    FinishReason, ModelError, Reply, Usage,
    api::{self, Response, Wire, calls_tools, word},
    http::Headers,
};

pub(super) const WIRE: Wire = Wire {
    endpoint: "Ollama chat",
    usage,
    reply,
};

/// Reads a response: status, error inside, `done` and its reason, and only then the text, which is
/// the content without the thinking.
///
/// A text that came before a limit is kept. A server that only loaded or unloaded the model
/// answers with [`FinishReason::Unknown`], since nothing was generated. A body that is no answer of
/// Ollama's own chat is a `Decode` error.
///
/// ```
/// use typed_extract::model::{FinishReason, ModelErrorKind};
/// use typed_extract::model::ollama::{Headers, decode};
///
/// let body = br#"{"message":{"content":"[1,2]"},"done":true,"done_reason":"length"}"#;
/// let reply = decode(200, &Headers::default(), body)?;
/// assert_eq!((reply.text(), reply.finish()), ("[1,2]", &FinishReason::Truncated));
///
/// let error = decode(404, &Headers::default(), br#"{"error":"model 'qwen' not found"}"#);
/// assert_eq!(error.unwrap_err().kind(), ModelErrorKind::NotFound);
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn decode(status: u16, headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    WIRE.decode(status, headers, body)
}

/// Reads a whole stream of JSON lines, as [`decode`] reads a response; the content type in the
/// headers says that it is one. A stream without a line that is `done` is a
/// [`StreamCut`](crate::ModelErrorKind::StreamCut) error, whatever came before.
///
/// ```
/// use typed_extract::model::ModelErrorKind;
/// use typed_extract::model::ollama::{Headers, decode_stream};
///
/// let headers = Headers::from_iter([("content-type", "application/x-ndjson")]);
/// let piece = r#"{"message":{"content":"{}"},"done":false}"#;
/// let error = decode_stream(&headers, piece.as_bytes()).unwrap_err();
/// assert_eq!(error.kind(), ModelErrorKind::StreamCut);
///
/// let last = r#"{"message":{"content":""},"done":true,"done_reason":"stop"}"#;
/// let whole = format!("{piece}\n{last}\n");
/// assert_eq!(decode_stream(&headers, whole.as_bytes())?.text(), "{}");
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn decode_stream(headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    api::decode_stream::<OllamaChat>(headers, body)
}

fn reply(response: &Response<'_>) -> Result<Reply, ModelError> {
    let body = response.body;
    let message = body
        .get("message")
        .ok_or_else(|| response.lacks("message"))?;
    let text = content(message);
    let finish = finish(body, message, text);
    Ok(response
        .reply(text.to_owned(), finish)
        .with_reasoning(reasons(message)))
}

pub(super) fn content(message: &Value) -> &str {
    message
        .get("content")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Whether a message holds words of the model's thinking.
pub(super) fn reasons(message: &Value) -> bool {
    let thinking = message.get("thinking").and_then(Value::as_str);
    thinking.is_some_and(|text| !text.trim().is_empty())
}

/// Everything that is not known to be a natural end is something else.
fn finish(body: &Value, message: &Value, text: &str) -> FinishReason {
    if body.get("done") != Some(&Value::Bool(true)) {
        return FinishReason::Unknown("not done".to_owned());
    }
    match body.get("done_reason").and_then(Value::as_str) {
        Some("stop") if text.is_empty() && calls_tools(message) => {
            FinishReason::Unknown("tool_calls".to_owned())
        }
        Some("stop") => FinishReason::Stop,
        Some("length") => FinishReason::Truncated,
        Some(other) => FinishReason::Unknown(word(other)),
        None => FinishReason::Unknown("no done reason".to_owned()),
    }
}

/// The counts beside the message; thinking is part of the output and not told apart.
fn usage(body: &Value) -> Option<Usage> {
    let count = |key| body.get(key).and_then(Value::as_u64);
    let (input, output) = (count("prompt_eval_count"), count("eval_count"));
    if input.is_none() && output.is_none() {
        return None;
    }
    Some(Usage {
        input,
        output,
        ..Usage::default()
    })
}
