//! What happened in a run: the same account on success and on failure.

use std::fmt;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::citation::Citation;
use crate::failure::Failures;
use crate::flow::Normalization;
use crate::model::{ModelError, Reply, SchemaDialect, Usage};
use crate::path::Path;
use crate::schema::{Dialect, Dropped};

/// One request and what became of it.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub(crate) reply: Option<Reply>,
    pub(crate) error: Option<ModelError>,
    pub(crate) failures: Failures,
    pub(crate) normalizations: Vec<Normalization>,
    pub(crate) citations: Vec<Citation>,
    pub(crate) restored: Vec<Path>,
    pub(crate) latency: Duration,
}

impl Attempt {
    /// What the model replied; `None` where no reply came.
    pub fn reply(&self) -> Option<&Reply> {
        self.reply.as_ref()
    }

    /// Why no reply came.
    pub fn error(&self) -> Option<&ModelError> {
        self.error.as_ref()
    }

    /// Everything that was wrong with the reply; empty for the accepted one.
    pub fn failures(&self) -> &Failures {
        &self.failures
    }

    /// The steps taken before the reply was judged.
    pub fn normalizations(&self) -> &[Normalization] {
        &self.normalizations
    }

    /// The citations and verbatim texts of the reply that stand in the document
    /// and hold, in the order of the value; those that do not are
    /// [`failures`](Self::failures).
    pub fn citations(&self) -> &[Citation] {
        &self.citations
    }

    /// The places that the model changed though nothing was wrong with them,
    /// and that were put back.
    pub fn restored(&self) -> &[Path] {
        &self.restored
    }

    /// The tokens that this request used, as the model reported them.
    pub fn usage(&self) -> Option<&Usage> {
        match (&self.reply, &self.error) {
            (Some(reply), _) => reply.usage(),
            (None, Some(error)) => error.usage(),
            (None, None) => None,
        }
    }

    /// From send to reply, retries of the transport included. Zero for a reply
    /// that was only validated.
    pub fn latency(&self) -> Duration {
        self.latency
    }

    /// The provider's id of the request, for its support.
    pub fn request_id(&self) -> Option<&str> {
        match (&self.reply, &self.error) {
            (Some(reply), _) => reply.request_id(),
            (None, Some(error)) => error.request_id(),
            (None, None) => None,
        }
    }
}

/// A model that gave no answer, so that the next one was asked.
#[derive(Debug, Clone)]
pub struct PassedOver {
    pub(crate) model: String,
    pub(crate) error: ModelError,
}

impl PassedOver {
    /// The model's id.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Why it gave no answer.
    pub fn error(&self) -> &ModelError {
        &self.error
    }
}

/// The account of a run: its attempts, what they used, and from what.
///
/// It holds the replies, and so what the document says; `Debug` leaves them
/// out.
#[derive(Clone)]
pub struct Record {
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) passed_over: Vec<PassedOver>,
    pub(crate) origin: Origin,
}

/// What a run was made from.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) model: Option<Arc<str>>,
    /// The schema that the wire carried, where it carried one.
    pub(crate) wire: Option<Dialect>,
    pub(crate) prompt_version: &'static str,
    pub(crate) schema: Arc<str>,
    pub(crate) rules: Arc<str>,
    pub(crate) document: Arc<str>,
}

static EMPTY: LazyLock<Record> = LazyLock::new(|| Record {
    attempts: Vec::new(),
    passed_over: Vec::new(),
    origin: Origin {
        model: None,
        wire: None,
        prompt_version: super::prompt::VERSION,
        schema: "".into(),
        rules: "".into(),
        document: "".into(),
    },
});

impl Record {
    /// The account of a run that sent nothing.
    pub(crate) fn empty() -> &'static Self {
        &EMPTY
    }

    /// The requests sent, in order. A reply that was only validated counts as
    /// one.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The models that gave no answer, in the order they were passed over for a
    /// [fallback](crate::Extractor::fallback).
    pub fn passed_over(&self) -> &[PassedOver] {
        &self.passed_over
    }

    /// The tokens of all attempts together, and of the models that were passed
    /// over where they told. A count that any attempt does not report is unknown
    /// in the sum.
    pub fn usage(&self) -> Usage {
        let attempts = self.attempts.iter();
        let told = self.passed_over.iter();
        let attempts = attempts.map(|attempt| attempt.usage().copied().unwrap_or_default());
        attempts
            .chain(told.filter_map(|passed| passed.error.usage().copied()))
            .sum()
    }

    /// The id of the model that was asked, the last one where several were;
    /// `None` where none was.
    pub fn model(&self) -> Option<&str> {
        self.origin.model.as_deref()
    }

    /// The version of the built-in prompts, or `custom`.
    pub fn prompt_version(&self) -> &'static str {
        self.origin.prompt_version
    }

    /// The version of this crate.
    pub fn crate_version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// SHA-256 of the JSON Schema's text, in lower-case hexadecimal.
    pub fn schema_hash(&self) -> String {
        hash(&self.origin.schema)
    }

    /// SHA-256 of the rules as the prompt lists them, in lower-case
    /// hexadecimal.
    pub fn rules_hash(&self) -> String {
        hash(&self.origin.rules)
    }

    /// SHA-256 of the document's UTF-8 text, in lower-case hexadecimal.
    pub fn document_hash(&self) -> String {
        hash(&self.origin.document)
    }

    /// The dialect of the schema that replies were checked against.
    pub fn schema_dialect(&self) -> &'static str {
        "https://json-schema.org/draft/2020-12/schema"
    }

    /// The dialect of the schema that went over the wire; `None` where none
    /// did.
    pub fn wire_dialect(&self) -> Option<SchemaDialect> {
        self.origin.wire.as_ref().map(Dialect::dialect)
    }

    /// What the schema on the wire could not carry. Replies were checked for it
    /// all the same.
    pub fn dropped(&self) -> &[Dropped] {
        self.origin.wire.as_ref().map_or(&[], Dialect::dropped)
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record")
            .field("model", &self.origin.model)
            .field("attempts", &self.attempts)
            .finish_non_exhaustive()
    }
}

fn hash(text: &str) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}
