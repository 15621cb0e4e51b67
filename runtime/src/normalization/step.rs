//! One step that was taken.

use std::borrow::Cow;
use std::fmt;

use crate::path::FieldPath;

/// A step that was taken before a reply was judged, or to find a quotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Normalization {
    name: Cow<'static, str>,
    path: FieldPath,
    count: usize,
}

impl Normalization {
    pub(crate) fn new(name: impl Into<Cow<'static, str>>, path: FieldPath) -> Self {
        let name = name.into();
        Self {
            name,
            path,
            count: 1,
        }
    }

    pub(crate) fn with_count(mut self, count: usize) -> Self {
        self.count = count;
        self
    }

    /// How many values it changed. This is 1, except where one reply took more
    /// than ten thousand steps: those beyond are counted by name, each name in one
    /// step at the root.
    ///
    /// ```
    /// # use serde::Deserialize;
    /// # use typed_extract::{Extract, extract};
    /// #[derive(Debug, Deserialize, Extract)]
    /// struct Named {
    ///     #[serde(alias = "title")]
    ///     name: String,
    /// }
    ///
    /// let flow = extract::<Named>().document("a document");
    /// let named = flow.validate(r#"{"title": "Ida"}"#).unwrap();
    /// let steps = named.record().attempts()[0].normalizations();
    /// assert_eq!(steps[0].count(), 1);
    /// ```
    pub fn count(&self) -> usize {
        self.count
    }

    /// The stable word for the step: `code_fence`, `reasoning_block`,
    /// `delimited_string`, `decimal_number`, `alias`, `surrounding_prose`,
    /// `duplicate_candidate` or `unknown_key`; where the schema on the wire was another than the type's,
    /// `null_for_absent`, `pairs_to_map`, `named_places`, `enum_case` or
    /// `root_wrapper`; for a quotation, what was set aside to find it, as
    /// [`TextNormalization`](crate::TextNormalization) names it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The place it changed; the root for steps around the whole value.
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    pub(crate) fn map_path(mut self, map: impl Fn(FieldPath) -> FieldPath) -> Self {
        self.path = map(self.path);
        self
    }
}

impl fmt::Display for Normalization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count > 1 {
            return write!(f, "{} at {} more places", self.name, self.count);
        }
        if self.path.is_root() {
            return f.write_str(&self.name);
        }
        write!(f, "{} at {}", self.name, self.path)
    }
}
