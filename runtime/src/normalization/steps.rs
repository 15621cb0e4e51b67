//! The steps that were taken, told one by one up to a bound and counted beyond it.

use std::collections::BTreeMap;

use super::Normalization;
use crate::path::FieldPath;

/// How many steps are told with their places.
pub(crate) const SPELLED_OUT: usize = 10_000;

/// Steps as they are taken.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    told: Vec<Normalization>,
    /// How many more there are of each name.
    more: BTreeMap<&'static str, usize>,
}

impl Steps {
    /// Adds a step; the place of one that is only counted is not made.
    pub(crate) fn add(&mut self, name: &'static str, place: impl FnOnce() -> FieldPath) {
        if self.told.len() < SPELLED_OUT {
            self.told.push(Normalization::new(name, place()));
        } else {
            *self.more.entry(name).or_default() += 1;
        }
    }

    /// All that was taken; those that are only counted make one step a name.
    pub(crate) fn into_told(self) -> Vec<Normalization> {
        let more = self.more.into_iter();
        let more =
            more.map(|(name, count)| Normalization::new(name, FieldPath::root()).with_count(count));
        self.told.into_iter().chain(more).collect()
    }
}
