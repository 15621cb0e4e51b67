//! From text to tape: RFC 8259, duplicate keys refused, everything bounded,
//! nothing recursive.

use std::collections::HashSet;

use super::error::{SyntaxCode, SyntaxError};
use super::scan::{self, BadEscape};
use super::{COUNT_SHIFT, Cursor, Entry, FLAG, Kind, Limits, Tape, fingerprint};
use crate::path::{Path, Segment};

/// Up to this many keys are compared pair by pair.
const PAIRWISE: usize = 16;

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
            at: 0,
            entries: Vec::with_capacity((text.len() / 12 + 8).min(limits.nodes)),
            open: Vec::with_capacity(8),
            limits,
        };
        parser.run()?;
        let Parser { at, entries, .. } = parser;
        Ok((Tape { text, entries }, at))
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

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    entries: Vec<Entry>,
    /// The containers that are open, innermost last.
    open: Vec<u32>,
    limits: Limits,
}

/// What a byte position must hold next.
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
    /// Nothing more.
    Done,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<(), SyntaxError> {
        self.at = skip_space(self.bytes, 0);
        self.check_start()?;
        let mut expect = Expect::Value;
        while expect != Expect::Done {
            self.at = skip_space(self.bytes, self.at);
            expect = match expect {
                Expect::Next => self.next()?,
                Expect::Key => self.key()?,
                Expect::KeyOrEnd if self.peek() == b'}' => self.close()?,
                Expect::KeyOrEnd => self.key()?,
                Expect::ValueOrEnd if self.peek() == b']' => self.close()?,
                Expect::Value | Expect::ValueOrEnd | Expect::Done => self.value()?,
            };
        }
        Ok(())
    }

    /// A text that does not begin like JSON is prose, not broken JSON.
    fn check_start(&self) -> Result<(), SyntaxError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(first) = rest.chars().next() else {
            return Err(SyntaxError::new(SyntaxCode::Empty, self.at, "the reply is empty"));
        };
        let word_number = ["NaN", "Infinity", "+"].iter().any(|word| rest.starts_with(word));
        let begins = matches!(first, '{' | '[' | '"' | '-' | '.' | '\'' | '\u{FEFF}' | '“' | '/')
            || first.is_ascii_digit()
            || ["true", "false", "null"].iter().any(|word| rest.starts_with(word));
        if begins || word_number {
            return Ok(());
        }
        let message = "the reply holds no JSON value; reply with the JSON object only";
        Err(SyntaxError::new(SyntaxCode::NoJson, self.at, message))
    }

    #[inline]
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    fn push(&mut self, entry: Entry) -> Result<u32, SyntaxError> {
        let id = self.entries.len();
        if id >= self.limits.nodes {
            let message = format!("the reply has more than {} values", self.limits.nodes);
            return Err(SyntaxError::new(SyntaxCode::Size, self.at, message));
        }
        self.entries.push(entry);
        Ok(to_u32(id))
    }

    #[inline]
    fn value(&mut self) -> Result<Expect, SyntaxError> {
        match self.peek() {
            b'"' => self.string()?,
            b'{' => return self.begin(Kind::Object, Expect::KeyOrEnd),
            b'[' => return self.begin(Kind::Array, Expect::ValueOrEnd),
            b'-' | b'0'..=b'9' => self.number()?,
            b't' => self.word("true", Kind::Bool)?,
            b'f' => self.word("false", Kind::Bool)?,
            b'n' => self.word("null", Kind::Null)?,
            _ => return Err(self.no_value()),
        }
        Ok(self.after_value())
    }

    #[inline]
    fn after_value(&self) -> Expect {
        if self.open.is_empty() { Expect::Done } else { Expect::Next }
    }

    fn begin(&mut self, kind: Kind, expect: Expect) -> Result<Expect, SyntaxError> {
        if self.open.len() >= self.limits.depth {
            let message = format!("nested more than {} levels deep", self.limits.depth);
            return Err(SyntaxError::new(SyntaxCode::Depth, self.at, message));
        }
        let start = to_u32(self.at);
        let id = self.push(Entry { start, end: start, link: 0, meta: kind as u32 })?;
        self.open.push(id);
        self.at += 1;
        Ok(expect)
    }

    #[inline]
    fn next(&mut self) -> Result<Expect, SyntaxError> {
        let object = self.innermost().kind() == Kind::Object;
        match self.peek() {
            b',' => {
                self.at += 1;
                self.count();
                Ok(if object { Expect::Key } else { Expect::Value })
            }
            b'}' if object => {
                self.count();
                self.close()
            }
            b']' if !object => {
                self.count();
                self.close()
            }
            _ => Err(self.no_next(object)),
        }
    }

    #[inline]
    fn innermost(&self) -> Entry {
        let id = self.open.last().copied().unwrap_or(u32::MAX);
        self.entries.get(id as usize).copied().unwrap_or(Entry::NONE)
    }

    #[inline]
    fn innermost_mut(&mut self) -> Option<&mut Entry> {
        self.entries.get_mut(*self.open.last()? as usize)
    }

    /// One more member or element is complete.
    #[inline]
    fn count(&mut self) {
        if let Some(entry) = self.innermost_mut() {
            entry.meta += 1 << COUNT_SHIFT;
        }
    }

    fn close(&mut self) -> Result<Expect, SyntaxError> {
        self.at += 1;
        let (end, link) = (to_u32(self.at), to_u32(self.entries.len()));
        if let Some(entry) = self.innermost_mut() {
            entry.end = end;
            entry.link = link;
        }
        if self.innermost().kind() == Kind::Object {
            self.check_keys()?;
        }
        self.open.pop();
        Ok(self.after_value())
    }

    #[inline]
    fn key(&mut self) -> Result<Expect, SyntaxError> {
        if self.peek() != b'"' {
            return Err(self.no_key());
        }
        self.string()?;
        self.print_key();
        self.at = skip_space(self.bytes, self.at);
        if self.peek() != b':' {
            return Err(self.syntax(&format!("expected ':' after a key, found {}", self.found())));
        }
        self.at += 1;
        Ok(Expect::Value)
    }

    /// Writes the fingerprint of the key that was just read into its entry.
    #[inline]
    fn print_key(&mut self) {
        let text = self.text;
        if let Some(entry) = self.entries.last_mut() {
            let inner = text.get(entry.start as usize..entry.end as usize).unwrap_or_default();
            entry.link = if entry.flagged() {
                fingerprint(&scan::unescaped(inner))
            } else {
                fingerprint(inner)
            };
        }
    }

    #[inline]
    fn string(&mut self) -> Result<(), SyntaxError> {
        let start = self.at + 1;
        let mut end = scan::plain_end(self.bytes, start);
        let mut flag = 0;
        loop {
            match self.bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') => {
                    flag = FLAG;
                    let length = scan::escape(self.bytes, end).map_err(|bad| self.bad_escape(end, bad))?;
                    end = scan::plain_end(self.bytes, end + length);
                }
                Some(control) => return Err(self.raw_control(end, *control)),
                None => return Err(self.syntax("the reply ends inside a string")),
            }
        }
        let link = to_u32(self.entries.len() + 1);
        let meta = Kind::String as u32 | flag;
        self.push(Entry { start: to_u32(start), end: to_u32(end), link, meta })?;
        self.at = end + 1;
        Ok(())
    }

    #[inline]
    fn number(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        let (end, integer) = scan::number(self.bytes, start).ok_or_else(|| self.no_number())?;
        let glued = self.bytes.get(end).is_some_and(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'+' | b'-')
        });
        if glued {
            return Err(self.no_number());
        }
        if !integer || end - start > 300 {
            self.check_range(start, end)?;
        }
        let flag = if integer { FLAG } else { 0 };
        let link = to_u32(self.entries.len() + 1);
        let meta = Kind::Number as u32 | flag;
        self.push(Entry { start: to_u32(start), end: to_u32(end), link, meta })?;
        self.at = end;
        Ok(())
    }

    /// A number that no float can hold, or of absurd length, is refused here,
    /// so that every later layer reads a finite one.
    fn check_range(&self, start: usize, end: usize) -> Result<(), SyntaxError> {
        let text = self.text.get(start..end).unwrap_or_default();
        // Without an exponent, three hundred bytes of digits are finite.
        let may_overflow = text.len() > 300 || text.contains(['e', 'E']);
        if !may_overflow {
            return Ok(());
        }
        if text.len() > NUMBER_BYTES {
            let message = format!("a number of more than {NUMBER_BYTES} characters");
            return Err(SyntaxError::new(SyntaxCode::NumberRange, start, message));
        }
        if scan::float(text).is_infinite() {
            let message = "a number too large for a 64-bit float";
            return Err(SyntaxError::new(SyntaxCode::NumberRange, start, message));
        }
        Ok(())
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<(), SyntaxError> {
        let end = self.at + word.len();
        let glued = self.bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
        if glued || self.text.get(self.at..end) != Some(word) {
            return Err(self.no_value());
        }
        let link = to_u32(self.entries.len() + 1);
        let (start, meta) = (to_u32(self.at), kind as u32);
        self.push(Entry { start, end: to_u32(end), link, meta })?;
        self.at = end;
        Ok(())
    }

    /// Refuses an object with two members of one name.
    #[inline]
    fn check_keys(&self) -> Result<(), SyntaxError> {
        let object = self.open.last().copied().unwrap_or_default();
        let entry = self.innermost();
        let twice = if entry.count() <= PAIRWISE {
            self.twice_pairwise(object + 1, entry.link)
        } else {
            self.twice_by_set(object + 1, entry.link)
        };
        twice.map_or(Ok(()), |key| Err(self.duplicate(key)))
    }

    #[inline]
    fn twice_pairwise(&self, first: u32, end: u32) -> Option<u32> {
        let mut prints = [0_u32; PAIRWISE];
        let mut keys = [0_u32; PAIRWISE];
        let mut count = 0;
        let mut key = first;
        while key < end {
            let print = self.link(key);
            for (seen, earlier) in prints.iter().zip(&keys).take(count) {
                if *seen == print && self.name(*earlier) == self.name(key) {
                    return Some(key);
                }
            }
            if let (Some(at), Some(id)) = (prints.get_mut(count), keys.get_mut(count)) {
                (*at, *id) = (print, key);
            }
            count += 1;
            key = self.link(key + 1);
        }
        None
    }

    fn twice_by_set(&self, first: u32, end: u32) -> Option<u32> {
        let mut seen = HashSet::new();
        let mut key = first;
        while key < end {
            if !seen.insert(self.name(key)) {
                return Some(key);
            }
            key = self.link(key + 1);
        }
        None
    }

    #[inline]
    fn link(&self, id: u32) -> u32 {
        self.entries.get(id as usize).map_or(u32::MAX, |entry| entry.link)
    }

    fn name(&self, key: u32) -> std::borrow::Cow<'_, str> {
        let entry = self.entries.get(key as usize).copied().unwrap_or(Entry::NONE);
        let inner = self.text.get(entry.start as usize..entry.end as usize).unwrap_or_default();
        if entry.flagged() { scan::unescaped(inner).into() } else { inner.into() }
    }
}

/// Positions and counts fit: the text is shorter than `u32::MAX` bytes.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the length of the text was checked")]
fn to_u32(value: usize) -> u32 {
    value as u32
}

/// What goes wrong, in words.
impl Parser<'_> {
    fn syntax(&self, message: &str) -> SyntaxError {
        SyntaxError::new(SyntaxCode::Syntax, self.at, message)
    }

    fn found(&self) -> String {
        found(self.text, self.at)
    }

    fn no_value(&self) -> SyntaxError {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if ["NaN", "Infinity"].iter().any(|word| rest.starts_with(word)) {
            return self.no_number();
        }
        if rest.starts_with(['+', '.']) {
            return self.no_number();
        }
        let expected = if rest.starts_with([']', '}']) {
            "expected a value after the comma"
        } else {
            "expected a JSON value"
        };
        self.syntax(&format!("{expected}, found {}", self.found()))
    }

    fn no_number(&self) -> SyntaxError {
        let message = format!("{} is not a JSON number", found(self.text, self.at));
        SyntaxError::new(SyntaxCode::NonJsonNumber, self.at, message)
    }

    fn no_key(&self) -> SyntaxError {
        let expected = if self.peek() == b'}' {
            "expected a key after the comma"
        } else {
            "expected a key in double quotes"
        };
        self.syntax(&format!("{expected}, found {}", self.found()))
    }

    fn no_next(&self, object: bool) -> SyntaxError {
        let close = if object { "'}'" } else { "']'" };
        self.syntax(&format!("expected ',' or {close}, found {}", self.found()))
    }

    fn raw_control(&self, at: usize, control: u8) -> SyntaxError {
        let message = format!("the control character U+{control:04X} must be escaped in a string");
        SyntaxError::new(SyntaxCode::Syntax, at, message)
    }

    fn bad_escape(&self, at: usize, bad: BadEscape) -> SyntaxError {
        match bad {
            BadEscape::Unknown => {
                let message = "a backslash that begins no JSON escape; write \\\\ for a backslash";
                SyntaxError::new(SyntaxCode::Syntax, at, message)
            }
            BadEscape::Surrogate => {
                let message = "an escape for half a character (a lone surrogate)";
                SyntaxError::new(SyntaxCode::Encoding, at, message).at(self.here(None))
            }
        }
    }

    fn duplicate(&self, key: u32) -> SyntaxError {
        let offset = self.entries.get(key as usize).map_or(self.at, |entry| entry.start as usize);
        let message = "the same key stands twice in one object";
        let place = self.here(Some(key));
        SyntaxError::new(SyntaxCode::DuplicateKey, offset.saturating_sub(1), message).at(place)
    }

    /// The place of what is being read, or of the key with this id in the
    /// innermost object.
    fn here(&self, key: Option<u32>) -> Path {
        let innermost = self.open.len().saturating_sub(1);
        let places = self.open.iter().enumerate().filter_map(|(level, id)| {
            let entry = self.entries.get(*id as usize).copied()?;
            if entry.kind() == Kind::Array {
                return Some(Segment::Index(entry.count()));
            }
            let below = self.open.get(level + 1).copied();
            let last = match (key, below) {
                (Some(key), None) if level == innermost => Some(key),
                (_, Some(below)) => below.checked_sub(1).filter(|key| key != id),
                _ => self.last_key(*id),
            };
            Some(Segment::Key(self.name(last?).into_owned().into()))
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
            key = if key + 1 < end { self.link(key + 1) } else { end };
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
    if first.is_control() || first.is_whitespace() || matches!(first, '\u{FEFF}' | '\u{200B}'..='\u{200F}') {
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
