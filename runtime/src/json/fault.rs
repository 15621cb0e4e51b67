//! What is wrong with a text that is not JSON, in words: what was found, and what was expected.

#![expect(
    clippy::unnecessary_box_returns,
    reason = "a box keeps the results of the hot path in registers"
)]

use super::number::{Fault, LONGEST};
use super::text::Escape;
use super::{Limits, Tape};
use crate::path::Segment;

/// The kind of a syntax error, with a word that stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SyntaxCode {
    /// Nothing but white space.
    Empty,
    /// The text does not even begin like JSON.
    NoJson,
    Syntax,
    /// A second value follows the first.
    Ambiguous,
    DuplicateKey,
    /// A number in a form that other languages have and JSON has not.
    NonJsonNumber,
    /// A number that `f64` cannot hold, or one of immoderate length.
    NumberRange,
    /// An escape that stands for no character.
    Encoding,
    Depth,
    Size,
}

impl SyntaxCode {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Empty => "parse.empty",
            Self::NoJson => "parse.no_json",
            Self::Syntax => "parse.syntax",
            Self::Ambiguous => "parse.ambiguous",
            Self::DuplicateKey => "parse.duplicate_key",
            Self::NonJsonNumber => "parse.non_json_number",
            Self::NumberRange => "parse.number_range",
            Self::Encoding => "parse.encoding",
            Self::Depth => "parse.depth",
            Self::Size => "parse.size",
        }
    }
}

/// Why a text was refused, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) code: SyntaxCode,
    /// The byte at which the fault shows.
    pub(crate) offset: usize,
    /// What was found and what was expected; at most one word of the text itself.
    pub(crate) message: String,
    /// The way to the value or key the fault lies in, or else to the container around it.
    pub(crate) path: Vec<Segment>,
}

impl SyntaxError {
    pub(super) fn new(
        code: SyntaxCode,
        offset: usize,
        message: String,
        path: Vec<Segment>,
    ) -> Box<Self> {
        Box::new(Self {
            code,
            offset,
            message,
            path,
        })
    }

    /// Line and column of the fault, from one, the column in characters.
    pub(crate) fn line_column(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.offset).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        (line, column)
    }
}

/// What the parser was about to read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    Value,
    Key,
    Colon,
    /// A comma or the end of the container.
    AfterItem,
    /// The inside of a string.
    String,
    Escape(Escape),
    Number(Fault),
}

/// Longest word of the text that a message repeats.
const LONGEST_WORD: usize = 24;

/// A fault's code and words. `close` is what closes the innermost open container, NUL if none is open.
pub(super) fn describe(text: &str, at: usize, place: Place, close: char) -> (SyntaxCode, String) {
    let look = Look { text, at, close };
    match place {
        Place::Number(fault) => look.number(fault),
        Place::Escape(escape) => look.escape(escape),
        Place::String => look.string(),
        Place::Value => look.value(),
        Place::Key => look.key(),
        Place::Colon => look.expected("`:` after the key"),
        Place::AfterItem => look.after_item(),
    }
}

pub(super) fn too_long(found: usize, limit: usize) -> Box<SyntaxError> {
    let message = format!("found a text of {found} bytes, expected at most {limit}");
    SyntaxError::new(SyntaxCode::Size, 0, message, Vec::new())
}

pub(super) fn too_many(limit: usize) -> String {
    format!("found more values and keys than allowed, expected at most {limit}")
}

pub(super) fn too_deep(limit: usize) -> String {
    format!("found arrays and objects nested too deep, expected at most {limit} inside one another")
}

/// The fault of a text that goes on after its value.
#[cold]
pub(super) fn after_value(text: &str, at: usize, limits: Limits) -> Box<SyntaxError> {
    let rest = text.get(at..).unwrap_or_default();
    let look = Look {
        text,
        at,
        close: '\0',
    };
    let (code, message) = if is_second_value(rest, limits) {
        let message = "found a second JSON value after the first, expected only one".to_owned();
        (SyntaxCode::Ambiguous, message)
    } else {
        let message = format!(
            "found {} after the value, expected no text to follow it",
            look.found()
        );
        (SyntaxCode::Syntax, message)
    };
    SyntaxError::new(code, at, message, Vec::new())
}

/// Whether a text goes on with a value. A number or a word may also be the beginning of a sentence,
/// so only what closes itself counts if more text follows.
fn is_second_value(rest: &str, limits: Limits) -> bool {
    Tape::parse_prefix(rest, limits).is_ok_and(|(_, end)| {
        let tail = rest.get(end..).unwrap_or_default();
        rest.starts_with(['{', '[']) || tail.trim_start_matches([' ', '\t', '\r', '\n']).is_empty()
    })
}

/// The place of a fault in its text.
#[derive(Clone, Copy)]
struct Look<'t> {
    text: &'t str,
    at: usize,
    close: char,
}

impl<'t> Look<'t> {
    fn rest(self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(self) -> Option<char> {
        self.rest().chars().next()
    }

    fn after_comma(self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        before.trim_end().ends_with(',')
    }

    /// The letters and digits that stand here, if they make a word.
    fn word(self) -> Option<&'t str> {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let word = rest.get(..end)?;
        word.starts_with(|c: char| c.is_alphabetic() || c == '_')
            .then_some(word)
    }

    /// What stands here, short enough to repeat.
    fn found(self) -> String {
        if let Some(word) = self.word() {
            if word.chars().count() <= LONGEST_WORD {
                return format!("`{word}`");
            }
            return "a long word".to_owned();
        }
        match self.next() {
            None => "the end of the text".to_owned(),
            Some(c) => name(c),
        }
    }

    fn expected(self, expected: &str) -> (SyntaxCode, String) {
        let message = if let Some(foreign) = self.foreign() {
            format!("found {foreign}, expected {expected}")
        } else {
            format!("found {}, expected {expected}", self.found())
        };
        (SyntaxCode::Syntax, message)
    }

    /// Things other notations have, named with what JSON has instead.
    fn foreign(self) -> Option<String> {
        let rest = self.rest();
        let next = self.next()?;
        match next {
            '\'' => Some("a single quote (JSON strings stand in double quotes)".to_owned()),
            '\u{2018}'..='\u{201F}' | '\u{AB}' | '\u{BB}' => Some(format!(
                "the curly quote {} (JSON strings stand in straight double quotes)",
                code_point(next)
            )),
            '`' => Some("a backtick (JSON strings stand in double quotes)".to_owned()),
            '/' if rest.starts_with("//") || rest.starts_with("/*") => {
                Some("a comment (JSON has none)".to_owned())
            }
            '#' => Some("`#` (JSON has no comments)".to_owned()),
            _ => None,
        }
    }

    fn value(self) -> (SyntaxCode, String) {
        let expected = "a JSON value";
        let at_root = self.close == '\0';
        if at_root && self.rest().trim_start().is_empty() {
            return (
                SyntaxCode::Empty,
                "found nothing but white space, expected a JSON value".to_owned(),
            );
        }
        if let Some(message) = self.foreign_number() {
            return (SyntaxCode::NonJsonNumber, message);
        }
        if let Some(json) = self.word().and_then(spelling) {
            let message = format!("found {}, expected `{json}`", self.found());
            return (SyntaxCode::Syntax, message);
        }
        if self.close != '\0' && self.next() == Some(self.close) && self.after_comma() {
            return (SyntaxCode::Syntax, trailing_comma(self.close));
        }
        if at_root && !self.begins_like_json() {
            return (
                SyntaxCode::NoJson,
                format!("found {}, expected a text that is JSON", self.found()),
            );
        }
        self.expected(expected)
    }

    /// Whether a text that is no JSON looks as if it was meant to be.
    fn begins_like_json(self) -> bool {
        let comment = self.rest().starts_with("//") || self.rest().starts_with("/*");
        let next = self.next().unwrap_or(' ');
        let quote = matches!(next, '\'' | '\u{2018}'..='\u{201F}');
        comment || quote || matches!(next, '}' | ']' | ',' | ':') || is_invisible(next)
    }

    /// A number as other languages write it.
    fn foreign_number(self) -> Option<String> {
        let rest = self.rest();
        let unsigned = rest.trim_start_matches(['+', '-']);
        let word = Look {
            at: self.text.len() - unsigned.len(),
            ..self
        }
        .word();
        let named = matches!(
            word,
            Some("NaN" | "nan" | "NAN" | "Infinity" | "infinity" | "inf" | "Inf")
        );
        if named {
            let word = word.unwrap_or_default();
            return Some(format!(
                "found `{word}`, expected a number that JSON can write"
            ));
        }
        let digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        if rest.starts_with('+') && (digit(unsigned) || unsigned.starts_with('.')) {
            return Some("found a number with a leading `+`, expected none".to_owned());
        }
        if rest.strip_prefix('.').is_some_and(digit) {
            return Some(
                "found a number that begins with `.`, expected a digit before it".to_owned(),
            );
        }
        None
    }

    fn number(self, fault: Fault) -> (SyntaxCode, String) {
        let found = self.found();
        let message = match fault {
            Fault::NoDigit => return self.lone_minus(),
            Fault::LeadingZero => {
                "found a number with a leading zero, expected none before other digits".to_owned()
            }
            Fault::NoFraction => format!("found {found} after the decimal point, expected a digit"),
            Fault::NoExponent => format!("found {found} in an exponent, expected a digit"),
            Fault::Radix => format!("found {found} in a number, expected decimal digits only"),
            Fault::TooLong => {
                let message = format!(
                    "found a number of more than {LONGEST} characters, expected a shorter one"
                );
                return (SyntaxCode::NumberRange, message);
            }
            Fault::Infinite => {
                let message = "found a number too large for a 64-bit float, expected a smaller one"
                    .to_owned();
                return (SyntaxCode::NumberRange, message);
            }
        };
        (SyntaxCode::NonJsonNumber, message)
    }

    /// A minus before something that is no digit: `-Infinity`, `-.5`, or the dash of a list.
    fn lone_minus(self) -> (SyntaxCode, String) {
        let number = self.foreign_number();
        if number.is_none() && self.close == '\0' && self.next().is_none_or(char::is_whitespace) {
            let message = "found a dash, expected a text that is JSON".to_owned();
            return (SyntaxCode::NoJson, message);
        }
        let message = number
            .unwrap_or_else(|| format!("found {} after a minus, expected a digit", self.found()));
        (SyntaxCode::NonJsonNumber, message)
    }

    fn string(self) -> (SyntaxCode, String) {
        let message = match self.next() {
            None => "found the end of the text in a string, expected its closing quote".to_owned(),
            Some(c) => format!("found {} in a string, expected it as an escape", name(c)),
        };
        (SyntaxCode::Syntax, message)
    }

    fn escape(self, escape: Escape) -> (SyntaxCode, String) {
        let mut rest = self.rest().chars().skip(1);
        match (escape, rest.next()) {
            (Escape::LoneSurrogate, _) => (
                SyntaxCode::Encoding,
                "found half of a surrogate pair, expected an escape that stands for a character"
                    .to_owned(),
            ),
            (Escape::ShortHex, _) => (
                SyntaxCode::Syntax,
                "found `\\u` without four hexadecimal digits, expected four".to_owned(),
            ),
            (_, None) => self.string_end(),
            (_, Some(c)) => (
                SyntaxCode::Syntax,
                format!(
                    "found a backslash before {}, expected one of `\"\\/bfnrtu` after it",
                    name(c)
                ),
            ),
        }
    }

    fn string_end(self) -> (SyntaxCode, String) {
        Look {
            at: self.text.len(),
            ..self
        }
        .string()
    }

    fn key(self) -> (SyntaxCode, String) {
        let expected = "a key in double quotes";
        match self.next() {
            Some('}') if self.after_comma() => (SyntaxCode::Syntax, trailing_comma('}')),
            Some('\'') => (
                SyntaxCode::Syntax,
                format!("found a key in single quotes, expected {expected}"),
            ),
            Some(_) if self.word().is_some() => (
                SyntaxCode::Syntax,
                format!(
                    "found the key {} without quotes, expected {expected}",
                    self.found()
                ),
            ),
            _ => self.expected(expected),
        }
    }

    fn after_item(self) -> (SyntaxCode, String) {
        let close = self.close;
        match self.next() {
            Some('"' | '{' | '[') => (
                SyntaxCode::Syntax,
                format!(
                    "found {} right after a value, expected `,` between them or `{close}`",
                    self.found()
                ),
            ),
            _ => self.expected(&format!("`,` or `{close}`")),
        }
    }
}

fn trailing_comma(close: char) -> String {
    format!("found a trailing comma before `{close}`, expected none")
}

/// The JSON word for what another language calls it.
fn spelling(word: &str) -> Option<&'static str> {
    match word {
        "None" | "NULL" | "Null" | "nil" | "undefined" => Some("null"),
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        _ => None,
    }
}

/// A character as a message shows it: by its code point where print would not tell.
fn name(c: char) -> String {
    if is_invisible(c) {
        code_point(c)
    } else {
        format!("`{c}`")
    }
}

fn code_point(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

fn is_invisible(c: char) -> bool {
    c.is_control()
        || c.is_whitespace()
        || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
        || matches!(c, '\u{FFF9}'..='\u{FFFB}' | '\u{E000}'..='\u{F8FF}' | '\u{E0000}'..)
}
