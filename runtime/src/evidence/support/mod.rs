//! Whether a passage carries the value it is cited for, by the kind of value.
//!
//! What cannot be judged is not supported.

mod amount;
mod date;
mod number;
mod passage;
mod sign;
mod time;
mod words;

pub use date::DateOrder;
pub use passage::Passage;

use super::locate::{Effort, Index};
use amount::Amount;
use date::Date;

/// A JSON value that holds no others; a number as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar<'v> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// The digits of a number.
    Number(&'v str),
    /// The value of a string.
    String(&'v str),
}

/// What a string is declared to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Meaning {
    /// Text that the document holds as it is.
    #[default]
    Text,
    /// A decimal number.
    Decimal,
    /// An ISO 8601 date.
    Date,
    /// An ISO 8601 date with its time of day.
    DateTime,
    /// An ISO 8601 time of day.
    Time,
}

/// The texts that an enum's variants are shown as, by their wire names.
pub type ShownAs = &'static [(&'static str, &'static [&'static str])];

/// What is known of a value beside the value.
#[derive(Debug, Clone, Copy, Default)]
pub struct Declared {
    /// What a string holds.
    pub meaning: Meaning,
    /// What an enum's variants are shown as.
    pub shown_as: ShownAs,
    /// The order of dates of digits alone.
    pub date_order: Option<DateOrder>,
}

/// What a passage says of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It carries the value.
    Supported,
    /// It does not.
    Mismatch,
    /// It holds a date of which day and month cannot be told apart.
    DateOrder,
    /// Nothing can be said of such a value.
    Unjudged,
}

impl Support {
    fn when(holds: bool) -> Self {
        if holds {
            Self::Supported
        } else {
            Self::Mismatch
        }
    }
}

/// Judges one value by a passage.
pub fn judge(value: Scalar<'_>, declared: Declared, passage: &Passage<'_>) -> Support {
    match value {
        Scalar::Null => Support::Unjudged,
        Scalar::Bool => Support::Supported,
        Scalar::Number(digits) => match Amount::parse(digits) {
            Some(amount) => Support::when(number::is_written(&amount, passage)),
            None => Support::Unjudged,
        },
        Scalar::String(text) => string(text, declared, passage),
    }
}

fn string(text: &str, declared: Declared, passage: &Passage<'_>) -> Support {
    let mut shown = declared.shown_as.iter().filter(|(wire, _)| *wire == text);
    let mut names = shown.by_ref().flat_map(|(_, names)| names.iter());
    if stands(text, passage) || names.any(|name| stands(name, passage)) {
        return Support::Supported;
    }
    match declared.meaning {
        Meaning::Text => Support::Mismatch,
        Meaning::Decimal => match Amount::parse(text) {
            Some(amount) => Support::when(number::is_written(&amount, passage)),
            None => Support::Unjudged,
        },
        Meaning::Date => match Date::parse(text).filter(|_| text.len() == 10) {
            Some(date) => dated(date, declared.date_order, passage),
            None => Support::Unjudged,
        },
        Meaning::DateTime => date_time(text, declared.date_order, passage),
        Meaning::Time => match time::parse(text) {
            Some(time) => Support::when(time::is_written(time, passage.inside(), false)),
            None => Support::Unjudged,
        },
    }
}

fn dated(date: Date, order: Option<DateOrder>, passage: &Passage<'_>) -> Support {
    let written = |order| date.is_written(passage.inside(), order);
    if written(order) {
        return Support::Supported;
    }
    let declared = [DateOrder::Dmy, DateOrder::Mdy, DateOrder::Ymd];
    if order.is_none() && declared.into_iter().any(|order| written(Some(order))) {
        Support::DateOrder
    } else {
        Support::Mismatch
    }
}

fn date_time(text: &str, order: Option<DateOrder>, passage: &Passage<'_>) -> Support {
    let time = text.get(11..).and_then(time::parse);
    let (Some(date), Some(time)) = (Date::parse(text), time) else {
        return Support::Unjudged;
    };
    match dated(date, order, passage) {
        Support::Supported => Support::when(time::is_written(time, passage.inside(), true)),
        other => other,
    }
}

/// Whether a text stands in the passage under the same normalisations as a
/// quotation in its document.
fn stands(text: &str, passage: &Passage<'_>) -> bool {
    let inside = passage.inside();
    if text.len() > inside.len().saturating_mul(4) {
        return false;
    }
    let mut effort = Effort::for_bytes(inside.len() + text.len());
    let places = Index::new(inside).find(inside, text, &mut effort);
    !places.all.is_empty()
}
