//! A place on the tape.

use std::borrow::Cow;
use std::ops::Range;

use super::{Entry, Tape, fingerprint};
use crate::path::{Path, Segment};

/// The six kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Null = 0,
    Bool = 1,
    Number = 2,
    String = 3,
    Array = 4,
    Object = 5,
}

impl Kind {
    #[inline]
    pub(super) fn from_bits(bits: u32) -> Self {
        match bits {
            1 => Self::Bool,
            2 => Self::Number,
            3 => Self::String,
            4 => Self::Array,
            5 => Self::Object,
            _ => Self::Null,
        }
    }
}

/// How many characters of a value a failure quotes.
const SHOWN: usize = 120;

/// One value of a reply.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    pub(super) tape: &'a Tape<'a>,
    id: u32,
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(super) fn new(tape: &'a Tape<'a>, id: u32) -> Self {
        Self { tape, id }
    }

    #[inline]
    pub(super) fn entry(self) -> Entry {
        self.tape.entry(self.id)
    }

    #[inline]
    pub fn kind(self) -> Kind {
        self.entry().kind()
    }

    /// Its place on the tape; all below it come after it.
    #[inline]
    pub fn id(self) -> u32 {
        self.id
    }

    /// The first id that is no longer below it.
    #[inline]
    pub fn subtree_end(self) -> u32 {
        self.entry().link
    }

    /// The value with another id of the same tape.
    pub(crate) fn node(self, id: u32) -> Self {
        Self { id, ..self }
    }

    /// Its bytes in the text, quotes included.
    pub(crate) fn span(self) -> Range<usize> {
        let entry = self.entry();
        let quotes = usize::from(entry.kind() == Kind::String);
        (entry.start as usize).saturating_sub(quotes)..entry.end as usize + quotes
    }

    /// The text it was written as.
    pub fn raw(self) -> &'a str {
        self.tape.text.get(self.span()).unwrap_or_default()
    }

    /// The text between its bounds, quotes left out.
    #[inline]
    pub(super) fn inner(self) -> &'a str {
        let entry = self.entry();
        self.tape
            .text
            .get(entry.start as usize..entry.end as usize)
            .unwrap_or_default()
    }

    /// The string it holds.
    #[inline]
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let entry = self.entry();
        match (entry.kind(), entry.flagged()) {
            (Kind::String, false) => Some(Cow::Borrowed(self.inner())),
            (Kind::String, true) => Some(Cow::Owned(super::scan::unescaped(self.inner()))),
            _ => None,
        }
    }

    /// How many members or elements it has.
    #[inline]
    pub fn len(self) -> usize {
        self.entry().count()
    }

    /// The elements of an array; none for anything else.
    #[inline]
    pub fn elements(self) -> Elements<'a> {
        let end = if self.kind() == Kind::Array {
            self.subtree_end()
        } else {
            0
        };
        Elements {
            tape: self.tape,
            at: self.id + 1,
            end,
        }
    }

    /// The members of an object; none for anything else.
    #[inline]
    pub fn members(self) -> Members<'a> {
        let end = if self.kind() == Kind::Object {
            self.subtree_end()
        } else {
            0
        };
        Members {
            tape: self.tape,
            at: self.id + 1,
            end,
        }
    }

    /// The member of an object with this name.
    pub fn get(self, name: &str) -> Option<Self> {
        self.get_prepared(fingerprint(name), name)
    }

    #[inline]
    pub(super) fn get_prepared(self, print: u32, name: &str) -> Option<Self> {
        let mut members = self.members();
        while let Some((key, value)) = members.step() {
            if key.entry().link == print && key.as_str().as_deref() == Some(name) {
                return Some(value);
            }
        }
        None
    }

    /// What a failure quotes of it.
    pub fn shown(self) -> Option<String> {
        let raw = self.raw();
        if raw.is_empty() {
            return None;
        }
        Some(match raw.char_indices().nth(SHOWN) {
            Some((cut, _)) => format!("{}…", raw.get(..cut).unwrap_or_default()),
            None => raw.to_owned(),
        })
    }

    /// The way from here down to the node with this id.
    pub(crate) fn path_below(self, id: u32) -> Path {
        let mut here = self;
        let mut segments = Vec::new();
        while here.id < id {
            let Some((segment, below)) = here.toward(id) else {
                break;
            };
            segments.push(segment);
            here = below;
        }
        segments.into_iter().collect()
    }

    fn toward(self, id: u32) -> Option<(Segment, Self)> {
        let holds = |value: &Self| (value.id..value.subtree_end()).contains(&id);
        match self.kind() {
            Kind::Array => {
                let (index, value) = self
                    .elements()
                    .enumerate()
                    .find(|(_, value)| holds(value))?;
                Some((Segment::Index(index), value))
            }
            Kind::Object => {
                // A key belongs to its value's place.
                let (key, value) = self
                    .members()
                    .find(|(_, value)| holds(value) || value.id.checked_sub(1) == Some(id))?;
                let segment = Segment::Key(Cow::Owned(key.into_owned()));
                Some((segment, if holds(&value) { value } else { value.node(id) }))
            }
            _ => None,
        }
    }
}

/// The elements of an array, in order.
#[derive(Debug, Clone)]
pub struct Elements<'a> {
    tape: &'a Tape<'a>,
    at: u32,
    end: u32,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Cursor<'a>;

    #[inline]
    fn next(&mut self) -> Option<Cursor<'a>> {
        if self.at >= self.end {
            return None;
        }
        let element = Cursor::new(self.tape, self.at);
        self.at = element.subtree_end();
        Some(element)
    }
}

/// The members of an object, in order.
#[derive(Debug, Clone)]
pub struct Members<'a> {
    tape: &'a Tape<'a>,
    at: u32,
    end: u32,
}

impl<'a> Members<'a> {
    /// The next key and value, as places.
    #[inline]
    pub(super) fn step(&mut self) -> Option<(Cursor<'a>, Cursor<'a>)> {
        if self.at >= self.end {
            return None;
        }
        let key = Cursor::new(self.tape, self.at);
        let value = Cursor::new(self.tape, self.at + 1);
        self.at = value.subtree_end();
        Some((key, value))
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Cursor<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = self.step()?;
        Some((key.as_str().unwrap_or_default(), value))
    }
}
