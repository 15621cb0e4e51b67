//! A passage of the document that supports a field.

use std::fmt;
use std::ops::Range;

use crate::evidence::Located;
use crate::evidence::TextNormalization;
use crate::path::FieldPath;

/// A field of a reply and the passage of the document that supports it: one for
/// each [`Cited`](crate::Cited) value and each `verbatim` text that was found.
///
/// Its `Debug` shows the places and not the texts.
#[derive(Clone)]
pub struct Citation {
    path: FieldPath,
    quote: String,
    value: Option<String>,
    place: Located,
}

impl Citation {
    /// `value` is the JSON text of what the passage is cited for.
    pub(crate) fn new(
        path: FieldPath,
        quote: String,
        value: Option<String>,
        place: Located,
    ) -> Self {
        Self {
            path,
            quote,
            value,
            place,
        }
    }

    pub(crate) fn map_path(self, map: impl FnOnce(FieldPath) -> FieldPath) -> Self {
        Self {
            path: map(self.path),
            ..self
        }
    }

    /// The field, in wire names: the whole citation for a
    /// [`Cited`](crate::Cited) value, the text itself for a `verbatim` one.
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    /// The bytes of the document where it stands, on character boundaries. A
    /// `verbatim` text may stand in other places too; this is one of them.
    pub fn span(&self) -> Range<usize> {
        self.place.span.clone()
    }

    /// The same in characters (Unicode scalar values).
    pub fn char_span(&self) -> Range<usize> {
        self.place.chars.clone()
    }

    /// The quotation as the model gave it; for a `verbatim` text the text.
    pub fn quote(&self) -> &str {
        &self.quote
    }

    /// What it is cited for, as JSON text, shortened where it is long.
    pub fn value(&self) -> Option<&str> {
        self.value.as_deref()
    }

    /// The same place and nothing of what is said there.
    pub(crate) fn redacted(&self, path: FieldPath) -> Self {
        let place = Located {
            text: "".into(),
            ..self.place.clone()
        };
        Self::new(path, String::new(), None, place)
    }

    /// The id of the document it stands in, where that has one.
    pub fn source(&self) -> Option<&str> {
        self.place.source.as_deref()
    }

    /// The passage as it stands in the document.
    pub fn text(&self) -> &str {
        &self.place.text
    }

    /// What was set aside to find it: empty where it stands in the document as
    /// it is.
    pub fn normalizations(&self) -> impl Iterator<Item = TextNormalization> + use<> {
        self.place.folds.iter()
    }
}

impl fmt::Debug for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Citation")
            .field("path", &self.path.to_string())
            .field("span", &self.place.span)
            .finish_non_exhaustive()
    }
}
