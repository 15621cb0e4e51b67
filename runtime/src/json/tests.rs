//! What RFC 8259 accepts and refuses, what the refusals say, and what a tape answers.

use super::*;

mod binding;
mod faults;
mod hostile;
mod reading;
mod schema;

fn parse(text: &str) -> Tape<'_> {
    Tape::parse(text, Limits::default()).unwrap_or_else(|error| panic!("{text:.60}: {error:?}"))
}

fn refuse(text: &str) -> SyntaxError {
    match Tape::parse(text, Limits::default()) {
        Err(error) => *error,
        Ok(_) => panic!("accepted: {text:.60}"),
    }
}

/// A path in the form of a JSON Pointer.
fn pointer(path: &[Segment]) -> String {
    path.iter().fold(String::new(), |pointer, segment| {
        let step = match segment {
            Segment::Key(key) => key.replace('~', "~0").replace('/', "~1"),
            Segment::Index(index) => index.to_string(),
        };
        pointer + "/" + &step
    })
}
