//! A repair mends what failed and nothing else.
//!
//! What a failure does not concern is *right*, and has to come back. Which part of the new reply
//! it is, its content tells, and never its position:
//!
//! - **A key is an identity.** A right value below keys alone is put back where it was changed or
//!   left out, and the change is recorded. So is one at a fixed place of a tuple.
//! - **An index is none.** The right elements of a list must be in the new list, as often as
//!   before and in any order. One that holds a failure may be changed or left out, and others may
//!   join. Where the failure lies in a list inside an element, the rest of the element is right.
//! - **A variant of a union is one thing.** Where the tag or the keys became others, it is another
//!   variant, and nothing of the earlier one is put into it.
//!
//! In an element or a variant a value is put back only where it is the one that changed and all
//! else is equal in both replies, so that no record is made up of two. What is lost otherwise is a
//! `repair.regression`.
//!
//! All of it is linear in the two replies and the failing places: elements are found by the hash of
//! their content, places in one tree.

mod aligned;
mod content;
mod failed;
mod list;
mod object;
mod regressions;
mod shape;
#[cfg(test)]
mod tests;
mod variant;
mod walk;

use serde_json::Value;

use crate::failure::Failure;
use crate::json::Cursor;
use crate::json::{edit::Edit, edit::Edits};
use crate::path::{At, FieldPath};
pub(super) use content::same;
use failed::FailedPlaces;
use walk::{Change, Pair, Walk};

/// The last reply that could be read, and where it failed.
#[derive(Debug)]
pub(crate) struct Baseline {
    /// Its value as JSON text.
    pub(crate) text: String,
    /// The places that failed, in the reply's own paths; `None` where not all of them are known,
    /// so that nothing of the reply is known to be right.
    failed: Option<Vec<FieldPath>>,
}

impl Baseline {
    pub(crate) fn new(text: String, failed: Option<Vec<FieldPath>>) -> Self {
        Self { text, failed }
    }

    /// Compares a new reply with this one; `schema` is the schema of both.
    pub(crate) fn compare(
        &self,
        earlier: Cursor<'_>,
        new: Cursor<'_>,
        schema: &Value,
    ) -> Comparison {
        let Some(failed) = &self.failed else {
            return Comparison::default();
        };
        let places = FailedPlaces::new(failed);
        let mut walk = Walk::new(schema);
        let pair = Pair {
            earlier,
            new,
            place: places.root(),
        };
        walk.value(pair, &[schema], &At::ROOT);
        Comparison::new(walk)
    }
}

/// What has to be put back in a new reply, and what is lost.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) edits: Edits,
    pub(crate) restored: Vec<FieldPath>,
    pub(crate) regressions: Vec<Failure>,
    /// How many more regressions there are.
    pub(crate) omitted: usize,
}

impl Comparison {
    fn new(walk: Walk<'_, '_>) -> Self {
        let mut edits = Edits::default();
        let mut restored = Vec::with_capacity(walk.put_back.len());
        for put_back in walk.put_back {
            match put_back.change {
                Change::Replaced { earlier, new } => {
                    edits.set(new, Edit::Replace(earlier.raw().to_owned()));
                }
                Change::Dropped {
                    object,
                    key,
                    earlier,
                } => edits.add(object, &key, earlier.raw()),
                Change::Added { new } => edits.set(new, Edit::Remove),
            }
            restored.push(put_back.path);
        }
        Self {
            edits,
            restored,
            regressions: walk.lost.failures,
            omitted: walk.lost.omitted,
        }
    }
}
