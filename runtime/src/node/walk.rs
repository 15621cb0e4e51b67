//! One walk over a value: what it has found, and what can be saved of a value
//! that did not bind whole.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use serde::de::{DeserializeOwned, Visitor};

use super::{Declared, Node, Sink};
use crate::cited::Located;
use crate::evidence::support::{DateOrder, ShownAs};
use crate::failure::{Code, Failure, Layer};
use crate::flow::tape::{BindError, BindKind, Cursor, Kind};
use crate::path::{At, Path};
use crate::rule::Field;

/// Where failures and warnings are gathered.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Findings {
    pub(crate) failures: Vec<Failure>,
    pub(crate) warnings: Vec<Failure>,
    /// What cites the document.
    pub(crate) citations: Vec<Cite>,
    /// How many more failures there are.
    pub(crate) omitted: usize,
    /// Bytes that the places of failures take.
    pub(crate) places: usize,
}

/// How many failures of rules are spelled out beside those of earlier layers.
const SPELLED_OUT: usize = 1_000;

/// Bytes that their places may take, since each spells out all keys above it.
const PLACES: usize = 1 << 18;

impl Findings {
    /// Adds a failure; one that is not spelled out is not made either.
    pub(super) fn fail(&mut self, make: impl FnOnce() -> Failure) {
        if self.failures.len() >= SPELLED_OUT || self.places > PLACES {
            self.omitted += 1;
            return;
        }
        let failure = make();
        let places = std::iter::once(failure.path()).chain(failure.related());
        self.places += places.map(Path::bytes).sum::<usize>();
        self.failures.push(failure);
    }
}

/// A quotation in a value, to be looked up in the document.
#[derive(Debug)]
pub(crate) struct Cite {
    /// Where the value stands.
    pub(crate) path: Path,
    /// The same on the tape, where the value was read straight from it.
    pub(crate) node: Option<u32>,
    pub(crate) quote: String,
    /// The document that is said to be quoted.
    pub(crate) source: Option<String>,
    pub(crate) shown_as: ShownAs,
    pub(crate) date_order: Option<DateOrder>,
    /// Where the place is told; nothing for a text that is its own quotation.
    pub(crate) place: Option<Arc<OnceLock<Located>>>,
}

/// Which values of a broken reply cannot be trusted.
#[derive(Debug)]
pub(crate) struct Faults {
    /// Node ids at which an earlier layer failed, sorted.
    nodes: Vec<u32>,
}

impl Faults {
    pub(crate) fn new(mut nodes: Vec<u32>) -> Self {
        nodes.sort_unstable();
        nodes.dedup();
        Self { nodes }
    }

    /// Whether nothing failed at or below `cursor`.
    fn spare(&self, cursor: Cursor<'_>) -> bool {
        let first = self.nodes.partition_point(|node| *node < cursor.id());
        self.nodes
            .get(first)
            .is_none_or(|node| *node >= cursor.after())
    }
}

/// [`Node::probe`] of a field's type. Expanded code hands it over as a path, so
/// that a type which is no node is one error at the field, not one for each
/// method that wants it.
type Probe<'w, C, T> = fn(Option<Cursor<'_>>, &At<'_>, &mut Walk<'w, C>) -> Option<T>;

/// One walk over a value: its context and what it has found.
#[doc(hidden)]
#[derive(Debug)]
pub struct Walk<'w, C: ?Sized> {
    context: &'w C,
    findings: &'w mut Findings,
    faults: Option<&'w Faults>,
    date_order: Option<DateOrder>,
}

impl<'w, C: ?Sized> Walk<'w, C> {
    pub(crate) fn new(
        context: &'w C,
        findings: &'w mut Findings,
        faults: Option<&'w Faults>,
    ) -> Self {
        Self {
            context,
            findings,
            faults,
            date_order: None,
        }
    }

    pub(crate) fn cite(&mut self, cite: Cite) {
        self.findings.citations.push(cite);
    }

    pub(crate) fn date_order(&self) -> Option<DateOrder> {
        self.date_order
    }

    /// Sets the order of dates for what is walked next; gives the one before.
    pub fn set_date_order(&mut self, order: Option<DateOrder>) -> Option<DateOrder> {
        std::mem::replace(&mut self.date_order, order)
    }

    pub fn context(&self) -> &'w C {
        self.context
    }

    /// Runs the rules of one value on the fields that are there.
    pub fn own<'a, T: Declared>(
        &mut self,
        at: &At<'_>,
        fields: &T::Fields<'a>,
        whole: Option<&'a T>,
        context: &T::Context,
    ) {
        T::run(fields, whole, context, &mut self.sink(at, T::FIELDS));
    }

    /// Where checks of a value at `at` report.
    pub fn sink<'s>(&'s mut self, at: &'s At<'s>, fields: &'static [Field]) -> Sink<'s> {
        Sink {
            at,
            fields,
            findings: self.findings,
        }
    }

    fn trusts(&self, cursor: Cursor<'_>) -> bool {
        self.faults.is_none_or(|faults| faults.spare(cursor))
    }

    /// Binds and walks the value at `cursor`, or what can be saved of it.
    pub fn probe<T: Node<C>>(&mut self, cursor: Cursor<'_>, at: &At<'_>) -> Option<T> {
        if !self.trusts(cursor) {
            T::probe_parts(cursor, at, self);
            return None;
        }
        match T::deserialize(cursor) {
            Ok(value) => {
                value.walk(at, self);
                Some(value)
            }
            Err(error) => {
                let known = self.findings.failures.len();
                T::probe_parts(cursor, at, self);
                if !self.refused_since(known) {
                    self.refuse(cursor, at, &error);
                }
                None
            }
        }
    }

    /// The same for a value bound by a function of the user's (`with`,
    /// `deserialize_with`) or marked `#[extract(leaf)]`.
    pub fn probe_with<'c, T>(
        &mut self,
        cursor: Cursor<'c>,
        at: &At<'_>,
        bind: impl FnOnce(Cursor<'c>) -> Result<T, BindError>,
    ) -> Option<T> {
        if !self.trusts(cursor) {
            return None;
        }
        bind(cursor)
            .map_err(|error| self.refuse(cursor, at, &error))
            .ok()
    }

    /// Probes the element at `index`, as many as there are.
    pub fn probe_element<T>(
        &mut self,
        cursor: Cursor<'_>,
        at: &At<'_>,
        index: usize,
        probe: Probe<'w, C, T>,
    ) -> Option<T> {
        probe(Some(nth(cursor, index)?), &at.index(index), self)
    }

    /// The same for an element bound by a function of the user's.
    pub fn probe_element_with<'c, T>(
        &mut self,
        cursor: Cursor<'c>,
        at: &At<'_>,
        index: usize,
        bind: impl FnOnce(Cursor<'c>) -> Result<T, BindError>,
    ) -> Option<T> {
        self.probe_with(nth(cursor, index)?, &at.index(index), bind)
    }

    /// Opens an object to probe its fields by name.
    pub fn object<'c>(&self, cursor: Cursor<'c>) -> Option<Members<'c>> {
        (cursor.kind() == Kind::Object).then_some(Members { cursor })
    }

    /// Probes one field: what its key holds, or what an absent key stands for.
    pub fn member<T>(
        &mut self,
        members: &Members<'_>,
        at: &At<'_>,
        names: &[&str],
        default: Option<fn() -> T>,
        probe: Probe<'w, C, T>,
    ) -> Option<T> {
        let found = members.find(names);
        match (found, default) {
            (None, Some(make)) => Some(make()),
            (Some((cursor, name)), _) => probe(Some(cursor), &at.key(name), self),
            (None, None) => probe(None, at, self),
        }
    }

    /// The same for a field that the type's own serde attributes bind.
    pub fn member_with<'c, T>(
        &mut self,
        members: &Members<'c>,
        at: &At<'_>,
        names: &[&str],
        default: Option<fn() -> T>,
        bind: impl FnOnce(Cursor<'c>) -> Result<T, BindError>,
    ) -> Option<T> {
        match members.find(names) {
            Some((cursor, name)) => self.probe_with(cursor, &at.key(name), bind),
            None => default.map(|make| make()),
        }
    }

    /// The same for a field marked `#[extract(leaf)]`, whose type may be an
    /// optional that we cannot see through.
    pub fn member_leaf<T: DeserializeOwned>(
        &mut self,
        members: &Members<'_>,
        at: &At<'_>,
        names: &[&str],
        default: Option<fn() -> T>,
    ) -> Option<T> {
        match members.find(names) {
            Some((cursor, name)) => self.probe_with(cursor, &at.key(name), T::deserialize),
            None => default.map_or_else(|| T::deserialize(Absent).ok(), |make| Some(make())),
        }
    }

    /// Whether a part did not bind among what was found after the first `known`.
    fn refused_since(&self, known: usize) -> bool {
        let mut new = self.findings.failures.iter().skip(known);
        new.any(|failure| failure.layer() == Layer::Bind)
    }

    fn refuse(&mut self, cursor: Cursor<'_>, at: &At<'_>, error: &BindError) {
        self.findings
            .failures
            .push(bind_failure(cursor, &at.to_path(), error));
    }
}

fn nth(cursor: Cursor<'_>, index: usize) -> Option<Cursor<'_>> {
    (cursor.kind() == Kind::Array)
        .then(|| cursor.elements().nth(index))
        .flatten()
}

/// The variant that an externally tagged enum has at `cursor`, and its content.
pub fn external(cursor: Cursor<'_>) -> Option<(Cow<'_, str>, Cursor<'_>)> {
    let mut members = (cursor.kind() == Kind::Object).then(|| cursor.members())?;
    members.next().filter(|_| members.next().is_none())
}

/// The variant that an internally tagged enum has at `cursor`; its content
/// stands beside the tag.
pub fn internal<'c>(cursor: Cursor<'c>, tag: &str) -> Option<(Cow<'c, str>, Cursor<'c>)> {
    let tag = (cursor.kind() == Kind::Object).then(|| cursor.get(tag))??;
    Some((tag.as_str()?, cursor))
}

/// The variant that an adjacently tagged enum has at `cursor`, and its content.
pub fn adjacent<'c>(
    cursor: Cursor<'c>,
    tag: &str,
    content: &str,
) -> Option<(Cow<'c, str>, Cursor<'c>)> {
    let (tag, cursor) = internal(cursor, tag)?;
    Some((tag, cursor.get(content)?))
}

/// What serde makes of an absent key: an optional is `None`, all else is
/// missing.
struct Absent;

impl<'de> serde::Deserializer<'de> for Absent {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(serde::de::Error::missing_field("field"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The members of an object on the tape, by field.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Members<'c> {
    cursor: Cursor<'c>,
}

impl<'c> Members<'c> {
    /// What stands under the wire name or an alias, and the name it is shown
    /// under: the first.
    fn find<'n>(self, names: &[&'n str]) -> Option<(Cursor<'c>, &'n str)> {
        let first = names.first()?;
        let cursor = names.iter().find_map(|name| self.cursor.get(name))?;
        Some((cursor, first))
    }
}

/// The failure that serde's refusal at or below `cursor` amounts to.
pub(crate) fn bind_failure(cursor: Cursor<'_>, path: &Path, error: &BindError) -> Failure {
    let code = match error.kind() {
        BindKind::Type => "bind.type",
        BindKind::Range => "bind.range",
        BindKind::Required => "bind.required",
        BindKind::Unknown => "bind.unknown",
        BindKind::Value => "bind.value",
    };
    let found = cursor.at(error.node()).shown();
    let place = path.join(&cursor.path_below(error.node()));
    Failure::new(Layer::Bind, Code::new(code), place, error.message()).with_found(found)
}
