//! What stands in the first so many bytes of a reply, whatever has arrived since.

use std::borrow::Cow;

use super::node::{Node, Tag};
use super::scan::Scan;
use super::text;
use crate::path::{FieldPath, Segment};
use crate::schema::WRAPPER_KEY;

/// A scan, cut off where a reader's text ends.
///
/// A scan may be ahead of a reader. Ends are offsets that never change, so that what lies beyond
/// the reader's own text is open to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'s> {
    scan: &'s Scan,
    seen: usize,
}

/// A value and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    id: u32,
    node: Node,
}

impl Place {
    pub(super) const fn tag(self) -> Tag {
        self.node.tag()
    }
}

impl<'s> View<'s> {
    pub(super) fn new(scan: &'s Scan, seen: usize) -> Self {
        let seen = seen.min(scan.stop.unwrap_or(usize::MAX));
        Self { scan, seen }
    }

    /// The value of the caller's, out of its wrapper if it travels in one.
    pub(super) fn root(self) -> Option<Place> {
        let root = self.at(0)?;
        if self.scan.settings.wrapped {
            self.member(root, WRAPPER_KEY)
        } else {
            Some(root)
        }
    }

    pub(super) fn find(self, path: &FieldPath) -> Option<Place> {
        let root = self.root()?;
        path.segments()
            .iter()
            .try_fold(root, |place, step| match step {
                Segment::Key(key) => self.member(place, key),
                Segment::Index(index) => self.element(place, *index),
            })
    }

    /// The value with this id, if it has begun to be seen.
    fn at(self, id: u32) -> Option<Place> {
        let node = *self.scan.nodes.get(id as usize)?;
        let seen = if node.tag().is_scalar() {
            node.end() < self.seen
        } else {
            node.start() < self.seen
        };
        seen.then_some(Place { id, node })
    }

    pub(super) const fn is_closed(self, place: Place) -> bool {
        let end = place.node.end();
        end != 0 && end <= self.seen
    }

    /// The members of an object so far, those that may yet become lists included.
    fn members(self, object: Place) -> impl Iterator<Item = Place> {
        let mut next = object.id + 1;
        let end = object.node.next().unwrap_or(u32::MAX);
        std::iter::from_fn(move || {
            let member = self.at(next).filter(|_| next < end)?;
            next = match member.node.next() {
                None if member.tag().is_container() => end,
                None => next + 1,
                Some(after) => after,
            };
            Some(member)
        })
    }

    /// The value of a member. What may yet become a list is none while it is a string.
    fn member(self, object: Place, name: &str) -> Option<Place> {
        if object.tag() != Tag::Object {
            return None;
        }
        let mut members = self.members(object);
        let value = members.find(|member| member.node.is_named(&self.scan.text, name))?;
        (!self.may_be_split(object, value)).then_some(value)
    }

    fn may_be_split(self, object: Place, value: Place) -> bool {
        let mut lists = self.scan.settings.string_lists.iter();
        object.id == 0
            && value.tag() == Tag::String
            && lists.any(|list| value.node.is_named(&self.scan.text, list))
    }

    fn element(self, array: Place, index: usize) -> Option<Place> {
        self.at(*self.list(array).get(index)?)
    }

    fn list(self, array: Place) -> &'s [u32] {
        if array.tag() != Tag::Array {
            return &[];
        }
        let lists = &self.scan.lists;
        let place = lists.binary_search_by_key(&array.id, |(id, _)| *id).ok();
        let list = place.and_then(|place| lists.get(place));
        list.map_or(&[], |(_, elements)| elements)
    }

    /// Elements or members so far.
    pub(super) fn length(self, container: Place) -> usize {
        if container.tag() == Tag::Array {
            let list = self.list(container);
            return list.partition_point(|element| self.at(*element).is_some());
        }
        let members = self.members(container);
        members
            .filter(|member| !self.may_be_split(container, *member))
            .count()
    }

    /// The text of a value as far as it is seen and stands.
    pub(super) fn raw(self, place: Place) -> &'s str {
        let start = place.node.start();
        if self.is_closed(place) {
            return self.slice(start, place.node.end());
        }
        let so_far = self.slice(start, self.seen);
        if place.tag() == Tag::String {
            text::settled(so_far)
        } else {
            so_far
        }
    }

    fn slice(self, start: usize, end: usize) -> &'s str {
        self.scan.text.get(start..end).unwrap_or_default()
    }

    /// The value of a string so far.
    pub(super) fn string(self, place: Place) -> Cow<'s, str> {
        let raw = self.raw(place);
        let inner = raw.strip_prefix('"').unwrap_or(raw);
        if self.is_closed(place) {
            let inner = inner.strip_suffix('"').unwrap_or(inner);
            return text::unescaped(inner, place.node.is_escaped());
        }
        text::unescaped(inner, inner.contains('\\'))
    }

    /// The text of a value with what is open in it closed, for display only.
    pub(super) fn completed(self, place: Place) -> String {
        if self.is_closed(place) {
            return self.raw(place).to_owned();
        }
        let mut closers = Vec::new();
        let mut last = place;
        while !self.is_closed(last) && last.tag().is_container() {
            closers.push(if last.tag() == Tag::Array { ']' } else { '}' });
            let Some(child) = self.last_child(last) else {
                break;
            };
            last = child;
        }
        if last.tag() == Tag::String && !self.is_closed(last) {
            closers.push('"');
        }
        let mut text = self
            .slice(place.node.start(), self.settled_end(last))
            .to_owned();
        text.extend(closers.iter().rev());
        text
    }

    fn last_child(self, container: Place) -> Option<Place> {
        match container.tag() {
            Tag::Array => self.element(container, self.length(container).checked_sub(1)?),
            _ => self.members(container).last(),
        }
    }

    /// Where what stands of the innermost value ends.
    fn settled_end(self, last: Place) -> usize {
        let start = last.node.start();
        if self.is_closed(last) {
            last.node.end()
        } else if last.tag() == Tag::String {
            start + self.raw(last).len()
        } else {
            start + 1
        }
    }

    /// The members of the whole reply that may yet become lists.
    pub(super) fn unsettled(self, place: Place) -> Vec<&'s str> {
        let lists = &self.scan.settings.string_lists;
        let names = lists.iter().map(|name| &**name);
        let hidden = |name: &&str| place.id == 0 && self.member(place, name).is_none();
        names.filter(hidden).collect()
    }
}
