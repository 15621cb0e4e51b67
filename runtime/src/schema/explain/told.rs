//! What an explanation has gathered, within its bounds.

use std::collections::HashSet;

use super::finding::Finding;
use super::reading::Reading;
use crate::path::FieldPath;

/// How many errors of one reply are spelled out.
const SPELLED_OUT: usize = 256;

/// Bytes that the places and messages of all of them may take: long keys above many errors, or long
/// lists in each, would else multiply.
const PLACES: usize = 1 << 17;

/// What the schema says against a value.
#[derive(Debug, Default)]
pub(crate) struct Explained<'p> {
    pub(crate) findings: Vec<Finding>,
    /// How many more errors there are.
    pub(crate) omitted: usize,
    /// All values that may be read in another form.
    pub(crate) readings: Vec<Reading<'p>>,
    places: usize,
    seen: HashSet<(FieldPath, &'static str)>,
}

impl Explained<'_> {
    pub(super) fn of(finding: Finding) -> Self {
        Self {
            findings: vec![finding],
            ..Self::default()
        }
    }

    /// Whether no more of them are spelled out.
    pub(super) fn is_full(&self) -> bool {
        self.findings.len() >= SPELLED_OUT || self.places > PLACES
    }

    /// Counts an error that is not spelled out.
    pub(super) fn count(&mut self) {
        self.omitted += 1;
    }

    /// Adds an error; one that is not spelled out is not made either.
    pub(super) fn add(&mut self, make: impl FnOnce() -> Finding) {
        if self.is_full() {
            return self.count();
        }
        let finding = make();
        if !self.seen.insert((finding.path.clone(), finding.code)) {
            return;
        }
        self.places += finding.path.bytes() + finding.message.len();
        self.findings.push(finding);
    }
}
