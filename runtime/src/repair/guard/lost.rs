//! What a repair lost, in words.

use std::fmt::Write as _;

use crate::failure::{Code, Failure, Layer};
use crate::flow::tape::Cursor;
use crate::path::Path;

/// How many losses of one reply are spelled out.
const SPELLED_OUT: usize = 16;

/// How many elements of one list are named.
const NAMED: usize = 3;

/// The losses, the first of them as failures.
#[derive(Debug, Default)]
pub(super) struct Lost {
    pub(super) failures: Vec<Failure>,
    /// How many more there are.
    pub(super) omitted: usize,
}

impl Lost {
    /// A value that stood at a place and had no error.
    pub(super) fn value(&mut self, path: impl FnOnce() -> Path, earlier: Cursor<'_>) {
        self.add(path, || {
            format!(
                "lost {}, which had no error; bring it back",
                quoted(earlier)
            )
        });
    }

    /// A value that stood at a place and had no error in a part of it.
    pub(super) fn parts(&mut self, path: impl FnOnce() -> Path, earlier: Cursor<'_>) {
        self.add(path, || {
            let earlier = quoted(earlier);
            format!("lost {earlier}, parts of which had no error; bring them back")
        });
    }

    /// Elements of a list.
    pub(super) fn elements(&mut self, path: impl FnOnce() -> Path, lost: &[Cursor<'_>]) {
        self.add(path, || {
            let mut text = String::from("lost ");
            for (number, element) in lost.iter().take(NAMED).enumerate() {
                text.push_str(if number == 0 { "" } else { ", " });
                text.push_str(&quoted(*element));
            }
            let more = lost.len().saturating_sub(NAMED);
            if more > 0 {
                let _ = write!(text, " and {more} more");
            }
            text.push_str("; keep every element that had no error");
            text
        });
    }

    fn add(&mut self, path: impl FnOnce() -> Path, message: impl FnOnce() -> String) {
        if self.failures.len() == SPELLED_OUT {
            self.omitted += 1;
            return;
        }
        let code = Code::new("repair.regression");
        self.failures
            .push(Failure::new(Layer::Repair, code, path(), message()));
    }
}

/// A value in one line, shortened where it is long, without characters that change how the line
/// around it shows.
fn quoted(value: Cursor<'_>) -> String {
    let mut text = String::new();
    for character in value.shown().unwrap_or_default().chars() {
        match character {
            '\n' | '\r' | '\t' => text.push(' '),
            plain if is_plain(plain) => text.push(plain),
            odd => text.extend(odd.escape_unicode()),
        }
    }
    text
}

/// Whether a character shows as itself: neither a control character nor one that hides or turns
/// text.
fn is_plain(character: char) -> bool {
    let hidden = matches!(
        character,
        '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
    );
    !character.is_control() && !hidden
}
