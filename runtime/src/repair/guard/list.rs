//! Lists: an element is what it holds, wherever it stands.

use std::collections::HashMap;
use std::hash::Hash;

use serde_json::Value;

use super::aligned::{Aligned, aligned};
use super::content::{But, Content, Contents};
use super::failed::FailedPlace;
use super::shape::{Shape, below};
use super::walk::{Pair, PutBack, Walk};
use crate::json::{Cursor, Kind};
use crate::path::{At, Segment};

/// An element of an earlier list, and what failed in it.
type Element<'c, 'p> = (Cursor<'c>, Option<FailedPlace<'p>>);

impl<'c, 's> Walk<'c, 's> {
    pub(super) fn list(&mut self, pair: Pair<'c, '_>, here: &[&'s Value], at: &At<'_>) {
        match aligned(pair) {
            Aligned::Same => {}
            Aligned::OneChange(below, change) => {
                let path = at.to_path().join(&below);
                self.put_back.push(PutBack { path, change });
            }
            Aligned::Differs => {
                let mut search = Search {
                    schema: self.schema,
                    contents: Contents::new(But::Notation),
                    outlines: Contents::new(But::Lists),
                    lost: Vec::new(),
                };
                let earlier = elements(pair.earlier, pair.place);
                let here = search.elements_of(here);
                search.elements(&earlier, pair.new.elements().collect(), &here);
                if !search.lost.is_empty() {
                    self.lost.elements(|| at.to_path(), &search.lost);
                }
            }
        }
    }
}

fn elements<'c, 'p>(list: Cursor<'c>, place: Option<FailedPlace<'p>>) -> Vec<Element<'c, 'p>> {
    let all = list.elements().enumerate();
    all.map(|(index, value)| (value, place.and_then(|place| place.index(index))))
        .collect()
}

/// The search for the right elements of a list in another.
#[derive(Debug)]
struct Search<'c, 's> {
    schema: &'s Value,
    contents: Contents,
    /// What an element is outside the lists in it.
    outlines: Contents,
    lost: Vec<Cursor<'c>>,
}

impl<'c, 's> Search<'c, 's> {
    /// The schemas of the elements of lists with these.
    fn elements_of(&self, lists: &[&'s Value]) -> Vec<&'s Value> {
        below(lists, self.schema, &Segment::Index(usize::MAX))
    }

    /// Finds the right ones of `earlier` among `new`. Recursion is bounded by the depth that
    /// parsing allows.
    fn elements(&mut self, earlier: &[Element<'c, '_>], new: Vec<Cursor<'c>>, here: &[&'s Value]) {
        let right = earlier.iter().filter(|(_, place)| place.is_none());
        let left = self.take(right.map(|(value, _)| *value), new);
        let mut around = Vec::new();
        for (value, place) in earlier {
            if let Some(place) = *place
                && !fails(self.schema, *value, place, here, &At::ROOT)
            {
                around.push((*value, place));
            }
        }
        if !around.is_empty() {
            self.around(&around, left, here);
        }
    }

    /// Takes each of `right` out of `new` and gives what is left of it.
    fn take(
        &mut self,
        right: impl Iterator<Item = Cursor<'c>>,
        new: Vec<Cursor<'c>>,
    ) -> Vec<Cursor<'c>> {
        let new: Vec<Content<'c>> = new.into_iter().map(|new| self.contents.of(new)).collect();
        let mut there: HashMap<Content<'c>, usize> = HashMap::new();
        for content in &new {
            *there.entry(*content).or_default() += 1;
        }
        for value in right {
            match there.get_mut(&self.contents.of(value)) {
                Some(count) if *count > 0 => *count -= 1,
                _ => self.lost.push(value),
            }
        }
        let is_left = |content: &Content<'c>| {
            let count = there.get_mut(content);
            count.is_some_and(|count| {
                let any = *count > 0;
                *count = count.saturating_sub(1);
                any
            })
        };
        let mut left = new;
        left.retain(is_left);
        left.into_iter().map(|content| content.value).collect()
    }

    /// Elements that are right but for lists inside them. Outside those lists they must come back
    /// as they were; the lists of all that are the same there are searched together, since nothing
    /// tells which of them is which.
    fn around(
        &mut self,
        earlier: &[(Cursor<'c>, FailedPlace<'_>)],
        new: Vec<Cursor<'c>>,
        here: &[&'s Value],
    ) {
        let mut groups = Groups::default();
        for (value, place) in earlier {
            let group: &mut Alike<'_, '_> = groups.of(self.outlines.of(*value));
            group.earlier.push((*value, Some(*place)));
        }
        for value in new {
            if let Some(group) = groups.known(&self.outlines.of(value)) {
                group.new.push(value);
            }
        }
        for (_, group) in groups.in_order() {
            let is_object = |value: &Cursor<'_>| value.kind() == Kind::Object;
            let values = group.earlier.iter().map(|(value, _)| *value);
            let lost: Vec<_> = values.skip(group.new.len()).filter(is_object).collect();
            if lost.is_empty() {
                self.inside(&group, here);
            }
            self.lost.extend(lost);
        }
    }

    /// The lists inside elements that are the same outside them.
    fn inside(&mut self, alike: &Alike<'c, '_>, here: &[&'s Value]) {
        let mut lists = Groups::default();
        for (value, place) in &alike.earlier {
            each_list(*value, *place, &At::ROOT, &mut |at, list, place| {
                let group: &mut Alike<'_, '_> = lists.of(at.to_path());
                group.earlier.push((list, place));
            });
        }
        for value in &alike.new {
            each_list(*value, None, &At::ROOT, &mut |at, list, _| {
                if let Some(group) = lists.known(&at.to_path()) {
                    group.new.push(list);
                }
            });
        }
        for (path, group) in lists.in_order() {
            let mut here = here.to_vec();
            for step in path.segments() {
                here = below(&here, self.schema, step);
            }
            let here = self.elements_of(&here);
            self.lists(&group, &here);
        }
    }

    /// Lists of one identity: those without a failure must be there as they are, those with one
    /// give what they hold.
    fn lists(&mut self, alike: &Alike<'c, '_>, here: &[&'s Value]) {
        let right = alike.earlier.iter().filter(|(_, place)| place.is_none());
        let left = self.take(right.map(|(list, _)| *list), alike.new.clone());
        let failing = alike.earlier.iter().filter(|(_, place)| place.is_some());
        let earlier: Vec<_> = failing
            .flat_map(|(list, place)| elements(*list, *place))
            .collect();
        let new = left.into_iter().flat_map(Cursor::elements).collect();
        self.elements(&earlier, new, here);
    }
}

/// Whether an element failed itself: in a part of it that is not in a list inside it.
pub(super) fn fails(
    schema: &Value,
    value: Cursor<'_>,
    place: FailedPlace<'_>,
    here: &[&Value],
    at: &At<'_>,
) -> bool {
    if place.failed() {
        return true;
    }
    match value.kind() {
        Kind::Array if !is_tuple(schema, here, at) => false,
        Kind::Array => {
            let mut all = value.elements().enumerate();
            all.any(|(index, value)| {
                let place = place.index(index);
                place.is_some_and(|place| fails(schema, value, place, here, &at.index(index)))
            })
        }
        Kind::Object => {
            let mut below = 0;
            let mut all = value.members();
            let inside = all.any(|(key, value)| {
                let place = place.key(&key);
                below += usize::from(place.is_some());
                place.is_some_and(|place| fails(schema, value, place, here, &at.key(&key)))
            });
            // The rest are keys that it lacks.
            inside || below < place.below()
        }
        _ => true,
    }
}

/// Whether the array at a place below an element is a tuple.
fn is_tuple(schema: &Value, here: &[&Value], at: &At<'_>) -> bool {
    let mut here = here.to_vec();
    for step in at.to_path().segments() {
        here = below(&here, schema, step);
    }
    Shape::of(&here, schema).is_tuple
}

/// The outermost lists in a value, each with its place in it.
fn each_list<'c, 'p>(
    value: Cursor<'c>,
    place: Option<FailedPlace<'p>>,
    at: &At<'_>,
    take: &mut impl FnMut(&At<'_>, Cursor<'c>, Option<FailedPlace<'p>>),
) {
    if value.kind() == Kind::Array {
        return take(at, value, place);
    }
    for (key, member) in value.members() {
        let place = place.and_then(|place| place.key(&key));
        each_list(member, place, &at.key(&key), take);
    }
}

/// Values of both replies that cannot be told apart.
#[derive(Debug, Default)]
struct Alike<'c, 'p> {
    earlier: Vec<Element<'c, 'p>>,
    new: Vec<Cursor<'c>>,
}

/// Groups by what is common to each, in the order in which they were found.
#[derive(Debug)]
struct Groups<K, G>(HashMap<K, (usize, G)>);

impl<K, G> Default for Groups<K, G> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Hash + Eq, G: Default> Groups<K, G> {
    fn of(&mut self, key: K) -> &mut G {
        let next = self.0.len();
        let (_, group) = self.0.entry(key).or_insert_with(|| (next, G::default()));
        group
    }

    fn known(&mut self, key: &K) -> Option<&mut G> {
        self.0.get_mut(key).map(|(_, group)| group)
    }

    fn in_order(self) -> impl Iterator<Item = (K, G)> {
        let mut all: Vec<_> = self.0.into_iter().collect();
        all.sort_unstable_by_key(|(_, (place, _))| *place);
        all.into_iter().map(|(key, (_, group))| (key, group))
    }
}
