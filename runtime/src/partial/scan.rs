//! The scan: from text to places, each byte once, going on where it stopped.

use std::borrow::Cow;
use std::collections::HashSet;

use super::lead::{Lead, Led};
use super::log::Log;
use super::node::{Key, Node, Tag, narrow};
use super::{Settings, text};
use crate::json::{is_number, key_hash, plain_end};

/// Keys that are compared one by one; an object with more gets a table of them.
const FEW_KEYS: u32 = 24;

/// Longest text of a number or a constant, as the parser has it.
const LONGEST_SCALAR: usize = 1_000;

/// Bytes that are taken over at once.
const BLOCK: usize = 4096;

/// Bytes that a node takes in ordinary replies.
const BYTES_PER_NODE: usize = 20;

/// A container that is not closed.
#[derive(Debug)]
struct Frame {
    id: u32,
    tag: Tag,
    /// Where the elements of an array are listed.
    list: usize,
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
    /// Values and keys, as the parser counts them.
    counted: usize,
    /// The elements of each array, by its own node.
    pub(super) lists: Vec<(u32, Vec<u32>)>,
    /// Where growth stopped.
    pub(super) stop: Option<usize>,
    scratch: Vec<u8>,
    lead: Lead,
    state: State,
    at: usize,
    /// Whether the string that is being read holds an escape.
    escaped: bool,
    /// The key whose value is awaited.
    key: Option<Key>,
    open: Vec<Frame>,
}

impl Scan {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            text: String::new(),
            nodes: Vec::new(),
            counted: 0,
            lists: Vec::new(),
            stop: None,
            scratch: Vec::new(),
            lead: Lead::default(),
            state: State::Lead,
            at: 0,
            escaped: false,
            key: None,
            open: Vec::new(),
        }
    }

    /// Scans on to the first `seen` bytes.
    pub(super) fn advance(&mut self, log: &Log, seen: usize) {
        if seen <= self.text.len() || self.state == State::End {
            return;
        }
        self.receive(log, seen);
        while let Some(state) = self.step() {
            self.state = state;
        }
    }

    /// Takes the text over, a block at a time so that little memory is touched.
    fn receive(&mut self, log: &Log, seen: usize) {
        let more = seen - self.text.len();
        self.text.reserve(more);
        self.nodes.reserve(more / BYTES_PER_NODE);
        while self.text.len() < seen {
            let end = seen.min(self.text.len() + BLOCK);
            self.scratch.clear();
            log.copy(self.text.len(), end, &mut self.scratch);
            // A block may end within a character, which the next one then begins with.
            let valid = match std::str::from_utf8(&self.scratch) {
                Ok(text) => text,
                Err(error) => {
                    let whole = self.scratch.get(..error.valid_up_to());
                    whole
                        .and_then(|bytes| std::str::from_utf8(bytes).ok())
                        .unwrap_or_default()
                }
            };
            if valid.is_empty() {
                self.state = self.halt(self.text.len());
                return;
            }
            self.text.push_str(valid);
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
                if !self.push(Tag::String, at) {
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
    fn push(&mut self, tag: Tag, start: usize) -> bool {
        self.counted += 1 + usize::from(self.key.is_some());
        if self.counted > self.settings.limits.nodes {
            return false;
        }
        let id = narrow(self.nodes.len());
        self.nodes.push(Node::open(tag, start, self.key.take()));
        let array = self.open.last().filter(|frame| frame.tag == Tag::Array);
        if let Some((_, list)) = array.and_then(|frame| self.lists.get_mut(frame.list)) {
            list.push(id);
        }
        true
    }

    fn enter(&mut self, tag: Tag) -> State {
        let at = self.at;
        let id = narrow(self.nodes.len());
        if self.open.len() >= self.settings.limits.depth || !self.push(tag, at) {
            return self.halt(at);
        }
        let list = self.lists.len();
        if tag == Tag::Array {
            self.lists.push((id, Vec::new()));
        }
        self.open.push(Frame {
            id,
            tag,
            list,
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
            node.close_container(self.at, next);
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
        let inner = self.text.get(start + 1..self.at - 1).unwrap_or_default();
        let name = text::unescaped(inner, self.escaped);
        if !is_new(&mut self.open, &self.nodes, &self.text, &name) {
            return self.halt(start);
        }
        self.key = Some(Key {
            start,
            escaped: self.escaped,
        });
        State::Colon
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
                    node.close_string(self.at, self.escaped);
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
        if !ends || !self.push(tag, start) {
            return Some(self.halt(start));
        }
        if let Some(node) = self.nodes.last_mut() {
            node.close(self.at);
        }
        Some(State::After)
    }
}

/// How far a string is.
enum Part {
    Closed,
    More,
    Broken,
}

/// Whether the innermost object has no key of this name yet; the name is its own from then on.
fn is_new(open: &mut [Frame], nodes: &[Node], text: &str, name: &str) -> bool {
    let Some(frame) = open.last_mut() else {
        return false;
    };
    let bit = 1_u64 << (key_hash(name.as_bytes()) >> 26);
    let may_repeat = frame.seen & bit != 0;
    frame.seen |= bit;
    frame.keys += 1;
    if frame.keys > FEW_KEYS {
        let earlier = || keys(frame.id, nodes, text).map(Into::into).collect();
        return frame.names.get_or_insert_with(earlier).insert(name.into());
    }
    !may_repeat || keys(frame.id, nodes, text).all(|key| key != name)
}

/// The keys of an open object whose members are all closed.
fn keys<'s>(id: u32, nodes: &'s [Node], text: &'s str) -> impl Iterator<Item = Cow<'s, str>> {
    let mut next = id + 1;
    std::iter::from_fn(move || {
        let node = nodes.get(next as usize)?;
        next = node.next().unwrap_or(next + 1);
        let (inner, escaped) = node.key(text)?;
        Some(text::unescaped(inner, escaped))
    })
}
