//! What is wrong with one place, in one phrasing.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use crate::failure::{Failure, FailureCode, Layer};
use crate::json::{Cursor, Kind};
use crate::path::FieldPath;
use crate::schema::WRAPPER_KEY;

/// How many values or keys one message names.
const MOST_NAMED: usize = 100;

/// One error of the schema layer, and the node it taints.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) path: FieldPath,
    pub(crate) node: u32,
    pub(super) code: &'static str,
    pub(super) message: String,
    /// The values that would have been right, for `enum` and `const`.
    pub(super) options: BTreeSet<String>,
    /// The types that would have been right, for `type`.
    pub(super) types: BTreeSet<&'static str>,
    found: Option<String>,
}

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Place<'c> {
    pub(super) path: FieldPath,
    pub(super) cursor: Cursor<'c>,
}

impl Finding {
    pub(crate) fn into_failure(self) -> Failure {
        Failure::new(
            Layer::Schema,
            FailureCode::new(self.code),
            self.path,
            self.message,
        )
        .with_found(self.found)
    }

    pub(super) fn into_message(self) -> String {
        self.message
    }

    pub(super) fn at(place: &Place<'_>, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            path: place.path.clone(),
            node: place.cursor.id(),
            code,
            message: message.into(),
            options: BTreeSet::new(),
            types: BTreeSet::new(),
            found: place.cursor.shown(),
        }
    }

    /// A key that the schema does not know; `near` is the one that was meant.
    pub(super) fn unknown_key(place: &Place<'_>, near: Option<&str>) -> Self {
        let message = match near {
            Some(name) => format!("no such key is known here; write `{name}`"),
            None => "no such key is known here; leave it out".to_owned(),
        };
        Self::at(place, "schema.additional", message)
    }

    /// A key that its map does not take.
    pub(super) fn odd_key(place: &Place<'_>, pattern: &str) -> Self {
        let message = match pattern {
            r"^\d+$" => "keys here are whole numbers in digits".to_owned(),
            r"^-?\d+$" => {
                "keys here are whole numbers in digits, with a minus if negative".to_owned()
            }
            other => format!("keys here match the pattern {other}"),
        };
        Self::at(place, "schema.additional", message)
    }

    /// A key that stands beside another name of its own.
    pub(super) fn twice(place: &Place<'_>, name: &str) -> Self {
        let message =
            format!("is another name of `{name}`, which is there too; write `{name}` once");
        Self::at(place, "schema.additional", message)
    }

    pub(super) fn missing_key(place: &Place<'_>, key: &str) -> Self {
        let mut finding = Self::at(place, "schema.required", "this key is required and missing");
        finding.path = place.path.clone().key(key.to_owned());
        finding.found = None;
        finding
    }

    /// Says of a root that lacks its wrapper where the answer stands.
    pub(super) fn name_wrapper(&mut self) {
        let depth = self.path.segments().len();
        let lacks_it = depth == 0 && self.code == "schema.type"
            || depth == 1 && self.code == "schema.required";
        if lacks_it {
            self.message = format!(
                "the answer stands under the key `{WRAPPER_KEY}`, as {{\"{WRAPPER_KEY}\": …}}"
            );
        }
    }

    pub(super) fn not_of_types(place: &Place<'_>, types: BTreeSet<&'static str>) -> Self {
        let expected = types.iter().copied().collect::<Vec<_>>().join(" or ");
        let found = found_type(place.cursor);
        let message = if types.contains("integer") && found == "number" {
            format!("expected {expected}, written without a fraction or an exponent")
        } else {
            format!("expected {expected}, not {found}")
        };
        Self {
            types,
            ..Self::at(place, "schema.type", message)
        }
    }

    pub(super) fn not_listed<'v>(
        place: &Place<'_>,
        listed: impl IntoIterator<Item = &'v Value>,
    ) -> Self {
        // One more than are named tells that there are more.
        let options = listed.into_iter().take(MOST_NAMED + 1);
        Self::not_among(place, options.map(Value::to_string).collect())
    }

    pub(super) fn not_among(place: &Place<'_>, options: BTreeSet<String>) -> Self {
        let named = some_of(&options, "another that the schema lists");
        let message = if options.len() == 1 {
            format!("must be {named}")
        } else {
            format!("must be one of {named}")
        };
        Self {
            options,
            ..Self::at(place, "schema.enum", message)
        }
    }

    /// A value of which no branch of a union was meant.
    pub(super) fn no_branch(
        place: &Place<'_>,
        shapes: usize,
        branches: &[Vec<Finding>],
        code: &'static str,
    ) -> Self {
        let wanting: BTreeSet<String> = branches
            .iter()
            .flatten()
            .filter(|finding| finding.code == "schema.required")
            .map(|finding| finding.path.to_string())
            .collect();
        let mut message = format!("fits none of the {shapes} allowed shapes");
        if !wanting.is_empty() {
            let keys = some_of(&wanting, "more");
            let _ = write!(
                message,
                "; keys that one of them asks for are missing: {keys}"
            );
        }
        Self::at(place, code, message)
    }
}

/// The first of these, and whether there are others.
fn some_of(all: &BTreeSet<String>, others: &str) -> String {
    let named = all.iter().take(MOST_NAMED).map(String::as_str);
    let others = (all.len() > MOST_NAMED).then_some(others);
    named.chain(others).collect::<Vec<_>>().join(", ")
}

fn found_type(cursor: Cursor<'_>) -> &'static str {
    match cursor.kind() {
        Kind::Null => "null",
        Kind::Bool => "boolean",
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
    }
}
