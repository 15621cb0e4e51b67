//! How far one value is.

use std::fmt;

/// What has arrived of one value: nothing, `null`, or a value that may still grow.
///
/// `Debug` tells the kind, the length and whether it is closed, never what it says.
///
/// ```
/// use typed_extract::stream::Progress;
///
/// let note = Progress::Text { text: "Due in th".into(), closed: false };
/// assert_eq!(note.as_str(), Some("Due in th"));
/// assert!(!note.is_closed() && !note.is_absent());
/// assert!(!format!("{note:?}").contains("Due"));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// It has not arrived, or has not arrived far enough to be shown. It may yet.
    Absent,
    /// The model wrote `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, in the digits that the model wrote.
    Number(String),
    /// A string.
    Text {
        /// Its characters so far, escapes read.
        text: String,
        /// Whether its closing quote has arrived.
        closed: bool,
    },
    /// An array.
    Array {
        /// Elements that have begun to show.
        len: usize,
        /// Whether its closing bracket has arrived.
        closed: bool,
    },
    /// An object.
    Object {
        /// Members that have begun to show.
        len: usize,
        /// Whether its closing brace has arrived.
        closed: bool,
    },
}

impl Progress {
    /// Whether nothing has arrived; `null` has.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the model wrote `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether it is whole; numbers, `true`, `false` and `null` always are.
    pub fn is_closed(&self) -> bool {
        match self {
            Self::Absent => false,
            Self::Null | Self::Bool(_) | Self::Number(_) => true,
            Self::Text { closed, .. }
            | Self::Array { closed, .. }
            | Self::Object { closed, .. } => *closed,
        }
    }

    /// The characters of a string so far.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text { text, .. } => Some(text),
            _ => None,
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = |kind: &str, len: usize, closed: bool| {
            f.debug_struct(kind)
                .field("len", &len)
                .field("closed", &closed)
                .finish()
        };
        match self {
            Self::Text { text, closed } => shown("Text", text.len(), *closed),
            Self::Array { len, closed } => shown("Array", *len, *closed),
            Self::Object { len, closed } => shown("Object", *len, *closed),
            Self::Absent => f.write_str("Absent"),
            Self::Null => f.write_str("Null"),
            Self::Bool(_) => f.write_str("Bool"),
            Self::Number(_) => f.write_str("Number"),
        }
    }
}
