//! The error object of a response, in the shapes that hosts give it.

use std::time::Duration;

use serde_json::Value;

use super::classify;
use crate::model::http::span;

/// What a host says about a fault. All fields may be empty.
#[derive(Debug, Default)]
pub(crate) struct Fault {
    pub(crate) message: String,
    /// `error.code` as text, whether it came as a number or a string.
    pub(crate) code: Option<String>,
    /// `type`, `param`, `code` and their like, those of an upstream host included.
    pub(crate) words: Vec<String>,
    /// The categories by which the prompt was blocked, if that is what happened.
    pub(crate) blocked: Option<Vec<String>>,
    pub(crate) request_id: Option<String>,
    /// How long to wait, where the body says it.
    pub(crate) retry_delay: Option<Duration>,
}

impl Fault {
    /// The fault of a response that failed by its status; the body may be anything.
    pub(crate) fn of_failure(body: &Value) -> Self {
        Self::find(body).unwrap_or_else(|| Self::flat(body))
    }

    /// The fault in a response that claims success, if there is one.
    pub(crate) fn find(body: &Value) -> Option<Self> {
        // Some gateways wrap the object in a list.
        let body = body.get(0).unwrap_or(body);
        let error = body.get("error").filter(|error| !error.is_null())?;
        let mut fault = if error.is_object() {
            Self::nested(error)
        } else {
            Self::flat(body)
        };
        if body.get("guardrails").is_some_and(|hits| !hits.is_null()) {
            fault.blocked.get_or_insert_default();
        }
        fault.request_id = text(body, "request_id").or(fault.request_id);
        Some(fault)
    }

    /// `{"error": {"message", "type", "param", "code", …}}`, or the same one level up.
    fn nested(error: &Value) -> Self {
        let mut fault = Self {
            message: message(error),
            code: text(error, "code").or_else(|| text(error, "type")),
            words: words(error),
            blocked: blocked(error),
            request_id: None,
            retry_delay: retry_delay(error),
        };
        if let Some(upstream) = upstream(error) {
            fault.words.extend(upstream.words);
            fault.blocked = fault.blocked.or(upstream.blocked);
            if !upstream.message.is_empty() {
                fault.message = format!("{}: {}", fault.message, upstream.message);
            }
        }
        fault
    }

    /// `{"message", "type", "code"}`, `{"code", "error": "…"}`, `{"detail": …}`.
    fn flat(body: &Value) -> Self {
        Self::nested(body.get(0).unwrap_or(body))
    }

    /// The status that this stands for where it came inside a success.
    pub(crate) fn inner_status(&self) -> u16 {
        classify::inner_status(self)
    }

    /// Whether one of the host's words is this one.
    pub(crate) fn says(&self, word: &str) -> bool {
        self.words.iter().any(|said| said == word)
    }

    /// Whether the message or one of the words holds this, in any case.
    pub(crate) fn mentions(&self, part: &str) -> bool {
        let holds = |text: &str| text.to_ascii_lowercase().contains(part);
        holds(&self.message) || self.words.iter().any(|word| holds(word))
    }
}

fn message(error: &Value) -> String {
    let sentence = ["message", "error", "detail"]
        .into_iter()
        .find_map(|key| text(error, key));
    // Validation errors of Python servers come as a list.
    sentence
        .or_else(|| text(error.pointer("/detail/0")?, "msg"))
        .unwrap_or_default()
}

fn words(error: &Value) -> Vec<String> {
    let direct = ["code", "type", "param", "status"]
        .into_iter()
        .filter_map(|key| text(error, key));
    let inner = ["/innererror/code", "/metadata/error_type"]
        .into_iter()
        .filter_map(|place| Some(error.pointer(place)?.as_str()?.to_owned()));
    let details =
        details(error).filter_map(|detail| Some(detail.get("reason")?.as_str()?.to_owned()));
    direct
        .chain(inner)
        .chain(details)
        .chain(quotas(error))
        .collect()
}

/// Google's list of typed details.
fn details(error: &Value) -> impl Iterator<Item = &Value> {
    error
        .get("details")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// The names of Google's quotas that are used up, which tell the minute's from the day's.
fn quotas(error: &Value) -> impl Iterator<Item = String> {
    details(error)
        .filter_map(|detail| detail.get("violations")?.as_array())
        .flatten()
        .filter_map(|violation| text(violation, "quotaId"))
}

/// Google's `RetryInfo`, such as `34.4s`.
fn retry_delay(error: &Value) -> Option<Duration> {
    details(error).find_map(|detail| span(detail.get("retryDelay")?.as_str()?))
}

/// The categories of a content filter: Azure's results, or OpenRouter's reasons.
fn blocked(error: &Value) -> Option<Vec<String>> {
    let reasons = error.pointer("/metadata/reasons").and_then(Value::as_array);
    let flagged = error
        .pointer("/metadata/flagged_input")
        .is_some_and(|text| !text.is_null());
    let filter = text(error, "code").is_some_and(|code| code == "content_filter");
    if !filter && !flagged && reasons.is_none() {
        return None;
    }
    let named = reasons
        .into_iter()
        .flatten()
        .filter_map(|reason| Some(reason.as_str()?.to_owned()));
    Some(
        named
            .chain(filtered_categories(
                error.pointer("/innererror/content_filter_result"),
            ))
            .collect(),
    )
}

/// The names under which Azure reports `filtered: true`.
pub(crate) fn filtered_categories(results: Option<&Value>) -> Vec<String> {
    let hit = |result: &Value| {
        ["filtered", "detected"]
            .iter()
            .any(|key| result.get(key) == Some(&Value::Bool(true)))
    };
    let results = results.and_then(Value::as_object).into_iter().flatten();
    results
        .filter(|(_, result)| hit(result))
        .map(|(name, _)| name.clone())
        .collect()
}

/// OpenRouter passes on the upstream host's body as a JSON string.
fn upstream(error: &Value) -> Option<Fault> {
    let raw = error.pointer("/metadata/raw")?.as_str()?;
    let body: Value = serde_json::from_str(raw).ok()?;
    let error = body.get("error").filter(|error| error.is_object())?;
    Some(Fault {
        message: message(error),
        words: words(error),
        blocked: blocked(error),
        ..Fault::default()
    })
}

fn text(object: &Value, key: &str) -> Option<String> {
    match object.get(key)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
