//! The schema layer: what a schema says against a value, each failure at its own place and in one
//! phrasing, and for a union only those of the branch that was meant.
//!
//! The validator answers yes or no for every reply. What it refuses is explained by a walk of the
//! schema and the tape together: each value once for each schema it must satisfy, since of a union
//! one branch is followed and answers about whole subtrees are kept. Both the work and what is told
//! are bounded; what lies beyond is counted.

mod array;
mod choice;
mod finding;
mod known;
mod listed;
mod look;
mod object;
mod plain;
mod program;
mod reading;
mod told;
mod union;
mod walk;

#[cfg(test)]
mod tests;

pub(crate) use finding::Finding;
pub(crate) use program::Program;
pub(crate) use reading::{Readable, Reading};
pub(crate) use told::Explained;
pub(crate) use walk::Answers;

use crate::json::{Cursor, Kind};
use crate::path::FieldPath;
use crate::schema::{Schema, WRAPPER_KEY};
use finding::Place;
use walk::Walker;

/// Whether the value passes; the cheap question of the success path.
pub(crate) fn holds(schema: &Schema, root: Cursor<'_>) -> bool {
    schema.validator.is_valid(root)
}

/// All that the schema says against the value at `root`, and how it may be read all the same.
pub(crate) fn explain<'p>(
    schema: &'p Schema,
    root: Cursor<'_>,
    readable: Readable,
) -> Explained<'p> {
    if echoes_schema(schema, root) {
        let place = Place {
            path: FieldPath::root(),
            cursor: root,
        };
        return Explained::of(Finding::at(
            &place,
            "shape.schema_echo",
            "this is the schema itself; reply with a value that matches it",
        ));
    }
    let mut told = Walker::new(schema.program(), root, readable).explain(root);
    if schema.wrapped && root.get(WRAPPER_KEY).is_none() {
        told.findings.iter_mut().for_each(Finding::name_wrapper);
    }
    told
}

/// Whether a value satisfies one of the branches at the root of a program, by its number; what is
/// found on the way is kept among the answers.
pub(crate) fn admits(
    program: &Program,
    branch: usize,
    value: Cursor<'_>,
    answers: &mut Answers,
) -> bool {
    program
        .branch(branch)
        .is_some_and(|id| Walker::asked(program, id, value, answers))
}

/// Keys that exist only in the language of schemas show that the schema came
/// back in place of an answer.
fn echoes_schema(schema: &Schema, root: Cursor<'_>) -> bool {
    let declared = |key: &str| {
        schema
            .value
            .pointer(&format!("/properties/{key}"))
            .is_some()
    };
    let holds = |key: &str, kind| root.get(key).is_some_and(|value| value.kind() == kind);
    holds("properties", Kind::Object)
        && holds("type", Kind::String)
        && !declared("properties")
        && !declared("type")
}
