//! What a run gives.

use std::fmt;

use crate::evidence::Citation;
use crate::failure::Failure;
use crate::flow::Accepted;
use crate::record::{Attempt, Record};

/// A value that every check has passed, with its account.
pub struct Extracted<T> {
    pub(super) accepted: Accepted<T>,
    pub(super) record: Record,
}

impl<T> Extracted<T> {
    /// The value.
    pub fn value(&self) -> &T {
        self.accepted.value()
    }

    /// The value alone.
    pub fn into_value(self) -> T {
        self.accepted.into_value()
    }

    /// The checks that the value breaks; they warn and do not reject.
    pub fn warnings(&self) -> &[Failure] {
        self.record.warnings()
    }

    /// The citations and verbatim texts of the value, each with its place in the
    /// document, in the order of the value. Empty for a type that has none.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use typed_extract::{Cited, Extract, extract};
    ///
    /// #[derive(Deserialize, Extract)]
    /// struct Lease {
    ///     #[extract(verbatim)]
    ///     tenant: String,
    ///     rent: Cited<u32>,
    /// }
    ///
    /// let document = "A. Brun pays EUR 1,250.00 a month.";
    /// let reply = r#"{"tenant": "A. Brun", "rent": {"quote": "EUR 1,250.00", "value": 1250}}"#;
    /// let lease = extract::<Lease>().document(document).validate(reply)?;
    /// let places: Vec<_> = lease
    ///     .citations()
    ///     .iter()
    ///     .map(|one| (one.path().to_string(), one.span()))
    ///     .collect();
    /// assert_eq!(places, [("tenant".to_owned(), 0..7), ("rent".to_owned(), 13..25)]);
    /// # Ok::<(), typed_extract::Failures>(())
    /// ```
    pub fn citations(&self) -> &[Citation] {
        let last = self.record.attempts.last();
        last.map_or(&[], Attempt::citations)
    }

    /// What happened on the way.
    pub fn record(&self) -> &Record {
        &self.record
    }
}

impl<T> fmt::Debug for Extracted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extracted")
            .field("warnings", &self.warnings())
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}
