//! What a change of schema and rules means for values that were accepted before.

mod keyword;
mod node;
mod rules;
mod union;

use std::fmt;

use super::Demands;
use node::Comparison;

/// One difference, at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// As people write it; `[]` stands for every element and `*` for any key.
    pub(crate) place: String,
    pub(crate) what: String,
    /// Whether a value that was right may be wrong now.
    pub(crate) breaking: bool,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.place.is_empty() {
            "(root)"
        } else {
            &self.place
        };
        write!(f, "{place}: {}", self.what)
    }
}

/// All differences, in the order of the schema.
#[derive(Debug, Default)]
pub(crate) struct Changes(pub(crate) Vec<Change>);

impl Changes {
    pub(crate) fn between(old: &Demands, new: &Demands) -> Self {
        let mut comparison = Comparison::new(&old.schema, &new.schema);
        comparison.node(&old.schema, &new.schema, "");
        let mut changes = comparison.changes;
        rules::compare(&old.rules, &new.rules, &mut changes);
        if changes.is_empty() {
            changes.push(Change {
                place: String::new(),
                what: "the order changed of fields, values or rules; models write in it".into(),
                breaking: false,
            });
        }
        Self(changes)
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (true, "breaking: old records and clients do not survive"),
            (false, "compatible: old records stay valid"),
        ];
        for (breaking, title) in kinds {
            let mut of_kind = self
                .0
                .iter()
                .filter(|one| one.breaking == breaking)
                .peekable();
            if of_kind.peek().is_some() {
                writeln!(f, "{title}")?;
            }
            of_kind.try_for_each(|change| writeln!(f, "- {change}"))?;
        }
        Ok(())
    }
}
