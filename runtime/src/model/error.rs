//! Why there is no reply.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

use super::Usage;
use crate::shown::line;

/// The longest message of a provider that an error repeats, in characters.
const MESSAGE_CHARS: usize = 300;

/// A call that brought no reply to judge.
///
/// One opaque type for all providers: [`kind`](Self::kind) says what happened,
/// [`is_retryable`](Self::is_retryable) whether asking again may help, and
/// [`maybe_billed`](Self::maybe_billed) whether the lost answer may cost something.
///
/// `Display` and `Debug` hold the provider's own message on one line, cut to 300 characters and
/// cleared of the key and of longer quotes from the prompt; they never hold a reply. An error of a user's own
/// client is kept as the [`source`](Error::source) and not printed, since nothing is known about
/// what it quotes.
///
/// ```
/// use std::time::Duration;
/// use typed_extract::model::ModelErrorKind;
/// use typed_extract::ModelError;
///
/// let error = ModelError::new(ModelErrorKind::RateLimited, "too many requests")
///     .with_status(429)
///     .with_retry_after(Duration::from_secs(2));
/// assert!(error.is_retryable() && !error.maybe_billed());
/// assert_eq!(error.to_string(), "rate limited (status 429): too many requests");
/// ```
#[derive(Clone)]
pub struct ModelError(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ModelErrorKind,
    message: String,
    status: Option<u16>,
    code: Option<String>,
    request_id: Option<String>,
    retry_after: Option<Duration>,
    retryable: Option<bool>,
    maybe_billed: bool,
    usage: Option<Usage>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// What kind of fault ended a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// No connection: name, network or TLS. Nothing was sent.
    Connect,
    /// The answer did not come in time.
    Timeout,
    /// The deadline of the whole run passed.
    Deadline,
    /// Too many requests or tokens for now.
    RateLimited,
    /// Credit, quota or spending limit is used up; waiting does not help.
    QuotaExhausted,
    /// The provider has no capacity for now, or the model is still loading.
    Overloaded,
    /// A fault on the provider's side.
    Server,
    /// The key is missing, wrong, or not allowed to do this.
    Auth,
    /// No such model, deployment or address.
    NotFound,
    /// The provider does not accept the request.
    BadRequest,
    /// The provider does not accept the schema on the wire.
    SchemaRejected,
    /// The prompt does not fit into the model's context.
    ContextExceeded,
    /// The request, or the response, is larger than allowed.
    TooLarge,
    /// The provider itself found that the model's output breaks the schema, and kept it.
    InvalidOutput,
    /// The connection ended before the answer was whole.
    StreamCut,
    /// The response is not what the interface promises.
    Decode,
    /// The model was set up wrongly; nothing was sent.
    Config,
    /// None of these; an error of a user's own client.
    Other,
}

impl ModelErrorKind {
    /// Whether the same request may succeed later.
    pub const fn is_retryable(self) -> bool {
        use ModelErrorKind::{
            Connect, InvalidOutput, Overloaded, RateLimited, Server, StreamCut, Timeout,
        };
        matches!(
            self,
            Connect | Timeout | RateLimited | Overloaded | Server | InvalidOutput | StreamCut
        )
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::Connect => "could not connect",
            Self::Timeout => "timed out",
            Self::Deadline => "the deadline passed",
            Self::RateLimited => "rate limited",
            Self::QuotaExhausted => "quota or credit used up",
            Self::Overloaded => "the provider is overloaded",
            Self::Server => "the provider failed",
            Self::Auth => "not authorised",
            Self::NotFound => "not found",
            Self::BadRequest => "the request was not accepted",
            Self::SchemaRejected => "the schema was not accepted",
            Self::ContextExceeded => "the prompt does not fit into the context",
            Self::TooLarge => "too large",
            Self::InvalidOutput => "the provider rejected the model's output",
            Self::StreamCut => "the answer was cut off",
            Self::Decode => "the response could not be read",
            Self::Config => "the model is not set up",
            Self::Other => "the call failed",
        }
    }
}

impl fmt::Display for ModelErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

impl ModelError {
    /// An error of this kind. The message is printed, cut to 300 characters: it must not quote
    /// prompt, reply or key.
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: shorten(&message.into()),
            status: None,
            code: None,
            request_id: None,
            retry_after: None,
            retryable: None,
            maybe_billed: false,
            usage: None,
            source: None,
        }))
    }

    /// An error of a user's own client, kept as the source; never retried.
    pub fn other(source: impl Error + Send + Sync + 'static) -> Self {
        Self::new(ModelErrorKind::Other, "see its source").with_source(source)
    }

    /// Keeps what caused the error.
    #[must_use]
    pub fn with_source(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// Sets the HTTP status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.0.status = Some(status);
        self
    }

    /// Sets the provider's own code for the fault.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.0.code = Some(shorten(&code.into()));
        self
    }

    /// Sets the provider's name for the exchange.
    #[must_use]
    pub fn with_request_id(mut self, id: impl Into<String>) -> Self {
        self.0.request_id = Some(shorten(&id.into()));
        self
    }

    /// Sets how long the provider asked to wait.
    #[must_use]
    pub fn with_retry_after(mut self, delay: Duration) -> Self {
        self.0.retry_after = Some(delay);
        self
    }

    /// Overrides what the kind says about asking again.
    #[must_use]
    pub fn with_retryable(mut self, retryable: bool) -> Self {
        self.0.retryable = Some(retryable);
        self
    }

    /// Sets whether tokens may have been spent without anybody knowing how many.
    #[must_use]
    pub fn with_maybe_billed(mut self, maybe: bool) -> Self {
        self.0.maybe_billed = maybe;
        self
    }

    /// Sets what the failed call is known to have cost.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.0.usage = Some(usage);
        self
    }

    /// What happened.
    pub fn kind(&self) -> ModelErrorKind {
        self.0.kind
    }

    /// The HTTP status, if there was a response.
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The provider's own code for the fault, such as `insufficient_quota`.
    pub fn code(&self) -> Option<&str> {
        self.0.code.as_deref()
    }

    /// The provider's name for the exchange.
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// The same without anything that was said of it.
    pub(crate) fn without_message(&self) -> Self {
        let mut error = self.clone();
        error.0.message.clear();
        error.0.source = None;
        error
    }

    /// What was said of it, without its kind and status.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    /// How long the provider asked to wait before the next request.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Whether the same request may succeed later. The kind decides, unless the provider said.
    pub fn is_retryable(&self) -> bool {
        self.0
            .retryable
            .unwrap_or_else(|| self.0.kind.is_retryable())
    }

    /// Whether the request may have been worked on, and paid for, though no reply came back. Such
    /// a request is not sent again unless the caller allows it.
    pub fn maybe_billed(&self) -> bool {
        self.0.maybe_billed
    }

    /// What the failed call is known to have cost.
    pub fn usage(&self) -> Option<&Usage> {
        self.0.usage.as_ref()
    }
}

#[cfg(feature = "_http")]
impl ModelError {
    /// What the fault turns out to be when all of it is known.
    #[cfg(feature = "anthropic")]
    pub(crate) fn with_kind(mut self, kind: ModelErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// Takes over the status, costs and id that another error of the same call tells.
    pub(crate) fn with_known_of(mut self, other: &Self) -> Self {
        let (own, known) = (&mut *self.0, &*other.0);
        own.status = own.status.or(known.status);
        own.usage = own.usage.or(known.usage);
        own.request_id = own.request_id.take().or_else(|| known.request_id.clone());
        self
    }

    /// Rewrites every text that came from outside.
    pub(crate) fn map_texts(mut self, rewrite: impl Fn(&str) -> String) -> Self {
        let inner = &mut *self.0;
        inner.message = rewrite(&inner.message);
        inner.code = inner.code.as_deref().map(&rewrite);
        inner.request_id = inner.request_id.as_deref().map(&rewrite);
        self
    }
}

fn shorten(text: &str) -> String {
    line(text, MESSAGE_CHARS)
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        f.write_str(inner.kind.sentence())?;
        match (inner.status, inner.code.as_deref()) {
            (Some(status), Some(code)) => write!(f, " (status {status}, {code})")?,
            (Some(status), None) => write!(f, " (status {status})")?,
            (None, Some(code)) => write!(f, " ({code})")?,
            (None, None) => {}
        }
        if inner.message.is_empty() {
            Ok(())
        } else {
            write!(f, ": {}", inner.message)
        }
    }
}

impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        f.debug_struct("ModelError")
            .field("kind", &inner.kind)
            .field("message", &inner.message)
            .field("status", &inner.status)
            .field("code", &inner.code)
            .field("request_id", &inner.request_id)
            .field("retry_after", &inner.retry_after)
            .field("retryable", &self.is_retryable())
            .field("maybe_billed", &inner.maybe_billed)
            .field("usage", &inner.usage)
            .finish_non_exhaustive()
    }
}

impl Error for ModelError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
