//! A generateContent response as a reply: block of the prompt, finish reason, and then the text.

use serde_json::Value;

use super::{Gemini, usage::usage};
use crate::model::{
    FinishReason, ModelError, ModelErrorKind, Reply,
    api::{self, Response, Wire, word},
    http::Headers,
};

pub(super) const WIRE: Wire = Wire {
    endpoint: "generateContent",
    usage,
    reply,
};

/// Reads a response: status, error inside, block of the prompt, finish reason, and only then the
/// text.
///
/// What a filter stopped, prompt or answer, is a reply with [`FinishReason::Filtered`]. A text that came
/// before the model was cut is kept; parts that are its thoughts are not text. A response without
/// candidates, or with one that holds no parts, is a reply with an empty text. A body that is not
/// one of generateContent is a `Decode` error.
///
/// ```
/// use typed_extract::model::{FinishReason, ModelErrorKind};
/// use typed_extract::model::gemini::{Headers, decode};
///
/// let body = br#"{"candidates":[{"content":{"parts":[{"text":"[1,2]"}]},"finishReason":"MAX_TOKENS"}]}"#;
/// let reply = decode(200, &Headers::default(), body)?;
/// assert_eq!((reply.text(), reply.finish()), ("[1,2]", &FinishReason::Truncated));
///
/// let blocked = decode(200, &Headers::default(), br#"{"promptFeedback":{"blockReason":"SAFETY"}}"#)?;
/// assert_eq!(blocked.finish(), &FinishReason::Filtered { reason: Some("SAFETY".into()) });
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn decode(status: u16, headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    WIRE.decode(status, headers, body)
}

/// Reads a whole stream of partial responses, as [`decode`] reads a response; the content type in
/// the headers says that it is one. A stream that ends before a finish reason or a block is a
/// [`StreamCut`](ModelErrorKind::StreamCut) error, whatever came before.
///
/// ```
/// use typed_extract::model::ModelErrorKind;
/// use typed_extract::model::gemini::{Headers, decode_stream};
///
/// let headers = Headers::from_iter([("content-type", "text/event-stream")]);
/// let begun = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"{\"}]}}]}\r\n\r\n";
/// let error = decode_stream(&headers, begun.as_bytes()).unwrap_err();
/// assert_eq!(error.kind(), ModelErrorKind::StreamCut);
///
/// let end = r#"data: {"candidates":[{"content":{"parts":[{"text":"}"}]},"finishReason":"STOP"}]}"#;
/// let reply = decode_stream(&headers, format!("{begun}{end}\r\n\r\n").as_bytes())?;
/// assert_eq!(reply.text(), "{}");
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn decode_stream(headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    api::decode_stream::<Gemini>(headers, body)
}

fn reply(response: &Response<'_>) -> Result<Reply, ModelError> {
    let body = response.body;
    if let Some(reason) = block_reason(body) {
        let feedback = body.get("promptFeedback").unwrap_or(&Value::Null);
        return Ok(response.reply(String::new(), filtered(&reason, feedback)));
    }
    let Some(candidate) = response.first("candidates")? else {
        return no_candidate(response);
    };
    if reason(candidate) == Some("MALFORMED_RESPONSE") {
        let message = "the finish reason is MALFORMED_RESPONSE";
        return Err(response.error(ModelErrorKind::InvalidOutput, message));
    }
    let text = text(candidate);
    let finish = finish(candidate, &text);
    Ok(response
        .reply(text, finish)
        .with_reasoning(reasons(candidate)))
}

/// A list without members is usually left out of the JSON altogether.
fn no_candidate(response: &Response<'_>) -> Result<Reply, ModelError> {
    if response.body.get("usageMetadata").is_none() {
        return Err(response.lacks("candidates"));
    }
    Ok(response.reply(String::new(), FinishReason::Stop))
}

/// Why the prompt was blocked, if it was; a reason in any shape is one.
fn block_reason(body: &Value) -> Option<String> {
    match body.pointer("/promptFeedback/blockReason")? {
        Value::Null => None,
        Value::String(reason) => Some(reason.clone()),
        other => Some(other.to_string()),
    }
}

fn reason(candidate: &Value) -> Option<&str> {
    candidate.get("finishReason")?.as_str()
}

/// The text of a candidate's parts, its thoughts left out.
pub(super) fn text(candidate: &Value) -> String {
    parts(candidate).filter_map(part_text).collect()
}

fn part_text(part: &Value) -> Option<&str> {
    part.get("text")?.as_str().filter(|_| !is_thought(part))
}

fn is_thought(part: &Value) -> bool {
    part.get("thought") == Some(&Value::Bool(true))
}

/// Whether the candidate holds words of its thoughts.
pub(super) fn reasons(candidate: &Value) -> bool {
    parts(candidate)
        .filter(|part| is_thought(part))
        .filter_map(|part| part.get("text")?.as_str())
        .any(|text| !text.trim().is_empty())
}

/// Whether the candidate asks for a function to be called.
pub(super) fn calls_function(candidate: &Value) -> bool {
    parts(candidate).any(|part| part.get("functionCall").is_some())
}

fn parts(candidate: &Value) -> impl Iterator<Item = &Value> {
    candidate
        .pointer("/content/parts")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// Everything that is not known to be a natural end is something else.
fn finish(candidate: &Value, text: &str) -> FinishReason {
    match reason(candidate) {
        Some("STOP") if text.is_empty() && calls_function(candidate) => {
            FinishReason::Unknown("tool_calls".to_owned())
        }
        Some("STOP") => FinishReason::Stop,
        Some("MAX_TOKENS") => FinishReason::Truncated,
        Some(reason) if is_filter(reason) => filtered(reason, candidate),
        Some(other) => FinishReason::Unknown(word(other)),
        None => FinishReason::Unknown("no finish reason".to_owned()),
    }
}

fn is_filter(reason: &str) -> bool {
    let filters = [
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MODEL_ARMOR",
    ];
    filters.contains(&reason) || reason.starts_with("IMAGE_")
}

/// The reason with the categories that were rated too high.
fn filtered(reason: &str, rated: &Value) -> FinishReason {
    let ratings = rated.get("safetyRatings").and_then(Value::as_array);
    let categories: Vec<String> = ratings
        .into_iter()
        .flatten()
        .filter(|rating| rating.get("blocked") == Some(&Value::Bool(true)))
        .filter_map(|rating| Some(word(rating.get("category")?.as_str()?)))
        .collect();
    let reason = if categories.is_empty() {
        word(reason)
    } else {
        format!("{}: {}", word(reason), categories.join(", "))
    };
    FinishReason::Filtered {
        reason: Some(reason),
    }
}
