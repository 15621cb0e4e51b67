//! How the documents stand in their slot.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

use super::neutral;
use crate::evidence::document::Document;

/// The text of one document; of several, each in a block under its id.
pub(super) fn shown<'d>(documents: &'d [Document<'_>]) -> Cow<'d, str> {
    if let [one] = documents {
        return neutral(one.text());
    }
    let mut text = String::from("\n");
    for document in documents {
        let id = shown_id(document.name().unwrap_or_default());
        let inside = neutral(document.text());
        let _ = writeln!(text, "<document id={id}>{inside}</document>");
    }
    Cow::Owned(text)
}

/// An id as the JSON string that a citation gives for it.
pub(super) fn shown_id(id: &str) -> String {
    neutral(&Value::from(id).to_string()).into_owned()
}
