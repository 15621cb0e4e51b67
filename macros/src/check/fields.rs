//! `keep_delimiters`: only where a delimited string would be split.

use syn::Data;

use crate::errors::Errors;
use crate::plan::{Reach, Shape};
use crate::types;
use crate::written::Written;

pub(crate) fn keep_delimiters(written: &Written<'_>, errors: &Errors) {
    let on_struct = matches!(written.input.data, Data::Struct(_));
    for field in written.bodies.iter().flatten() {
        let Some(word) = &field.words.keep_delimiters else {
            continue;
        };
        if !on_struct || field.original.ident.is_none() {
            errors.at(
                word,
                "only a named field of a struct is ever split; leave `keep_delimiters` out",
            );
        } else if !types::is_list(&field.original.ty) {
            errors.at(
                word,
                "only a list is ever split at commas, and this field is none; leave `keep_delimiters` out",
            );
        }
    }
}

/// The wire names of the fields in which commas are data.
pub(crate) fn kept<'a>(written: &Written<'_>, shape: &Shape<'a>) -> Vec<&'a str> {
    let Shape::Struct(body) = shape else {
        return Vec::new();
    };
    let pairs = body.fields.iter().zip(written.bodies.iter().flatten());
    pairs
        .filter(|(_, written)| written.words.keep_delimiters.is_some())
        .filter_map(|(field, _)| match field.reach {
            Reach::Key(key) => Some(key),
            Reach::Here | Reach::Index(_) => None,
        })
        .collect()
}
