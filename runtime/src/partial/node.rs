//! One value of a reply that is arriving.

use super::text::unescaped;

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
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

const ESCAPED: u32 = 1 << 3;
const KEY_ESCAPED: u32 = 1 << 4;
const NEXT: u32 = 8;

/// A value with the key it has, if it has one; sixteen bytes. What is open has no end yet; an end,
/// once set, stays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    key: u32,
    start: u32,
    end: u32,
    /// The tag in the low bits, what is escaped above it, then the node after a closed container.
    meta: u32,
}

/// Where a key stands whose value is awaited.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub(super) start: usize,
    pub(super) escaped: bool,
}

const NO_KEY: u32 = u32::MAX;

/// Longer texts and more nodes are refused before.
#[expect(clippy::cast_possible_truncation, reason = "bounded by the limits")]
pub(super) const fn narrow(offset: usize) -> u32 {
    offset as u32
}

impl Node {
    pub(super) fn open(tag: Tag, start: usize, key: Option<Key>) -> Self {
        let escaped = key.is_some_and(|key| key.escaped);
        Self {
            key: key.map_or(NO_KEY, |key| narrow(key.start)),
            start: narrow(start),
            end: 0,
            meta: tag as u32 | if escaped { KEY_ESCAPED } else { 0 },
        }
    }

    pub(super) fn close(&mut self, end: usize) {
        self.end = narrow(end);
    }

    pub(super) fn close_string(&mut self, end: usize, escaped: bool) {
        self.end = narrow(end);
        self.meta |= if escaped { ESCAPED } else { 0 };
    }

    pub(super) fn close_container(&mut self, end: usize, next: u32) {
        self.end = narrow(end);
        self.meta |= next << NEXT;
    }

    #[inline]
    pub(super) const fn tag(self) -> Tag {
        match self.meta & 0b111 {
            0 => Tag::Null,
            1 => Tag::Bool,
            2 => Tag::Number,
            3 => Tag::String,
            4 => Tag::Array,
            _ => Tag::Object,
        }
    }

    /// First byte; of a string its opening quote.
    pub(super) const fn start(self) -> usize {
        self.start as usize
    }

    /// One past the last byte; zero while open.
    pub(super) const fn end(self) -> usize {
        self.end as usize
    }

    /// The node after a closed container; nothing while open, and for what holds no nodes.
    pub(super) const fn next(self) -> Option<u32> {
        match self.meta >> NEXT {
            0 => None,
            next => Some(next),
        }
    }

    /// Whether a closed string holds an escape.
    pub(super) const fn is_escaped(self) -> bool {
        self.meta & ESCAPED != 0
    }

    /// Whether its key is this one.
    pub(super) fn is_named(self, text: &str, name: &str) -> bool {
        if self.meta & KEY_ESCAPED != 0 {
            let key = self.key(text);
            return key.is_some_and(|(inner, escaped)| unescaped(inner, escaped) == name);
        }
        let key = text.as_bytes().get(self.key as usize + 1..);
        let after = key.and_then(|bytes| bytes.strip_prefix(name.as_bytes()));
        // A name with a quote would go on behind the key's own.
        after.is_some_and(|rest| rest.first() == Some(&b'"')) && !name.contains('"')
    }

    /// What stands between the quotes of its key, and whether that holds an escape.
    pub(super) fn key(self, text: &str) -> Option<(&str, bool)> {
        let start = (self.key != NO_KEY).then_some(self.key as usize + 1)?;
        // Behind the closing quote stand white space and a colon only.
        let (inner, _) = text.get(start..self.start())?.rsplit_once('"')?;
        Some((inner, self.meta & KEY_ESCAPED != 0))
    }
}
