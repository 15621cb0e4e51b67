//! What the modules share.

use serde::{Deserialize, Serialize};
use typed_extract::record::Attempt;
use typed_extract::{Extract, Failures};

/// A value that is right or wrong by one number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Extract)]
#[extract(rule(small(count), "count is below a hundred", check = *count < 100))]
pub(crate) struct Count {
    #[validate(range(min = 1))]
    pub(crate) count: u32,
}

pub(crate) const WRONG: &str = r#"{"count":0}"#;
pub(crate) const RIGHT: &str = r#"{"count":2}"#;

/// The places that an attempt put back, as pointers, in order.
pub(crate) fn restored(attempt: &Attempt) -> Vec<String> {
    let mut places: Vec<String> = attempt
        .restored()
        .iter()
        .map(typed_extract::FieldPath::pointer)
        .collect();
    places.sort();
    places
}

/// The code and pointer of each failure.
pub(crate) fn found(failures: &Failures) -> Vec<(&str, String)> {
    failures
        .iter()
        .map(|failure| (failure.code().as_str(), failure.path().pointer()))
        .collect()
}
