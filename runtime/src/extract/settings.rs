//! What can be set whatever the type.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::budget::Budget;
use crate::model::Model;
use crate::normalization::Normalize;
use crate::repair::{Example, Prompts, Repair};
use crate::schema::SchemaNotation;

/// What can be set whatever the type.
#[derive(Debug, Clone, Default)]
pub(super) struct Settings<'a> {
    pub(super) normalize: Normalize,
    pub(super) budget: Budget,
    pub(super) prompts: Prompts,
    pub(super) notation: SchemaNotation,
    pub(super) instructions: Vec<Cow<'a, str>>,
    pub(super) examples: Vec<Example<'a>>,
    /// An example that could not be written as JSON.
    pub(super) unwritable: Option<String>,
    pub(super) max_output_tokens: Option<u32>,
    pub(super) retry_truncated_with: Option<u32>,
    pub(super) repair: Repair,
    pub(super) lenient_schema: bool,
    pub(super) log_replies: bool,
    pub(super) fallbacks: Vec<Fallback<'a>>,
}

/// A model to turn to.
#[derive(Clone)]
pub(super) struct Fallback<'a>(pub(super) Arc<dyn Model + 'a>);

impl fmt::Debug for Fallback<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fallback").field(&self.0.id()).finish()
    }
}
