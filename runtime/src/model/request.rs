//! What is asked of a model, in our words.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::Value;

/// One complete question: a prompt, and what the wire should carry beside it.
///
/// Cloning is cheap, since prompt and schema are shared. `Debug` prints the prompt's length and
/// never the prompt.
///
/// ```
/// use typed_extract::Request;
///
/// let request = Request::new("the secret document").with_max_output_tokens(512);
/// assert_eq!(request.prompt(), "the secret document");
/// assert_eq!(request.max_output_tokens(), Some(512));
/// assert!(request.wire_schema().is_none());
/// assert!(!format!("{request:?}").contains("secret"));
/// ```
#[derive(Clone)]
pub struct Request {
    prompt: Arc<str>,
    wire_schema: Option<ResponseSchema>,
    max_output_tokens: Option<u32>,
    deadline: Option<Instant>,
    streamed: bool,
    billed_once: bool,
}

impl Request {
    /// A request with this prompt, sent as the only user message, and nothing else set.
    pub fn new(prompt: impl Into<Arc<str>>) -> Self {
        Self {
            prompt: prompt.into(),
            wire_schema: None,
            max_output_tokens: None,
            deadline: None,
            streamed: false,
            billed_once: false,
        }
    }

    /// Asks the provider to enforce this schema, where it can.
    #[must_use]
    pub fn with_wire_schema(mut self, schema: ResponseSchema) -> Self {
        self.wire_schema = Some(schema);
        self
    }

    /// Caps the answer at this many tokens; reasoning counts at most providers.
    #[must_use]
    pub fn with_max_output_tokens(mut self, tokens: u32) -> Self {
        self.max_output_tokens = Some(tokens);
        self
    }

    /// Sets the moment after which no answer is of use any more, transport retries included.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Asks for the answer piece by piece; set by a model's own
    /// [`stream`](crate::Model::stream).
    #[must_use]
    pub fn streamed(mut self) -> Self {
        self.streamed = true;
        self
    }

    /// Forbids sending the request again once it may have been billed, whatever a model's
    /// policy allows: a budget reserves the cost
    /// of one answer, and what a lost answer cost nobody tells.
    ///
    /// ```
    /// use typed_extract::Request;
    ///
    /// assert!(Request::new("How many?").billed_once().is_billed_once());
    /// ```
    #[must_use]
    pub fn billed_once(mut self) -> Self {
        self.billed_once = true;
        self
    }

    /// The whole text for the model.
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// The schema that the wire should carry; only set for a model whose capability is
    /// [`JsonSchema`](crate::FormatCapability::JsonSchema).
    pub fn wire_schema(&self) -> Option<&ResponseSchema> {
        self.wire_schema.as_ref()
    }

    /// The name of the wire schema, as [`ResponseSchema::name`] gives it.
    pub fn schema_name(&self) -> Option<&str> {
        self.wire_schema().map(ResponseSchema::name)
    }

    /// The cap on the answer, in tokens; it goes before one set on the model.
    pub fn max_output_tokens(&self) -> Option<u32> {
        self.max_output_tokens
    }

    /// The moment by which the model must have answered.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Whether the answer is asked for piece by piece.
    pub fn is_streamed(&self) -> bool {
        self.streamed
    }

    /// Whether the request must not be sent again once it may have been billed.
    pub fn is_billed_once(&self) -> bool {
        self.billed_once
    }

    /// The time left until the deadline, zero once it has passed; `None` without a deadline.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("prompt_bytes", &self.prompt.len())
            .field("schema_name", &self.schema_name())
            .field("max_output_tokens", &self.max_output_tokens)
            .field("deadline", &self.deadline)
            .field("billed_once", &self.billed_once)
            .finish_non_exhaustive()
    }
}

/// A JSON Schema in the dialect of one provider, with the name it travels under.
///
/// Cloning shares the schema. Keys stay in the order they were given, since models write in it.
///
/// ```
/// use serde_json::json;
/// use typed_extract::model::ResponseSchema;
/// use typed_extract::Request;
///
/// let schema = ResponseSchema::new("Invoice", json!({"type": "object"}));
/// let request = Request::new("…").with_wire_schema(schema);
/// assert_eq!(request.schema_name(), Some("Invoice"));
/// assert_eq!(request.wire_schema().unwrap().schema()["type"], "object");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseSchema {
    name: Arc<str>,
    schema: Arc<Value>,
}

impl ResponseSchema {
    /// Names a schema. The name may hold anything; adapters replace what their provider refuses.
    /// The schema is a `Value`, or an `Arc` of one that is kept for the next request.
    pub fn new(name: impl Into<Arc<str>>, schema: impl Into<Arc<Value>>) -> Self {
        Self {
            name: name.into(),
            schema: schema.into(),
        }
    }

    /// The name as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The schema itself.
    pub fn schema(&self) -> &Value {
        &self.schema
    }
}
