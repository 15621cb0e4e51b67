//! What an explanation has gathered, within its bounds.

use std::collections::HashSet;

use super::finding::Finding;
use super::reading::Reading;
use crate::path::Path;

/// How many errors of one reply are spelled out.
const SPELLED_OUT: usize = 256;

/// Bytes that the places of all of them may take: long keys above many errors would else multiply.
const PLACES: usize = 1 << 17;

/// What the schema says against a value.
#[derive(Debug, Default)]
pub(crate) struct Explained {
    pub(crate) findings: Vec<Finding>,
    /// How many more errors there are.
    pub(crate) omitted: usize,
    /// All values that may be read in another form.
    pub(crate) readings: Vec<Reading>,
    places: usize,
    seen: HashSet<(Path, &'static str)>,
}

impl Explained {
    pub(super) fn of(finding: Finding) -> Self {
        Self {
            findings: vec![finding],
            ..Self::default()
        }
    }

    /// Adds an error; one that is not spelled out is not made either.
    pub(super) fn add(&mut self, make: impl FnOnce() -> Finding) {
        if self.findings.len() >= SPELLED_OUT || self.places > PLACES {
            self.omitted += 1;
            return;
        }
        let finding = make();
        if !self.seen.insert((finding.path.clone(), finding.code)) {
            return;
        }
        self.places += finding.path.bytes();
        self.findings.push(finding);
    }
}
