//! One walk over a value: it runs the rules of what was bound, and binds part by
//! part what serde would lose something of or what did not bind whole.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt::Display;

use serde::de::{DeserializeOwned, Visitor};

use super::variants::{Misfit, Reading, Variants};
use super::{Declared, Faults, Findings, Node, PendingCitation, Sink, Types};
use crate::evidence::support::DateOrder;
use crate::failure::{Failure, FailureCode, Layer};
use crate::json::{BindError, BindKind, Cursor, Kind, Members, Rest};
use crate::json::{account::accounted, account::accounted_once};
use crate::path::{At, FieldPath};
use crate::rule::Field;
use crate::schema::BranchAnswers;
use crate::shown::counted;

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
    types: &'w Types,
    date_order: Option<DateOrder>,
    /// While a variant is tried: how often it was refused. No rule runs then.
    trial: Option<usize>,
    /// How badly each reading of an enum fits at a node.
    tried: HashMap<Trial, Misfit>,
    /// What is known of the branches of each untagged enum.
    answers: HashMap<TypeId, BranchAnswers>,
}

/// Nodes of a value that is tried anew each time.
const SMALL: u32 = 4;

/// A reading of an enum that was tried: its type, its node, and where it is
/// flattened, which members others had taken.
type Trial = (TypeId, u32, Reading, Option<Vec<bool>>);

impl<'w, C: ?Sized> Walk<'w, C> {
    pub(crate) fn new(
        context: &'w C,
        findings: &'w mut Findings,
        faults: Option<&'w Faults>,
        types: &'w Types,
    ) -> Self {
        Self {
            context,
            findings,
            faults,
            types,
            date_order: None,
            trial: None,
            tried: HashMap::new(),
            answers: HashMap::new(),
        }
    }

    pub(crate) fn cite(&mut self, cite: PendingCitation) {
        if self.runs_rules() {
            self.findings.cite(cite);
        }
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

    /// Whether what is bound now may become the value.
    pub fn runs_rules(&self) -> bool {
        self.trial.is_none()
    }

    /// Runs the rules of one value on the fields that are there.
    pub fn own<'a, T: Declared>(
        &mut self,
        at: &At<'_>,
        fields: &T::Fields<'a>,
        whole: Option<&'a T>,
        context: &T::Context,
    ) {
        if self.runs_rules() {
            T::run(fields, whole, context, &mut self.sink(at, T::FIELDS));
        }
    }

    /// Where checks of a value at `at` report.
    pub fn sink<'s>(&'s mut self, at: &'s At<'s>, fields: &'static [Field]) -> Sink<'s> {
        Sink {
            at,
            fields,
            findings: self.findings,
        }
    }

    /// Whether no earlier layer failed at or below a value.
    pub(crate) fn trusts(&self, cursor: Cursor<'_>) -> bool {
        self.faults.is_none_or(|faults| faults.spare(cursor))
    }

    /// Whether an earlier layer failed at a value itself.
    fn blames(&self, cursor: Cursor<'_>) -> bool {
        self.faults.is_some_and(|faults| faults.blame(cursor))
    }

    /// Binds and walks the value at `cursor`, or what can be saved of it.
    pub fn probe<T: Node<C>>(&mut self, cursor: Cursor<'_>, at: &At<'_>) -> Option<T> {
        if !self.trusts(cursor) {
            T::assemble(cursor, at, self);
            return None;
        }
        let refused = self.refusals();
        if self.types.assembles::<T>() {
            let value = T::assemble(cursor, at, self);
            if value.is_none() && self.refusals() == refused {
                self.refuse(cursor, at, &unreadable());
            }
            return value;
        }
        match accounted(cursor, |value| T::deserialize(value)) {
            Ok(value) => {
                if self.runs_rules() {
                    value.walk(at, self);
                }
                Some(value)
            }
            Err(error) => {
                let value = T::assemble(cursor, at, self);
                if self.refusals() > refused {
                    return None;
                }
                // Every part was bound by itself.
                if value.is_some() && error.kind() == BindKind::Swallowed {
                    return value;
                }
                self.refuse(cursor, at, &error);
                None
            }
        }
    }

    /// As [`probe`](Self::probe), for a value bound by a function of the user's
    /// (`with`, `deserialize_with`) or marked `#[extract(leaf)]`.
    pub fn probe_with<T>(
        &mut self,
        cursor: Cursor<'_>,
        at: &At<'_>,
        bind: impl for<'c> Fn(Cursor<'c>) -> Result<T, BindError>,
    ) -> Option<T> {
        if !self.trusts(cursor) {
            return None;
        }
        accounted(cursor, bind)
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

    /// As [`probe_element`](Self::probe_element), bound by a function of the
    /// user's.
    pub fn probe_element_with<T>(
        &mut self,
        cursor: Cursor<'_>,
        at: &At<'_>,
        index: usize,
        bind: impl for<'c> Fn(Cursor<'c>) -> Result<T, BindError>,
    ) -> Option<T> {
        self.probe_with(nth(cursor, index)?, &at.index(index), bind)
    }

    /// Refuses the elements of a tuple beyond its places.
    pub fn places(&mut self, cursor: Cursor<'_>, at: &At<'_>, places: usize) {
        if let Some(element) = nth(cursor, places)
            && self.trusts(cursor)
        {
            let error = lost(format!("this list has {}", counted(places, "place")));
            self.refuse(element, &at.index(places), &error);
        }
    }

    /// Assembles a type of named fields from an object of its own.
    pub fn assemble_object<T: Node<C>>(&mut self, cursor: Cursor<'_>, at: &At<'_>) -> Option<T> {
        self.in_object(cursor, at, |members, cx| T::assemble_flat(members, at, cx))
    }

    /// Reads an object of which every member must be taken.
    pub(crate) fn in_object<'c, R>(
        &mut self,
        cursor: Cursor<'c>,
        at: &At<'_>,
        read: impl FnOnce(&Members<'c>, &mut Self) -> Option<R>,
    ) -> Option<R> {
        if cursor.kind() != Kind::Object {
            return None;
        }
        let members = Members::new(cursor, self.trusts(cursor));
        let value = read(&members, self);
        self.settle(&members, at);
        value
    }

    /// Refuses the members that nobody took.
    fn settle(&mut self, members: &Members<'_>, at: &At<'_>) {
        let left = if members.trusted {
            members.first_left()
        } else {
            None
        };
        let Some((key, value)) = left else { return };
        let name = key.as_str().unwrap_or_default();
        let more = match members.count_left() {
            1 => String::new(),
            count => format!(", nor {} here", counted(count - 1, "more key")),
        };
        let error = lost(format!("no field takes this key{more}"));
        self.refuse(value, &at.key(&name), &error);
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
        let name = names.first().copied().unwrap_or_default();
        let value = match (members.take(names), default) {
            (None, Some(make)) => return Some(make()),
            (Some(cursor), _) => return probe(Some(cursor), &at.key(name), self),
            (None, None) => probe(None, at, self),
        };
        value.or_else(|| self.missing(members, &at.key(name)))
    }

    /// As [`member`](Self::member), for a field that the type's own serde
    /// attributes bind.
    pub fn member_with<T>(
        &mut self,
        members: &Members<'_>,
        at: &At<'_>,
        names: &[&str],
        default: Option<fn() -> T>,
        bind: impl for<'c> Fn(Cursor<'c>) -> Result<T, BindError>,
    ) -> Option<T> {
        let name = names.first().copied().unwrap_or_default();
        match (members.take(names), default) {
            (Some(cursor), _) => self.probe_with(cursor, &at.key(name), bind),
            (None, Some(make)) => Some(make()),
            (None, None) => self.missing(members, &at.key(name)),
        }
    }

    /// As [`member`](Self::member), for a field marked `#[extract(leaf)]`, whose
    /// type may be an optional that we cannot see through.
    pub fn member_leaf<T: DeserializeOwned>(
        &mut self,
        members: &Members<'_>,
        at: &At<'_>,
        names: &[&str],
        default: Option<fn() -> T>,
    ) -> Option<T> {
        let make = move || default.map_or_else(|| T::deserialize(Absent).ok(), |make| Some(make()));
        let name = names.first().copied().unwrap_or_default();
        match members.take(names) {
            Some(cursor) => self.probe_with(cursor, &at.key(name), |value| T::deserialize(value)),
            None => make().or_else(|| self.missing(members, &at.key(name))),
        }
    }

    /// Reads a flattened field of a type that the flow cannot look into.
    pub fn flat_with<'m, 'c, T>(
        &mut self,
        members: &'m Members<'c>,
        at: &At<'_>,
        bind: impl FnOnce(Rest<'m, 'c>) -> Result<T, BindError>,
    ) -> Option<T> {
        if !members.trusted {
            return None;
        }
        accounted_once(Rest(members), bind)
            .map_err(|error| self.refuse_among(members, at, &error))
            .ok()
    }

    /// Binds the key of an entry of a map. What an earlier layer says of the
    /// entry is not said again.
    pub(super) fn key<K: DeserializeOwned + 'static>(
        &mut self,
        (key, value): (Cursor<'_>, Cursor<'_>),
        at: &At<'_>,
    ) -> Option<K> {
        let bound = match self.types.key_fault::<K>(key) {
            None => accounted_once(key, Cursor::bind_key::<K>),
            Some(message) => Err(BindError::new(BindKind::Value, message)),
        };
        let refuse = |error: BindError| {
            if !self.blames(value) {
                self.refuse(key, at, &error);
            }
        };
        bound.map_err(refuse).ok()
    }

    /// Refuses what would stand in the place of another, unless an earlier layer
    /// failed at the collection.
    #[cold]
    pub(super) fn refuse_merged(
        &mut self,
        (collection, value): (Cursor<'_>, Cursor<'_>),
        at: &At<'_>,
        what: &str,
    ) {
        if !self.blames(collection) {
            let message = format!("{what} reads as the same value as an earlier one");
            self.refuse(value, at, &lost(message));
        }
    }

    /// Refuses a text that names none of the variants.
    #[cold]
    pub(super) fn refuse_unknown(&mut self, name: Cursor<'_>, at: &At<'_>, known: &[&str]) {
        let message = format!("must be one of {}", known.join(", "));
        self.refuse(name, at, &BindError::new(BindKind::Unknown, message));
    }

    /// Refuses a value that a conversion of the user's did not take.
    #[cold]
    pub(super) fn refuse_conversion(
        &mut self,
        value: Option<Cursor<'_>>,
        at: &At<'_>,
        why: impl Display,
    ) {
        let error = BindError::new(BindKind::Value, why.to_string());
        match value {
            Some(cursor) => self.refuse(cursor, at, &error),
            None => self.refuse_unplaced(at, &error),
        }
    }

    /// Refuses some of the members of an object.
    #[cold]
    fn refuse_among(&mut self, members: &Members<'_>, at: &At<'_>, error: &BindError) {
        match error.node() {
            Some(_) => self.refuse(members.object(), at, error),
            None => self.refuse_unplaced(at, error),
        }
    }

    /// Refuses what has no value of its own: its members stand among others,
    /// which are not quoted.
    #[cold]
    fn refuse_unplaced(&mut self, at: &At<'_>, error: &BindError) {
        if !self.counts_refusal() {
            let failure = || Failure::new(Layer::Bind, code(error), at.to_path(), error.message());
            self.findings.fail(failure);
        }
    }

    /// Says that a key is missing, unless an earlier layer did.
    #[cold]
    pub(super) fn missing<T>(&mut self, members: &Members<'_>, at: &At<'_>) -> Option<T> {
        if members.trusted && !self.counts_refusal() {
            let message = "this key is required and missing";
            let code = FailureCode::new("bind.required");
            self.findings
                .fail(|| Failure::new(Layer::Bind, code, at.to_path(), message));
        }
        None
    }

    /// How often a part was refused so far.
    fn refusals(&self) -> usize {
        self.trial.unwrap_or(self.findings.refused)
    }

    /// Counts a refusal; whether that is all, since a variant is only tried.
    fn counts_refusal(&mut self) -> bool {
        match &mut self.trial {
            Some(count) => *count += 1,
            None => self.findings.refused += 1,
        }
        self.trial.is_some()
    }

    #[cold]
    fn refuse(&mut self, cursor: Cursor<'_>, at: &At<'_>, error: &BindError) {
        if !self.counts_refusal() {
            self.findings
                .fail(|| bind_failure(cursor, &at.to_path(), error));
        }
    }

    /// Whether a variant is being tried, so that nothing but its value is wanted.
    pub(super) fn tries_only(&self) -> bool {
        self.trial.is_some()
    }

    /// Whether a value has the form that a reading of the enum `T` asks for.
    pub(super) fn admits<T: Variants<C>>(
        &mut self,
        reading: Reading,
        flat: bool,
        value: Cursor<'_>,
    ) -> bool {
        let answers = self.answers.entry(TypeId::of::<T>()).or_default();
        self.types.admits::<T, C>(reading, flat, value, answers)
    }

    /// How badly a reading of the enum `T` fits at a node: found once, by binding
    /// it without running a rule or noting a failure. What was refused on the way
    /// is added to what `read` says.
    pub(super) fn tries<T: 'static>(
        &mut self,
        (cursor, taken): (Cursor<'_>, Option<Vec<bool>>),
        reading: Reading,
        read: impl FnOnce(&mut Self) -> Misfit,
    ) -> Misfit {
        let key = (TypeId::of::<T>(), cursor.id(), reading, taken);
        // What holds next to nothing is found again sooner than it is looked up.
        let kept = cursor.after() - cursor.id() > SMALL;
        if let Some(known) = self.tried.get(&key).filter(|_| kept) {
            return *known;
        }
        let outer = self.trial.replace(0);
        let mut misfit = read(self);
        let refused = std::mem::replace(&mut self.trial, outer).unwrap_or(0);
        misfit.refused = misfit.refused.max(refused);
        if kept {
            self.tried.insert(key, misfit);
        }
        misfit
    }
}

fn nth(cursor: Cursor<'_>, index: usize) -> Option<Cursor<'_>> {
    (cursor.kind() == Kind::Array)
        .then(|| cursor.elements().nth(index))
        .flatten()
}

fn lost(message: String) -> BindError {
    BindError::new(BindKind::Lost, message)
}

/// A part of a type did not bind, and no place could be named.
fn unreadable() -> BindError {
    BindError::new(BindKind::Value, "this is no form of its type".to_owned())
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

/// The failure that serde's refusal at or below `cursor` amounts to.
pub(crate) fn bind_failure(cursor: Cursor<'_>, path: &FieldPath, error: &BindError) -> Failure {
    // An error that nobody placed arose at the value itself.
    let node = error.node().unwrap_or(cursor.id());
    let found = cursor.at(node).shown();
    let place = path.join(&cursor.path_below(node));
    Failure::new(Layer::Bind, code(error), place, error.message()).with_found(found)
}

fn code(error: &BindError) -> FailureCode {
    FailureCode::new(match error.kind() {
        BindKind::Type => "bind.type",
        BindKind::Range => "bind.range",
        BindKind::Required => "bind.required",
        BindKind::Unknown => "bind.unknown",
        BindKind::Value => "bind.value",
        BindKind::Lost | BindKind::Swallowed => "bind.lost",
    })
}
