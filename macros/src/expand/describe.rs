//! The list of rules for the prompt, and of the types that serde would lose
//! something of.

use proc_macro2::TokenStream;
use quote::quote;
use serde_derive_internals::ast::Style;

use crate::expand::{Header, assemble, checks};
use crate::plan::{Bind, Body, Field, Plan, Reach, Shape, Tagging, Told, Variant};

pub(crate) fn body(plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    if let Some(source) = assemble::of_reader(plan, header, &quote!(describe(__cx))) {
        return quote!(#source;);
    }
    match &plan.shape {
        Shape::Struct(body) => fields(body, header),
        Shape::Enum(tagging, variants) => {
            let internal = matches!(tagging, Tagging::Internal { .. });
            let tagged = internal.then(|| tagged(variants));
            let untagged = untagged(variants, header);
            let below = variants.iter().map(|one| variant(one, header));
            tagged.into_iter().chain(untagged).chain(below).collect()
        }
    }
}

/// Has the branches of untagged variants noted.
fn untagged(variants: &[Variant<'_>], header: &Header<'_>) -> Option<TokenStream> {
    let context = header.node_context();
    let any = variants
        .iter()
        .any(|one| matches!(one.told, Told::ByContent));
    any.then(|| quote!(__cx.untagged::<Self, #context>();))
}

/// Whether serde's derived code would read it through a buffer, where it drops in
/// silence what it does not take.
pub(crate) fn lossy(plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    if let Some(walks) = assemble::of_reader(plan, header, &quote!(walks())) {
        return walks;
    }
    let lossy = match &plan.shape {
        Shape::Struct(body) => body.fields.iter().any(is_flat),
        Shape::Enum(tagging, variants) => {
            !matches!(tagging, Tagging::External)
                || variants.iter().any(|one| {
                    matches!(one.told, Told::ByContent) || one.body.fields.iter().any(is_flat)
                })
        }
    };
    quote!(#lossy)
}

fn is_flat(field: &Field<'_>) -> bool {
    matches!(field.bind, Bind::Flat | Bind::FlatLeaf(_))
}

/// The content of an internally tagged variant must be an object.
fn tagged(variants: &[Variant<'_>]) -> TokenStream {
    let newtypes = variants.iter().filter(|variant| {
        matches!(variant.told, Told::ByName)
            && variant.with.is_none()
            && matches!(variant.body.style, Style::Newtype)
    });
    newtypes
        .filter_map(|variant| variant.body.fields.first())
        .filter(|field| matches!(field.bind, Bind::Node))
        .map(|field| {
            let ty = field.ty;
            quote!(__cx.tagged::<#ty>();)
        })
        .collect()
}

fn fields(body: &Body<'_>, header: &Header<'_>) -> TokenStream {
    let fields = body.fields.iter();
    fields.map(|field| one(field, header)).collect()
}

fn one(field: &Field<'_>, header: &Header<'_>) -> TokenStream {
    let describe = header.node_of(field.ty, "describe");
    match (field.bind, field.reach) {
        (Bind::Leaf | Bind::With(_) | Bind::Skip | Bind::FlatLeaf(_), _) => TokenStream::new(),
        (Bind::Node, Reach::Key(key)) => quote!(__cx.field(#key, #describe);),
        (Bind::Node, Reach::Index(index)) => {
            quote!(__cx.element(#index, #describe);)
        }
        (Bind::Flat, _) | (Bind::Node, Reach::Here) => quote!(#describe(__cx);),
    }
}

fn variant(variant: &Variant<'_>, header: &Header<'_>) -> TokenStream {
    if variant.with.is_some() {
        return TokenStream::new();
    }
    let list = checks::of_variant(&variant.body);
    let fields = fields(&variant.body, header);
    if list.is_none() && fields.is_empty() {
        return TokenStream::new();
    }
    let inside = quote!(#list #fields);
    match variant.key {
        Some(key) => quote!(__cx.under(#key, |__cx| { #inside });),
        None => inside,
    }
}
