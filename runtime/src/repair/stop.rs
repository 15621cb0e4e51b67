//! Replies that did not end by themselves.

use crate::error::ErrorKind;
use crate::failure::{Failure, FailureCode, Failures, Layer};
use crate::model::FinishReason;
use crate::path::FieldPath;
use crate::shown::line;

/// The longest word of a host in a failure, in characters.
const WORD_CHARS: usize = 200;

/// A reply that did not end by itself.
pub(super) struct Stop {
    pub(super) kind: ErrorKind,
    code: &'static str,
    pub(super) reason: String,
}

impl Stop {
    pub(super) fn failures(&self) -> Failures {
        let code = FailureCode::new(self.code);
        Failures::new(vec![Failure::new(
            Layer::Finish,
            code,
            FieldPath::root(),
            self.reason.as_str(),
        )])
    }
}

/// Why a reply with this finish reason is never parsed; `None` if it ended by
/// itself.
pub(super) fn stopped(finish: &FinishReason) -> Option<Stop> {
    let stop = |kind, code, reason: &str| {
        Some(Stop {
            kind,
            code,
            reason: reason.to_owned(),
        })
    };
    match finish {
        FinishReason::Stop => None,
        FinishReason::Truncated => stop(
            ErrorKind::Truncated,
            "truncated",
            "the reply was cut off at its output limit; allow more output tokens",
        ),
        FinishReason::Refused { .. } => stop(
            ErrorKind::Refused,
            "refusal",
            "the model declined to answer",
        ),
        FinishReason::Filtered { .. } => stop(
            ErrorKind::Filtered,
            "content_filter",
            "a content filter ended the reply",
        ),
        FinishReason::Unknown(raw) => stop(
            ErrorKind::Unfinished,
            "finish.unknown",
            &format!(
                "the reply ended for a reason that is not known to be a success: \"{}\"",
                line(raw, WORD_CHARS)
            ),
        ),
    }
}
