//! From text to tape: RFC 8259, duplicate keys refused, everything bounded,
//! nothing recursive.

use std::collections::HashSet;

use super::error::{SyntaxCode, SyntaxError};
use super::scan::{self, BadEscape};
use super::{COUNT_SHIFT, Cursor, Entry, FLAG, Kind, Limits, Tape, fingerprint, fingerprint_at};
use crate::path::{Path, Segment};

/// Up to this many keys are compared pair by pair.
const PAIRWISE: u32 = 32;

/// The longest text of a number, in bytes.
const NUMBER_BYTES: usize = 1_000;

impl<'t> Tape<'t> {
    /// Parses a text that is one JSON value and white space.
    pub(crate) fn parse(text: &'t str, limits: Limits) -> Result<Self, SyntaxError> {
        let (tape, end) = Self::parse_prefix(text, limits)?;
        let end = skip_space(text.as_bytes(), end);
        if end == text.len() {
            return Ok(tape);
        }
        Err(trailing(text, end, limits))
    }

    /// Parses the JSON value that a text begins with, and says where it ends.
    pub(crate) fn parse_prefix(
        text: &'t str,
        limits: Limits,
    ) -> Result<(Self, usize), SyntaxError> {
        if text.len() > limits.bytes.min(u32::MAX as usize - 1) {
            let message = format!("the reply is longer than {} bytes", limits.bytes);
            return Err(SyntaxError::new(SyntaxCode::Size, 0, message));
        }
        let mut parser = Parser {
            text,
            bytes: text.as_bytes(),
            entries: Vec::with_capacity((text.len() / 12 + 8).min(limits.nodes)),
            frame: Frame::NONE,
            outer: Vec::with_capacity(8),
            limits,
            controls: false,
        };
        let end = parser.run().map_err(|error| *error)?;
        let Parser {
            entries, controls, ..
        } = parser;
        Ok((
            Tape {
                text,
                entries,
                controls,
            },
            end,
        ))
    }
}

/// What stands after a complete value.
fn trailing(text: &str, at: usize, limits: Limits) -> SyntaxError {
    let rest = text.get(at..).unwrap_or_default();
    let another = rest.starts_with(['{', '[']) && Tape::parse_prefix(rest, limits).is_ok();
    if another {
        let message = "a second JSON value follows the first; reply with one only";
        return SyntaxError::new(SyntaxCode::Ambiguous, at, message);
    }
    let message = format!("expected the end of the reply, found {}", found(text, at));
    SyntaxError::new(SyntaxCode::Syntax, at, message)
}

#[inline]
fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// An error is boxed on the way out, so that success stays in registers.
type Step<T> = Result<T, Box<SyntaxError>>;

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    entries: Vec<Entry>,
    /// The innermost open container.
    frame: Frame,
    /// Those around it, outermost first.
    outer: Vec<Frame>,
    limits: Limits,
    /// Whether an escape stands for a control character, or may.
    controls: bool,
}

/// A container that is open.
#[derive(Clone, Copy)]
struct Frame {
    id: u32,
    count: u32,
    kind: Kind,
    /// One bit for each key so far, by its fingerprint: a bit that is not set
    /// proves a key to be new.
    keys: u64,
}

impl Frame {
    /// Around the whole value: no container.
    const NONE: Self = Self {
        id: u32::MAX,
        count: 0,
        kind: Kind::Null,
        keys: 0,
    };
}

/// What must stand next.
#[derive(Clone, Copy, PartialEq)]
enum Expect {
    Value,
    /// A value, or the end of the array that has just begun.
    ValueOrEnd,
    /// A key, or the end of the object that has just begun.
    KeyOrEnd,
    Key,
    /// A comma or the end of the innermost container.
    Next,
}

impl Parser<'_> {
    /// Parses one value; says where it ends.
    fn run(&mut self) -> Step<usize> {
        let mut at = skip_space(self.bytes, 0);
        self.check_start(at)?;
        let mut expect = Expect::Value;
        loop {
            at = skip_space(self.bytes, at);
            (at, expect) = match expect {
                Expect::Next if self.frame.id == u32::MAX => return Ok(at),
                Expect::Next => self.next(at)?,
                Expect::Key => self.key(at)?,
                Expect::KeyOrEnd if self.peek(at) == b'}' => self.close(at)?,
                Expect::KeyOrEnd => self.key(at)?,
                Expect::ValueOrEnd if self.peek(at) == b']' => self.close(at)?,
                Expect::Value | Expect::ValueOrEnd => self.value(at)?,
            };
        }
    }

    /// A text that does not begin like JSON is prose, not broken JSON.
    fn check_start(&self, at: usize) -> Step<()> {
        let rest = self.text.get(at..).unwrap_or_default();
        let Some(first) = rest.chars().next() else {
            return Err(SyntaxError::new(SyntaxCode::Empty, at, "the reply is empty").into());
        };
        let begins = matches!(
            first,
            '{' | '[' | '"' | '-' | '.' | '+' | '\'' | '\u{FEFF}' | '“' | '/'
        ) || first.is_ascii_digit();
        let words = ["true", "false", "null", "NaN", "Infinity"];
        if begins || words.iter().any(|word| rest.starts_with(word)) {
            return Ok(());
        }
        let message = "the reply holds no JSON value; reply with the JSON object only";
        Err(SyntaxError::new(SyntaxCode::NoJson, at, message).into())
    }

    #[inline]
    fn peek(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    #[inline]
    fn push(&mut self, start: usize, end: usize, link: u32, meta: u32) -> Step<()> {
        if self.entries.len() >= self.limits.nodes {
            return Err(self.too_many(start));
        }
        self.entries.push(Entry {
            start: to_u32(start),
            end: to_u32(end),
            link,
            meta,
        });
        Ok(())
    }

    /// The id that comes after the next entry.
    #[inline]
    fn link(&self) -> u32 {
        to_u32(self.entries.len() + 1)
    }

    #[inline]
    fn value(&mut self, at: usize) -> Step<(usize, Expect)> {
        let end = match self.peek(at) {
            b'"' => {
                let (end, flag) = self.string(at)?;
                self.push(at + 1, end, self.link(), Kind::String as u32 | flag)?;
                end + 1
            }
            b'-' | b'0'..=b'9' => self.number(at)?,
            b'{' => return self.begin(at, Kind::Object, Expect::KeyOrEnd),
            b'[' => return self.begin(at, Kind::Array, Expect::ValueOrEnd),
            b't' => self.word(at, "true", Kind::Bool)?,
            b'f' => self.word(at, "false", Kind::Bool)?,
            b'n' => self.word(at, "null", Kind::Null)?,
            _ => return Err(self.no_value(at)),
        };
        Ok((end, Expect::Next))
    }

    fn begin(&mut self, at: usize, kind: Kind, expect: Expect) -> Step<(usize, Expect)> {
        if self.outer.len() >= self.limits.depth {
            let message = format!("nested more than {} levels deep", self.limits.depth);
            return Err(SyntaxError::new(SyntaxCode::Depth, at, message).into());
        }
        let id = to_u32(self.entries.len());
        self.push(at, at, 0, kind as u32)?;
        self.outer.push(self.frame);
        self.frame = Frame {
            id,
            count: 0,
            kind,
            keys: 0,
        };
        Ok((at + 1, expect))
    }

    #[inline]
    fn next(&mut self, at: usize) -> Step<(usize, Expect)> {
        self.frame.count += 1;
        let object = self.frame.kind == Kind::Object;
        match self.peek(at) {
            b',' => Ok((at + 1, if object { Expect::Key } else { Expect::Value })),
            b'}' if object => self.close(at),
            b']' if !object => self.close(at),
            _ => Err(self.no_next(at, object)),
        }
    }

    #[inline]
    fn close(&mut self, at: usize) -> Step<(usize, Expect)> {
        let frame = self.frame;
        let (end, link) = (to_u32(at + 1), to_u32(self.entries.len()));
        if let Some(entry) = self.entries.get_mut(frame.id as usize) {
            entry.end = end;
            entry.link = link;
            entry.meta |= frame.count << COUNT_SHIFT;
        }
        if frame.kind == Kind::Object && frame.count > PAIRWISE {
            self.check_many_keys(frame.id + 1, link)?;
        }
        self.frame = self.outer.pop().unwrap_or(Frame::NONE);
        Ok((at + 1, Expect::Next))
    }

    #[inline]
    fn key(&mut self, at: usize) -> Step<(usize, Expect)> {
        if self.peek(at) != b'"' {
            return Err(self.no_key(at));
        }
        let (end, flag) = self.string(at)?;
        let print = if flag == 0 {
            fingerprint_at(self.bytes, at + 1, end)
        } else {
            fingerprint(&scan::unescaped(
                self.text.get(at + 1..end).unwrap_or_default(),
            ))
        };
        self.push(at + 1, end, print, Kind::String as u32 | flag)?;
        self.check_key(print)?;
        let colon = skip_space(self.bytes, end + 1);
        if self.peek(colon) != b':' {
            return Err(self.no_colon(colon));
        }
        Ok((colon + 1, Expect::Value))
    }

    /// Refuses a key that the object has already. In large objects this waits
    /// for the end, so that the cost stays linear.
    #[inline]
    fn check_key(&mut self, print: u32) -> Step<()> {
        let bit = 1_u64 << (print % 64);
        let maybe_known = self.frame.keys & bit != 0;
        self.frame.keys |= bit;
        if maybe_known && self.frame.count < PAIRWISE {
            return self.check_among_few(print);
        }
        Ok(())
    }

    fn check_among_few(&self, print: u32) -> Step<()> {
        let key = to_u32(self.entries.len() - 1);
        let mut earlier = self.frame.id + 1;
        while earlier < key {
            if self.link_of(earlier) == print && self.name(earlier) == self.name(key) {
                return Err(self.duplicate(key));
            }
            earlier = self.link_of(earlier + 1);
        }
        Ok(())
    }

    fn check_many_keys(&self, first: u32, end: u32) -> Step<()> {
        let mut seen = HashSet::new();
        let mut key = first;
        while key < end {
            if !seen.insert(self.name(key)) {
                return Err(self.duplicate(key));
            }
            key = self.link_of(key + 1);
        }
        Ok(())
    }

    /// Where the string that begins at `at` ends, its quotes left out, and
    /// whether it holds an escape.
    #[inline]
    fn string(&mut self, at: usize) -> Step<(usize, u32)> {
        let end = scan::plain_end(self.bytes, at + 1);
        if self.peek(end) == b'"' {
            return Ok((end, 0));
        }
        self.string_with_escapes(end)
    }

    fn string_with_escapes(&mut self, mut end: usize) -> Step<(usize, u32)> {
        loop {
            match self.bytes.get(end) {
                Some(b'"') => return Ok((end, FLAG)),
                Some(b'\\') => {
                    let length =
                        scan::escape(self.bytes, end).map_err(|bad| self.bad_escape(end, bad))?;
                    self.controls |= matches!(self.peek(end + 1), b'b' | b'f' | b'u');
                    end = scan::plain_end(self.bytes, end + length);
                }
                Some(control) => return Err(self.raw_control(end, *control)),
                None => {
                    let message = "the reply ends inside a string";
                    return Err(SyntaxError::new(SyntaxCode::Syntax, end, message).into());
                }
            }
        }
    }

    #[inline]
    fn number(&mut self, at: usize) -> Step<usize> {
        let (end, integer) = scan::number(self.bytes, at).ok_or_else(|| self.no_number(at))?;
        let next = self.peek(end);
        if next.is_ascii_alphanumeric() || matches!(next, b'.' | b'_' | b'+' | b'-') {
            return Err(self.no_number(at));
        }
        if !integer || end - at > 300 {
            self.check_range(at, end)?;
        }
        let flag = if integer { FLAG } else { 0 };
        self.push(at, end, self.link(), Kind::Number as u32 | flag)?;
        Ok(end)
    }

    /// A number that no float can hold, or of absurd length, is refused here,
    /// so that every later layer reads a finite one.
    #[inline]
    fn check_range(&self, start: usize, end: usize) -> Step<()> {
        let bytes = self.bytes.get(start..end).unwrap_or_default();
        // Without an exponent, three hundred bytes of digits are finite.
        let may_overflow = bytes.len() > 300 || bytes.iter().any(|byte| byte | 0x20 == b'e');
        if may_overflow {
            self.check_magnitude(start, end)
        } else {
            Ok(())
        }
    }

    fn check_magnitude(&self, start: usize, end: usize) -> Step<()> {
        let text = self.text.get(start..end).unwrap_or_default();
        if text.len() > NUMBER_BYTES {
            let message = format!("a number of more than {NUMBER_BYTES} characters");
            return Err(SyntaxError::new(SyntaxCode::NumberRange, start, message).into());
        }
        if scan::float(text).is_infinite() {
            let message = "a number too large for a 64-bit float";
            return Err(SyntaxError::new(SyntaxCode::NumberRange, start, message).into());
        }
        Ok(())
    }

    fn word(&mut self, at: usize, word: &str, kind: Kind) -> Step<usize> {
        let end = at + word.len();
        let glued = self.peek(end).is_ascii_alphanumeric();
        if glued || self.text.get(at..end) != Some(word) {
            return Err(self.no_value(at));
        }
        self.push(at, end, self.link(), kind as u32)?;
        Ok(end)
    }

    #[inline]
    fn link_of(&self, id: u32) -> u32 {
        self.entries
            .get(id as usize)
            .map_or(u32::MAX, |entry| entry.link)
    }

    fn name(&self, key: u32) -> std::borrow::Cow<'_, str> {
        let entry = self
            .entries
            .get(key as usize)
            .copied()
            .unwrap_or(Entry::NONE);
        let inner = self
            .text
            .get(entry.start as usize..entry.end as usize)
            .unwrap_or_default();
        if entry.flagged() {
            scan::unescaped(inner).into()
        } else {
            inner.into()
        }
    }
}

/// Positions and counts fit: the text is shorter than `u32::MAX` bytes.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the length of the text was checked"
)]
fn to_u32(value: usize) -> u32 {
    value as u32
}

/// What goes wrong, in words.
impl Parser<'_> {
    #[cold]
    fn syntax(&self, at: usize, expected: &str) -> Box<SyntaxError> {
        let message = format!("{expected}, found {}", found(self.text, at));
        SyntaxError::new(SyntaxCode::Syntax, at, message).into()
    }

    #[cold]
    fn too_many(&self, at: usize) -> Box<SyntaxError> {
        let message = format!("the reply has more than {} values", self.limits.nodes);
        SyntaxError::new(SyntaxCode::Size, at, message).into()
    }

    #[cold]
    fn no_value(&self, at: usize) -> Box<SyntaxError> {
        let rest = self.text.get(at..).unwrap_or_default();
        let number = ["NaN", "Infinity", "+", "."]
            .iter()
            .any(|word| rest.starts_with(word));
        if number {
            return self.no_number(at);
        }
        if rest.starts_with([']', '}']) {
            return self.syntax(at, "expected a value after the comma");
        }
        self.syntax(at, "expected a JSON value")
    }

    #[cold]
    fn no_number(&self, at: usize) -> Box<SyntaxError> {
        let message = format!("{} is not a JSON number", found(self.text, at));
        SyntaxError::new(SyntaxCode::NonJsonNumber, at, message).into()
    }

    #[cold]
    fn no_key(&self, at: usize) -> Box<SyntaxError> {
        if self.peek(at) == b'}' {
            return self.syntax(at, "expected a key after the comma");
        }
        self.syntax(at, "expected a key in double quotes")
    }

    #[cold]
    fn no_colon(&self, at: usize) -> Box<SyntaxError> {
        self.syntax(at, "expected ':' after a key")
    }

    #[cold]
    fn no_next(&self, at: usize, object: bool) -> Box<SyntaxError> {
        self.syntax(
            at,
            if object {
                "expected ',' or '}'"
            } else {
                "expected ',' or ']'"
            },
        )
    }

    #[cold]
    fn raw_control(&self, at: usize, control: u8) -> Box<SyntaxError> {
        let message = format!("the control character U+{control:04X} must be escaped in a string");
        SyntaxError::new(SyntaxCode::Syntax, at, message).into()
    }

    #[cold]
    fn bad_escape(&self, at: usize, bad: BadEscape) -> Box<SyntaxError> {
        match bad {
            BadEscape::Unknown => {
                let message = "a backslash that begins no JSON escape; write \\\\ for a backslash";
                SyntaxError::new(SyntaxCode::Syntax, at, message).into()
            }
            BadEscape::Surrogate => {
                let message = "an escape for half a character (a lone surrogate)";
                let place = self.here(None);
                Box::new(SyntaxError::new(SyntaxCode::Encoding, at, message).at(place))
            }
        }
    }

    #[cold]
    fn duplicate(&self, key: u32) -> Box<SyntaxError> {
        let offset = self
            .entries
            .get(key as usize)
            .map_or(0, |entry| entry.start as usize);
        let message = "the same key stands twice in one object";
        let place = self.here(Some(key));
        let error = SyntaxError::new(SyntaxCode::DuplicateKey, offset.saturating_sub(1), message);
        Box::new(error.at(place))
    }

    /// The place of what is being read, or of the key with this id in the
    /// innermost object.
    fn here(&self, key: Option<u32>) -> Path {
        let open: Vec<Frame> = self
            .outer
            .iter()
            .copied()
            .chain([self.frame])
            .filter(|frame| frame.id != u32::MAX)
            .collect();
        let places = open.iter().enumerate().filter_map(|(level, frame)| {
            if frame.kind == Kind::Array {
                return Some(Segment::Index(frame.count as usize));
            }
            let key = match open.get(level + 1) {
                Some(below) => below.id.checked_sub(1),
                None => key.or_else(|| self.last_key(frame.id)),
            };
            Some(Segment::Key(self.name(key?).into_owned().into()))
        });
        places.collect()
    }

    /// The key whose value is being read in the open object `id`.
    fn last_key(&self, id: u32) -> Option<u32> {
        let end = to_u32(self.entries.len());
        let mut key = id + 1;
        let mut last = None;
        while key < end {
            last = Some(key);
            key = if key + 1 < end {
                self.link_of(key + 1)
            } else {
                end
            };
        }
        last
    }
}

/// A character or a word of the text, invisible ones by their code point.
fn found(text: &str, at: usize) -> String {
    let rest = text.get(at..).unwrap_or_default();
    let Some(first) = rest.chars().next() else {
        return "the end of the reply".to_owned();
    };
    let word: String = rest
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '+' | '-'))
        .take(24)
        .collect();
    if word.len() > 1 {
        return format!("'{word}'");
    }
    if first.is_control()
        || first.is_whitespace()
        || matches!(first, '\u{FEFF}' | '\u{200B}'..='\u{200F}')
    {
        return format!("the character U+{:04X}", u32::from(first));
    }
    if first == '\'' || first == '“' || first == '”' || first == '„' {
        return format!("{first} (strings stand in straight double quotes)");
    }
    if rest.starts_with("//") || rest.starts_with("/*") {
        return "a comment (JSON has none)".to_owned();
    }
    format!("'{first}'")
}

impl Cursor<'_> {
    /// Whether a number is written as an integer.
    #[inline]
    pub(super) fn is_integer(self) -> bool {
        self.entry().flagged()
    }
}
