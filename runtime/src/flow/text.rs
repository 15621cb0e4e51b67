//! Characters in a reply that its documents cannot have put there.

use std::collections::BTreeSet;

use crate::evidence::document::Document;
use crate::failure::{Failure, FailureCode, Layer};
use crate::json::{Cursor, Kind, Tape, is_odd_control};
use crate::path::{FieldPath, Segment};

/// How many of them are spelled out.
const SPELLED_OUT: usize = 256;

/// Strings with a control character that the documents lack.
#[derive(Debug, Default)]
pub(super) struct Controls {
    /// Each with the node it taints.
    pub(super) found: Vec<(Failure, u32)>,
    pub(super) omitted: usize,
}

impl Controls {
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

/// Strings with a control character that the document lacks: in practice a
/// backslash of the document (`\forall`) read as an escape.
pub(super) fn control_characters(tape: &Tape<'_>, documents: &[Document<'_>]) -> Controls {
    if !tape.may_hold_controls() {
        return Controls::default();
    }
    let texts = documents
        .iter()
        .flat_map(|document| document.text().chars());
    let mut search = Search {
        documented: texts.filter(|c| is_odd_control(*c)).collect(),
        trail: Vec::new(),
        controls: Controls::default(),
    };
    search.value(tape.root());
    search.controls
}

struct Search {
    /// The odd control characters of the documents.
    documented: BTreeSet<char>,
    trail: Vec<Segment>,
    controls: Controls,
}

impl Search {
    /// Recursion is bounded by the depth that parsing allows.
    fn value(&mut self, cursor: Cursor<'_>) {
        match cursor.kind() {
            Kind::Object => {
                for (key, value) in cursor.members().filter(|(_, value)| has_escape(*value)) {
                    self.below(Segment::Key(key.into_owned().into()), value);
                }
            }
            Kind::Array => {
                let elements = cursor.elements().enumerate();
                for (index, value) in elements.filter(|(_, value)| has_escape(*value)) {
                    self.below(Segment::Index(index), value);
                }
            }
            Kind::String => self.string(cursor),
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }

    fn below(&mut self, step: Segment, value: Cursor<'_>) {
        self.trail.push(step);
        self.value(value);
        self.trail.pop();
    }

    fn string(&mut self, cursor: Cursor<'_>) {
        let text = cursor.as_str().unwrap_or_default();
        let foreign = |c: &char| is_odd_control(*c) && !self.documented.contains(c);
        let Some(control) = text.chars().find(foreign) else {
            return;
        };
        if self.controls.found.len() < SPELLED_OUT {
            let path = self.trail.iter().cloned().collect();
            let told = (failure(path, control), cursor.id());
            self.controls.found.push(told);
        } else {
            self.controls.omitted += 1;
        }
    }
}

fn has_escape(cursor: Cursor<'_>) -> bool {
    matches!(cursor.kind(), Kind::Object | Kind::Array | Kind::String)
        && cursor.raw().contains('\\')
}

fn failure(path: FieldPath, control: char) -> Failure {
    let message = format!(
        "holds the control character U+{:04X}, which the document does not; a backslash in JSON \
         text is written \\\\",
        u32::from(control)
    );
    Failure::new(
        Layer::Parse,
        FailureCode::new("text.control_char"),
        path,
        message,
    )
}
