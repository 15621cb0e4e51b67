//! Whether a document bears out what a reply says of it. Pure and synchronous.

mod assign;
mod boundary;
mod citation;
pub(crate) mod document;
mod fold;
mod locate;
mod located;
pub mod support;
mod token;

pub use assign::{Lookup, Quotation, Spot, assign};
pub use citation::Citation;
pub use fold::{Folds, TextNormalization};
pub use locate::{Effort, Index, Place, Places};
pub(crate) use located::Located;

/// A text with every difference of presentation undone, the hyphens at the ends
/// of lines aside.
pub(crate) fn folded(text: &str) -> String {
    fold::fold(text, Folds::ALL).into_owned()
}

/// Whether a quotation holds anything that could prove something: a letter, a
/// digit or a symbol.
pub(crate) fn says_something(quote: &str) -> bool {
    quote.chars().any(|c| {
        let plain = fold::plain(c);
        !(plain.is_whitespace() || plain.is_ascii_punctuation() || fold::is_invisible(plain))
    })
}
