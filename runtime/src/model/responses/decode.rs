//! A Responses answer as a reply, read in the one order that no host can trick.

use serde_json::Value;

use super::Host;
use crate::model::{
    FinishReason, ModelError, ModelErrorKind, Reply, Usage,
    api::{self, Response, Wire, word},
    http::Headers,
};

pub(super) const WIRE: Wire = Wire {
    endpoint: "Responses",
    usage,
    reply,
};

/// Reads a response: status, error inside, `status`, refusal, and only then the text.
pub(crate) fn decode(status: u16, headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    WIRE.decode(status, headers, body)
}

/// Reads a whole stream of events, as [`decode`] reads a response.
pub(crate) fn decode_stream<H: Host>(headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    api::decode_stream::<H>(headers, body)
}

fn reply(response: &Response<'_>) -> Result<Reply, ModelError> {
    let body = response.body;
    let status = body
        .get("status")
        .and_then(Value::as_str)
        .ok_or_else(|| response.lacks("status"))?;
    if status == "failed" {
        return Err(response.error(ModelErrorKind::Server, "the status is `failed`"));
    }
    if status == COMPLETED && !body.get("output").is_some_and(Value::is_array) {
        return Err(response.lacks("output"));
    }
    let said = Said::in_output(body.get("output"));
    let finish = finish(status, body, &said);
    Ok(response
        .reply(said.text, finish)
        .with_reasoning(reasons(body.get("output"))))
}

/// The one status of an answer that is whole.
pub(super) const COMPLETED: &str = "completed";

/// What the model wrote, in all its messages; its reasoning is not part of it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) refusal: String,
}

impl Said {
    pub(super) fn in_output(output: Option<&Value>) -> Self {
        let mut said = Self::default();
        let parts = messages(output)
            .filter_map(|message| message.get("content")?.as_array())
            .flatten()
            .filter(|part| !is_commentary(part));
        for part in parts {
            let field = |name| part.get(name).and_then(Value::as_str).unwrap_or_default();
            match field("type") {
                "output_text" => said.text.push_str(field("text")),
                "refusal" => said.refusal.push_str(field("refusal")),
                _ => {}
            }
        }
        said
    }
}

/// Everything that is not known to be a natural end is something else.
fn finish(status: &str, body: &Value, said: &Said) -> FinishReason {
    let reason = body
        .pointer("/incomplete_details/reason")
        .and_then(Value::as_str);
    if reason == Some("content_filter") {
        return FinishReason::Filtered { reason: None };
    }
    if !said.refusal.is_empty() {
        return FinishReason::Refused {
            message: Some(said.refusal.clone()),
        };
    }
    match reason {
        Some(reason) if is_limit(reason) => FinishReason::Truncated,
        Some(reason) => FinishReason::Unknown(word(reason)),
        None if status != COMPLETED => FinishReason::Unknown(word(status)),
        None => completed(body.get("output"), said),
    }
}

/// The limits that are known; xAI's own go on from the fourth.
fn is_limit(reason: &str) -> bool {
    matches!(
        reason,
        "max_output_tokens"
            | "max_tokens"
            | "max_prompt_tokens"
            | "max_time_limit"
            | "turn_limit"
            | "tool_use_limit"
    )
}

fn completed(output: Option<&Value>, said: &Said) -> FinishReason {
    let unfinished = messages(output)
        .filter_map(|message| message.get("status")?.as_str())
        .find(|status| *status != COMPLETED);
    match unfinished {
        Some(status) => FinishReason::Unknown(word(status)),
        None if said.text.is_empty() && calls_tools(output) => {
            FinishReason::Unknown("tool_calls".to_owned())
        }
        None => FinishReason::Stop,
    }
}

fn calls_tools(output: Option<&Value>) -> bool {
    items(output).any(|item| kind(item).is_some_and(|kind| kind.ends_with("_call")))
}

fn messages(output: Option<&Value>) -> impl Iterator<Item = &Value> {
    items(output).filter(|item| is_answer(item))
}

/// Whether an item or a part is what the model says beside its answer.
pub(super) fn is_commentary(part: &Value) -> bool {
    part.get("phase").is_some_and(|phase| phase == "commentary")
}

/// Whether the item at this place may hold a piece of the answer.
pub(super) fn is_answer_at(output: Option<&Value>, place: u64) -> bool {
    let item = usize::try_from(place)
        .ok()
        .and_then(|place| output?.get(place));
    item.is_some_and(is_answer)
}

fn is_answer(item: &Value) -> bool {
    kind(item) == Some("message") && !is_commentary(item)
}

/// Whether the output holds words of the model's reasoning; a summary of it is none.
fn reasons(output: Option<&Value>) -> bool {
    items(output)
        .filter(|item| kind(item) == Some("reasoning"))
        .filter_map(|item| item.get("content")?.as_array())
        .flatten()
        .filter_map(|part| part.get("text")?.as_str())
        .any(|text| !text.trim().is_empty())
}

fn items(output: Option<&Value>) -> impl Iterator<Item = &Value> {
    output.and_then(Value::as_array).into_iter().flatten()
}

fn kind(item: &Value) -> Option<&str> {
    item.get("type")?.as_str()
}

/// The counts in `usage`, where cached tokens are part of the input and reasoning of the output.
fn usage(body: &Value) -> Option<Usage> {
    let counts = body.get("usage").filter(|counts| counts.is_object())?;
    let count = |pointer: &str| counts.pointer(pointer).and_then(Value::as_u64);
    Some(Usage {
        input: count("/input_tokens"),
        output: count("/output_tokens"),
        cached_input: count("/input_tokens_details/cached_tokens"),
        cache_write: count("/input_tokens_details/cache_write_tokens"),
        reasoning: count("/output_tokens_details/reasoning_tokens"),
    })
}
