//! The scan: from text to places, each byte once, going on where it stopped.

use std::collections::HashSet;

use super::lead::{Lead, Led};
use super::log::Log;
use super::{Settings, text};
use crate::flow::tape::{is_number, key_hash, plain_end};

/// Keys that are compared one by one; an object with more gets a table of them.
const FEW_KEYS: u32 = 24;

/// Longest text of a number or a constant, as the parser has it.
const LONGEST_SCALAR: usize = 1_000;

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Key,
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl Tag {
    pub(super) const fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Object)
    }

    pub(super) const fn is_scalar(self) -> bool {
        matches!(self, Self::Null | Self::Bool | Self::Number)
    }
}

/// One value or key. What is open has no end yet; an end, once set, stays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) tag: Tag,
    /// Whether the text of a string or key holds an escape.
    pub(super) escaped: bool,
    /// First byte; of a string its opening quote.
    pub(super) start: u32,
    /// One past the last byte; zero while open.
    pub(super) end: u32,
    /// Key: hash of its value. Container: the node after its subtree, zero while open.
    pub(super) link: u32,
    /// Array: where its elements are listed.
    pub(super) list: u32,
}

impl Node {
    fn open(tag: Tag, start: usize) -> Self {
        Self {
            tag,
            escaped: false,
            start: narrow(start),
            end: 0,
            link: 0,
            list: 0,
        }
    }
}

/// Longer texts and more nodes are refused before.
#[expect(clippy::cast_possible_truncation, reason = "bounded by the limits")]
const fn narrow(offset: usize) -> u32 {
    offset as u32
}

/// A container that is not closed.
#[derive(Debug)]
struct Frame {
    id: u32,
    tag: Tag,
    /// Keys so far.
    keys: u32,
    /// A bit for the hash of each key so far.
    seen: u64,
    /// The keys of a large object.
    names: Option<HashSet<Box<str>>>,
}

/// What is expected next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Lead,
    Value,
    /// The first item of a container, or its end.
    First,
    Key,
    /// In a key that began here.
    KeyText(usize),
    Colon,
    /// In the string that is the newest node.
    Text,
    /// In a number or constant that began here.
    Scalar(usize),
    /// A comma or the end of the container.
    After,
    /// Nothing: the value is closed, or no value that the flow would take can follow.
    End,
}

#[derive(Debug)]
pub(super) struct Scan {
    pub(super) settings: Settings,
    pub(super) text: String,
    pub(super) nodes: Vec<Node>,
    /// The elements of each array.
    pub(super) lists: Vec<Vec<u32>>,
    /// Where growth stopped.
    pub(super) stop: Option<usize>,
    scratch: Vec<u8>,
    lead: Lead,
    state: State,
    at: usize,
    /// Whether the string that is being read holds an escape.
    escaped: bool,
    open: Vec<Frame>,
}

impl Scan {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            text: String::new(),
            nodes: Vec::new(),
            lists: Vec::new(),
            stop: None,
            scratch: Vec::new(),
            lead: Lead::default(),
            state: State::Lead,
            at: 0,
            escaped: false,
            open: Vec::new(),
        }
    }

    /// Scans on to the first `seen` bytes.
    pub(super) fn advance(&mut self, log: &Log, seen: usize) {
        if seen <= self.text.len() || self.state == State::End {
            return;
        }
        self.scratch.clear();
        log.copy(self.text.len(), seen, &mut self.scratch);
        match std::str::from_utf8(&self.scratch) {
            Ok(more) => self.text.push_str(more),
            Err(_) => self.state = self.halt(self.text.len()),
        }
        while let Some(state) = self.step() {
            self.state = state;
        }
    }

    /// One token, or as much of it as there is; nothing where more text is needed.
    #[inline]
    fn step(&mut self) -> Option<State> {
        match self.state {
            State::Lead => self.lead(),
            State::Value => self.value(),
            State::First => self.first(),
            State::Key => self.key(),
            State::KeyText(start) => self.key_text(start),
            State::Colon => self.colon(),
            State::Text => self.text(),
            State::Scalar(start) => self.scalar(start),
            State::After => self.after(),
            State::End => None,
        }
    }

    /// Growth stops: what stands from here on is never shown.
    fn halt(&mut self, at: usize) -> State {
        self.stop.get_or_insert(at);
        State::End
    }

    fn lead(&mut self) -> Option<State> {
        let allowed = self.settings.normalize;
        match self.lead.read(&self.text, &mut self.at, allowed) {
            Led::Value => Some(State::Value),
            Led::More => None,
            Led::Nothing => Some(self.halt(0)),
        }
    }

    /// The next byte that is no white space.
    #[inline]
    fn byte(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at)? {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                byte => return Some(*byte),
            }
        }
    }

    fn value(&mut self) -> Option<State> {
        let byte = self.byte()?;
        let at = self.at;
        Some(match byte {
            b'"' => {
                if !self.push(Node::open(Tag::String, at)) {
                    return Some(self.halt(at));
                }
                self.escaped = false;
                self.at += 1;
                State::Text
            }
            b'{' => self.enter(Tag::Object),
            b'[' => self.enter(Tag::Array),
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => State::Scalar(at),
            _ => self.halt(at),
        })
    }

    /// Adds a node, if there may be more, and lists it with its array.
    fn push(&mut self, node: Node) -> bool {
        if self.nodes.len() >= self.settings.limits.nodes {
            return false;
        }
        let id = narrow(self.nodes.len());
        self.nodes.push(node);
        if let Some(list) = self.open_list() {
            list.push(id);
        }
        true
    }

    /// The list of the innermost container, if that is an array.
    fn open_list(&mut self) -> Option<&mut Vec<u32>> {
        let frame = self.open.last().filter(|frame| frame.tag == Tag::Array)?;
        let list = self.nodes.get(frame.id as usize)?.list;
        self.lists.get_mut(list as usize)
    }

    fn enter(&mut self, tag: Tag) -> State {
        let at = self.at;
        let id = narrow(self.nodes.len());
        let mut node = Node::open(tag, at);
        node.list = narrow(self.lists.len());
        if self.open.len() >= self.settings.limits.depth || !self.push(node) {
            return self.halt(at);
        }
        if tag == Tag::Array {
            self.lists.push(Vec::new());
        }
        self.open.push(Frame {
            id,
            tag,
            keys: 0,
            seen: 0,
            names: None,
        });
        self.at += 1;
        State::First
    }

    fn first(&mut self) -> Option<State> {
        let byte = self.byte()?;
        if self.closes(byte) {
            return Some(self.leave());
        }
        Some(self.item())
    }

    fn closes(&self, byte: u8) -> bool {
        match self.open.last().map(|frame| frame.tag) {
            Some(Tag::Object) => byte == b'}',
            Some(_) => byte == b']',
            None => false,
        }
    }

    fn item(&self) -> State {
        match self.open.last().map(|frame| frame.tag) {
            Some(Tag::Object) => State::Key,
            _ => State::Value,
        }
    }

    fn leave(&mut self) -> State {
        self.at += 1;
        let next = narrow(self.nodes.len());
        let frame = self.open.pop();
        if let Some(node) = frame.and_then(|frame| self.nodes.get_mut(frame.id as usize)) {
            node.end = narrow(self.at);
            node.link = next;
        }
        State::After
    }

    fn after(&mut self) -> Option<State> {
        if self.open.is_empty() {
            return Some(State::End);
        }
        let byte = self.byte()?;
        Some(if byte == b',' {
            self.at += 1;
            self.item()
        } else if self.closes(byte) {
            self.leave()
        } else {
            self.halt(self.at)
        })
    }

    fn key(&mut self) -> Option<State> {
        let byte = self.byte()?;
        if byte != b'"' {
            return Some(self.halt(self.at));
        }
        let start = self.at;
        self.escaped = false;
        self.at += 1;
        Some(State::KeyText(start))
    }

    fn key_text(&mut self, start: usize) -> Option<State> {
        match self.string_end() {
            Part::More => None,
            Part::Broken => Some(self.halt(start)),
            Part::Closed => Some(self.key_closed(start)),
        }
    }

    /// A key counts once it is known to be new; one that repeats another ends the growth.
    fn key_closed(&mut self, start: usize) -> State {
        let mut node = Node::open(Tag::Key, start);
        node.end = narrow(self.at);
        node.escaped = self.escaped;
        let inner = self.text.get(start + 1..self.at - 1).unwrap_or_default();
        let name = text::unescaped(inner, node.escaped);
        node.link = key_hash(name.as_bytes());
        let new = is_new(&mut self.open, &self.nodes, &self.text, &name, node.link);
        if new && self.push(node) {
            State::Colon
        } else {
            self.halt(start)
        }
    }

    fn colon(&mut self) -> Option<State> {
        let byte = self.byte()?;
        if byte != b':' {
            return Some(self.halt(self.at));
        }
        self.at += 1;
        Some(State::Value)
    }

    fn text(&mut self) -> Option<State> {
        match self.string_end() {
            Part::More => None,
            Part::Broken => Some(self.halt(self.at)),
            Part::Closed => {
                if let Some(node) = self.nodes.last_mut() {
                    node.end = narrow(self.at);
                    node.escaped = self.escaped;
                }
                Some(State::After)
            }
        }
    }

    /// Reads a string on; behind its closing quote, or where it breaks.
    #[inline]
    fn string_end(&mut self) -> Part {
        loop {
            self.at = plain_end(self.text.as_bytes(), self.at);
            match self.text.as_bytes().get(self.at) {
                None => return Part::More,
                Some(b'"') => {
                    self.at += 1;
                    return Part::Closed;
                }
                Some(b'\\') => match text::escape_at(&self.text, self.at) {
                    text::Found::Character(_, length) => {
                        self.escaped = true;
                        self.at += length;
                    }
                    text::Found::More => return Part::More,
                    text::Found::Broken => return Part::Broken,
                },
                Some(_) => return Part::Broken,
            }
        }
    }

    fn scalar(&mut self, start: usize) -> Option<State> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at)
            && (byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        {
            self.at += 1;
        }
        if self.at - start > LONGEST_SCALAR {
            return Some(self.halt(start));
        }
        let delimiter = *bytes.get(self.at)?;
        let ends = matches!(delimiter, b' ' | b'\n' | b'\t' | b'\r')
            || (delimiter == b',' && !self.open.is_empty())
            || self.closes(delimiter);
        let tag = match self.text.get(start..self.at).unwrap_or_default() {
            "null" => Tag::Null,
            "true" | "false" => Tag::Bool,
            other if is_number(other) => Tag::Number,
            _ => return Some(self.halt(start)),
        };
        let mut node = Node::open(tag, start);
        node.end = narrow(self.at);
        Some(if ends && self.push(node) {
            State::After
        } else {
            self.halt(start)
        })
    }
}

/// How far a string is.
enum Part {
    Closed,
    More,
    Broken,
}

/// Whether the innermost object has no key of this name yet; the name is its own from then on.
fn is_new(open: &mut [Frame], nodes: &[Node], text: &str, name: &str, hash: u32) -> bool {
    let Some(frame) = open.last_mut() else {
        return false;
    };
    let bit = 1_u64 << (hash >> 26);
    let may_repeat = frame.seen & bit != 0;
    frame.seen |= bit;
    frame.keys += 1;
    if frame.keys > FEW_KEYS {
        let names = frame.names.get_or_insert_with(|| {
            keys(frame.id, nodes, text)
                .map(|(_, name)| name.into())
                .collect()
        });
        return names.insert(name.into());
    }
    !may_repeat || keys(frame.id, nodes, text).all(|(its, key)| its != hash || key != name)
}

/// Hash and value of the keys of an open object whose members are all closed.
fn keys<'s>(
    id: u32,
    nodes: &'s [Node],
    text: &'s str,
) -> impl Iterator<Item = (u32, std::borrow::Cow<'s, str>)> {
    let mut next = id as usize + 1;
    std::iter::from_fn(move || {
        let key = nodes.get(next)?;
        let value = nodes.get(next + 1)?;
        next = if value.tag.is_container() {
            value.link as usize
        } else {
            next + 2
        };
        let inner = text.get(key.start as usize + 1..key.end as usize - 1)?;
        Some((key.link, text::unescaped(inner, key.escaped)))
    })
}
