//! The list of rules for the prompt, with the shapes that serde buffers marked.

use proc_macro2::TokenStream;
use quote::quote;
use serde_derive_internals::ast::Style;

use crate::expand::{Header, checks};
use crate::plan::{Bind, Body, Field, Plan, Reach, Shape, Tagging, Variant};

pub(crate) fn body(plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    if plan.opaque {
        return TokenStream::new();
    }
    match &plan.shape {
        Shape::Struct(body) => fields(body, header),
        Shape::Enum(tagging, variants) => {
            let internal = matches!(tagging, Tagging::Internal { .. });
            let tagged = internal.then(|| tagged(variants));
            let variants = variants.iter().map(|one| variant(one, header));
            tagged.into_iter().chain(variants).collect()
        }
    }
}

/// The content of an internally tagged variant must be an object.
fn tagged(variants: &[Variant<'_>]) -> TokenStream {
    let newtypes = variants
        .iter()
        .filter(|variant| variant.probed && matches!(variant.body.style, Style::Newtype));
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
        (Bind::Leaf | Bind::With(_) | Bind::Skip | Bind::Unseen, _) => TokenStream::new(),
        (Bind::Flat, _) => quote!(__cx.flat(#describe);),
        (Bind::Node, Reach::Key(key)) => quote!(__cx.field(#key, #describe);),
        (Bind::Node, Reach::Index(index)) => {
            quote!(__cx.element(#index, #describe);)
        }
        (Bind::Node, Reach::Here) => quote!(#describe(__cx);),
    }
}

fn variant(variant: &Variant<'_>, header: &Header<'_>) -> TokenStream {
    if variant.leaf {
        return TokenStream::new();
    }
    let list = checks::of_variant(&variant.body);
    let fields = fields(&variant.body, header);
    if list.is_none() && fields.is_empty() {
        return TokenStream::new();
    }
    let inside = quote!(#list #fields);
    let inside = if variant.buffered {
        quote!(__cx.buffer(|__cx| { #inside });)
    } else {
        inside
    };
    match variant.key {
        Some(key) => quote!(__cx.under(#key, |__cx| { #inside });),
        None => inside,
    }
}
