//! A repair mends what failed and nothing else: what the model changed beside
//! it is put back.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::failure::{Code, Failure, Failures, Layer};
use crate::flow::edit::{Edit, Edits};
use crate::flow::tape::{Cursor, Kind};
use crate::path::Path;

/// The last reply that could be read, and where it failed.
#[derive(Debug)]
pub(crate) struct Baseline {
    /// Its value as JSON text.
    pub(crate) text: String,
    /// The places that may change, in the reply's own paths.
    free: Vec<Path>,
}

impl Baseline {
    /// `own` turns a place as the caller sees it into one of the reply.
    pub(crate) fn new(text: String, failures: &Failures, own: impl Fn(&Path) -> Path) -> Self {
        let concerned = |failure: &Failure| -> Vec<Path> {
            std::iter::once(failure.path())
                .chain(failure.related())
                .map(&own)
                .collect()
        };
        Self {
            text,
            free: failures.iter().flat_map(concerned).collect(),
        }
    }

    /// Compares a new reply with this one.
    pub(crate) fn merge(&self, earlier: Cursor<'_>, new: Cursor<'_>) -> Merge {
        let mut merge = Merge::default();
        merge.value(&self.free, earlier, new, Path::root());
        merge
    }
}

/// What has to be put back in a new reply.
#[derive(Debug, Default)]
pub(crate) struct Merge {
    pub(crate) edits: Edits,
    pub(crate) restored: Vec<Path>,
    pub(crate) regressions: Vec<Failure>,
}

impl Merge {
    /// Recursion is bounded by the depth that parsing allows.
    fn value(&mut self, free: &[Path], earlier: Cursor<'_>, new: Cursor<'_>, path: Path) {
        if free.iter().any(|place| place.contains(&path)) || same(earlier, new) {
            return;
        }
        let below: Vec<Path> = free
            .iter()
            .filter(|place| path.contains(place))
            .cloned()
            .collect();
        if below.is_empty() {
            self.edits.set(new, Edit::Replace(earlier.raw().to_owned()));
            self.restored.push(path);
            return;
        }
        match (earlier.kind(), new.kind()) {
            (Kind::Object, Kind::Object) => self.object(&below, earlier, new, &path),
            (Kind::Array, Kind::Array) if earlier.len() == new.len() => {
                let pairs = earlier.elements().zip(new.elements()).enumerate();
                for (index, (earlier, new)) in pairs {
                    self.value(&below, earlier, new, path.clone().index(index));
                }
            }
            (Kind::Array, Kind::Array) => self.regress(
                path,
                &format!(
                    "had {} elements before and now has {}; keep every element that had no error",
                    earlier.len(),
                    new.len()
                ),
            ),
            _ => self.regress(path, "lost parts that had no error; bring them back"),
        }
    }

    fn object(&mut self, free: &[Path], earlier: Cursor<'_>, new: Cursor<'_>, path: &Path) {
        let concerned = |place: &Path| {
            free.iter()
                .any(|one| one.contains(place) || place.contains(one))
        };
        let (before, there) = (by_key(earlier), by_key(new));
        for (key, value) in earlier.members() {
            let place = path.clone().key(key.clone().into_owned());
            match there.get(&key).copied() {
                Some(changed) => self.value(free, value, changed, place),
                None if concerned(&place) => {}
                None => {
                    self.edits.add(new, &key, value.raw());
                    self.restored.push(place);
                }
            }
        }
        for (key, value) in new.members() {
            let place = path.clone().key(key.clone().into_owned());
            if !before.contains_key(&key) && !concerned(&place) {
                self.edits.set(value, Edit::Remove);
                self.restored.push(place);
            }
        }
    }

    fn regress(&mut self, path: Path, message: &str) {
        let code = Code::new("repair.regression");
        self.regressions
            .push(Failure::new(Layer::Repair, code, path, message));
    }
}

/// The members of an object by name, so that comparing two large ones stays
/// linear.
fn by_key(object: Cursor<'_>) -> HashMap<Cow<'_, str>, Cursor<'_>> {
    object.members().collect()
}

/// Whether two values are the same JSON, their members in any order.
pub(super) fn same(one: Cursor<'_>, other: Cursor<'_>) -> bool {
    if one.raw() == other.raw() {
        return true;
    }
    match (one.kind(), other.kind()) {
        (Kind::Object, Kind::Object) => {
            let there = by_key(other);
            let equal = |(key, value): (Cow<'_, str>, Cursor<'_>)| {
                there.get(&key).is_some_and(|there| same(value, *there))
            };
            one.len() == other.len() && one.members().all(equal)
        }
        (Kind::Array, Kind::Array) => {
            one.len() == other.len()
                && one
                    .elements()
                    .zip(other.elements())
                    .all(|(one, other)| same(one, other))
        }
        (Kind::String, Kind::String) => one.as_str() == other.as_str(),
        _ => false,
    }
}
