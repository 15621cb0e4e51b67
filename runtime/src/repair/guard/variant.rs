//! Variants of a union: one is compared with the same variant alone, and never mixed.

use serde_json::Value;

use super::content::{by_key, same};
use super::failed::FailedPlace;
use super::shape::Shape;
use super::walk::{Pair, PutBack, Walk};
use crate::json::Cursor;
use crate::path::At;

impl<'c, 's> Walk<'c, 's> {
    pub(super) fn variant(
        &mut self,
        pair: Pair<'c, '_>,
        shape: &Shape<'s>,
        here: &[&'s Value],
        at: &At<'_>,
    ) {
        // What a flattened union stands beside belongs to no variant.
        self.object(pair, shape, here, at, |key| shape.is_own(key));
        let is_another = pair
            .place
            .is_some_and(|place| is_another(pair, place, shape));
        if is_another {
            return;
        }
        let outside = self.put_back.len();
        self.object(pair, shape, here, at, |key| !shape.is_own(key));
        let changes = self.put_back.split_off(outside);
        self.settle(changes, || is_known(pair, shape));
    }

    /// Puts back what is the only change; of several, none, since what they stand beside may then
    /// be about something else.
    fn settle(&mut self, changes: Vec<PutBack<'c>>, is_known: impl FnOnce() -> bool) {
        let lost = changes.iter().filter(|one| one.change.lost().is_some());
        if lost.count() == 0 && changes.len() != 1 {
            return;
        }
        if changes.len() == 1 && is_known() {
            self.put_back.extend(changes);
            return;
        }
        for PutBack { path, change } in changes {
            if let Some(earlier) = change.lost() {
                self.lost.value(|| path, earlier);
            }
        }
    }
}

/// Whether the new object may be another variant than the earlier: by the tags where there are any,
/// else by the keys. Where a tag failed it is not known what the earlier one was.
fn is_another(pair: Pair<'_, '_>, place: FailedPlace<'_>, shape: &Shape<'_>) -> bool {
    let (before, there) = (by_key(pair.earlier), by_key(pair.new));
    let failed = |key: &str| place.key(key).is_some_and(FailedPlace::failed);
    let mut tags = shape
        .tags()
        .filter(|tag| before.contains_key(*tag) || there.contains_key(*tag))
        .peekable();
    if tags.peek().is_some() {
        let is_same = |tag| match (before.get(tag), there.get(tag)) {
            (Some(before), Some(there)) => same(*before, *there),
            _ => false,
        };
        return !tags.all(|tag| !failed(tag) && is_same(tag));
    }
    let may_come = |key: &str| place.key(key).is_some();
    let gone = |key: &str| !there.contains_key(key) && !failed(key);
    let come = |key: &str| !before.contains_key(key) && !may_come(key);
    let counts = |key: &str| !shape.is_own(key);
    before.keys().any(|key| counts(key) && gone(key))
        || there.keys().any(|key| counts(key) && come(key))
}

/// Whether what is equal in both variants shows that they are about the same thing: the tag, or
/// else a value beside the changed one.
fn is_known(pair: Pair<'_, '_>, shape: &Shape<'_>) -> bool {
    let there = by_key(pair.new);
    let is_equal = |key: &str, earlier: Cursor<'_>| {
        let failed = pair.place.and_then(|place| place.key(key)).is_some();
        !failed && there.get(key).is_some_and(|new| same(earlier, *new))
    };
    let is_tag = |key: &str| shape.is_keyed() && there.contains_key(key);
    let mut members = pair.earlier.members();
    members.any(|(key, value)| !shape.is_own(&key) && (is_tag(&key) || is_equal(&key, value)))
}
