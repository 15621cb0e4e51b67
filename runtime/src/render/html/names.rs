//! The names by which the parts of a page link to each other: made of numbers,
//! never of what a document or a reply holds.

use super::super::entry::{Entry, Kind};

/// Of the entry in its list, such as `c3`.
pub(super) fn entry_id(entry: &Entry<'_>) -> String {
    let letter = match entry.kind {
        Kind::Cited => 'c',
        Kind::Failure => 'f',
        Kind::Warning => 'w',
    };
    format!("{letter}{}", entry.number)
}

/// Of its place in the document, from 0, such as `c3-0`.
pub(super) fn place_id(entry: &Entry<'_>, place: usize) -> String {
    format!("{}-{place}", entry_id(entry))
}
