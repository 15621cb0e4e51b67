//! Why no reply came.

use std::fmt;
use std::time::Duration;

use super::Usage;

/// The kinds of [`ModelError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// No connection, or one that broke before a reply began.
    Connect,
    /// No reply within the time allowed for one request.
    Timeout,
    /// The deadline of the whole run passed.
    Deadline,
    /// Too many requests; later ones may pass.
    RateLimited,
    /// The account may not spend more.
    QuotaExhausted,
    /// The provider has no capacity now.
    Overloaded,
    /// The provider failed.
    Server,
    /// The key is missing, wrong or not allowed this.
    Auth,
    /// There is no such model or address.
    NotFound,
    /// The request is wrong.
    BadRequest,
    /// The provider cannot carry the schema.
    SchemaRejected,
    /// Prompt and reply do not fit into the model's context.
    ContextExceeded,
    /// The body is larger than the provider or the sender takes.
    TooLarge,
    /// The provider threw the model's output away as invalid.
    InvalidOutput,
    /// The reply broke off on the way.
    Cut,
    /// The provider's body is not what its API promises.
    Decode,
    /// The model is set up wrongly; nothing was sent.
    Config,
    /// Anything else.
    Other,
}

impl ModelErrorKind {
    /// Whether the same request may pass later.
    fn may_pass_later(self) -> bool {
        matches!(
            self,
            Self::Connect | Self::Timeout | Self::RateLimited | Self::Overloaded | Self::Server
        )
    }
}

/// Why a model gave no reply. It never holds a key, a prompt or a reply.
#[derive(Clone)]
pub struct ModelError(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ModelErrorKind,
    message: String,
    status: Option<u16>,
    code: Option<String>,
    retry_after: Option<Duration>,
    retryable: bool,
    maybe_billed: bool,
    request_id: Option<String>,
    usage: Option<Usage>,
}

/// How much of a provider's own message is kept, in characters.
const MESSAGE: usize = 300;

impl ModelError {
    /// An error of this kind. The message is shortened to 300 characters.
    pub fn new(kind: ModelErrorKind, message: impl AsRef<str>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.as_ref().chars().take(MESSAGE).collect(),
            status: None,
            code: None,
            retry_after: None,
            retryable: kind.may_pass_later(),
            maybe_billed: false,
            request_id: None,
            usage: None,
        }))
    }

    /// An error of the application's own client.
    pub fn other(error: impl fmt::Display) -> Self {
        Self::new(ModelErrorKind::Other, error.to_string())
    }

    /// The same with the HTTP status it came with.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.0.status = Some(status);
        self
    }

    /// The same with the provider's code for it.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.0.code = Some(code.into());
        self
    }

    /// The same with the wait that the provider asks for.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    /// The same, said to pass later or not, whatever its kind.
    #[must_use]
    pub fn with_retryable(mut self, retryable: bool) -> Self {
        self.0.retryable = retryable;
        self
    }

    /// The same, said to have been processed, and so perhaps billed.
    #[must_use]
    pub fn with_maybe_billed(mut self, maybe_billed: bool) -> Self {
        self.0.maybe_billed = maybe_billed;
        self
    }

    /// The same with the provider's id of the request.
    #[must_use]
    pub fn with_request_id(mut self, id: impl Into<String>) -> Self {
        self.0.request_id = Some(id.into());
        self
    }

    /// The same with the tokens that were used all the same.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.0.usage = Some(usage);
        self
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ModelErrorKind {
        self.0.kind
    }

    /// The HTTP status it came with.
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The provider's code for it.
    pub fn code(&self) -> Option<&str> {
        self.0.code.as_deref()
    }

    /// How long the provider asks to wait before the next request.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Whether the same request may pass later.
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// Whether the provider may have processed the request, and bill it.
    pub fn maybe_billed(&self) -> bool {
        self.0.maybe_billed
    }

    /// The provider's id of the request.
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// The tokens that were used all the same, if reported.
    pub fn usage(&self) -> Option<&Usage> {
        self.0.usage.as_ref()
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no reply from the model: ")?;
        if let Some(status) = self.0.status {
            write!(f, "status {status}: ")?;
        }
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelError")
            .field("kind", &self.0.kind)
            .field("status", &self.0.status)
            .field("code", &self.0.code)
            .field("message", &self.0.message)
            .field("retryable", &self.0.retryable)
            .field("maybe_billed", &self.0.maybe_billed)
            .field("request_id", &self.0.request_id)
            .finish_non_exhaustive()
    }
}

impl std::error::Error for ModelError {}
