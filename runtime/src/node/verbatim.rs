//! Texts that must stand in the document themselves.

use crate::node::{PendingCitation, Walk};
use crate::path::At;

/// A type of which all texts can be looked up in the document.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no text that could stand in the document",
    label = "`verbatim` is for texts",
    note = "for a number or a date, write `Cited<{Self}>` without `verbatim`"
)]
pub trait Verbatim {
    /// Asks that each text stands in the document.
    fn cite<C: ?Sized>(&self, at: &At<'_>, cx: &mut Walk<'_, C>);
}

macro_rules! texts {
    ($($type:ty),*) => {
        $(impl Verbatim for $type {
            fn cite<C: ?Sized>(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                cx.cite(PendingCitation {
                    path: at.to_path(),
                    node: None,
                    quote: self.to_string(),
                    source: None,
                    shown_as: &[],
                    date_order: None,
                    place: None,
                });
            }
        })*
    };
}

texts!(String, Box<str>);

impl<T: Verbatim> Verbatim for Option<T> {
    fn cite<C: ?Sized>(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
        if let Some(value) = self {
            value.cite(at, cx);
        }
    }
}

impl<T: Verbatim> Verbatim for Vec<T> {
    fn cite<C: ?Sized>(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
        for (index, value) in self.iter().enumerate() {
            value.cite(&at.index(index), cx);
        }
    }
}
