//! The texts that are extracted from.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

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

impl<'a> From<&'a Document<'_>> for Document<'a> {
    fn from(document: &'a Document<'_>) -> Self {
        Self {
            text: Cow::Borrowed(&document.text),
            id: document.name().map(Cow::Borrowed),
        }
    }
}

/// What is wrong with the ids of a run's documents, and what to write instead.
/// One document needs none; of several, each has its own.
pub(crate) fn wrong_ids(documents: &[Document<'_>]) -> Option<String> {
    if documents.is_empty() {
        let reason = "there is no document; give the text to extract from to `.document(..)`";
        return Some(reason.to_owned());
    }
    let mut known = HashMap::new();
    for (number, document) in (1..).zip(documents) {
        match document.name() {
            None if documents.len() == 1 => {}
            None => {
                return Some(format!(
                    "document {number} of {} has no id; where there are several, each needs one, \
                     such as `Document::new(text).id(\"contract-7\")`",
                    documents.len()
                ));
            }
            Some(id) if id.trim().is_empty() => {
                return Some(format!(
                    "the id of document {number} is empty; write one that a citation can name, \
                     such as `Document::new(text).id(\"contract-7\")`"
                ));
            }
            Some(id) => {
                if let Some(other) = known.insert(id, number) {
                    return Some(format!(
                        "documents {other} and {number} have the same id; give each its own with \
                         `Document::new(text).id(..)`"
                    ));
                }
            }
        }
    }
    None
}

/// The first of a run's documents that says nothing, and what to write instead.
pub(crate) fn empty_one(documents: &[Document<'_>]) -> Option<String> {
    let empty = |one: &Document<'_>| one.text().trim().is_empty();
    let number = documents.iter().position(empty)? + 1;
    let which = match documents.len() {
        1 => "the document".to_owned(),
        count => format!("document {number} of {count}"),
    };
    Some(format!(
        "{which} is empty; give the text to extract from to `.document(..)`"
    ))
}

/// What a hash tells apart: the text of one document; of several, the JSON text
/// of `[[id, text], …]` in their order.
pub(crate) fn identity(documents: &[Document<'_>]) -> Arc<str> {
    if let [one] = documents {
        return one.text().into();
    }
    let pairs = documents.iter().map(|one| (one.name(), one.text()));
    serde_json::json!(pairs.collect::<Vec<_>>())
        .to_string()
        .into()
}
