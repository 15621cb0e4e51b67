//! A reply as a flat tape over its text: one entry a node, nothing copied.
//!
//! The schema validator reads it, serde binds from it, and every entry knows
//! its bytes, so that a failure can quote what stood there.

mod cursor;
mod de;
mod error;
mod json;
mod parse;
mod scan;

#[cfg(test)]
mod tests;

pub use cursor::{Cursor, Kind};
pub(crate) use error::SyntaxError;
pub use error::{BindError, BindKind};
pub(crate) use json::TapeJson;

/// The bounds of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// How deep objects and arrays may nest.
    pub(crate) depth: usize,
    /// How many bytes the text may have.
    pub(crate) bytes: usize,
    /// How many values and keys there may be.
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

/// A parsed reply.
#[derive(Debug)]
pub struct Tape<'t> {
    text: &'t str,
    entries: Vec<Entry>,
    /// Whether a string may hold a control character.
    controls: bool,
}

impl<'t> Tape<'t> {
    /// Whether a string may hold a control character: JSON text can hold one
    /// only as an escape.
    pub(crate) fn may_hold_controls(&self) -> bool {
        self.controls
    }

    /// The whole value.
    pub(crate) fn root(&self) -> Cursor<'_> {
        Cursor::new(self, 0)
    }

    /// The entry with this id. Ids come from the tape itself, so there is one.
    #[inline]
    fn entry(&self, id: u32) -> Entry {
        self.entries
            .get(id as usize)
            .copied()
            .unwrap_or(Entry::NONE)
    }
}

/// One value or key.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Its bytes in the text; for a string without its quotes.
    start: u32,
    end: u32,
    /// For a value the id after all below it; for a key its [`fingerprint`].
    link: u32,
    /// The [`Kind`] in the low bits, then flags, then the number of members.
    meta: u32,
}

const KIND_BITS: u32 = 3;
/// A string holds a backslash; a number is written as an integer.
const FLAG: u32 = 1 << KIND_BITS;
const COUNT_SHIFT: u32 = KIND_BITS + 1;

impl Entry {
    /// What an id that is not on the tape reads as.
    const NONE: Self = Self {
        start: 0,
        end: 0,
        link: u32::MAX,
        meta: Kind::Null as u32,
    };

    #[inline]
    fn kind(self) -> Kind {
        Kind::from_bits(self.meta & (FLAG - 1))
    }

    #[inline]
    fn flagged(self) -> bool {
        self.meta & FLAG != 0
    }

    #[inline]
    fn count(self) -> usize {
        (self.meta >> COUNT_SHIFT) as usize
    }
}

/// A cheap hash of a key, to tell most keys apart without reading them.
fn fingerprint(key: &str) -> u32 {
    let mut padded = [0_u8; 8];
    for (to, from) in padded.iter_mut().zip(key.bytes()) {
        *to = from;
    }
    mix(
        u64::from_le_bytes(padded),
        key.as_bytes().last().copied(),
        key.len(),
    )
}

/// The same for the key between two places of a text.
#[inline]
fn fingerprint_at(bytes: &[u8], start: usize, end: usize) -> u32 {
    let Some(chunk) = bytes.get(start..).and_then(<[u8]>::first_chunk::<8>) else {
        let key = bytes.get(start..end).unwrap_or_default();
        return fingerprint(std::str::from_utf8(key).unwrap_or_default());
    };
    let length = end - start;
    let word = u64::from_le_bytes(*chunk);
    let head = if length < 8 {
        word & ((1 << (8 * length)) - 1)
    } else {
        word
    };
    let last = end
        .checked_sub(1)
        .filter(|_| length > 0)
        .and_then(|at| bytes.get(at).copied());
    mix(head, last, length)
}

/// The first eight bytes, the last one and the length, mixed into 32 bits.
#[inline]
fn mix(head: u64, last: Option<u8>, length: usize) -> u32 {
    let mixed = head
        .wrapping_add((length as u64) << 48)
        .wrapping_add(u64::from(last.unwrap_or(0)) << 32)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}
