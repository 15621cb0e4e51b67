//! Citations, `verbatim`, `date_order` and `shown_as`: only where the flow can
//! look.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Data, Fields, Type};

use crate::errors::Errors;
use crate::plan::{Bind, Body, Shape};
use crate::written::Written;

pub(crate) fn words(written: &Written<'_>, shape: &Shape<'_>, errors: &Errors) {
    let bodies: Vec<&Body<'_>> = match shape {
        Shape::Struct(body) => vec![body],
        Shape::Enum(_, variants) => variants.iter().map(|variant| &variant.body).collect(),
    };
    let planned = bodies.iter().flat_map(|body| &body.fields);
    for (planned, field) in planned.zip(written.bodies.iter().flatten()) {
        if matches!(planned.bind, Bind::Node) {
            continue;
        }
        if !matches!(planned.bind, Bind::Skip) && names_citation(planned.ty) {
            errors.at(
                planned.ty,
                "the flow must look into a citation to find its passage; leave out `leaf`, \
                 `flatten` or the function that binds it",
            );
        }
        let order = field.words.date_order.as_ref().map(|(word, _)| word);
        for word in field.words.verbatim.iter().chain(order) {
            errors.at(
                word,
                format!(
                    "`{word}` needs a field that the flow looks into; it looks into none that is \
                     a leaf, flattened, skipped or bound by a function"
                ),
            );
        }
    }
    shown_as(written, errors);
}

/// Whether a type is written with `Cited` anywhere in it.
fn names_citation(ty: &Type) -> bool {
    fn within(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == "Cited",
            TokenTree::Group(group) => within(group.stream()),
            _ => false,
        })
    }
    within(ty.to_token_stream())
}

/// What is shown as a text travels as one.
fn shown_as(written: &Written<'_>, errors: &Errors) {
    let Data::Enum(data) = &written.input.data else {
        return;
    };
    for (variant, words) in data.variants.iter().zip(&written.variants) {
        if let Some((word, _)) = &words.shown_as
            && !matches!(variant.fields, Fields::Unit)
        {
            errors.at(
                word,
                format!("`{word}` says what a variant without fields looks like, and this one has fields"),
            );
        }
    }
}
