//! Named rules: what they are called, what they say, what they may return.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::path::FieldPath;

/// What a broken rule means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RuleKind {
    /// The value is wrong and goes back for repair.
    Rule,
    /// The value is not allowed here; it goes back for repair as well.
    Policy,
    /// The value is unusual: a warning, never a rejection.
    Check,
}

impl RuleKind {
    /// The stable word for this kind.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Policy => "policy",
            Self::Check => "check",
        }
    }
}

/// A named rule of a type, as [`Extract::rules`](crate::Extract::rules) lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    name: &'static str,
    sentence: &'static str,
    kind: RuleKind,
    fields: Vec<&'static str>,
}

impl Rule {
    pub(crate) fn new(info: &'static RuleInfo, fields: &'static [Field]) -> Self {
        let wire = |rust: &&'static str| Field::find(fields, rust).map_or(*rust, Field::shown);
        Self {
            name: info.name,
            sentence: info.sentence,
            kind: info.kind,
            fields: info.fields.iter().map(wire).collect(),
        }
    }

    /// The rule's name: that of its function.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The sentence that the model and people read.
    pub fn sentence(&self) -> &'static str {
        self.sentence
    }

    /// What it means when the rule is broken.
    pub fn kind(&self) -> RuleKind {
        self.kind
    }

    /// The wire names of the fields it concerns; a failure is reported at the
    /// first. Empty for a rule that reads the whole value.
    pub fn fields(&self) -> &[&'static str] {
        &self.fields
    }
}

/// Why a one-line rule was broken: its sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleError(&'static str);

impl RuleError {
    #[doc(hidden)]
    pub const fn new(sentence: &'static str) -> Self {
        Self(sentence)
    }
}

impl Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for RuleError {}

/// One broken place, for a rule that looks at many.
///
/// ```
/// use typed_extract::{FieldPath, Violation};
///
/// fn unique(skus: &[String]) -> Vec<Violation> {
///     let mut seen = std::collections::HashSet::new();
///     let twice = skus.iter().enumerate().filter(|(_, sku)| !seen.insert(*sku));
///     twice
///         .map(|(at, sku)| Violation::new(format!("{sku} stands twice")).at(FieldPath::root().key("skus").index(at)))
///         .collect()
/// }
/// let skus = ["a".to_owned(), "b".to_owned(), "a".to_owned()];
/// assert_eq!(unique(&skus).len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    message: String,
    place: Option<FieldPath>,
}

impl Violation {
    /// A violation that says `message`, at the rule's first field.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            place: None,
        }
    }

    /// Reports it at `place`, in wire names, seen from the value that has the
    /// rule.
    #[must_use]
    pub fn at(mut self, place: FieldPath) -> Self {
        self.place = Some(place);
        self
    }

    pub(crate) fn into_parts(self) -> (String, Option<FieldPath>) {
        (self.message, self.place)
    }
}

/// What a rule may return: `bool`, `Result<(), impl Display>` or
/// `Vec<Violation>`.
#[diagnostic::on_unimplemented(
    message = "a rule cannot return `{Self}`",
    label = "not the outcome of a rule",
    note = "return `bool`, `Result<(), impl Display>` or `Vec<Violation>`"
)]
pub trait RuleOutcome {
    /// What is broken; nothing where the rule holds. `sentence` stands for a
    /// rule that only says no.
    #[doc(hidden)]
    fn violations(self, sentence: &'static str) -> Vec<Violation>;
}

impl RuleOutcome for bool {
    fn violations(self, sentence: &'static str) -> Vec<Violation> {
        if self {
            Vec::new()
        } else {
            vec![Violation::new(sentence)]
        }
    }
}

impl<E: Display> RuleOutcome for Result<(), E> {
    fn violations(self, _: &'static str) -> Vec<Violation> {
        match self {
            Ok(()) => Vec::new(),
            Err(error) => vec![Violation::new(error.to_string())],
        }
    }
}

impl RuleOutcome for Vec<Violation> {
    fn violations(self, _: &'static str) -> Vec<Violation> {
        self
    }
}

/// A rule as the macros write it down, with Rust names.
#[doc(hidden)]
#[derive(Debug)]
pub struct RuleInfo {
    /// The name of its function.
    pub name: &'static str,
    /// What it says.
    pub sentence: &'static str,
    /// What it means when it is broken.
    pub kind: RuleKind,
    /// The Rust names of the fields it concerns.
    pub fields: &'static [&'static str],
}

/// A field as the macros write it down.
#[doc(hidden)]
#[derive(Debug)]
pub struct Field {
    /// Its Rust name, without `r#`.
    pub rust: &'static str,
    /// `None` where the field has no key of its own (`flatten`, `skip`).
    pub wire: Option<&'static str>,
    /// Its other keys.
    pub aliases: &'static [&'static str],
}

impl Field {
    pub(crate) fn find(fields: &'static [Field], rust: &str) -> Option<&'static Field> {
        fields.iter().find(|field| field.rust == rust)
    }

    pub(crate) fn shown(&self) -> &'static str {
        self.wire.unwrap_or(self.rust)
    }
}
