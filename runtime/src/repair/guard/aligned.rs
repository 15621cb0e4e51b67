//! Lists of one shape: what changed in them beside the failing places, while that is one value at
//! most.

use std::borrow::Cow;

use super::content::{But, by_key, equal};
use super::failed::FailedPlace;
use super::walk::{Change, Pair};
use crate::json::{Cursor, Kind};
use crate::path::{At, FieldPath, Segment};

/// What sets two lists of one shape apart.
#[derive(Debug)]
pub(super) enum Aligned<'c> {
    /// Nothing but failing places.
    Same,
    /// One right value beside a failing one, in an element that is known by its other values; its
    /// place in the list.
    OneChange(FieldPath, Change<'c>),
    Differs,
}

pub(super) fn aligned<'c>(pair: Pair<'c, '_>) -> Aligned<'c> {
    let mut changes = Changes::default();
    if changes.collect(pair, &At::ROOT).is_err() {
        return Aligned::Differs;
    }
    let Some((path, earlier, new)) = changes.one else {
        return Aligned::Same;
    };
    if is_known(pair, &path) {
        Aligned::OneChange(path, Change::Replaced { earlier, new })
    } else {
        Aligned::Differs
    }
}

/// The shapes differ, or more than one right value does.
struct Apart;

#[derive(Default)]
struct Changes<'c> {
    one: Option<(FieldPath, Cursor<'c>, Cursor<'c>)>,
}

impl<'c> Changes<'c> {
    /// Recursion is bounded by the depth that parsing allows.
    fn collect(&mut self, pair: Pair<'c, '_>, at: &At<'_>) -> Result<(), Apart> {
        let Pair {
            earlier,
            new,
            place,
        } = pair;
        if place.is_some_and(FailedPlace::failed) {
            return Ok(());
        }
        if place.is_none() && equal(earlier, new, But::Notation) {
            return Ok(());
        }
        match (earlier.kind(), new.kind()) {
            (Kind::Object, Kind::Object) => self.members(pair, at),
            (Kind::Array, Kind::Array) if earlier.len() == new.len() => self.elements(pair, at),
            (Kind::Object | Kind::Array, _) | (_, Kind::Object | Kind::Array) => Err(Apart),
            // A failing place below a plain value is that value.
            _ if place.is_some() => Ok(()),
            _ if self.one.is_some() => Err(Apart),
            _ => {
                self.one = Some((at.to_path(), earlier, new));
                Ok(())
            }
        }
    }

    fn elements(&mut self, pair: Pair<'c, '_>, at: &At<'_>) -> Result<(), Apart> {
        let pairs = pair.earlier.elements().zip(pair.new.elements());
        for (index, (earlier, new)) in pairs.enumerate() {
            let place = pair.place.and_then(|place| place.index(index));
            let pair = Pair {
                earlier,
                new,
                place,
            };
            self.collect(pair, &at.index(index))?;
        }
        Ok(())
    }

    fn members(&mut self, pair: Pair<'c, '_>, at: &At<'_>) -> Result<(), Apart> {
        let there = by_key(pair.new);
        let place = |key: &str| pair.place.and_then(|place| place.key(key));
        let mut found = 0;
        for (key, earlier) in pair.earlier.members() {
            let place = place(&key);
            match there.get(&key).copied() {
                Some(new) => {
                    found += 1;
                    let pair = Pair {
                        earlier,
                        new,
                        place,
                    };
                    self.collect(pair, &at.key(&key))?;
                }
                None if place.is_some_and(FailedPlace::failed) => {}
                None => return Err(Apart),
            }
        }
        if found == there.len() {
            return Ok(());
        }
        let before = by_key(pair.earlier);
        let added = |key: &Cow<'_, str>| !before.contains_key(key) && place(key).is_none();
        if there.keys().any(added) {
            return Err(Apart);
        }
        Ok(())
    }
}

/// Whether the values beside the changed one tell its element from all others of both lists, so
/// that it is no other element that took the place.
fn is_known(lists: Pair<'_, '_>, changed: &FieldPath) -> bool {
    let [Segment::Index(index), Segment::Key(key), inner @ ..] = changed.segments() else {
        return false;
    };
    if inner.iter().any(|step| matches!(step, Segment::Index(_))) {
        return false;
    }
    let Some(element) = lists.earlier.elements().nth(*index) else {
        return false;
    };
    // An element without a failure is known by all that it holds, and lost where that changed.
    let Some(place) = lists.place.and_then(|place| place.index(*index)) else {
        return false;
    };
    let beside: Vec<(Cow<'_, str>, Cursor<'_>)> = element
        .members()
        .filter(|(name, _)| name != key && place.key(name).is_none())
        .collect();
    let others = |list: Cursor<'_>| {
        let all = list.elements().enumerate();
        let mut others = all.filter(|(other, _)| other != index);
        others.any(|(_, other)| shares(other, &beside))
    };
    beside.iter().any(|(_, value)| tells(*value)) && !others(lists.earlier) && !others(lists.new)
}

/// Whether a value can tell what its object is about.
fn tells(value: Cursor<'_>) -> bool {
    match value.kind() {
        Kind::Number => true,
        Kind::String => value.as_str().is_some_and(|text| !text.trim().is_empty()),
        _ => false,
    }
}

/// Whether an object has all these members.
fn shares(object: Cursor<'_>, members: &[(Cow<'_, str>, Cursor<'_>)]) -> bool {
    let there = by_key(object);
    members.iter().all(|(key, value)| {
        let own = there.get(key);
        own.is_some_and(|own| equal(*own, *value, But::Notation))
    })
}
