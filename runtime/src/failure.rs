//! A failure is data; whoever shows it (a person, a program, a model) reads the
//! same one.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Range};

use serde::{Deserialize, Serialize};

use crate::path::FieldPath;
pub use crate::path::Segment;
use crate::shown::line;

/// The part of the flow that found a failure, in the order in which they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Layer {
    /// The model did not end its reply by itself.
    Finish,
    /// The reply is not one strict JSON value.
    Parse,
    /// The value does not match the JSON Schema.
    Schema,
    /// The value matches the schema but the Rust type refuses it.
    Bind,
    /// A rule of the type is broken.
    Rule,
    /// The document does not bear out what a reply says of it.
    Support,
    /// A rule about authority is broken.
    Policy,
    /// A repair lost what was right before, or a patch could not be applied.
    Repair,
}

impl Layer {
    /// The stable word for this layer.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Finish => "finish",
            Self::Parse => "parse",
            Self::Schema => "schema",
            Self::Bind => "bind",
            Self::Rule => "rule",
            Self::Support => "support",
            Self::Policy => "policy",
            Self::Repair => "repair",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The stable word for a kind of failure, such as `schema.required`.
///
/// The part before the dot names the layer or the step that found it:
///
/// | begins with | says that |
/// |---|---|
/// | `parse`, `text`, `shape` | the reply is not one sound JSON value, holds a control character that the document lacks, or is the schema itself |
/// | `schema` | a keyword of the schema does not hold: `type`, `required`, `additional`, `enum`, `format`, `range`, `length`, `pattern`, … |
/// | `bind` | the value does not become the Rust type: `type`, `range`, `required`, `unknown`, `value`; or `bind.lost`, it would not hold all that the reply says |
/// | `rule`, `policy` | a rule is broken; `rule.panicked` and `bind.panicked`, code of the caller's panicked |
/// | `support` | the document does not bear out a citation |
/// | `repair` | a repair lost what was right (`repair.regression`), or a patch could not be applied |
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FailureCode(Cow<'static, str>);

impl FailureCode {
    pub(crate) const fn new(word: &'static str) -> Self {
        Self(Cow::Borrowed(word))
    }

    /// A word of a stored record, which another version may have written.
    pub(crate) const fn read(word: Cow<'static, str>) -> Self {
        Self(word)
    }

    /// The word itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FailureCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for FailureCode {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for FailureCode {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// One thing that is wrong with a reply: where, what was found, what was
/// expected.
///
/// Its `Display` is the line that a reviewer reads: it may quote the reply, each
/// part bounded and on one line. Its `Debug` shows only the kind and the place,
/// with `*` for a key that the schema does not name, so that neither a document
/// nor a reply reaches a log by accident.
#[derive(Clone)]
pub struct Failure {
    layer: Layer,
    code: FailureCode,
    path: FieldPath,
    rule: Option<Cow<'static, str>>,
    related: Vec<FieldPath>,
    message: String,
    found: Option<String>,
    spans: Vec<Range<usize>>,
    /// The place with `*` for the keys that no schema names; nothing where nobody
    /// has compared it with a schema.
    declared: Option<FieldPath>,
}

/// Equal where all that a caller can ask of them is.
impl PartialEq for Failure {
    fn eq(&self, other: &Self) -> bool {
        let said = |one: &Self| (one.layer, one.found.clone(), one.spans.clone());
        said(self) == said(other)
            && self.code == other.code
            && self.path == other.path
            && self.rule == other.rule
            && self.related == other.related
            && self.message == other.message
    }
}

impl Eq for Failure {}

impl Failure {
    pub(crate) fn new(
        layer: Layer,
        code: FailureCode,
        path: FieldPath,
        message: impl Into<String>,
    ) -> Self {
        Self {
            layer,
            code,
            path,
            rule: None,
            related: Vec::new(),
            message: message.into(),
            found: None,
            spans: Vec::new(),
            declared: None,
        }
    }

    /// Notes which keys of the place a schema names.
    pub(crate) fn declare(&mut self, is_named: impl Fn(&str) -> bool) {
        self.declared = Some(self.path.masked(is_named));
    }

    /// The place without a key that no schema names.
    pub(crate) fn declared_path(&self) -> FieldPath {
        let declared = self.declared.clone();
        declared.unwrap_or_else(|| self.path.masked(|_| false))
    }

    pub(crate) fn with_rule(mut self, rule: impl Into<Cow<'static, str>>) -> Self {
        self.rule = Some(rule.into());
        self
    }

    pub(crate) fn with_related(mut self, related: Vec<FieldPath>) -> Self {
        self.related = related;
        self
    }

    pub(crate) fn with_found(mut self, found: Option<String>) -> Self {
        self.found = found;
        self
    }

    pub(crate) fn with_spans(mut self, spans: Vec<Range<usize>>) -> Self {
        self.spans = spans;
        self
    }

    /// Says more of the failure.
    pub(crate) fn add(&mut self, more: &str) {
        self.message.push_str(more);
    }

    pub(crate) fn quote(&mut self, found: String) {
        self.found.get_or_insert(found);
    }

    pub(crate) fn map_paths(mut self, map: impl Fn(FieldPath) -> FieldPath) -> Self {
        self.path = map(self.path);
        self.related = self.related.into_iter().map(map).collect();
        self
    }

    /// Whether it is a panic of the caller's own code, which says nothing about the reply.
    pub(crate) fn is_panic(&self) -> bool {
        self.code.0.ends_with(".panicked")
    }

    /// The layer that found it.
    pub fn layer(&self) -> Layer {
        self.layer
    }

    /// The stable word for its kind, such as `schema.required` or `rule`.
    pub fn code(&self) -> &FailureCode {
        &self.code
    }

    /// The place it is reported at, in wire names.
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    /// The name of the broken rule, for the layers `rule` and `policy`.
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    /// The other places that the broken rule concerns.
    pub fn related(&self) -> &[FieldPath] {
        &self.related
    }

    /// What was expected, and for a rule what it said. It may quote the reply.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What stood at the place, as JSON text, shortened where it is long.
    pub fn found(&self) -> Option<&str> {
        self.found.as_deref()
    }

    /// Where in the document the quotation stands that it concerns, in bytes:
    /// one place where the passage does not carry the value, several where it
    /// cannot be told which one is meant, and at most 32 of them. Empty where no
    /// place is known.
    pub fn spans(&self) -> &[Range<usize>] {
        &self.spans
    }
}

/// Characters of a message that are shown.
const LONGEST_MESSAGE: usize = 1_000;

/// Characters of a place that are shown.
const LONGEST_PLACE: usize = 300;

impl Failure {
    /// The line that tells it, its places shown by `place`.
    pub(crate) fn tell<P: fmt::Display>(
        &self,
        f: &mut impl fmt::Write,
        place: impl Fn(&FieldPath) -> P,
    ) -> fmt::Result {
        write!(f, "{}: ", place(&self.path))?;
        if let Some(found) = &self.found {
            write!(f, "found {found}; ")?;
        }
        f.write_str(&line(&self.message, LONGEST_MESSAGE))?;
        let Some(rule) = &self.rule else {
            return Ok(());
        };
        write!(f, " (rule {rule}")?;
        for (number, path) in self.related.iter().enumerate() {
            f.write_str(if number == 0 { ", with " } else { ", " })?;
            write!(f, "{}", place(path))?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tell(f, |path| line(&path.to_string(), LONGEST_PLACE))
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failure")
            .field("code", &self.code.0)
            .field(
                "path",
                &line(&self.declared_path().to_string(), LONGEST_PLACE),
            )
            .field("rule", &self.rule)
            .finish_non_exhaustive()
    }
}

/// All that is wrong with one reply, in the order of the document's fields.
///
/// It reads as a slice of [`Failure`]. Its `Display` shows the lines of the first
/// eight and may quote the reply; its `Debug` names kinds and places only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failures {
    all: Vec<Failure>,
    omitted: usize,
}

impl Failures {
    pub(crate) fn new(failures: Vec<Failure>) -> Self {
        Self {
            all: failures,
            omitted: 0,
        }
    }

    pub(crate) fn with_omitted(mut self, omitted: usize) -> Self {
        self.omitted = omitted;
        self
    }

    /// How many more failures there are that are not spelled out; 0 unless a
    /// reply breaks its schema in hundreds of places.
    pub fn omitted(&self) -> usize {
        self.omitted
    }
}

impl Deref for Failures {
    type Target = [Failure];

    fn deref(&self) -> &[Failure] {
        &self.all
    }
}

impl IntoIterator for Failures {
    type Item = Failure;
    type IntoIter = std::vec::IntoIter<Failure>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.into_iter()
    }
}

impl<'a> IntoIterator for &'a Failures {
    type Item = &'a Failure;
    type IntoIter = std::slice::Iter<'a, Failure>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.iter()
    }
}

/// What is told of an empty reply whose text is among the model's reasoning.
const IN_REASONING: &str = "; the model put its text into the reasoning field: turn reasoning off, \
                            or allow more output tokens";

/// How many failures are shown before the rest are only counted.
const NAMED: usize = 8;

impl Failures {
    /// Says of an empty reply that the model wrote elsewhere.
    pub(crate) fn name_reasoning(mut self) -> Self {
        let empty = |one: &&mut Failure| one.code == "parse.empty";
        for failure in self.all.iter_mut().filter(empty) {
            failure.add(IN_REASONING);
        }
        self
    }

    pub(crate) fn map_paths(self, map: impl Fn(FieldPath) -> FieldPath) -> Self {
        let all = self.all.into_iter().map(|one| one.map_paths(&map));
        Self {
            all: all.collect(),
            ..self
        }
    }

    /// Notes which keys of the places a schema names.
    pub(crate) fn declared_by(mut self, is_named: impl Fn(&str) -> bool) -> Self {
        for failure in &mut self.all {
            failure.declare(&is_named);
        }
        self
    }

    fn count(&self) -> usize {
        self.all.len() + self.omitted
    }

    /// How many there are, and of the first the place and the kind: nothing that
    /// a reply says.
    pub(crate) fn summary(&self) -> Summary<'_> {
        Summary(self)
    }

    fn heading(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.count();
        write!(f, "{count} failure{}", if count == 1 { "" } else { "s" })
    }

    fn rest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count().checked_sub(NAMED) {
            Some(more @ 1..) => write!(f, " and {more} more"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.heading(f)?;
        for (number, failure) in self.all.iter().take(NAMED).enumerate() {
            f.write_str(if number == 0 { ": " } else { "; " })?;
            write!(f, "{failure}")?;
        }
        self.rest(f)
    }
}

/// See [`Failures::summary`].
pub(crate) struct Summary<'f>(&'f Failures);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.heading(f)?;
        for (number, failure) in self.0.all.iter().take(NAMED).enumerate() {
            f.write_str(if number == 0 { ": " } else { ", " })?;
            let place = line(&failure.declared_path().to_string(), LONGEST_PLACE);
            match &failure.rule {
                Some(rule) => write!(f, "{place} ({} {rule})", failure.layer)?,
                None => write!(f, "{place} ({})", failure.code)?,
            }
        }
        self.0.rest(f)
    }
}

impl std::error::Error for Failures {}
