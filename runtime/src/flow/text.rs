//! Characters in a reply that its documents cannot have put there.

use super::tape::{Cursor, Kind, Tape, is_odd_control};
use crate::document::Document;
use crate::failure::{Code, Failure, Layer};
use crate::path::Path;

/// Strings with a control character that the document lacks: in practice a
/// backslash of the document (`\forall`) read as an escape.
pub(super) fn control_characters(
    tape: &Tape<'_>,
    documents: &[Document<'_>],
) -> Vec<(Failure, u32)> {
    let mut found = Vec::new();
    if tape.may_hold_controls() {
        search(tape.root(), &Path::root(), documents, &mut found);
    }
    found
}

/// Recursion is bounded by the depth that parsing allows.
fn search(
    cursor: Cursor<'_>,
    path: &Path,
    documents: &[Document<'_>],
    found: &mut Vec<(Failure, u32)>,
) {
    match cursor.kind() {
        Kind::Object => {
            for (key, value) in cursor.members() {
                if has_escape(value) {
                    search(value, &path.clone().key(key.into_owned()), documents, found);
                }
            }
        }
        Kind::Array => {
            for (index, value) in cursor.elements().enumerate() {
                if has_escape(value) {
                    search(value, &path.clone().index(index), documents, found);
                }
            }
        }
        Kind::String => {
            let text = cursor.as_str().unwrap_or_default();
            if let Some(control) = text.chars().find(|c| is_foreign(*c, documents)) {
                found.push((failure(path.clone(), control), cursor.id()));
            }
        }
        Kind::Null | Kind::Bool | Kind::Number => {}
    }
}

fn has_escape(cursor: Cursor<'_>) -> bool {
    matches!(cursor.kind(), Kind::Object | Kind::Array | Kind::String)
        && cursor.raw().contains('\\')
}

fn is_foreign(c: char, documents: &[Document<'_>]) -> bool {
    is_odd_control(c) && !documents.iter().any(|document| document.text().contains(c))
}

fn failure(path: Path, control: char) -> Failure {
    let message = format!(
        "holds the control character U+{:04X}, which the document does not; a backslash in JSON \
         text is written \\\\",
        u32::from(control)
    );
    Failure::new(Layer::Parse, Code::new("text.control_char"), path, message)
}
