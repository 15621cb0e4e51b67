//! Many places of one value: each container on the way is listed once, so that a place costs its
//! own depth and not the containers' sizes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::json::{Cursor, Kind, key_hash};
use crate::path::{FieldPath, Segment};

/// Looks up places in one value.
#[derive(Debug)]
pub(super) struct PathLookup<'c> {
    value: Cursor<'c>,
    listed: HashMap<u32, Children>,
}

/// The children of one container by their ids.
#[derive(Debug)]
enum Children {
    Elements(Vec<u32>),
    /// With the hashes of their keys, in that order.
    Members(Vec<(u32, u32)>),
}

impl<'c> PathLookup<'c> {
    pub(super) fn new(value: Cursor<'c>) -> Self {
        Self {
            value,
            listed: HashMap::new(),
        }
    }

    /// What stands at a place.
    pub(super) fn find(&mut self, path: &FieldPath) -> Option<Cursor<'c>> {
        let mut here = self.value;
        for segment in path.segments() {
            here = self.step(here, segment)?;
        }
        Some(here)
    }

    fn step(&mut self, here: Cursor<'c>, segment: &Segment) -> Option<Cursor<'c>> {
        if !matches!(here.kind(), Kind::Array | Kind::Object) {
            return None;
        }
        let children = match self.listed.entry(here.id()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(Children::of(here)),
        };
        match (children, segment) {
            (Children::Elements(all), Segment::Index(index)) => {
                all.get(*index).map(|id| here.at(*id))
            }
            (Children::Members(all), Segment::Key(key)) => {
                let hash = key_hash(key.as_bytes());
                let first = all.partition_point(|(own, _)| *own < hash);
                let same = all.iter().skip(first).take_while(|(own, _)| *own == hash);
                same.map(|(_, id)| here.at(*id))
                    .find(|value| here.key_of(*value).is_some_and(|own| own == *key))
            }
            _ => None,
        }
    }
}

impl Children {
    fn of(container: Cursor<'_>) -> Self {
        if container.kind() == Kind::Array {
            return Self::Elements(container.elements().map(Cursor::id).collect());
        }
        let mut all: Vec<(u32, u32)> = container
            .members()
            .map(|(key, value)| (key_hash(key.as_bytes()), value.id()))
            .collect();
        all.sort_unstable();
        Self::Members(all)
    }
}
