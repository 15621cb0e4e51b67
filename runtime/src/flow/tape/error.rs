//! Why a text is no JSON value, and why a value does not bind.

use std::fmt;

use crate::path::Path;

/// Why and where a text is not one strict JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    code: SyntaxCode,
    offset: usize,
    message: String,
    path: Path,
}

/// The stable words for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SyntaxCode {
    Empty,
    NoJson,
    Syntax,
    Ambiguous,
    DuplicateKey,
    NonJsonNumber,
    NumberRange,
    Encoding,
    Depth,
    Size,
}

impl SyntaxCode {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "parse.empty",
            Self::NoJson => "parse.no_json",
            Self::Syntax => "parse.syntax",
            Self::Ambiguous => "parse.ambiguous",
            Self::DuplicateKey => "parse.duplicate_key",
            Self::NonJsonNumber => "parse.non_json_number",
            Self::NumberRange => "parse.number_range",
            Self::Encoding => "parse.encoding",
            Self::Depth => "parse.depth",
            Self::Size => "parse.size",
        }
    }
}

impl SyntaxError {
    pub(super) fn new(code: SyntaxCode, offset: usize, message: impl Into<String>) -> Self {
        Self {
            code,
            offset,
            message: message.into(),
            path: Path::root(),
        }
    }

    pub(super) fn at(mut self, path: Path) -> Self {
        self.path = path;
        self
    }

    pub(crate) fn code(&self) -> SyntaxCode {
        self.code
    }

    /// The byte at which it shows.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// The place of the value concerned; the root where the text breaks.
    pub(crate) fn path(&self) -> Path {
        self.path.clone()
    }

    /// Line and column of the offset, both from 1, the column in characters.
    pub(crate) fn line_column(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() + 1;
        (
            line,
            before.get(line_start..).unwrap_or_default().chars().count() + 1,
        )
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Why serde refused a value.
#[derive(Debug)]
pub struct BindError {
    kind: BindKind,
    message: String,
    node: Option<u32>,
}

/// What kind of refusal it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindKind {
    Type,
    Range,
    Required,
    Unknown,
    Value,
}

impl BindError {
    pub(super) fn new(kind: BindKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            node: None,
        }
    }

    /// Notes the place, unless a deeper one is known.
    pub(super) fn at(mut self, node: u32) -> Self {
        self.node.get_or_insert(node);
        self
    }

    pub fn kind(&self) -> BindKind {
        self.kind
    }

    /// The deepest node it arose at.
    pub fn node(&self) -> Option<u32> {
        self.node
    }

    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BindError {}

impl serde::de::Error for BindError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(BindKind::Value, message.to_string())
    }

    fn invalid_type(found: serde::de::Unexpected<'_>, wanted: &dyn serde::de::Expected) -> Self {
        Self::new(
            BindKind::Type,
            format!("expected {wanted}, not {}", kind_of(&found)),
        )
    }

    fn invalid_value(found: serde::de::Unexpected<'_>, wanted: &dyn serde::de::Expected) -> Self {
        use serde::de::Unexpected as U;
        let number = matches!(found, U::Unsigned(_) | U::Signed(_) | U::Float(_));
        let kind = if number {
            BindKind::Range
        } else {
            BindKind::Value
        };
        Self::new(kind, format!("expected {wanted}"))
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Self {
        Self::new(
            BindKind::Unknown,
            format!("must be one of {}", known.join(", ")),
        )
    }

    fn unknown_field(_: &str, known: &'static [&'static str]) -> Self {
        Self::new(
            BindKind::Unknown,
            format!("has an unknown key; known are {}", known.join(", ")),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(
            BindKind::Required,
            format!("the key {field} is required and missing"),
        )
    }
}

/// The kind of a value, without the value.
fn kind_of(found: &serde::de::Unexpected<'_>) -> &'static str {
    use serde::de::Unexpected as U;
    match found {
        U::Bool(_) => "boolean",
        U::Unsigned(_) | U::Signed(_) => "integer",
        U::Float(_) => "number with a fraction",
        U::Char(_) | U::Str(_) | U::Bytes(_) => "string",
        U::Unit | U::Option => "null",
        U::Seq | U::TupleVariant => "array",
        _ => "object",
    }
}
