//! The inside of a string that may not be whole yet.

use std::borrow::Cow;

use crate::json::{Escape, escape, unescape};

/// What stands at a backslash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A character, and the bytes that its escape takes.
    Character(char, usize),
    /// The beginning of an escape, or the first half of a pair.
    More,
    /// What no continuation makes an escape.
    Broken,
}

/// Reads the escape whose backslash is at a place.
pub(super) fn escape_at(text: &str, at: usize) -> Found {
    let rest = text.get(at + 1..).unwrap_or_default();
    match escape(rest) {
        Escape::Character(character, length) => Found::Character(character, 1 + length),
        _ if may_go_on(rest.as_bytes()) => Found::More,
        _ => Found::Broken,
    }
}

/// Whether the text behind a backslash ends before it is known what it escapes.
fn may_go_on(rest: &[u8]) -> bool {
    let hexadecimal = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
    match rest {
        [] => true,
        [b'u', digits @ ..] if digits.len() < 4 => hexadecimal(digits),
        [b'u', a, b, c, d, partner @ ..] => {
            let high = matches!(
                [a, b],
                [b'd' | b'D', b'8'..=b'9' | b'a'..=b'b' | b'A'..=b'B']
            );
            let begun = match partner {
                [] | [b'\\'] => true,
                [b'\\', b'u', digits @ ..] => digits.len() < 4 && hexadecimal(digits),
                _ => false,
            };
            high && hexadecimal(&[*c, *d]) && begun
        }
        _ => false,
    }
}

/// The value of a string that is whole.
pub(super) fn unescaped(inner: &str, escaped: bool) -> Cow<'_, str> {
    if escaped {
        unescape(inner).into()
    } else {
        inner.into()
    }
}

/// What surely belongs to a string that goes on: the text up to an escape that is not whole.
pub(super) fn settled(inner: &str) -> &str {
    let mut at = 0;
    while let Some(place) = inner.get(at..).and_then(|rest| rest.find('\\')) {
        match escape_at(inner, at + place) {
            Found::Character(_, length) => at += place + length,
            Found::More | Found::Broken => return inner.get(..at + place).unwrap_or_default(),
        }
    }
    inner
}
