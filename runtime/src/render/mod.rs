//! Runs as people read them: the document with its citations and failures
//! marked, on a terminal or as one HTML file.
//!
//! Both show the document and the replies. They are for who may read those, not
//! for a log.
//!
//! What a document or a reply holds stays text: control characters, terminal
//! escapes and characters that change the direction of writing are shown by
//! name, and markup is escaped.

mod entry;
mod glyph;
mod html;
mod report;
mod terminal;

use crate::{Error, Extracted, Record};
use report::Report;

pub use html::html;
pub use terminal::{Terminal, terminal};

/// What can be shown: an [`Extracted`] value, an [`Error`], or the [`Record`] of either, which may
/// have been stored.
pub trait Reportable: sealed::Sealed {}

impl<T> Reportable for Extracted<T> {}

impl Reportable for Error {}

impl Reportable for Record {}

impl sealed::Sealed for Record {
    fn report(&self) -> Report<'_> {
        Report::recorded(self)
    }
}

mod sealed {
    use super::Report;

    pub trait Sealed {
        fn report(&self) -> Report<'_>;
    }
}

impl<T> sealed::Sealed for Extracted<T> {
    fn report(&self) -> Report<'_> {
        Report::recorded(self.record())
    }
}

impl sealed::Sealed for Error {
    fn report(&self) -> Report<'_> {
        Report::failed(self)
    }
}
