//! A reply as a flat tape over its own text.
//!
//! One strict parse writes a node for every value and every key; each node knows the bytes it came
//! from. The schema check reads the tape through [`TapeJson`], serde binds from it through
//! [`Cursor`], and a failure finds its place in it, so that no second copy of the reply is built
//! where nothing is wrong.

use std::borrow::Cow;
use std::ops::Range;

use crate::path::{FieldPath, Segment};
use crate::shown::line;

pub(crate) mod account;
mod bind;
mod cited;
pub(crate) mod digits;
mod distinct;
pub(crate) mod edit;
mod equal;
mod fault;
mod held;
mod members;
mod number;
mod parse;
mod spoilt;
mod text;
pub(crate) mod value;
mod view;

#[cfg(test)]
mod tests;

pub use bind::BindError;
pub(crate) use bind::BindKind;
pub(crate) use cited::{CITED, CITED_NODE};
pub(crate) use fault::{SyntaxCode, SyntaxError};
pub use members::{Members, Rest};
pub(crate) use number::is_number;
pub(crate) use text::{Escape, escape, hash as key_hash, is_odd_control, plain_end, unescape};
pub(crate) use view::TapeJson;

/// What a text may ask of the parser before it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Arrays and objects inside one another, the outermost one included.
    pub(crate) depth: usize,
    /// Bytes of text; never more than `u32::MAX`, whatever is asked.
    pub(crate) bytes: usize,
    /// Values and keys together; never more than [`MOST_NODES`], whatever is asked.
    pub(crate) nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 64,
            bytes: 16 << 20,
            nodes: 1 << 18,
        }
    }
}

/// How many characters of a value a failure quotes.
const LONGEST_SHOWN: usize = 120;

/// A container's length shares a word with its tag, which leaves 24 bits.
const MOST_NODES: usize = (1 << 24) - 1;

/// What a node is. Numbers are told apart by what can hold them, strings by whether their text is
/// their value; the order lets a range answer "is it a number", "is it a container".
mod tag {
    pub(super) const NULL: u32 = 0;
    pub(super) const FALSE: u32 = 1;
    pub(super) const TRUE: u32 = 2;
    /// At most nine digits without an exponent: the digits as an integer are in the link.
    pub(super) const SMALL: u32 = 3;
    /// Written as an integer, held by `u64`.
    pub(super) const UNSIGNED: u32 = 4;
    /// Written as a negative integer, held by `i64`.
    pub(super) const SIGNED: u32 = 5;
    /// Written as an integer that neither holds.
    pub(super) const BIG: u32 = 6;
    /// Written with a fraction or an exponent.
    pub(super) const FLOAT: u32 = 7;
    pub(super) const STRING: u32 = 8;
    /// A string that holds at least one escape.
    pub(super) const ESCAPED: u32 = 9;
    /// What no type takes; see [`spoilt`](super::spoilt).
    pub(super) const SPOILT: u32 = 10;
    pub(super) const ARRAY: u32 = 11;
    pub(super) const OBJECT: u32 = 12;
}

/// One value or key, sixteen bytes.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// First byte; for a string, the one after its opening quote.
    start: u32,
    /// One past the last byte; for a string, its closing quote.
    end: u32,
    /// Container: the node after its whole subtree. Key: hash of its value. Small number: digits.
    link: u32,
    /// Tag in the low byte; above it the length of a container or the form of a small number.
    meta: u32,
}

impl Node {
    const fn new(tag: u32, start: u32, end: u32) -> Self {
        Self {
            start,
            end,
            link: 0,
            meta: tag,
        }
    }

    #[inline]
    const fn tag(self) -> u32 {
        self.meta & 0xFF
    }

    /// Elements of an array, members of an object.
    #[inline]
    const fn count(self) -> u32 {
        self.meta >> 8
    }

    #[inline]
    const fn is_string(self) -> bool {
        matches!(self.tag(), tag::STRING | tag::ESCAPED)
    }

    #[inline]
    const fn is_number(self) -> bool {
        matches!(self.tag(), tag::SMALL..=tag::FLOAT)
    }
}

/// Which of the six kinds of JSON value a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// A parsed text. The root is node 0, a container is followed by its subtree, a key by its value.
#[derive(Debug)]
pub(crate) struct Tape<'t> {
    text: Cow<'t, str>,
    nodes: Vec<Node>,
    /// Whether a string holds an escape that may stand for a control character.
    controls: bool,
}

impl<'t> Tape<'t> {
    /// Reads a text that holds exactly one JSON value.
    pub(crate) fn parse(text: &'t str, limits: Limits) -> Result<Self, Box<SyntaxError>> {
        parse::whole(text, limits)
    }

    /// Reads a text that holds exactly one JSON value, and keeps the text.
    pub(crate) fn parse_owned(
        text: String,
        limits: Limits,
    ) -> Result<Tape<'static>, Box<SyntaxError>> {
        let Tape {
            nodes, controls, ..
        } = parse::whole(&text, limits)?;
        Ok(Tape {
            text: Cow::Owned(text),
            nodes,
            controls,
        })
    }

    /// Reads the JSON value that a text begins with, and tells the byte at which it ends.
    pub(crate) fn parse_prefix(
        text: &'t str,
        limits: Limits,
    ) -> Result<(Self, usize), Box<SyntaxError>> {
        parse::prefix(text, limits)
    }

    /// Whether a string may hold a control character: JSON text can hold one only as an escape.
    pub(crate) const fn may_hold_controls(&self) -> bool {
        self.controls
    }

    #[inline]
    pub(crate) fn root(&self) -> Cursor<'_> {
        Cursor { tape: self, id: 0 }
    }
}

#[cfg(test)]
thread_local! {
    /// How many nodes this thread has read: the work of what walks over tapes, without a clock.
    pub(crate) static READS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// One value of a tape.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    tape: &'a Tape<'a>,
    id: u32,
}

impl<'a> Cursor<'a> {
    #[inline]
    #[expect(
        clippy::indexing_slicing,
        reason = "ids come from the tape they are used on"
    )]
    fn node(self) -> Node {
        #[cfg(test)]
        READS.set(READS.get() + 1);
        self.tape.nodes[self.id as usize]
    }

    /// Where a sibling of this value would begin; all below it has a smaller id.
    #[inline]
    pub(crate) fn after(self) -> u32 {
        let node = self.node();
        if node.tag() >= tag::ARRAY {
            node.link
        } else {
            self.id + 1
        }
    }

    /// The value or key with another id of the same tape.
    #[inline]
    pub(crate) const fn at(self, id: u32) -> Self {
        Self {
            tape: self.tape,
            id,
        }
    }

    #[inline]
    pub(crate) fn kind(self) -> Kind {
        match self.node().tag() {
            tag::NULL => Kind::Null,
            tag::FALSE | tag::TRUE => Kind::Bool,
            tag::STRING | tag::ESCAPED => Kind::String,
            tag::ARRAY => Kind::Array,
            tag::OBJECT => Kind::Object,
            _ => Kind::Number,
        }
    }

    pub(crate) const fn id(self) -> u32 {
        self.id
    }

    /// The bytes of the text that hold the whole value, the quotes of a string included.
    pub(crate) fn span(self) -> Range<usize> {
        let node = self.node();
        let (start, end) = (node.start as usize, node.end as usize);
        if node.is_string() {
            start.saturating_sub(1)..end + 1
        } else {
            start..end
        }
    }

    /// The text of the whole value as it was written.
    pub(crate) fn raw(self) -> &'a str {
        self.tape.text.get(self.span()).unwrap_or_default()
    }

    /// The text of the node alone: of a string, what stands between its quotes.
    #[inline]
    fn inner(self) -> &'a str {
        let node = self.node();
        let span = node.start as usize..node.end as usize;
        self.tape.text.get(span).unwrap_or_default()
    }

    /// The value of a string, borrowed where it holds no escape.
    #[inline]
    pub(crate) fn as_str(self) -> Option<Cow<'a, str>> {
        match self.node().tag() {
            tag::STRING => Some(Cow::Borrowed(self.inner())),
            tag::ESCAPED => Some(Cow::Owned(unescape(self.inner()))),
            _ => None,
        }
    }

    pub(crate) fn as_bool(self) -> Option<bool> {
        match self.node().tag() {
            tag::FALSE => Some(false),
            tag::TRUE => Some(true),
            _ => None,
        }
    }

    /// Elements of an array or members of an object; nothing else has any.
    #[inline]
    pub(crate) fn len(self) -> usize {
        self.children() as usize
    }

    #[inline]
    fn children(self) -> u32 {
        let node = self.node();
        if node.tag() >= tag::ARRAY {
            node.count()
        } else {
            0
        }
    }

    /// The elements of an array; of anything else, none.
    #[inline]
    pub(crate) fn elements(self) -> Elements<'a> {
        let node = self.node();
        Elements {
            next: self.at(self.id + 1),
            left: if node.tag() == tag::ARRAY {
                node.count()
            } else {
                0
            },
        }
    }

    /// Key and value of each member of an object; of anything else, none.
    pub(crate) fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Cursor<'a>)> {
        self.pairs()
            .map(|(key, value)| (key.as_str().unwrap_or_default(), value))
    }

    /// Key and value of each member of an object, both as nodes; of anything else, none.
    pub(crate) fn entries(self) -> impl Iterator<Item = (Self, Self)> {
        self.pairs()
    }

    /// As [`entries`](Self::entries).
    #[inline]
    fn pairs(self) -> Pairs<'a> {
        let node = self.node();
        Pairs {
            next: self.at(self.id + 1),
            left: if node.tag() == tag::OBJECT {
                node.count()
            } else {
                0
            },
        }
    }

    /// The key and the value of an object that has one member.
    pub(crate) fn only_member(self) -> Option<(Self, Self)> {
        self.pairs().next().filter(|_| self.len() == 1)
    }

    /// The key of one of this object's members.
    pub(crate) fn key_of(self, member: Self) -> Option<Cow<'a, str>> {
        self.at(member.id.checked_sub(1)?).as_str()
    }

    /// The member of an object with this key.
    pub(crate) fn get(self, key: &str) -> Option<Self> {
        self.lookup(text::hash(key.as_bytes()), key)
    }

    #[inline]
    fn lookup(self, hash: u32, key: &str) -> Option<Self> {
        self.pairs()
            .find(|(name, _)| name.node().link == hash && name.is_text(key))
            .map(|(_, value)| value)
    }

    /// Whether this string's value is `text`.
    fn is_text(self, text: &str) -> bool {
        match self.node().tag() {
            tag::STRING => self.inner() == text,
            _ => self.as_str().is_some_and(|own| own == text),
        }
    }

    /// The way from here down to a node. A key lies where its value lies.
    pub(crate) fn path_below(self, id: u32) -> FieldPath {
        let mut path = Vec::new();
        let mut place = self;
        while place.id < id
            && let Some((segment, child)) = place.step_towards(id)
        {
            path.push(segment);
            place = child;
        }
        path.into_iter().collect()
    }

    /// What a failure quotes of the value.
    pub(crate) fn shown(self) -> Option<String> {
        let raw = self.raw();
        (!raw.is_empty()).then(|| line(raw, LONGEST_SHOWN))
    }

    /// The child of this container whose subtree, key included, holds the node.
    fn step_towards(self, id: u32) -> Option<(Segment, Self)> {
        if self.node().tag() == tag::OBJECT {
            let (key, value) = self
                .pairs()
                .find(|(key, value)| (key.id..value.after()).contains(&id))?;
            let name = key.as_str().unwrap_or_default().into_owned();
            Some((Segment::Key(name.into()), value))
        } else {
            let (index, value) = self
                .elements()
                .enumerate()
                .find(|(_, value)| (value.id..value.after()).contains(&id))?;
            Some((Segment::Index(index), value))
        }
    }
}

/// The elements of an array in order.
#[derive(Debug, Clone)]
pub(crate) struct Elements<'a> {
    next: Cursor<'a>,
    left: u32,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Cursor<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let element = self.next;
        self.next.id = element.after();
        Some(element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

/// The members of an object in order, each as its key and its value.
#[derive(Debug, Clone)]
struct Pairs<'a> {
    next: Cursor<'a>,
    left: u32,
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (Cursor<'a>, Cursor<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let key = self.next;
        let value = key.at(key.id + 1);
        self.next.id = value.after();
        Some((key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}
