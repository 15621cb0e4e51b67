//! A Chat Completions response as a reply, read in the one order that no host can trick.

use serde_json::Value;

use super::{
    classify,
    fault::{Fault, filtered_categories},
    usage::usage,
};
use crate::model::{
    Finish, ModelError, ModelErrorKind, Reply,
    http::{Headers, retry_after},
};

/// The longest foreign word that is kept, in characters.
const WORD_CHARS: usize = 64;

/// Reads a response: status, error inside, finish reason, refusal, and only then the text.
///
/// What a filter stopped is a reply with [`Finish::Filtered`], also where the host answers with a
/// failed status. A text that came before the model was cut is kept. An empty text with `stop` is
/// a reply with an empty text. A body that is not a completion is a `Decode` error.
///
/// ```
/// use typed_extract::{Finish, ModelErrorKind};
/// use typed_extract::openai_compatible::{Headers, decode};
///
/// let body = br#"{"choices":[{"message":{"content":"[1,2]"},"finish_reason":"length"}]}"#;
/// let reply = decode(200, &Headers::default(), body)?;
/// assert_eq!((reply.text(), reply.finish()), ("[1,2]", &Finish::Truncated));
///
/// let headers = Headers::from_iter([("retry-after", "2")]);
/// let error = decode(503, &headers, b"<html>try later</html>").unwrap_err();
/// assert_eq!(error.kind(), ModelErrorKind::Overloaded);
/// assert_eq!(error.retry_after().unwrap().as_secs(), 2);
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn decode(status: u16, headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    if !(200..300).contains(&status) {
        let response = Response {
            status,
            headers,
            body: &Value::Null,
        };
        return response.failed(status, &Fault::of_failure(body));
    }
    let body = serde_json::from_slice(body).map_err(|_| not_json(status, headers))?;
    Response {
        status,
        headers,
        body: &body,
    }
    .reply()
}

/// One response, as far as it is understood.
struct Response<'a> {
    status: u16,
    headers: &'a Headers,
    body: &'a Value,
}

impl Response<'_> {
    fn reply(&self) -> Result<Reply, ModelError> {
        if let Some(fault) = Fault::find(self.body) {
            return self.failed(classify::inner_status(&fault), &fault);
        }
        let choice = self
            .body
            .pointer("/choices/0")
            .ok_or_else(|| self.no_choice())?;
        if let Some(fault) = Fault::find(choice) {
            return self.failed(classify::inner_status(&fault), &fault);
        }
        if let Some(error) = self.broken_off(choice) {
            return Err(error);
        }
        let message = choice.get("message").unwrap_or(&Value::Null);
        let text = text(message);
        let finish = finish(choice, message, &text);
        Ok(self.dress(Reply::new(text).with_finish(finish)))
    }

    /// A failure as an error, or as a reply that the filter stopped.
    fn failed(&self, status: u16, fault: &Fault) -> Result<Reply, ModelError> {
        if let Some(categories) = &fault.blocked {
            let reason = Some(categories.join(", ")).filter(|names| !names.is_empty());
            return Ok(self.dress(Reply::new("").with_finish(Finish::Filtered { reason })));
        }
        let kind = classify::kind(status, fault);
        let mut error = self.error(kind, advice(kind, status, &fault.message));
        if let Some(code) = &fault.code {
            error = error.with_code(word(code));
        }
        if let Some(delay) = retry_after(status, self.headers) {
            error = error.with_retry_after(delay);
        }
        if let Some(id) = self.request_id().or_else(|| fault.request_id.clone()) {
            error = error.with_request_id(id);
        }
        match self.headers.get("x-should-retry") {
            Some("true") => Err(error.with_retryable(true)),
            Some("false") => Err(error.with_retryable(false)),
            _ => Err(error),
        }
    }

    /// The host gave up half-way and says so in the finish reason.
    fn broken_off(&self, choice: &Value) -> Option<ModelError> {
        let (kind, message) = match choice.get("finish_reason")?.as_str()? {
            "insufficient_system_resource" => {
                (ModelErrorKind::Overloaded, "stopped for lack of capacity")
            }
            "error" => (ModelErrorKind::Server, "the finish reason is `error`"),
            _ => return None,
        };
        let error = self.error(kind, message.to_owned());
        Some(match self.request_id() {
            Some(id) => error.with_request_id(id),
            None => error,
        })
    }

    fn no_choice(&self) -> ModelError {
        self.error(
            ModelErrorKind::Decode,
            "the response holds no choice; is this a Chat Completions endpoint?".into(),
        )
        .with_maybe_billed(true)
    }

    fn error(&self, kind: ModelErrorKind, message: String) -> ModelError {
        let error = ModelError::new(kind, message)
            .with_status(self.status)
            .with_maybe_billed(kind == ModelErrorKind::InvalidOutput);
        match usage(self.body) {
            Some(usage) => error.with_usage(usage),
            None => error,
        }
    }

    fn dress(&self, mut reply: Reply) -> Reply {
        if let Some(usage) = usage(self.body) {
            reply = reply.with_usage(usage);
        }
        if let Some(id) = self.request_id() {
            reply = reply.with_request_id(id);
        }
        match self.body.get("model").and_then(Value::as_str) {
            Some(model) => reply.with_model(model),
            None => reply,
        }
    }

    /// The header that support asks for, else the completion's own id.
    fn request_id(&self) -> Option<String> {
        let header = ["x-request-id", "request-id", "apim-request-id"]
            .into_iter()
            .find_map(|name| self.headers.get(name));
        header
            .or_else(|| self.body.get("id")?.as_str())
            .map(str::to_owned)
    }
}

/// The text of a message: a string, or a list of parts of which some are the model's thinking.
fn text(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(part_text).collect(),
        _ => String::new(),
    }
}

fn part_text(part: &Value) -> Option<&str> {
    let is_text = part.get("type").is_none_or(|kind| kind == "text");
    part.get("text")?.as_str().filter(|_| is_text)
}

/// Everything that is not known to be a natural end is something else.
fn finish(choice: &Value, message: &Value, text: &str) -> Finish {
    let reason = choice.get("finish_reason").and_then(Value::as_str);
    if reason == Some("content_filter") {
        return Finish::Filtered {
            reason: filter_reason(choice),
        };
    }
    // Some servers give an empty refusal beside every answer.
    if let Some(refusal) = message
        .get("refusal")
        .and_then(Value::as_str)
        .filter(|refusal| !refusal.is_empty())
    {
        return Finish::Refused {
            message: Some(refusal.to_owned()),
        };
    }
    match reason {
        Some("stop" | "eos") if text.is_empty() && calls_tools(message) => {
            Finish::Unknown("tool_calls".to_owned())
        }
        Some("stop" | "eos") => Finish::Stop,
        Some("length" | "model_length" | "repetition") => Finish::Truncated,
        Some(other) => Finish::Unknown(word(other)),
        None => Finish::Unknown("no finish reason".to_owned()),
    }
}

fn calls_tools(message: &Value) -> bool {
    message
        .get("tool_calls")
        .and_then(Value::as_array)
        .is_some_and(|calls| !calls.is_empty())
}

/// Azure names the categories beside the choice.
fn filter_reason(choice: &Value) -> Option<String> {
    let categories = filtered_categories(choice.get("content_filter_results"));
    Some(categories.join(", ")).filter(|names| !names.is_empty())
}

fn not_json(status: u16, headers: &Headers) -> ModelError {
    let kind = headers
        .get("content-type")
        .map_or_else(|| "no content type".to_owned(), word);
    ModelError::new(
        ModelErrorKind::Decode,
        format!("the response is not JSON ({kind}); is the base URL right?"),
    )
    .with_status(status)
    .with_maybe_billed(true)
}

/// The host's message, with what to do about it where only this adapter knows.
fn advice(kind: ModelErrorKind, status: u16, message: &str) -> String {
    match kind {
        ModelErrorKind::SchemaRejected => {
            format!("{message} (try `.strict(false)` or a lower `.capability`)")
        }
        ModelErrorKind::Config if (300..400).contains(&status) => {
            "the host points to another address; use that one as base URL".to_owned()
        }
        _ => message.to_owned(),
    }
}

fn word(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control())
        .take(WORD_CHARS)
        .collect()
}
