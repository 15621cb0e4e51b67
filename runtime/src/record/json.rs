//! The JSON form of a record, field by field; [`Record`](super::Record) documents it.
//!
//! Fields are only ever added; a change of meaning is a new version.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::failure::Layer;
use crate::model::ModelErrorKind;
use crate::record::Money;

pub(super) const VERSION: u32 = 1;

type Text<'a> = Cow<'a, str>;

#[derive(Serialize, Deserialize)]
pub(super) struct RecordJson<'a> {
    pub(super) version: u32,
    pub(super) redacted: bool,
    pub(super) crate_version: Text<'a>,
    pub(super) prompt_version: Text<'a>,
    pub(super) model: Option<Text<'a>>,
    pub(super) document: TextJson<'a>,
    pub(super) schema_dialect: Text<'a>,
    pub(super) schema: TextJson<'a>,
    pub(super) rules: TextJson<'a>,
    /// Only of a given schema that was read leniently.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<KeywordJson<'a>>,
    pub(super) wire: Option<WireJson<'a>>,
    pub(super) skipped_models: Vec<SkippedModelJson<'a>>,
    pub(super) attempts: Vec<AttemptJson<'a>>,
    #[serde(default)]
    pub(super) accepted: bool,
    #[serde(default)]
    pub(super) warnings: Vec<FailureJson<'a>>,
    pub(super) spent: TotalJson<'a>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct TextJson<'a> {
    pub(super) sha256: Text<'a>,
    pub(super) bytes: usize,
    pub(super) text: Option<Text<'a>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct WireJson<'a> {
    pub(super) dialect: Text<'a>,
    pub(super) dropped: Vec<KeywordJson<'a>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct KeywordJson<'a> {
    pub(super) pointer: Text<'a>,
    pub(super) keyword: Text<'a>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SkippedModelJson<'a> {
    pub(super) model: Text<'a>,
    pub(super) error: ErrorJson<'a>,
    pub(super) spent: CostJson,
}

#[derive(Serialize, Deserialize)]
pub(super) struct AttemptJson<'a> {
    pub(super) reply: Option<ReplyJson<'a>>,
    pub(super) error: Option<ErrorJson<'a>>,
    pub(super) latency_ms: u64,
    pub(super) spent: CostJson,
    pub(super) failures: Vec<FailureJson<'a>>,
    pub(super) omitted_failures: usize,
    pub(super) normalizations: Vec<NormalizationJson<'a>>,
    #[serde(default)]
    pub(super) citations: Vec<CitationJson<'a>>,
    pub(super) restored: Vec<PathJson<'a>>,
    /// Only of a repair by patch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) patch: Option<PatchJson<'a>>,
}

/// A passage of the document; its texts are not there where the record was redacted.
#[derive(Serialize, Deserialize)]
pub(super) struct CitationJson<'a> {
    pub(super) pointer: Text<'a>,
    pub(super) path: Text<'a>,
    /// The id of the document, of several.
    pub(super) source: Option<Text<'a>>,
    /// In bytes.
    pub(super) span: Range<usize>,
    /// In characters.
    pub(super) char_span: Range<usize>,
    pub(super) normalizations: Vec<Text<'a>>,
    pub(super) value: Option<Text<'a>>,
    pub(super) quote: Option<Text<'a>>,
    pub(super) text: Option<Text<'a>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct PatchJson<'a> {
    pub(super) places: Vec<PathJson<'a>>,
    pub(super) wire: Option<WireJson<'a>>,
    pub(super) applied: bool,
    /// The whole reply with the patch in it, where it was applied.
    pub(super) merged: Option<Text<'a>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ReplyJson<'a> {
    pub(super) text: Option<Text<'a>>,
    pub(super) bytes: usize,
    pub(super) finish: FinishJson<'a>,
    pub(super) model: Option<Text<'a>>,
    pub(super) request_id: Option<Text<'a>>,
    pub(super) usage: Option<UsageJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct FinishJson<'a> {
    pub(super) reason: FinishWord,
    pub(super) detail: Option<Text<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FinishWord {
    Stop,
    Truncated,
    Refused,
    Filtered,
    Unknown,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ErrorJson<'a> {
    pub(super) kind: ModelErrorKind,
    pub(super) message: Option<Text<'a>>,
    pub(super) status: Option<u16>,
    pub(super) code: Option<Text<'a>>,
    pub(super) request_id: Option<Text<'a>>,
    pub(super) retry_after_ms: Option<u64>,
    pub(super) retryable: bool,
    pub(super) maybe_billed: bool,
    pub(super) usage: Option<UsageJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct UsageJson {
    pub(super) input: Option<u64>,
    pub(super) cached_input: Option<u64>,
    pub(super) cache_write: Option<u64>,
    pub(super) output: Option<u64>,
    pub(super) reasoning: Option<u64>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct CostJson {
    pub(super) input_tokens: u64,
    pub(super) output_tokens: u64,
    pub(super) estimated: bool,
    pub(super) money: Option<Money>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct TotalJson<'a> {
    pub(super) input_tokens: u64,
    pub(super) output_tokens: u64,
    pub(super) estimated: bool,
    pub(super) money: Option<Money>,
    pub(super) currency: Option<Text<'a>>,
    pub(super) elapsed_ms: u64,
}

#[derive(Serialize, Deserialize)]
pub(super) struct FailureJson<'a> {
    pub(super) layer: Layer,
    pub(super) code: Text<'a>,
    pub(super) pointer: Text<'a>,
    pub(super) path: Text<'a>,
    pub(super) rule: Option<Text<'a>>,
    pub(super) related: Vec<PathJson<'a>>,
    pub(super) message: Option<Text<'a>>,
    pub(super) found: Option<Text<'a>>,
    /// Where in the document it is about, in bytes.
    #[serde(default)]
    pub(super) spans: Vec<Range<usize>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct NormalizationJson<'a> {
    pub(super) name: Text<'a>,
    pub(super) pointer: Text<'a>,
    pub(super) path: Text<'a>,
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub(super) count: usize,
}

fn once() -> usize {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands fields over by reference"
)]
fn is_once(count: &usize) -> bool {
    *count == 1
}

#[derive(Serialize, Deserialize)]
pub(super) struct PathJson<'a> {
    pub(super) pointer: Text<'a>,
    pub(super) path: Text<'a>,
}
