//! What the flow asks of a type: walk a bound value and run its rules, or, when
//! the reply is broken somewhere, bind and check the parts that are not.

use std::any::TypeId;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, OnceLock};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Visitor};
use serde_json::Value;

use crate::checks::Place;
use crate::cited::Located;
use crate::evidence::support::{DateOrder, ShownAs};
use crate::failure::{Code, Failure, Layer};
use crate::flow::tape::{BindError, BindKind, Cursor, Kind};
use crate::path::{At, Path};
use crate::rule::{Field, Outcome, Rule, RuleInfo, RuleKind, Violation};

/// A type that the flow can look into. Derived by
/// [`Extract`](macro@crate::Extract), implemented for the field types of std
/// and of the crates behind features.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of an `Extract` type",
    label = "not known to `Extract`",
    note = "derive `Extract` for `{Self}`, or mark the field `#[extract(leaf)]` if it holds no rules of its own",
    note = "if the rules of `{Self}` read a context, declare the same one here: `#[extract(context = ..)]`"
)]
pub trait Node<C: ?Sized>: DeserializeOwned + JsonSchema + 'static {
    /// Whether a walk over a value of this type can find anything.
    const WALKS: bool = false;

    /// What documents show the variants of an enum as, by wire name.
    const SHOWN_AS: ShownAs = &[];

    /// Runs the rules of a bound value and of all below it.
    fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
        let _ = (at, cx);
    }

    /// Binds and walks what stands under a key, or what an absent key stands
    /// for.
    fn probe(found: Option<Cursor<'_>>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
        match found {
            Some(cursor) => cx.probe(cursor, at),
            None => Self::absent(),
        }
    }

    /// Binds and checks what can be saved of a value that did not bind whole.
    fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
        let _ = (cursor, at, cx);
    }

    /// The same for a flattened field, whose keys stand among its parent's.
    fn probe_flat(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
        let _ = (cursor, at, cx);
    }

    /// The value that an absent key stands for.
    fn absent() -> Option<Self> {
        None
    }

    /// Lists the rules of this type and of all below it.
    fn describe(cx: &mut Describe) {
        let _ = cx;
    }

    /// The schema of the group of keys that a flattened optional stands for:
    /// all of them or none.
    fn optional_group(generator: &mut SchemaGenerator) -> Option<Schema> {
        let _ = generator;
        None
    }
}

/// What the macros write down of a type beside [`Node`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has rules but does not derive `Extract`",
    label = "not an `Extract` type",
    note = "write `#[derive(Extract)]` on `{Self}`"
)]
pub trait Declared: Sized {
    /// References to the fields, each there or not.
    type Fields<'a>
    where
        Self: 'a;
    /// The context that the type's rules read; `()` where they read none.
    type Context: ?Sized;
    /// The fields in declared order.
    const FIELDS: &'static [Field];
    /// The rules written as attributes.
    const RULES: &'static [RuleInfo] = &[];
    /// The checks of `#[validate(..)]` that no schema keyword says.
    const CHECKS: &'static [RuleInfo] = &[];

    /// Runs the rules and checks whose fields are there.
    fn run<'a>(
        fields: &Self::Fields<'a>,
        whole: Option<&'a Self>,
        context: &Self::Context,
        sink: &mut Sink<'_>,
    ) {
        let _ = (fields, whole, context, sink);
    }
}

/// Stands for the missing `#[rules]` block: an inherent function of the same
/// name is preferred over this one.
#[doc(hidden)]
pub trait NoRules: Declared + Sized {
    fn __extract_rules<'a>(
        fields: &Self::Fields<'a>,
        whole: Option<&'a Self>,
        context: &Self::Context,
        rules: &mut Sink<'_>,
    ) {
        let _ = (fields, whole, context, rules);
    }

    fn __extract_rule_infos() -> &'static [RuleInfo] {
        &[]
    }
}

impl<T: Declared> NoRules for T {}

/// Names the context type that a rule's parameter wants.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this rule reads a `{T}`, but its type declares the context `{Self}`",
    label = "not the declared context",
    note = "write `#[extract(context = {T})]` on the type"
)]
pub trait ContextIs<T: ?Sized> {
    fn as_context(&self) -> &T;
}

impl<T: ?Sized> ContextIs<T> for T {
    fn as_context(&self) -> &T {
        self
    }
}

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

/// Says in an object's schema that the keys of a flattened optional come
/// together: each of them asks for those that the group requires.
pub fn require_group(schema: &mut Schema, group: Option<&Schema>) {
    let Some(group) = group else { return };
    let words = |key: &str| group.get(key).cloned();
    let (Some(Value::Object(properties)), Some(Value::Array(required))) =
        (words("properties"), words("required"))
    else {
        return;
    };
    let dependent = schema
        .ensure_object()
        .entry("dependentRequired")
        .or_insert_with(|| Value::Object(serde_json::Map::new()));
    let Value::Object(dependent) = dependent else {
        return;
    };
    for key in properties.into_iter().map(|(key, _)| key) {
        let others = required.iter().filter(|one| **one != key).cloned();
        dependent.insert(key.clone(), others.collect());
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

/// Where the rules of one value report.
#[doc(hidden)]
#[derive(Debug)]
pub struct Sink<'s> {
    at: &'s At<'s>,
    fields: &'static [Field],
    findings: &'s mut Findings,
}

impl Sink<'_> {
    /// Reports what a rule returned.
    #[inline]
    pub fn outcome(&mut self, info: &'static RuleInfo, outcome: impl Outcome) {
        for violation in outcome.violations(info.sentence) {
            self.report(info, violation);
        }
    }

    /// How much has been found so far.
    pub fn count(&self) -> usize {
        self.findings.failures.len()
    }

    /// Reports a failed check of the validator crate as a rule named `code`.
    #[cold]
    pub(crate) fn invalid(&mut self, place: Place, code: Cow<'static, str>, message: String) {
        let path = self.at.to_path();
        let path = match place {
            Place::Here => path,
            Place::Key(key) => path.key(key),
            Place::Index(index) => path.index(index),
        };
        self.findings
            .failures
            .push(Failure::new(Layer::Rule, Code::new("rule"), path, message).with_rule(code));
    }

    #[cold]
    fn report(&mut self, info: &'static RuleInfo, violation: Violation) {
        let base = self.at.to_path();
        let mut places = info
            .fields
            .iter()
            .filter_map(|rust| Field::find(self.fields, rust)?.wire)
            .map(|wire| base.clone().key(wire));
        let first = places.next().unwrap_or_else(|| base.clone());
        let related = places.collect();
        let (message, place) = violation.into_parts();
        let path = place.map_or(first, |place| base.join(&place));
        let (layer, code) = match info.kind {
            RuleKind::Policy => (Layer::Policy, Code::new("policy")),
            RuleKind::Rule | RuleKind::Check => (Layer::Rule, Code::new("rule")),
        };
        let failure = Failure::new(layer, code, path, message)
            .with_rule(info.name)
            .with_related(related);
        match info.kind {
            RuleKind::Check => self.findings.warnings.push(failure),
            RuleKind::Rule | RuleKind::Policy => self.findings.failures.push(failure),
        }
    }
}

/// The rules of a type and of all below it, gathered once per type.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Describe {
    pub(crate) rules: Vec<DescribedRule>,
    pub(crate) unsupported: Vec<(Path, &'static str)>,
    path: Vec<String>,
    seen: HashSet<TypeId>,
    /// Inside a shape that serde buffers, where wide integers are lost.
    buffered: bool,
}

/// A rule and where its type stands, such as `lines[]`.
#[derive(Debug)]
pub(crate) struct DescribedRule {
    pub(crate) place: String,
    pub(crate) rule: Rule,
}

impl Describe {
    /// Lists a type's own rules, then what `below` lists; a type inside itself
    /// is listed once.
    pub fn node<T: Declared + 'static>(
        &mut self,
        block: &'static [RuleInfo],
        below: impl FnOnce(&mut Self),
    ) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        for infos in [T::RULES, block, T::CHECKS] {
            self.list(infos, T::FIELDS);
        }
        below(self);
        self.seen.remove(&TypeId::of::<T>());
    }

    /// Lists rules that stand here.
    pub fn list(&mut self, infos: &'static [RuleInfo], fields: &'static [Field]) {
        let place = self.path.concat();
        for info in infos {
            self.rules.push(DescribedRule {
                place: place.clone(),
                rule: Rule::new(info, fields),
            });
        }
    }

    /// Describes what serde reads through a buffer: the content of an untagged
    /// or internally tagged enum.
    pub fn buffer(&mut self, below: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.buffered, true);
        below(self);
        self.buffered = outer;
    }

    /// Describes a field.
    pub fn field(&mut self, key: &str, below: fn(&mut Self)) {
        self.under(key, below);
    }

    /// Describes a field whose keys stand among its parent's.
    pub fn flat(&mut self, below: fn(&mut Self)) {
        self.buffer(below);
    }

    /// Describes an element of a tuple.
    pub fn element(&mut self, index: usize, below: fn(&mut Self)) {
        self.step(format!("[{index}]"), below);
    }

    /// Describes the content of a variant under `key`.
    pub fn under(&mut self, key: &str, below: impl FnOnce(&mut Self)) {
        let dot = if self.path.is_empty() { "" } else { "." };
        self.step(format!("{dot}{key}"), below);
    }

    fn step(&mut self, step: String, below: impl FnOnce(&mut Self)) {
        self.path.push(step);
        below(self);
        self.path.pop();
    }

    fn wide_integer(&mut self, name: &'static str) {
        if self.buffered {
            let path = std::iter::once(self.path.concat()).fold(Path::root(), Path::key);
            self.unsupported.push((path, name));
        }
    }
}

/// Field types that hold nothing of ours.
macro_rules! leaves {
    ($($(#[$attribute:meta])* $type:ty),* $(,)?) => {
        $($(#[$attribute])* impl<C: ?Sized> Node<C> for $type {})*
    };
}

leaves!(
    bool, char, String, Box<str>, f32, f64, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, (),
    Value,
    std::path::PathBuf,
    std::num::NonZeroU8, std::num::NonZeroU16, std::num::NonZeroU32, std::num::NonZeroU64,
    std::net::IpAddr, std::net::Ipv4Addr, std::net::Ipv6Addr,
    #[cfg(feature = "chrono")] chrono::NaiveDate,
    #[cfg(feature = "chrono")] chrono::NaiveTime,
    #[cfg(feature = "chrono")] chrono::NaiveDateTime,
    #[cfg(feature = "chrono")] chrono::DateTime<chrono::Utc>,
    #[cfg(feature = "chrono")] chrono::DateTime<chrono::FixedOffset>,
    #[cfg(feature = "rust_decimal")] rust_decimal::Decimal,
);

macro_rules! wide {
    ($($type:ty),*) => {
        $(impl<C: ?Sized> Node<C> for $type {
            fn describe(cx: &mut Describe) {
                cx.wide_integer(stringify!($type));
            }
        })*
    };
}

wide!(i128, u128);

impl<C: ?Sized, T: Node<C>> Node<C> for Option<T> {
    const WALKS: bool = T::WALKS;
    const SHOWN_AS: ShownAs = T::SHOWN_AS;

    fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
        if let Some(value) = self {
            value.walk(at, cx);
        }
    }

    fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
        if cursor.kind() != Kind::Null {
            T::probe_parts(cursor, at, cx);
        }
    }

    fn probe_flat(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
        T::probe_flat(cursor, at, cx);
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn describe(cx: &mut Describe) {
        T::describe(cx);
    }

    fn optional_group(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::json_schema(generator))
    }
}

impl<C: ?Sized, T: Node<C>> Node<C> for Box<T> {
    const WALKS: bool = T::WALKS;
    const SHOWN_AS: ShownAs = T::SHOWN_AS;

    fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
        T::walk(self, at, cx);
    }

    fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
        T::probe_parts(cursor, at, cx);
    }

    fn probe_flat(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
        T::probe_flat(cursor, at, cx);
    }

    fn absent() -> Option<Self> {
        T::absent().map(Box::new)
    }

    fn describe(cx: &mut Describe) {
        T::describe(cx);
    }

    fn optional_group(generator: &mut SchemaGenerator) -> Option<Schema> {
        T::optional_group(generator)
    }
}

/// Walks the elements of a sequence.
fn walk_all<'v, C: ?Sized, T: Node<C>>(
    values: impl IntoIterator<Item = &'v T>,
    at: &At<'_>,
    cx: &mut Walk<'_, C>,
) {
    if T::WALKS {
        for (index, value) in values.into_iter().enumerate() {
            value.walk(&at.index(index), cx);
        }
    }
}

/// Probes the elements of an array on the tape.
fn probe_all<C: ?Sized, T: Node<C>>(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
    if cursor.kind() == Kind::Array {
        for (index, element) in cursor.elements().enumerate() {
            cx.probe::<T>(element, &at.index(index));
        }
    }
}

macro_rules! sequences {
    ($($type:ty where [$($bound:tt)*];)*) => {
        $(impl<C: ?Sized, T: Node<C> + $($bound)*> Node<C> for $type {
            const WALKS: bool = T::WALKS;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                walk_all(self, at, cx);
            }

            fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
                probe_all::<C, T>(cursor, at, cx);
            }

            fn describe(cx: &mut Describe) {
                cx.step("[]".to_owned(), T::describe);
            }
        })*
    };
}

sequences!(
    Vec<T> where [Sized];
    std::collections::VecDeque<T> where [Sized];
    std::collections::BTreeSet<T> where [Ord];
    HashSet<T> where [Eq + Hash];
);

macro_rules! arrays {
    ($($size:literal)*) => {
        $(impl<C: ?Sized, T: Node<C>> Node<C> for [T; $size] {
            const WALKS: bool = T::WALKS;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                walk_all(self, at, cx);
            }

            fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
                probe_all::<C, T>(cursor, at, cx);
            }

            fn describe(cx: &mut Describe) {
                cx.step("[]".to_owned(), T::describe);
            }
        })*
    };
}

// The sizes that serde and schemars both know.
arrays!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);

macro_rules! maps {
    ($($type:ty where [$($bound:tt)*];)*) => {
        $(impl<C: ?Sized, K, T: Node<C>> Node<C> for $type
        where
            K: DeserializeOwned + JsonSchema + ToString + 'static + $($bound)*
        {
            const WALKS: bool = T::WALKS;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                if T::WALKS {
                    for (key, value) in self {
                        value.walk(&at.key(&key.to_string()), cx);
                    }
                }
            }

            fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
                if cursor.kind() == Kind::Object {
                    for (key, value) in cursor.members() {
                        cx.probe::<T>(value, &at.key(&key));
                    }
                }
            }

            fn describe(cx: &mut Describe) {
                cx.step(".*".to_owned(), T::describe);
            }
        })*
    };
}

maps!(
    HashMap<K, T> where [Eq + Hash];
    BTreeMap<K, T> where [Ord];
);

/// Tuples hold one value a place.
macro_rules! tuples {
    ($(($($name:ident $place:tt)+))*) => {
        $(impl<C: ?Sized, $($name: Node<C>),+> Node<C> for ($($name,)+) {
            const WALKS: bool = $($name::WALKS)||+;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                $(if $name::WALKS { self.$place.walk(&at.index($place), cx); })+
            }

            fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
                if cursor.kind() == Kind::Array {
                    let mut elements = cursor.elements();
                    $(if let Some(element) = elements.next() {
                        cx.probe::<$name>(element, &at.index($place));
                    })+
                }
            }

            fn describe(cx: &mut Describe) {
                $(cx.step(format!("[{}]", $place), $name::describe);)+
            }
        })*
    };
}

tuples!((A 0) (A 0 B 1) (A 0 B 1 D 2) (A 0 B 1 D 2 E 3));
