//! What a model is asked.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

/// One request to a model: complete in itself, a single user message.
///
/// `Debug` shows the prompt's length, not its text.
#[derive(Clone)]
pub struct Request {
    prompt: Arc<str>,
    wire_schema: Option<Arc<Value>>,
    schema_name: Arc<str>,
    max_output_tokens: Option<u32>,
    deadline: Option<Instant>,
}

impl Request {
    /// A request that says `prompt`, and no more.
    pub fn new(prompt: impl Into<Arc<str>>) -> Self {
        Self {
            prompt: prompt.into(),
            wire_schema: None,
            schema_name: Arc::from("value"),
            max_output_tokens: None,
            deadline: None,
        }
    }

    /// The same request with another prompt.
    #[must_use]
    pub fn with_prompt(mut self, prompt: impl Into<Arc<str>>) -> Self {
        self.prompt = prompt.into();
        self
    }

    /// Asks the wire to hold the reply to this JSON Schema.
    #[must_use]
    pub fn with_wire_schema(mut self, name: impl Into<Arc<str>>, schema: Arc<Value>) -> Self {
        self.schema_name = name.into();
        self.wire_schema = Some(schema);
        self
    }

    /// At most this many tokens of output.
    #[must_use]
    pub fn with_max_output_tokens(mut self, tokens: u32) -> Self {
        self.max_output_tokens = Some(tokens);
        self
    }

    /// No reply is of use after this moment.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// The text of the user message.
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// The JSON Schema that the wire carries, where the model can enforce one.
    pub fn wire_schema(&self) -> Option<&Value> {
        self.wire_schema.as_deref()
    }

    /// A name for that schema: 1 to 64 of `A-Z a-z 0-9 _ -`.
    pub fn schema_name(&self) -> &str {
        &self.schema_name
    }

    /// The most tokens of output that are wanted; `None` leaves it to the
    /// model.
    pub fn max_output_tokens(&self) -> Option<u32> {
        self.max_output_tokens
    }

    /// The moment after which no reply is of use.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("prompt_bytes", &self.prompt.len())
            .field("schema_name", &self.schema_name)
            .field("wire_schema", &self.wire_schema.is_some())
            .field("max_output_tokens", &self.max_output_tokens)
            .finish_non_exhaustive()
    }
}
