//! The list of rules for the prompt, with the shapes that serde buffers marked.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::expand::{Header, checks};
use crate::names;
use crate::plan::{Bind, Body, Field, Plan, Reach, Shape, Variant};

pub(crate) fn body(plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    if plan.opaque {
        return TokenStream::new();
    }
    match &plan.shape {
        Shape::Struct(body) => fields(body, header),
        Shape::Enum(_, variants) => variants.iter().map(|one| variant(one, header)).collect(),
    }
}

fn fields(body: &Body<'_>, header: &Header<'_>) -> TokenStream {
    let fields = body.fields.iter();
    fields.map(|field| one(field, header)).collect()
}

fn one(field: &Field<'_>, header: &Header<'_>) -> TokenStream {
    let (x, context, ty) = (names::private(), header.node_context(), field.ty);
    let span = names::shown_at(ty.span());
    match (field.bind, field.reach) {
        (Bind::Leaf | Bind::With(_) | Bind::Skip, _) => TokenStream::new(),
        (Bind::Flat, _) => quote_spanned!(span=> __cx.flat::<#ty, #context>();),
        (Bind::Node, Reach::Key(key)) => {
            quote_spanned!(span=> __cx.field::<#ty, #context>(#key);)
        }
        (Bind::Node, Reach::Index(index)) => {
            quote_spanned!(span=> __cx.element::<#ty, #context>(#index);)
        }
        (Bind::Node, Reach::Here) => {
            quote_spanned!(span=> <#ty as #x::Node<#context>>::describe(__cx);)
        }
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
