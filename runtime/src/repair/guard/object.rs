//! Objects: a key is an identity.

use serde_json::Value;

use super::content::by_key;
use super::shape::{Shape, below};
use super::walk::{Change, Pair, Walk};
use crate::path::{At, Segment};

impl<'c, 's> Walk<'c, 's> {
    /// The members of two objects whose keys are `among` those to be compared.
    pub(super) fn object(
        &mut self,
        pair: Pair<'c, '_>,
        shape: &Shape<'s>,
        here: &[&'s Value],
        at: &At<'_>,
        among: impl Fn(&str) -> bool,
    ) {
        let there = by_key(pair.new);
        let mut may_join = false;
        for (key, earlier) in pair.earlier.members().filter(|(key, _)| among(key)) {
            let place = pair.place.and_then(|place| place.key(&key));
            let at = at.key(&key);
            match (there.get(&key).copied(), place) {
                (Some(new), _) => {
                    let step = Segment::Key(key.clone().into_owned().into());
                    let here = place.map(|_| below(here, self.schema, &step));
                    let pair = Pair {
                        earlier,
                        new,
                        place,
                    };
                    self.value(pair, here.as_deref().unwrap_or_default(), &at);
                }
                (None, Some(place)) => {
                    may_join |= place.failed();
                    self.vanished(earlier, place, &at);
                }
                (None, None) => {
                    let change = Change::Dropped {
                        object: pair.new,
                        key: key.clone().into_owned(),
                        earlier,
                    };
                    self.put_back(&at, change);
                }
            }
        }
        // A failing key may have become any other.
        if !may_join {
            self.added(pair, shape, at, among);
        }
    }

    /// The keys that an object had not. Where any key is allowed they are new entries.
    fn added(
        &mut self,
        pair: Pair<'c, '_>,
        shape: &Shape<'s>,
        at: &At<'_>,
        among: impl Fn(&str) -> bool,
    ) {
        let before = by_key(pair.earlier);
        for (key, new) in pair.new.members().filter(|(key, _)| among(key)) {
            let failed = pair.place.and_then(|place| place.key(&key)).is_some();
            let is_entry = shape.is_map && !shape.names(&key);
            if !before.contains_key(&key) && !failed && !is_entry {
                self.put_back(&at.key(&key), Change::Added { new });
            }
        }
    }
}
