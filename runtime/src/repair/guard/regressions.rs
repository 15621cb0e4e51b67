//! What a repair lost, in words.

use std::fmt::Write as _;

use crate::failure::{Failure, FailureCode, Layer};
use crate::json::Cursor;
use crate::path::FieldPath;

/// How many losses of one reply are spelled out.
const SPELLED_OUT: usize = 16;

/// How many elements of one list are named.
const NAMED: usize = 3;

/// The losses, the first of them as failures.
#[derive(Debug, Default)]
pub(super) struct Regressions {
    pub(super) failures: Vec<Failure>,
    /// How many more there are.
    pub(super) omitted: usize,
}

impl Regressions {
    /// A value that stood at a place and had no error.
    pub(super) fn value(&mut self, path: impl FnOnce() -> FieldPath, earlier: Cursor<'_>) {
        self.add(path, || {
            format!(
                "lost {}, which had no error; bring it back",
                earlier.shown().unwrap_or_default()
            )
        });
    }

    /// A value that stood at a place and had no error in a part of it.
    pub(super) fn parts(&mut self, path: impl FnOnce() -> FieldPath, earlier: Cursor<'_>) {
        self.add(path, || {
            let earlier = earlier.shown().unwrap_or_default();
            format!("lost {earlier}, parts of which had no error; bring them back")
        });
    }

    /// Elements of a list.
    pub(super) fn elements(&mut self, path: impl FnOnce() -> FieldPath, lost: &[Cursor<'_>]) {
        self.add(path, || {
            let mut text = String::from("lost ");
            for (number, element) in lost.iter().take(NAMED).enumerate() {
                text.push_str(if number == 0 { "" } else { ", " });
                text.push_str(&element.shown().unwrap_or_default());
            }
            let more = lost.len().saturating_sub(NAMED);
            if more > 0 {
                let _ = write!(text, " and {more} more");
            }
            text.push_str("; keep every element that had no error");
            text
        });
    }

    fn add(&mut self, path: impl FnOnce() -> FieldPath, message: impl FnOnce() -> String) {
        if self.failures.len() == SPELLED_OUT {
            self.omitted += 1;
            return;
        }
        let code = FailureCode::new("repair.regression");
        self.failures
            .push(Failure::new(Layer::Repair, code, path(), message()));
    }
}
