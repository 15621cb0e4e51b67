//! The values of `enum` and `const`, in a table where they are texts.

use std::collections::HashSet;

use jsonschema::json::Node as _;
use serde_json::Value;

use crate::json::{Cursor, Kind};

/// The values that a schema lists.
#[derive(Debug)]
pub(super) struct Listed {
    /// In declared order, as messages name them.
    pub(super) values: Vec<Value>,
    texts: HashSet<Box<str>>,
}

impl Listed {
    pub(super) fn new(values: Vec<Value>) -> Self {
        let texts = values.iter().filter_map(Value::as_str);
        let texts = texts.map(Box::from).collect();
        Self { values, texts }
    }

    /// A text costs one look, however many are listed.
    pub(super) fn has(&self, cursor: Cursor<'_>) -> bool {
        if cursor.kind() == Kind::String {
            return cursor
                .as_str()
                .is_some_and(|text| self.texts.contains(&*text));
        }
        let mut others = self.values.iter().filter(|value| !value.is_string());
        others.any(|value| cursor.equals_value(value))
    }
}
