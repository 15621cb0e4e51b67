//! The strict parser: RFC 8259, and nothing that a reader could take in two ways.

#![expect(
    clippy::unnecessary_box_returns,
    reason = "a box keeps the results of the hot path in registers"
)]

use super::fault::{self, Place, SyntaxCode, SyntaxError};
use super::text::{self, Escape};
use super::{Limits, MOST_NODES, Node, Tape, number, tag};
use crate::path::Segment;
use std::borrow::Cow;

/// Keys that are compared as they come; an object with more is sorted once, when it closes.
const FEW_KEYS: u32 = 24;

/// Bytes a node takes in ordinary replies, from which the tape is sized before the parse.
const BYTES_PER_NODE: usize = 9;

type Parsed<T> = Result<T, Box<SyntaxError>>;

pub(super) fn whole(text: &str, limits: Limits) -> Parsed<Tape<'_>> {
    let mut parser = Parser::new(text, limits, text.len() / BYTES_PER_NODE + 8)?;
    let end = parser.value()?;
    let (rest, _) = skip_space(text.as_bytes(), end);
    if rest < text.len() {
        return Err(fault::after_value(text, rest, limits));
    }
    Ok(parser.finish())
}

pub(super) fn prefix(text: &str, limits: Limits) -> Parsed<(Tape<'_>, usize)> {
    // How much of the text the value takes is not known, so little is set aside.
    let mut parser = Parser::new(text, limits, 64)?;
    let end = parser.value()?;
    Ok((parser.finish(), end))
}

/// The container that is being read.
#[derive(Debug, Clone, Copy)]
struct Open {
    id: u32,
    /// Elements or keys so far.
    count: u32,
    /// A bit for the hash of each key so far, so that most keys are known to be new at once.
    seen: u64,
    /// What closes it; zero at the root, where nothing does.
    close: u8,
}

const ROOT: Open = Open {
    id: 0,
    count: 0,
    seen: 0,
    close: 0,
};

struct Parser<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    open: Open,
    outer: Vec<Open>,
    depth: usize,
    most_nodes: usize,
    controls: bool,
}

/// The first byte at or after a place that is no white space, and where it is. The end of the text
/// reads as zero, which JSON holds nowhere.
#[inline]
fn skip_space(bytes: &[u8], mut at: usize) -> (usize, u8) {
    loop {
        let byte = peek(bytes, at);
        if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
            return (at, byte);
        }
        at += 1;
    }
}

#[inline]
fn peek(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "longer texts and tapes are refused before"
)]
const fn narrow(offset: usize) -> u32 {
    offset as u32
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, limits: Limits, expected: usize) -> Parsed<Self> {
        let bytes = limits.bytes.min(u32::MAX as usize);
        if text.len() > bytes {
            return Err(fault::too_long(text.len(), bytes));
        }
        let most_nodes = limits.nodes.min(MOST_NODES);
        Ok(Self {
            text,
            nodes: Vec::with_capacity(expected.min(most_nodes)),
            open: ROOT,
            outer: Vec::new(),
            depth: limits.depth,
            most_nodes,
            controls: false,
        })
    }

    fn finish(self) -> Tape<'t> {
        Tape {
            text: self.text.into(),
            nodes: self.nodes,
            controls: self.controls,
        }
    }

    /// Reads one value with all it holds, and tells where it ends.
    fn value(&mut self) -> Parsed<usize> {
        let bytes = self.text.as_bytes();
        let mut from = 0;
        loop {
            let (at, byte) = skip_space(bytes, from);
            let mut ended = true;
            from = match byte {
                b'"' => self.string(at)?,
                b'-' | b'0'..=b'9' => self.number(at)?,
                b'{' | b'[' => {
                    self.enter(at, byte)?;
                    ended = skip_space(bytes, at + 1).1 == self.open.close;
                    at + 1
                }
                _ => self.literal(at)?,
            };
            if ended {
                from = self.after_value(from)?;
                if self.open.close == 0 {
                    return Ok(from);
                }
            }
            from = self.begin_item(from)?;
        }
    }

    /// Leaves the containers that close at a place; gives the place of the next item, or of the end
    /// if none is left open.
    #[inline]
    fn after_value(&mut self, mut from: usize) -> Parsed<usize> {
        let bytes = self.text.as_bytes();
        while self.open.close != 0 {
            let (at, byte) = skip_space(bytes, from);
            from = at + 1;
            if byte == b',' {
                break;
            }
            if byte != self.open.close {
                return Err(self.fault(at, Place::AfterItem, false));
            }
            self.leave(at)?;
        }
        Ok(from)
    }

    #[inline]
    fn push(&mut self, at: usize, node: Node) -> Parsed<()> {
        if self.nodes.len() >= self.most_nodes {
            return Err(self.refuse(
                at,
                SyntaxCode::Size,
                fault::too_many(self.most_nodes),
                false,
            ));
        }
        if self.nodes.len() == self.nodes.capacity() {
            self.grow(at);
        }
        self.nodes.push(node);
        Ok(())
    }

    /// Makes room for as many nodes as the rest of the text has if it is like what was read: a tape
    /// that doubles may hold twice of what it needs.
    #[cold]
    fn grow(&mut self, at: usize) {
        let known = self.nodes.len();
        let left = self.text.len() - at.min(self.text.len());
        let more = known.saturating_mul(left) / at.max(1);
        let most = self.most_nodes - known;
        self.nodes.reserve_exact((more + more / 16 + 64).min(most));
    }

    /// Counts an element, or reads a key with its colon; gives the place of the value.
    #[inline]
    fn begin_item(&mut self, from: usize) -> Parsed<usize> {
        self.open.count += 1;
        if self.open.close == b'}' {
            self.key(from)
        } else {
            Ok(from)
        }
    }

    #[inline]
    fn key(&mut self, from: usize) -> Parsed<usize> {
        let bytes = self.text.as_bytes();
        let (at, byte) = skip_space(bytes, from);
        if byte != b'"' {
            return Err(self.fault(at, Place::Key, false));
        }
        let start = at + 1;
        let (mut end, mut hash) = text::scan(bytes, start);
        let mut kind = tag::STRING;
        if peek(bytes, end) != b'"' {
            end = self.escapes(end, false)?;
            hash = text::hash(text::unescape(self.slice(start, end)).as_bytes());
            kind = tag::ESCAPED;
        }
        let mut node = Node::new(kind, narrow(start), narrow(end));
        node.link = hash;
        self.push(at, node)?;
        self.note_key(hash)?;
        let (colon, byte) = skip_space(bytes, end + 1);
        if byte != b':' {
            return Err(self.fault(colon, Place::Colon, true));
        }
        Ok(colon + 1)
    }

    #[inline]
    fn string(&mut self, at: usize) -> Parsed<usize> {
        let bytes = self.text.as_bytes();
        let start = at + 1;
        let (mut end, _) = text::scan(bytes, start);
        let mut kind = tag::STRING;
        if peek(bytes, end) != b'"' {
            end = self.escapes(end, true)?;
            kind = tag::ESCAPED;
        }
        self.push(at, Node::new(kind, narrow(start), narrow(end)))?;
        Ok(end + 1)
    }

    /// Checks a string from its first byte that is not plain text to its closing quote.
    #[cold]
    fn escapes(&mut self, mut at: usize, item: bool) -> Parsed<usize> {
        let bytes = self.text.as_bytes();
        loop {
            match peek(bytes, at) {
                b'"' => return Ok(at),
                b'\\' => {
                    let rest = self.text.get(at + 1..).unwrap_or_default();
                    match text::escape(rest) {
                        Escape::Character(character, length) => {
                            self.controls |= text::is_odd_control(character);
                            at += 1 + length;
                        }
                        other => return Err(self.fault(at, Place::Escape(other), item)),
                    }
                }
                _ => return Err(self.fault(at, Place::String, item)),
            }
            (at, _) = text::scan(bytes, at);
        }
    }

    #[inline]
    fn number(&mut self, at: usize) -> Parsed<usize> {
        match number::read(self.text, at) {
            Ok(number) => {
                let node = Node {
                    start: narrow(at),
                    end: narrow(number.end),
                    link: number.link,
                    meta: number.meta,
                };
                self.push(at, node)?;
                Ok(number.end)
            }
            Err((found, fault)) => Err(self.fault(found, Place::Number(fault), true)),
        }
    }

    #[inline]
    fn literal(&mut self, at: usize) -> Parsed<usize> {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let (tag, length) = match rest {
            [b'n', b'u', b'l', b'l', ..] => (tag::NULL, 4),
            [b't', b'r', b'u', b'e', ..] => (tag::TRUE, 4),
            [b'f', b'a', b'l', b's', b'e', ..] => (tag::FALSE, 5),
            _ => return Err(self.fault(at, Place::Value, true)),
        };
        let end = at + length;
        if peek(rest, length).is_ascii_alphanumeric() {
            return Err(self.fault(at, Place::Value, true));
        }
        self.push(at, Node::new(tag, narrow(at), narrow(end)))?;
        Ok(end)
    }

    #[inline]
    fn enter(&mut self, at: usize, byte: u8) -> Parsed<()> {
        let (tag, close) = if byte == b'{' {
            (tag::OBJECT, b'}')
        } else {
            (tag::ARRAY, b']')
        };
        if self.outer.len() >= self.depth {
            return Err(self.refuse(at, SyntaxCode::Depth, fault::too_deep(self.depth), true));
        }
        let id = narrow(self.nodes.len());
        self.push(at, Node::new(tag, narrow(at), 0))?;
        self.outer.push(self.open);
        self.open = Open { id, close, ..ROOT };
        Ok(())
    }

    #[inline]
    fn leave(&mut self, at: usize) -> Parsed<()> {
        let Open { id, count, .. } = self.open;
        if count > FEW_KEYS && self.open.close == b'}' {
            self.compare_all_keys()?;
        }
        let next = narrow(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.end = narrow(at + 1);
            node.link = next;
            node.meta |= count << 8;
        }
        self.open = self.outer.pop().unwrap_or(ROOT);
        Ok(())
    }

    fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Compares the newest key with its elders where its hash does not already tell it apart.
    #[inline]
    fn note_key(&mut self, hash: u32) -> Parsed<()> {
        let bit = 1_u64 << (hash >> 26);
        let seen = self.open.seen & bit != 0;
        self.open.seen |= bit;
        if seen && self.open.count <= FEW_KEYS {
            return self.compare_newest_key();
        }
        Ok(())
    }

    #[inline(never)]
    fn compare_newest_key(&self) -> Parsed<()> {
        let newest = narrow(self.nodes.len() - 1);
        let hash = self.node(newest).link;
        let mut elder = self.open.id + 1;
        while elder < newest {
            if self.node(elder).link == hash && self.key_text(elder) == self.key_text(newest) {
                return Err(self.duplicate(newest));
            }
            elder = self.after(elder + 1);
        }
        Ok(())
    }

    /// Finds the first key that repeats an earlier one, by sorting: no choice of keys makes this
    /// quadratic.
    #[cold]
    fn compare_all_keys(&self) -> Parsed<()> {
        let mut keys = Vec::with_capacity(self.open.count as usize);
        let mut key = self.open.id + 1;
        for _ in 0..self.open.count {
            keys.push((self.node(key).link, key));
            key = self.after(key + 1);
        }
        keys.sort_unstable();
        let alike = keys.chunk_by(|(one, _), (other, _)| one == other);
        let first = alike.filter_map(|group| self.first_repeated(group)).min();
        first.map_or(Ok(()), |key| Err(self.duplicate(key)))
    }

    /// The first of some keys of one hash that repeats an earlier one.
    fn first_repeated(&self, keys: &[(u32, u32)]) -> Option<u32> {
        if keys.len() < 2 {
            return None;
        }
        let mut texts: Vec<_> = keys
            .iter()
            .map(|(_, key)| (self.key_text(*key), *key))
            .collect();
        texts.sort_unstable();
        let same = texts.windows(2).filter_map(|pair| match pair {
            [(one, _), (other, key)] if one == other => Some(*key),
            _ => None,
        });
        same.min()
    }

    #[expect(clippy::indexing_slicing, reason = "ids come from this very tape")]
    fn node(&self, id: u32) -> Node {
        self.nodes[id as usize]
    }

    fn after(&self, id: u32) -> u32 {
        let node = self.node(id);
        if node.tag() >= tag::ARRAY {
            node.link
        } else {
            id + 1
        }
    }

    fn key_text(&self, id: u32) -> Cow<'t, str> {
        let node = self.node(id);
        let inner = self.slice(node.start as usize, node.end as usize);
        if node.tag() == tag::ESCAPED {
            text::unescape(inner).into()
        } else {
            inner.into()
        }
    }

    /// A fault of the text; `item` tells whether it lies in the newest element or member, or only in
    /// the container.
    #[cold]
    fn fault(&self, at: usize, place: Place, item: bool) -> Box<SyntaxError> {
        let open = char::from(self.open.close);
        let (code, message) = fault::describe(self.text, at, place, open);
        self.refuse(at, code, message, item)
    }

    #[cold]
    fn refuse(&self, at: usize, code: SyntaxCode, message: String, item: bool) -> Box<SyntaxError> {
        let mut path = self.enclosing();
        if item {
            path.extend(self.newest_item());
        }
        SyntaxError::new(code, at, message, path)
    }

    #[cold]
    fn duplicate(&self, key: u32) -> Box<SyntaxError> {
        let mut path = self.enclosing();
        path.push(self.key_segment(key));
        let message = "found a key that its object already has, expected each key once".to_owned();
        let at = (self.node(key).start as usize).saturating_sub(1);
        SyntaxError::new(SyntaxCode::DuplicateKey, at, message, path)
    }

    /// The way to the innermost open container.
    fn enclosing(&self) -> Vec<Segment> {
        let opened = self.outer.iter().skip(1);
        let inner = self.outer.iter().skip(2).chain([&self.open]);
        opened
            .zip(inner)
            .map(|(outer, inner)| match outer.close {
                b'}' => self.key_segment(inner.id - 1),
                _ => Segment::Index(outer.count as usize - 1),
            })
            .collect()
    }

    /// The step from the innermost open container to what is being read in it.
    fn newest_item(&self) -> Option<Segment> {
        let last = self.open.count.checked_sub(1)?;
        if self.open.close == b']' {
            return Some(Segment::Index(last as usize));
        }
        let first = self.open.id + 1;
        let newest = (0..last).fold(first, |key, _| self.after(key + 1));
        Some(self.key_segment(newest))
    }

    fn key_segment(&self, key: u32) -> Segment {
        Segment::Key(self.key_text(key).into_owned().into())
    }
}
