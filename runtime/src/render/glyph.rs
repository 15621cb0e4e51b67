//! How a character is shown, so that no text can steer what shows it.

use std::fmt::{self, Write as _};

use icu_properties::CodePointMapData;
use icu_properties::props::{EastAsianWidth, GeneralCategory};

/// A character as it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Glyph {
    /// As it is.
    Plain(char),
    Tab,
    /// An ASCII control character as its picture.
    Picture(char),
    /// Anything else that would not be seen or would move what stands beside
    /// it, by its number.
    Code(char),
}

const TAB: &str = "    ";

impl Glyph {
    pub(super) fn of(c: char) -> Self {
        match c {
            ' '..='~' => Self::Plain(c),
            '\t' => Self::Tab,
            '\0'..='\x1f' => Self::picture(u32::from(c) + 0x2400),
            '\x7f' => Self::Picture('\u{2421}'),
            _ if steers(c) => Self::Code(c),
            _ => Self::Plain(c),
        }
    }

    fn picture(code: u32) -> Self {
        Self::Picture(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Columns of a terminal.
    pub(super) fn width(self) -> usize {
        match self {
            Self::Plain(c) => columns(c),
            Self::Tab => TAB.len(),
            Self::Picture(_) => 1,
            Self::Code(c) => code(c).len(),
        }
    }
}

impl fmt::Display for Glyph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Plain(c) | Self::Picture(c) => f.write_char(c),
            Self::Tab => f.write_str(TAB),
            Self::Code(c) => f.write_str(&code(c)),
        }
    }
}

fn code(c: char) -> String {
    format!("<U+{:04X}>", u32::from(c))
}

fn category(c: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(c)
}

/// Whether a character is not written itself but changes how others are. The
/// joiners are left out: scripts and emoji need them, and they only join.
fn steers(c: char) -> bool {
    use GeneralCategory as Of;
    !matches!(c, '\u{200c}' | '\u{200d}')
        && matches!(
            category(c),
            Of::Control | Of::Format | Of::LineSeparator | Of::ParagraphSeparator
        )
}

fn columns(c: char) -> usize {
    use GeneralCategory as Of;
    if c.is_ascii() {
        return 1;
    }
    if matches!(
        category(c),
        Of::NonspacingMark | Of::EnclosingMark | Of::Format
    ) {
        return 0;
    }
    match CodePointMapData::<EastAsianWidth>::new().get(c) {
        EastAsianWidth::Wide | EastAsianWidth::Fullwidth => 2,
        _ => 1,
    }
}

/// The text as it is shown, on one line.
pub(super) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let _ = write!(shown, "{}", Glyph::of(c));
    }
    shown
}

/// The columns that the text takes when it is shown.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(|c| Glyph::of(c).width()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_shown_by_name() {
        assert_eq!(shown("a\x1b[31mb"), "a\u{241b}[31mb");
        assert_eq!(shown("a\u{9b}31mb\u{202e}"), "a<U+009B>31mb<U+202E>");
        assert_eq!(shown("a\nb\u{2028}c"), "a\u{240a}b<U+2028>c");
    }

    #[test]
    fn wide_and_combining_characters_take_their_columns() {
        assert_eq!(width("日本"), 4);
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(width("👩\u{200d}"), 2);
        assert_eq!(width("\t"), 4);
    }
}
