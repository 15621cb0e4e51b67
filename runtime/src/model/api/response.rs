//! A response as far as every API reads it alike: status, error inside, then what the API says.

use serde_json::Value;

use super::{Fault, classify};
use crate::model::{
    FinishReason, ModelError, ModelErrorKind, Reply, Usage,
    http::{Headers, retry_after},
};
use crate::shown::line;

/// The longest foreign word that is kept, in characters.
const WORD_CHARS: usize = 64;

/// How one API's responses are read.
pub(crate) struct Wire {
    /// What the endpoint is called, for the advice in errors.
    pub(crate) endpoint: &'static str,
    pub(crate) usage: fn(&Value) -> Option<Usage>,
    /// Called for a body that holds no error; reads finish, refusal and text, in this order.
    pub(crate) reply: fn(&Response<'_>) -> Result<Reply, ModelError>,
}

impl Wire {
    /// Reads a response: status, error inside, and only then the rest.
    pub(crate) fn decode(
        &self,
        status: u16,
        headers: &Headers,
        body: &[u8],
    ) -> Result<Reply, ModelError> {
        if !(200..300).contains(&status) {
            let value = serde_json::from_slice(body).unwrap_or(Value::Null);
            let response = self.response(status, headers, &value);
            return response.failed(status, &Fault::of_failure(&value));
        }
        if status != 200 {
            let message = format!("status {status} is not that of a whole answer");
            return Err(ModelError::new(ModelErrorKind::Decode, message)
                .with_status(status)
                .with_maybe_billed(true));
        }
        let body = serde_json::from_slice(body).map_err(|_| self.not_json(status, headers))?;
        self.decode_value(status, headers, &body)
    }

    /// The same for a body that is read already and came with success.
    pub(crate) fn decode_value(
        &self,
        status: u16,
        headers: &Headers,
        body: &Value,
    ) -> Result<Reply, ModelError> {
        let response = self.response(status, headers, body);
        match Fault::find(body) {
            Some(fault) => response.failed(fault.inner_status(), &fault),
            None => (self.reply)(&response),
        }
    }

    fn response<'a>(&self, status: u16, headers: &'a Headers, body: &'a Value) -> Response<'a> {
        Response {
            status,
            headers,
            body,
            usage: (self.usage)(body),
            endpoint: self.endpoint,
        }
    }

    fn not_json(&self, status: u16, headers: &Headers) -> ModelError {
        let kind = headers
            .get("content-type")
            .map_or_else(|| "no content type".to_owned(), word);
        let message = format!(
            "the response is not JSON ({kind}); is the base URL that of a {} endpoint?",
            self.endpoint
        );
        ModelError::new(ModelErrorKind::Decode, message)
            .with_status(status)
            .with_maybe_billed(true)
    }
}

/// One response, as far as it is understood.
pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    pub(crate) headers: &'a Headers,
    pub(crate) body: &'a Value,
    usage: Option<Usage>,
    endpoint: &'static str,
}

impl Response<'_> {
    /// A reply with what is known of this response.
    pub(crate) fn reply(&self, text: String, finish: FinishReason) -> Reply {
        let mut reply = Reply::new(text).with_finish(finish);
        if let Some(usage) = self.usage {
            reply = reply.with_usage(usage);
        }
        if let Some(id) = self.request_id() {
            reply = reply.with_request_id(id);
        }
        let model = ["model", "modelVersion"]
            .into_iter()
            .find_map(|key| self.body.get(key)?.as_str());
        if let Some(model) = model {
            reply = reply.with_model(model);
        }
        reply.in_short_words()
    }

    /// An error with what is known of this response.
    pub(crate) fn error(&self, kind: ModelErrorKind, message: &str) -> ModelError {
        let mut error = ModelError::new(kind, message)
            .with_status(self.status)
            .with_maybe_billed(kind == ModelErrorKind::InvalidOutput);
        if let Some(usage) = self.usage {
            error = error.with_usage(usage);
        }
        match self.request_id() {
            Some(id) => error.with_request_id(id),
            None => error,
        }
    }

    /// The first of a list; an object with the key `0` is none.
    #[cfg(any(feature = "openai-compatible", feature = "gemini"))]
    pub(crate) fn first(&self, key: &str) -> Result<Option<&Value>, ModelError> {
        match self.body.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Array(list)) => Ok(list.first()),
            Some(_) => Err(self.lacks(&format!("list of {key}"))),
        }
    }

    /// The response does not hold what it must.
    pub(crate) fn lacks(&self, what: &str) -> ModelError {
        let message = format!(
            "the response holds no {what}; is this a {} endpoint?",
            self.endpoint
        );
        self.error(ModelErrorKind::Decode, &message)
            .with_maybe_billed(true)
    }

    /// A fault as an error, or as a reply that the filter stopped. `status` is the response's own,
    /// or the one that the fault inside a success stands for.
    pub(crate) fn failed(&self, status: u16, fault: &Fault) -> Result<Reply, ModelError> {
        if let Some(categories) = &fault.blocked {
            let reason = Some(categories.join(", ")).filter(|names| !names.is_empty());
            return Ok(self.reply(String::new(), FinishReason::Filtered { reason }));
        }
        let kind = classify::kind(status, fault);
        let mut error = self.error(kind, &advice(kind, status, &fault.message));
        if let Some(code) = &fault.code {
            error = error.with_code(word(code));
        }
        if let Some(delay) = retry_after(status, self.headers).or(fault.retry_delay) {
            error = error.with_retry_after(delay);
        }
        if let (None, Some(id)) = (error.request_id(), &fault.request_id) {
            error = error.with_request_id(id.clone());
        }
        match self.headers.get("x-should-retry") {
            Some("true") => Err(error.with_retryable(true)),
            Some("false") => Err(error.with_retryable(false)),
            _ => Err(error),
        }
    }

    /// The header that support asks for, else the answer's own id.
    fn request_id(&self) -> Option<String> {
        let header = ["x-request-id", "request-id", "apim-request-id"]
            .into_iter()
            .find_map(|name| self.headers.get(name));
        let own = || {
            ["id", "responseId"]
                .into_iter()
                .find_map(|key| self.body.get(key)?.as_str())
        };
        header.or_else(own).map(str::to_owned)
    }
}

/// A model that is not set up in a way that can work.
pub(crate) fn config(message: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Config, message)
}

/// Whether a message in `OpenAI`'s or Ollama's form calls tools.
#[cfg(any(feature = "ollama", feature = "openai-compatible"))]
pub(crate) fn calls_tools(message: &Value) -> bool {
    message
        .get("tool_calls")
        .and_then(Value::as_array)
        .is_some_and(|calls| !calls.is_empty())
}

/// A foreign word, short and on one line.
pub(crate) fn word(text: &str) -> String {
    let short: String = text.chars().take(WORD_CHARS).collect();
    line(&short, WORD_CHARS)
}

/// The host's message, with what to do about it where only the adapter knows.
fn advice(kind: ModelErrorKind, status: u16, message: &str) -> String {
    match kind {
        ModelErrorKind::SchemaRejected => {
            format!("{message} (the provider's dialect may not carry it; see `dialect`)")
        }
        ModelErrorKind::Config if (300..400).contains(&status) => {
            "the host points to another address; use that one as base URL".to_owned()
        }
        _ => message.to_owned(),
    }
}
