//! The passage that a quotation stands for, and what stands around it.

use std::ops::Range;

/// How many characters around a passage may change what it says: a sign, a
/// bracket.
const AROUND: usize = 16;

/// A passage of a document.
#[derive(Debug, Clone)]
pub struct Passage<'d> {
    around: &'d str,
    inside: Range<usize>,
}

impl<'d> Passage<'d> {
    /// The bytes `span` of a document.
    pub fn new(document: &'d str, span: Range<usize>) -> Self {
        let before = document.get(..span.start).unwrap_or_default();
        let after = document.get(span.end..).unwrap_or_default();
        let start = before
            .char_indices()
            .rev()
            .take(AROUND)
            .last()
            .map_or(before.len(), |(at, _)| at);
        let length = after
            .char_indices()
            .nth(AROUND)
            .map_or(after.len(), |(at, _)| at);
        Self {
            around: document.get(start..span.end + length).unwrap_or_default(),
            inside: span.start - start..span.end - start,
        }
    }

    pub(super) fn inside(&self) -> &'d str {
        self.around.get(self.inside.clone()).unwrap_or_default()
    }

    pub(super) fn around(&self) -> &'d str {
        self.around
    }

    /// Where the passage stands among the characters of [`around`](Self::around).
    pub(super) fn inside_chars(&self) -> Range<usize> {
        let before = self.around.get(..self.inside.start).unwrap_or_default();
        let start = before.chars().count();
        start..start + self.inside().chars().count()
    }
}
