//! Whether a document bears out what a reply says of it. Pure and synchronous.

mod boundary;
mod fold;
mod locate;
mod token;

pub use fold::{Folds, TextNormalization};
pub use locate::{Effort, Index, Place, Places};

/// A text with every difference of presentation undone, the hyphens at the ends
/// of lines aside.
pub(crate) fn folded(text: &str) -> String {
    fold::fold(text, Folds::ALL).into_owned()
}
