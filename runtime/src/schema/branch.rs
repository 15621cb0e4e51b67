//! The branches of an untagged enum, each to be asked on its own.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::explain::{Answers, Program, admits};
use super::generate;
use crate::json::Cursor;

/// What checks the readings of an enum that has untagged variants.
pub(crate) struct Branches {
    /// For a value of its own, whose keys are all the variant's.
    closed: Program,
    /// For a flattened one, whose keys stand among others.
    open: Program,
}

/// What was found of one enum's branches in one reply. A value in an enum inside itself is asked
/// for at each level, so that answers are kept.
#[derive(Debug, Default)]
pub(crate) struct BranchAnswers {
    closed: Answers,
    open: Answers,
}

impl Branches {
    /// The branches of the schema of `T`: where `by_name`, the first is that of
    /// all variants that have a tag; the others are the `untagged` last ones.
    /// Nothing where the schema is no such union.
    pub(crate) fn of<T: JsonSchema>(by_name: bool, untagged: usize) -> Option<Self> {
        Some(Self {
            closed: program(&generate::canonical::<T>(false), by_name, untagged)?,
            open: program(&generate::open::<T>(), by_name, untagged)?,
        })
    }

    /// Whether a value has the form that a branch asks for.
    pub(crate) fn admits(
        &self,
        branch: usize,
        flat: bool,
        value: Cursor<'_>,
        answers: &mut BranchAnswers,
    ) -> bool {
        let (program, answers) = if flat {
            (&self.open, &mut answers.open)
        } else {
            (&self.closed, &mut answers.closed)
        };
        admits(program, branch, value, answers)
    }
}

/// The union of the branches, in the order in which they are asked for.
fn program(schema: &Value, by_name: bool, untagged: usize) -> Option<Program> {
    let all = schema.get("anyOf")?.as_array()?;
    let (named, untagged) = all.split_at_checked(all.len().checked_sub(untagged)?)?;
    let named = by_name.then(|| json!({ "anyOf": named }));
    let branches: Vec<Value> = named.into_iter().chain(untagged.iter().cloned()).collect();
    let mut union = Map::new();
    union.insert("anyOf".to_owned(), branches.into());
    if let Some(definitions) = schema.get("$defs") {
        union.insert("$defs".to_owned(), definitions.clone());
    }
    Some(Program::new(&union.into()))
}
