//! Why an extraction gave no value.

use std::fmt;

use crate::failure::Failures;
use crate::model::ModelError;
use crate::record::Record;

/// The kinds of [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No reply passed within the attempts allowed, or the model repeated
    /// itself.
    Rejected,
    /// The reply was cut off at its output limit.
    Truncated,
    /// The model declined to answer.
    Refused,
    /// A content filter ended the reply.
    Filtered,
    /// The reply ended for a reason that is not known to be a success.
    Unfinished,
    /// The next request would have gone over the budget.
    Budget,
    /// The deadline passed.
    Deadline,
    /// The model gave no reply: see [`Error::model_error`].
    Model,
    /// A rule, a check, a verification or a type's own conversion panicked. The reply is not at
    /// fault, so nothing is asked again. Where panics abort, there is no error.
    Panicked,
    /// The type's or the given schema cannot be used.
    Schema,
    /// The extraction was set up wrongly; nothing was sent.
    Config,
}

/// Why an extraction gave no value, with everything a reviewer needs.
///
/// `Display` and `Debug` name places, codes and rules, never the document, the
/// reply or a key; [`record`](Self::record) has the replies.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    reason: String,
    failures: Failures,
    record: Option<Record>,
    source: Option<ModelError>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, reason: String, failures: Failures, record: Record) -> Self {
        Self(Box::new(Inner {
            kind,
            reason,
            failures,
            record: Some(record),
            source: None,
        }))
    }

    pub(crate) fn before_any_call(kind: ErrorKind, reason: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            reason: reason.into(),
            failures: Failures::default(),
            record: None,
            source: None,
        }))
    }

    pub(crate) fn config(reason: impl Into<String>) -> Self {
        Self::before_any_call(ErrorKind::Config, reason)
    }

    pub(crate) fn with_source(mut self, source: ModelError) -> Self {
        self.0.source = Some(source);
        self
    }

    pub(crate) fn with_failures(mut self, failures: Failures) -> Self {
        self.0.failures = failures;
        self
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    #[cfg(feature = "render")]
    pub(crate) fn reason(&self) -> &str {
        &self.0.reason
    }

    /// The failures of the last reply that was judged; empty if none was.
    pub fn failures(&self) -> &Failures {
        &self.0.failures
    }

    /// The account of the run. It is empty where nothing was sent.
    pub fn record(&self) -> &Record {
        self.0.record.as_ref().unwrap_or(Record::empty())
    }

    /// Why the model gave no reply, for [`ErrorKind::Model`] and
    /// [`ErrorKind::Deadline`].
    pub fn model_error(&self) -> Option<&ModelError> {
        self.0.source.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.reason)?;
        if self.0.failures.is_empty() {
            return Ok(());
        }
        write!(f, "; {}", self.0.failures.summary())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("reason", &self.0.reason)
            .field("failures", &self.0.failures)
            .finish_non_exhaustive()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|error| error as _)
    }
}
