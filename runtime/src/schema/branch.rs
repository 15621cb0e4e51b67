//! The branches of an untagged enum, each to be asked on its own.

use jsonschema::Validator;
use schemars::JsonSchema;
use serde_json::{Value, json};

use super::generate;
use crate::json::{Cursor, TapeJson};

/// What checks the readings of an enum that has untagged variants.
pub(crate) struct Branches {
    /// For a value of its own, whose keys are all the variant's.
    closed: Vec<Validator<TapeJson>>,
    /// For a flattened one, whose keys stand among others.
    open: Vec<Validator<TapeJson>>,
}

impl Branches {
    /// The branches of the schema of `T`: where `by_name`, the first is that of
    /// all variants that have a tag; the others are the `untagged` last ones.
    /// Nothing where the schema is no such union.
    pub(crate) fn of<T: JsonSchema>(by_name: bool, untagged: usize) -> Option<Self> {
        Some(Self {
            closed: validators(&generate::canonical::<T>(false), by_name, untagged)?,
            open: validators(&generate::open::<T>(), by_name, untagged)?,
        })
    }

    /// Whether a value has the form that a branch asks for.
    pub(crate) fn admits(&self, branch: usize, flat: bool, value: Cursor<'_>) -> bool {
        let all = if flat { &self.open } else { &self.closed };
        all.get(branch).is_some_and(|one| one.is_valid(value))
    }
}

fn validators(schema: &Value, by_name: bool, untagged: usize) -> Option<Vec<Validator<TapeJson>>> {
    let all = schema.get("anyOf")?.as_array()?;
    let (named, untagged) = all.split_at_checked(all.len().checked_sub(untagged)?)?;
    let named = by_name.then(|| json!({ "anyOf": named }));
    let branches = named.into_iter().chain(untagged.iter().cloned());
    branches
        .map(|mut branch| {
            if let (Some(definitions), Some(object)) = (schema.get("$defs"), branch.as_object_mut())
            {
                object.insert("$defs".to_owned(), definitions.clone());
            }
            super::validator(&branch).ok()
        })
        .collect()
}
