//! A text as tokens: what a quotation may begin and end with.
//!
//! A run of letters and digits is one token, so that no word and no number is
//! ever found inside a longer one. Scripts without spaces have a token for each
//! character, and so has punctuation.

use std::borrow::Cow;

use super::fold::{
    SOFT_HYPHEN, composed, extends, is_invisible, is_line_end, is_space, is_syllable, is_unspaced,
    plain, push_plain,
};

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Letters and digits.
    Word,
    /// One character of a script that puts no spaces between words.
    Unspaced,
    /// One Hangul syllable.
    Syllable,
    /// A hyphen or dash.
    Hyphen,
    /// Any other mark or symbol.
    Sign,
}

/// What stands before a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gap {
    /// The token before, or the start of the text.
    Nothing,
    /// White space on one line.
    Space,
    /// White space with the end of a line or page in it.
    Break,
}

/// One token, sixteen bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    /// First byte.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
    /// Hash of the text without differences of presentation. Two tokens of one
    /// hash are alike until their texts are compared.
    pub(crate) hash: u32,
    pub(crate) kind: Kind,
    pub(crate) gap: Gap,
}

/// The tokens of a text of less than 4 GiB; of a longer one, none.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    if u32::try_from(text.len()).is_err() {
        return Vec::new();
    }
    let mut tokens = Vec::with_capacity(text.len() / 5);
    let mut scanner = Scanner { text, at: 0 };
    while let Some(token) = scanner.next() {
        tokens.push(token);
    }
    tokens
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl Scanner<'_> {
    fn next(&mut self) -> Option<Token> {
        let gap = self.gap();
        let start = self.at;
        let first = self.peek()?;
        let kind = kind(first);
        let (end, hash) = if kind == Kind::Word {
            self.word()
        } else {
            self.single(first)
        };
        Some(Token {
            start: narrow(start),
            end: narrow(end),
            hash,
            kind,
            gap,
        })
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        match self.text.as_bytes().get(self.at) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.rest().chars().next(),
        }
    }

    /// Skips white space and what is not seen.
    fn gap(&mut self) -> Gap {
        let mut gap = Gap::Nothing;
        while let Some(c) = self.peek() {
            if is_line_end(c) {
                gap = Gap::Break;
            } else if is_space(c) {
                gap = gap.max(Gap::Space);
            } else if !self.is_skipped(c) {
                break;
            }
            self.at += c.len_utf8();
        }
        gap
    }

    /// Whether `c`, which is next, is not seen on the page.
    fn is_skipped(&self, c: char) -> bool {
        is_invisible(c) || (c == SOFT_HYPHEN && !self.ends_line(c))
    }

    /// Whether a line ends right after `c`, which is next.
    fn ends_line(&self, c: char) -> bool {
        let after = self.rest().get(c.len_utf8()..).unwrap_or_default();
        after
            .chars()
            .find(|c| is_line_end(*c) || !is_space(*c))
            .is_some_and(is_line_end)
    }

    /// Takes a run of letters and digits with all that clings to them.
    fn word(&mut self) -> (usize, u32) {
        let start = self.at;
        let bytes = self.text.as_bytes().iter().skip(start);
        let length = bytes.take_while(|byte| is_plain_word(**byte)).count();
        self.at += length;
        if self.peek().is_none_or(|c| c.is_ascii()) {
            let word = self.text.get(start..self.at).unwrap_or_default();
            return (self.at, Hash::default().text(word).end());
        }
        self.wide_word(start)
    }

    /// The same where the word holds more than ASCII.
    fn wide_word(&mut self, start: usize) -> (usize, u32) {
        let mut end = self.at;
        while let Some(c) = self.peek() {
            let skipped = self.is_skipped(c);
            if !skipped && kind(c) != Kind::Word && !extends(c) {
                break;
            }
            self.at += c.len_utf8();
            if !skipped {
                end = self.at;
            }
        }
        self.at = end;
        let word = self.text.get(start..end).unwrap_or_default();
        (end, joined([word]))
    }

    /// Takes one character with the marks on it.
    fn single(&mut self, first: char) -> (usize, u32) {
        let start = self.at;
        self.at += first.len_utf8();
        while let Some(c) = self.peek().filter(|c| extends(*c)) {
            self.at += c.len_utf8();
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        (self.at, joined([text]))
    }
}

/// A token without differences of presentation.
fn plain_word(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c != SOFT_HYPHEN && !is_invisible(c) {
            push_plain(&mut plain, c);
        }
    }
    match composed(&plain) {
        Cow::Borrowed(_) => Cow::Owned(plain),
        Cow::Owned(composed) => Cow::Owned(composed),
    }
}

fn is_plain_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn kind(c: char) -> Kind {
    if c.is_ascii() {
        return match c {
            '-' => Kind::Hyphen,
            '_' => Kind::Word,
            c if c.is_ascii_alphanumeric() => Kind::Word,
            _ => Kind::Sign,
        };
    }
    if c == SOFT_HYPHEN || plain(c) == '-' {
        Kind::Hyphen
    } else if is_unspaced(c) {
        Kind::Unspaced
    } else if is_syllable(c) {
        Kind::Syllable
    } else if c.is_alphanumeric() || matches!(c, '\u{FB00}'..='\u{FB06}') {
        Kind::Word
    } else {
        Kind::Sign
    }
}

fn narrow(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// FNV-1a, which can go on where it ended: the hash of two joined words needs
/// no joined text.
#[derive(Debug, Clone, Copy)]
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Hash {
    fn text(self, text: &str) -> Self {
        text.bytes().fold(self, |Self(hash), byte| {
            Self((hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
        })
    }

    #[expect(clippy::cast_possible_truncation, reason = "both halves are folded in")]
    fn end(self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32
    }
}

/// The hash that the words in `parts` have as one word.
pub(crate) fn joined<'t>(parts: impl IntoIterator<Item = &'t str>) -> u32 {
    let parts = parts.into_iter();
    parts
        .fold(Hash::default(), |hash, part| hash.text(&plain_word(part)))
        .end()
}
