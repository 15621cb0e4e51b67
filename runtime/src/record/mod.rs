//! What happened in a run: the same account on success and on failure.

mod cost;
mod json;
mod money;
mod patch;
mod read;
mod redact;
mod text_or_hash;
mod word;
mod write;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

pub use crate::normalization::Normalization;
pub use cost::Cost;
pub use money::{InvalidMoney, Money};
pub use patch::Patch;

pub(crate) use text_or_hash::{TextOrHash, sha256};

use crate::evidence::Citation;
use crate::failure::{Failure, Failures};
use crate::model::{ModelError, Reply, SchemaDialect, Usage};
use crate::path::FieldPath;
use crate::schema::{DroppedKeyword, WireSchema};

/// The version of the built-in prompts; it changes with their text, and with it
/// the words in [`Prompts::version`](crate::Prompts::version).
pub(crate) const PROMPT_VERSION: &str = "1";

/// One request and what became of it.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub(crate) reply: Option<Reply>,
    pub(crate) error: Option<ModelError>,
    pub(crate) failures: Failures,
    pub(crate) normalizations: Vec<Normalization>,
    pub(crate) citations: Vec<Citation>,
    pub(crate) restored: Vec<FieldPath>,
    pub(crate) patch: Option<Patch>,
    pub(crate) latency: Duration,
    pub(crate) spent: Cost,
    /// How long the reply was, where its text was removed.
    pub(crate) reply_bytes: Option<usize>,
}

impl Attempt {
    /// What the model replied; `None` where no reply came.
    pub fn reply(&self) -> Option<&Reply> {
        self.reply.as_ref()
    }

    /// How long the reply is, in bytes, also where its text was
    /// [removed](Record::redacted).
    pub fn reply_bytes(&self) -> Option<usize> {
        let held = || self.reply.as_ref().map(|reply| reply.text().len());
        self.reply_bytes.or_else(held)
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
    /// and that were put back: values below keys alone, and in a list element
    /// or a variant the one that changed where all else is the same. Empty for
    /// a patch, which can change nothing else.
    pub fn restored(&self) -> &[FieldPath] {
        &self.restored
    }

    /// What was asked for and came of it where this was a repair by
    /// [patch](crate::Repair::Patch); `None` where the whole reply was asked for. The
    /// [reply](Self::reply) is then the patch itself.
    pub fn patch(&self) -> Option<&Patch> {
        self.patch.as_ref()
    }

    /// The tokens that this request used, as the model reported them.
    pub fn usage(&self) -> Option<&Usage> {
        match (&self.reply, &self.error) {
            (Some(reply), _) => reply.usage(),
            (None, Some(error)) => error.usage(),
            (None, None) => None,
        }
    }

    /// What the attempt is charged with: what the model reported, or an estimate. For
    /// a request that was not billed it is nothing. Its time is the
    /// [`latency`](Self::latency).
    pub fn cost(&self) -> Cost {
        Cost {
            elapsed: self.latency,
            ..self.spent
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
pub struct SkippedModel {
    pub(crate) model: String,
    pub(crate) error: ModelError,
    pub(crate) spent: Cost,
}

impl SkippedModel {
    /// The model's id.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Why it gave no answer.
    pub fn error(&self) -> &ModelError {
        &self.error
    }

    /// What the request is charged with, as [`Attempt::cost`]; its time is not kept.
    pub fn cost(&self) -> Cost {
        self.spent
    }
}

/// The account of a run: its attempts, what they used, and from what.
///
/// It holds the document and the replies; `Debug` leaves them out.
///
/// # As JSON
///
/// A record is written with serde and read again, by this version or a later one; it
/// says all that is in it. Leave out what the document says with
/// [`redacted`](Self::redacted).
///
/// ```
/// # use serde::Deserialize;
/// # use typed_extract::record::Record;
/// # use typed_extract::{Extract, extract};
/// # #[derive(Deserialize, Extract)]
/// # struct Total { cents: u32 }
/// let done = extract::<Total>().document("Total: 4.50").validate(r#"{"cents": 450}"#).unwrap();
/// let stored = serde_json::to_string(done.record())?;
/// let record: Record = serde_json::from_str(&stored)?;
/// assert_eq!(record.document(), Some("Total: 4.50"));
/// assert_eq!(serde_json::to_string(&record)?, stored);
///
/// let value: serde_json::Value = serde_json::from_str(&stored)?;
/// assert_eq!(value["version"], 1);
/// assert_eq!(value["attempts"][0]["reply"]["text"], r#"{"cents": 450}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// Every key is always there, in this order; what is not known is `null`. Later
/// versions of the crate add keys. A key that changes its meaning comes with another
/// `version`, which is refused when it is read. Times are in milliseconds, amounts of
/// money decimal text, places a JSON `pointer` with the `path` that people read.
///
/// | key | what it holds |
/// |---|---|
/// | `version` | 1 |
/// | `redacted` | whether texts were removed |
/// | `crate_version`, `prompt_version` | as the methods here give them |
/// | `model` | the id of the model that was asked last |
/// | `document` | `sha256`, `bytes` and `text` |
/// | `schema_dialect` | the URI of the JSON Schema dialect of `schema` |
/// | `schema`, `rules` | the same of what the prompt showed |
/// | `notes` | where a given schema was read leniently: what of it nothing checks, each with `pointer` and `keyword` |
/// | `wire` | where the wire carried a schema: its `dialect`, and what it `dropped`, each with `pointer` and `keyword` |
/// | `skipped_models` | each with its `model`, `error` and `spent`, which are as in an attempt |
/// | `attempts` | one entry a request, see below |
/// | `accepted` | whether the last reply was accepted |
/// | `warnings` | what checks say of it, each like a failure of an attempt |
/// | `spent` | the sum: `input_tokens`, `output_tokens`, `estimated`, `money`, `currency`, `elapsed_ms` |
///
/// and an attempt
///
/// | key | what it holds |
/// |---|---|
/// | `reply` | `text`, `bytes`, `finish` (its `reason`: `stop`, `truncated`, `refused`, `filtered` or `unknown`, and a `detail`), `model`, `request_id` and `usage` |
/// | `usage` in it | tokens as reported: `input`, `cached_input`, `cache_write`, `output`, `reasoning` |
/// | `error` | where no reply came: `kind`, `message`, `status`, `code`, `request_id`, `retry_after_ms`, `retryable`, `maybe_billed`, `usage` |
/// | `latency_ms` | from send to reply |
/// | `spent` | `input_tokens`, `output_tokens`, whether one is `estimated`, `money` |
/// | `failures` | each with `layer`, `code`, `pointer`, `path`, `rule`, `related` places, `message`, `found`, and `spans`, in bytes, of the document |
/// | `omitted_failures` | how many more there are |
/// | `normalizations` | each with `name`, `pointer` and `path`; `count` where it stands for several |
/// | `citations` | each with `pointer`, `path`, `source`, `span` in bytes, `char_span`, `normalizations`, `value`, `quote` and `text` |
/// | `restored` | places |
/// | `patch` | only of a repair by patch: `places`, `wire`, whether it was `applied`, and the reply `merged` with it |
#[derive(Clone)]
pub struct Record {
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) skipped_models: Vec<SkippedModel>,
    pub(crate) origin: Origin,
    pub(crate) elapsed: Duration,
    pub(crate) accepted: bool,
    pub(crate) warnings: Vec<Failure>,
    crate_version: Cow<'static, str>,
    redacted: bool,
}

/// What a run was made from.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) model: Option<Arc<str>>,
    /// The schema that the wire carried, where it carried one.
    pub(crate) wire: Option<WireSchema>,
    pub(crate) prompt_version: Cow<'static, str>,
    pub(crate) schema: TextOrHash,
    pub(crate) rules: TextOrHash,
    /// What a given schema says and nothing checks.
    pub(crate) notes: Vec<DroppedKeyword>,
    pub(crate) document: TextOrHash,
    /// The currency of what was spent, where prices are known.
    pub(crate) currency: Option<Arc<str>>,
}

static EMPTY: LazyLock<Record> = LazyLock::new(|| {
    Record::new(Origin {
        model: None,
        wire: None,
        prompt_version: PROMPT_VERSION.into(),
        schema: TextOrHash::text(""),
        rules: TextOrHash::text(""),
        notes: Vec::new(),
        document: TextOrHash::text(""),
        currency: None,
    })
});

impl Record {
    /// The account of a run that sent nothing.
    pub(crate) fn empty() -> &'static Self {
        &EMPTY
    }

    /// The account of a run that has not begun.
    pub(crate) fn new(origin: Origin) -> Self {
        Self {
            attempts: Vec::new(),
            skipped_models: Vec::new(),
            origin,
            elapsed: Duration::ZERO,
            accepted: false,
            warnings: Vec::new(),
            crate_version: env!("CARGO_PKG_VERSION").into(),
            redacted: false,
        }
    }

    /// Whether the last reply was accepted, so that the run gave a value.
    pub fn is_accepted(&self) -> bool {
        self.accepted
    }

    /// What the type's checks say of the accepted value.
    pub fn warnings(&self) -> &[Failure] {
        &self.warnings
    }

    /// The requests sent, in order. A reply that was only validated counts as
    /// one.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The models that gave no answer, in the order they were passed over for a
    /// [fallback](crate::Extractor::fallback).
    pub fn skipped_models(&self) -> &[SkippedModel] {
        &self.skipped_models
    }

    /// The tokens of all attempts together, and of the models that were passed
    /// over where they told. A count that any attempt does not report is unknown
    /// in the sum.
    pub fn usage(&self) -> Usage {
        let attempts = self.attempts.iter();
        let told = self.skipped_models.iter();
        let attempts = attempts.map(|attempt| attempt.usage().copied().unwrap_or_default());
        attempts
            .chain(told.filter_map(|passed| passed.error.usage().copied()))
            .sum()
    }

    /// What the run is charged with: the sum over all attempts and the models that were
    /// passed over, and the time from its beginning to its end.
    pub fn cost(&self) -> Cost {
        let start = Cost {
            elapsed: self.elapsed,
            ..Cost::NOTHING
        };
        let attempts = self.attempts.iter().map(|attempt| &attempt.spent);
        let passed = self.skipped_models.iter().map(|passed| &passed.spent);
        let sum = attempts.chain(passed).fold(start, Cost::and);
        let priced = self.origin.currency.is_some();
        Cost {
            money: sum.money.filter(|_| priced),
            ..sum
        }
    }

    /// The currency of what was [spent](Self::cost); `None` where no prices were
    /// given.
    pub fn currency(&self) -> Option<&str> {
        self.origin.currency.as_deref()
    }

    /// The id of the model that was asked, the last one where several were;
    /// `None` where none was.
    pub fn model(&self) -> Option<&str> {
        self.origin.model.as_deref()
    }

    /// The version of the built-in prompts, or `custom`; `+compact` follows where
    /// the schema was shown in its compact notation, `+documents` where several
    /// documents were.
    pub fn prompt_version(&self) -> &str {
        &self.origin.prompt_version
    }

    /// The version of this crate that made the record.
    pub fn crate_version(&self) -> &str {
        &self.crate_version
    }

    /// The document's text; `None` where it was [removed](Self::redacted).
    pub fn document(&self) -> Option<&str> {
        self.origin.document.kept()
    }

    /// The record without what the document and the replies say: without both texts,
    /// found values, messages (a rule's may quote), what a model said in a refusal or
    /// an error, and the texts of schema and rules. Keys of a place that the schema
    /// does not name become `*`. Hashes, lengths, places, codes, rule names and counts
    /// stay.
    ///
    /// ```
    /// # use serde::Deserialize;
    /// # use typed_extract::{Extract, extract};
    /// #[derive(Deserialize, Extract)]
    /// struct Patient {
    ///     name: String,
    /// }
    ///
    /// let done = extract::<Patient>().document("Ida Holm").validate(r#"{"name": "Ida Holm"}"#);
    /// let record = done.unwrap().record().redacted();
    /// assert!(!serde_json::to_string(&record)?.contains("Ida"));
    /// assert_eq!(record.document(), None);
    /// assert_eq!(record.document_hash().len(), 64);
    /// assert_eq!(record.attempts()[0].reply_bytes(), Some(20));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn redacted(&self) -> Self {
        redact::redacted(self)
    }

    /// Whether texts were [removed](Self::redacted).
    pub fn is_redacted(&self) -> bool {
        self.redacted
    }

    /// SHA-256 of the JSON Schema's text, in lower-case hexadecimal.
    pub fn schema_hash(&self) -> String {
        self.origin.schema.hash()
    }

    /// SHA-256 of the rules as the prompt lists them, in lower-case
    /// hexadecimal.
    pub fn rules_hash(&self) -> String {
        self.origin.rules.hash()
    }

    /// SHA-256 of the document's UTF-8 text, in lower-case hexadecimal; of
    /// several, that of the JSON text of `[[id, text], …]` without white space, in
    /// the order in which they were given.
    pub fn document_hash(&self) -> String {
        self.origin.document.hash()
    }

    /// The dialect of the schema that replies were checked against.
    pub fn schema_dialect(&self) -> &'static str {
        "https://json-schema.org/draft/2020-12/schema"
    }

    /// What a given schema says and nothing checks, where it was read with
    /// [`lenient_schema`](crate::Extractor::lenient_schema).
    ///
    /// ```
    /// use serde_json::json;
    /// use typed_extract::record::Record;
    /// use typed_extract::extract_value;
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": {"name": {"type": "string", "example": "Ida"}},
    ///     "required": ["name"],
    /// });
    /// let flow = extract_value(schema).unwrap().lenient_schema(true).document("Ida");
    /// let named = flow.validate(r#"{"name": "Ida"}"#).unwrap();
    /// assert_eq!(named.record().schema_notes()[0].to_string(), "example at /properties/name");
    /// ```
    pub fn schema_notes(&self) -> &[DroppedKeyword] {
        &self.origin.notes
    }

    /// The dialect of the schema that went over the wire; `None` where none
    /// did.
    pub fn wire_dialect(&self) -> Option<SchemaDialect> {
        self.origin.wire.as_ref().map(WireSchema::dialect)
    }

    /// What the schema on the wire could not carry. Replies were checked for it
    /// all the same.
    pub fn dropped(&self) -> &[DroppedKeyword] {
        self.origin.wire.as_ref().map_or(&[], WireSchema::dropped)
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
