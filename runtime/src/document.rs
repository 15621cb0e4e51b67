//! The text that is extracted from.

use std::borrow::Cow;
use std::fmt;

/// A text to extract from, and the name it goes by.
///
/// ```
/// use typed_extract::Document;
///
/// let contract = Document::new("The rent is 1,250 a month.").id("contract-7");
/// assert_eq!(contract.name(), Some("contract-7"));
/// ```
///
/// Its `Debug` shows the name and the length, never the text.
#[derive(Clone, PartialEq, Eq)]
pub struct Document<'a> {
    text: Cow<'a, str>,
    id: Option<Cow<'a, str>>,
}

impl<'a> Document<'a> {
    /// A document without a name.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        Self {
            text: text.into(),
            id: None,
        }
    }

    /// Names the document, so that citations can say which one they mean.
    #[must_use]
    pub fn id(mut self, id: impl Into<Cow<'a, str>>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("id", &self.id)
            .field("bytes", &self.text.len())
            .finish_non_exhaustive()
    }
}

impl<'a> From<&'a str> for Document<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text)
    }
}

impl<'a> From<&'a String> for Document<'a> {
    fn from(text: &'a String) -> Self {
        Self::new(text.as_str())
    }
}

impl From<String> for Document<'_> {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl<'a> From<Cow<'a, str>> for Document<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self::new(text)
    }
}

impl<'a> From<Document<'a>> for Cow<'a, str> {
    /// The text alone.
    fn from(document: Document<'a>) -> Self {
        document.text
    }
}
