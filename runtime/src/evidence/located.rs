//! Where a quotation stands.

use std::ops::Range;
use std::sync::Arc;

use super::Folds;

/// Where a quotation stands in its document.
#[derive(Debug, Clone)]
pub(crate) struct Located {
    /// The id of the document.
    pub(crate) source: Option<String>,
    pub(crate) span: Range<usize>,
    pub(crate) chars: Range<usize>,
    pub(crate) text: Arc<str>,
    pub(crate) folds: Folds,
}
