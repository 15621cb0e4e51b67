//! Why serde did not accept a value.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use crate::json::account;
use crate::shown::counted;

/// What kind of disagreement there is between a value and the type that should hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BindKind {
    /// A value of another kind.
    Type,
    /// A number that the type cannot hold.
    Range,
    /// A key that is missing.
    Required,
    /// A key or variant that the type does not know.
    Unknown,
    /// Anything else that the type refuses.
    Value,
    /// Something that the value does not hold, although the type took the rest.
    Lost,
    /// The same, as an error shows that did not come out.
    Swallowed,
}

/// Why serde did not accept a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BindError(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    node: Option<u32>,
    kind: BindKind,
    message: String,
}

impl BindError {
    #[cold]
    pub(crate) fn new(kind: BindKind, message: String) -> Self {
        account::raise();
        Self(Box::new(Inner {
            node: None,
            kind,
            message,
        }))
    }

    /// Places the error, unless something deeper already did.
    #[cold]
    pub(crate) fn at(mut self, node: u32) -> Self {
        self.0.node.get_or_insert(node);
        self
    }

    /// The deepest value, or unknown key, the error arose at; nothing where no
    /// value placed it.
    pub(crate) fn node(&self) -> Option<u32> {
        self.0.node
    }

    pub(crate) fn kind(&self) -> BindKind {
        self.0.kind
    }

    /// Serde's words, without a position.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }
}

impl Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for BindError {}

impl de::Error for BindError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(BindKind::Value, message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let message = format!("expected {expected}, not {}", kind_of(&found));
        Self::new(BindKind::Type, message)
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let kind = match found {
            Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => {
                BindKind::Range
            }
            _ => BindKind::Value,
        };
        Self::new(kind, format!("expected {expected}"))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(
            BindKind::Value,
            format!("has {}, expected {expected}", counted(length, "element")),
        )
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(
            BindKind::Unknown,
            format!("must be one of {}", expected.join(", ")),
        )
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        let known = expected.join(", ");
        Self::new(
            BindKind::Unknown,
            format!("this key is not known; known are {known}"),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(
            BindKind::Required,
            format!("the key {field} is required and missing"),
        )
    }
}

/// The kind of a value without the value, which a failure quotes beside the message.
fn kind_of(found: &Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "integer",
        Unexpected::Float(_) => "number with a fraction",
        Unexpected::Char(_)
        | Unexpected::Str(_)
        | Unexpected::Bytes(_)
        | Unexpected::Other("string") => "string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq | Unexpected::TupleVariant => "array",
        Unexpected::Other(what) if what.contains("integer") => "integer",
        _ => "object",
    }
}

/// The error for a number that a float would turn into zero.
#[cold]
pub(super) fn too_small(expected: &dyn Expected) -> BindError {
    BindError::new(
        BindKind::Range,
        format!("expected {expected}, and this is too close to zero for it"),
    )
}

/// The error for a number that a float would turn into infinity.
#[cold]
pub(super) fn too_large(expected: &dyn Expected) -> BindError {
    BindError::new(
        BindKind::Range,
        format!("expected {expected}, and this is too far from zero for it"),
    )
}

/// The error for an integer that so many bits do not hold; a float in its place would not be it.
#[cold]
pub(super) fn beyond(bits: u8, expected: &dyn Expected) -> BindError {
    let message = format!("expected {expected}, and this does not fit into {bits} bits");
    BindError::new(BindKind::Range, message)
}

/// The error for the integer `-0`, whose sign no integer type holds.
#[cold]
pub(super) fn negative_zero(expected: &dyn Expected) -> BindError {
    BindError::new(
        BindKind::Range,
        format!("expected {expected}, and -0 is none; write 0"),
    )
}
