//! The way down both replies, through keys and fixed places only.

use serde_json::Value;

use super::content::same;
use super::failed::FailedPlace;
use super::list::fails;
use super::regressions::Regressions;
use super::shape::{Shape, below};
use crate::json::{Cursor, Kind};
use crate::path::{At, FieldPath, Segment};

/// Two values of one identity, and what failed in the earlier.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'c, 'p> {
    pub(super) earlier: Cursor<'c>,
    pub(super) new: Cursor<'c>,
    /// `None` where nothing failed.
    pub(super) place: Option<FailedPlace<'p>>,
}

/// What undoes a change of the model's.
#[derive(Debug)]
pub(super) struct PutBack<'c> {
    pub(super) path: FieldPath,
    pub(super) change: Change<'c>,
}

/// What the model did to a value that was right.
#[derive(Debug)]
pub(super) enum Change<'c> {
    Replaced {
        earlier: Cursor<'c>,
        new: Cursor<'c>,
    },
    /// The key of an object is not there any more.
    Dropped {
        object: Cursor<'c>,
        key: String,
        earlier: Cursor<'c>,
    },
    /// An object has a key that it had not.
    Added { new: Cursor<'c> },
}

impl<'c> Change<'c> {
    /// The right value that the new reply lacks.
    pub(super) fn lost(&self) -> Option<Cursor<'c>> {
        match self {
            Self::Replaced { earlier, .. } | Self::Dropped { earlier, .. } => Some(*earlier),
            Self::Added { .. } => None,
        }
    }
}

/// The comparison of two replies under one schema.
#[derive(Debug)]
pub(super) struct Walk<'c, 's> {
    pub(super) schema: &'s Value,
    pub(super) put_back: Vec<PutBack<'c>>,
    pub(super) lost: Regressions,
}

impl<'c, 's> Walk<'c, 's> {
    pub(super) fn new(schema: &'s Value) -> Self {
        Self {
            schema,
            put_back: Vec::new(),
            lost: Regressions::default(),
        }
    }

    /// Two values at one place; `here` are the schemas of it. Recursion is bounded by the depth
    /// that parsing allows.
    pub(super) fn value(&mut self, pair: Pair<'c, '_>, here: &[&'s Value], at: &At<'_>) {
        let Pair { earlier, new, .. } = pair;
        let Some(place) = pair.place else {
            if !same(earlier, new) {
                self.put_back(at, Change::Replaced { earlier, new });
            }
            return;
        };
        if place.failed() {
            return;
        }
        let shape = Shape::of(here, self.schema);
        match (earlier.kind(), new.kind()) {
            (Kind::Object, Kind::Object) if shape.is_union => {
                self.variant(pair, &shape, here, at);
            }
            (Kind::Object, Kind::Object) => self.object(pair, &shape, here, at, |_| true),
            (Kind::Array, Kind::Array) if shape.is_tuple => self.tuple(pair, here, at),
            (Kind::Array, Kind::Array) => self.list(pair, here, at),
            // Another variant, which is no object.
            (Kind::Object, other) if shape.is_union && other != Kind::Null => {}
            _ => self.vanished(earlier, place, at),
        }
    }

    /// An array in which each index is a place of its own.
    fn tuple(&mut self, pair: Pair<'c, '_>, here: &[&'s Value], at: &At<'_>) {
        let mut there = pair.new.elements();
        for (index, earlier) in pair.earlier.elements().enumerate() {
            let place = pair.place.and_then(|place| place.index(index));
            let at = at.index(index);
            let Some(new) = there.next() else {
                self.gone(earlier, place, &at);
                continue;
            };
            let here = below(here, self.schema, &Segment::Index(index));
            let pair = Pair {
                earlier,
                new,
                place,
            };
            self.value(pair, &here, &at);
        }
    }

    /// A value that is not there any more and cannot be put back.
    fn gone(&mut self, earlier: Cursor<'c>, place: Option<FailedPlace<'_>>, at: &At<'_>) {
        match place {
            Some(place) => self.vanished(earlier, place, at),
            None => self.lost.value(|| at.to_path(), earlier),
        }
    }

    /// A value in which something failed, and which is not there any more.
    pub(super) fn vanished(&mut self, earlier: Cursor<'c>, place: FailedPlace<'_>, at: &At<'_>) {
        if self.holds_right(earlier, Some(place)) {
            self.lost.parts(|| at.to_path(), earlier);
        }
    }

    pub(super) fn put_back(&mut self, at: &At<'_>, change: Change<'c>) {
        let path = at.to_path();
        self.put_back.push(PutBack { path, change });
    }

    /// Whether anything in a value must come back. Recursion is bounded by the depth that parsing
    /// allows.
    fn holds_right(&self, value: Cursor<'_>, place: Option<FailedPlace<'_>>) -> bool {
        let Some(place) = place else {
            return true;
        };
        let mut members = value.members();
        let mut elements = value.elements().enumerate();
        !place.failed()
            && (members.any(|(key, member)| self.holds_right(member, place.key(&key)))
                || elements.any(|(index, element)| self.must_stay(element, place.index(index))))
    }

    /// Whether an element must come back: one that failed itself may go from its list, and so may
    /// go with it.
    fn must_stay(&self, element: Cursor<'_>, place: Option<FailedPlace<'_>>) -> bool {
        match place {
            Some(place) if element.kind() == Kind::Object => {
                !fails(self.schema, element, place, &[], &At::ROOT)
            }
            _ => self.holds_right(element, place),
        }
    }
}
