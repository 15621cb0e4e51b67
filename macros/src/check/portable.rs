//! Who a type's schema must be portable to.

use syn::Ident;

use crate::errors::Errors;
use crate::written::Written;

/// The providers named. A generic type has a schema for each of its uses, and
/// so nothing that one test could look at.
pub(super) fn providers<'a>(written: &'a Written<'a>, errors: &Errors) -> &'a [Ident] {
    let Some(portable) = &written.words.portable else {
        return &[];
    };
    if !written.input.generics.params.is_empty() {
        errors.at(
            &portable.word,
            "`portable` looks at one schema, and a generic type has one for each use; write it on \
             a type that uses this one",
        );
    }
    &portable.providers
}
