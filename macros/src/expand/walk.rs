//! The walk over a bound value: its own rules, then what its fields hold.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::expand::{Header, checks, declared};
use crate::names;
use crate::plan::{Bind, Body, Field, Plan, Reach, Shape, Variant};

pub(crate) fn body(plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    let own = own(plan, header);
    if plan.opaque {
        return own;
    }
    let below = match &plan.shape {
        Shape::Struct(body) => {
            let fields = body.fields.iter();
            fields
                .map(|field| {
                    let member = field.member;
                    let span = names::shown_at(field.ty.span());
                    step(field, &quote_spanned!(span=> &self.#member))
                })
                .collect()
        }
        Shape::Enum(_, variants) => arms(variants),
    };
    quote!(#own #below)
}

fn own(plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let context = header.lent_context();
    let view = declared::view_value(plan, |field| {
        let member = field.member;
        quote!(#x::Some(&self.#member))
    });
    quote!(__cx.own::<Self>(__at, &#view, #x::Some(self), #context);)
}

/// Goes on into a field.
fn step(field: &Field<'_>, value: &TokenStream) -> TokenStream {
    let span = names::shown_at(field.ty.span());
    match (field.bind, field.reach) {
        (Bind::Node | Bind::Flat, Reach::Here) => {
            quote_spanned!(span=> __cx.here(#value, __at);)
        }
        (Bind::Node | Bind::Flat, Reach::Key(key)) => {
            quote_spanned!(span=> __cx.field(#value, __at, #key);)
        }
        (Bind::Node | Bind::Flat, Reach::Index(index)) => {
            quote_spanned!(span=> __cx.element(#value, __at, #index);)
        }
        (Bind::Leaf | Bind::With(_) | Bind::Skip, _) => TokenStream::new(),
    }
}

fn arms(variants: &[Variant<'_>]) -> TokenStream {
    if variants.is_empty() {
        return quote!(match *self {});
    }
    let arms: Vec<_> = variants.iter().filter_map(arm).collect();
    let rest = (arms.len() < variants.len()).then(|| quote!(_ => {}));
    if arms.is_empty() {
        return TokenStream::new();
    }
    quote!(match self { #(#arms)* #rest })
}

fn arm(variant: &Variant<'_>) -> Option<TokenStream> {
    let x = names::private();
    let body = &variant.body;
    let walked: Vec<&Field<'_>> = body
        .fields
        .iter()
        .filter(|field| is_walked(field, variant))
        .collect();
    if walked.is_empty() && !checks::any(body) {
        return None;
    }
    let ident = variant.ident;
    let pattern = pattern(body);
    let under = variant.key.map(|key| quote!(let __at = &__at.key(#key);));
    let checks = checks_of(body, &|field| {
        let local = &field.local;
        quote!(#x::Some(#local))
    });
    let steps = walked.iter().map(|field| {
        let local = &field.local;
        step(field, &quote!(#local))
    });
    Some(quote!(Self::#ident #pattern => { #under #checks #(#steps)* }))
}

fn is_walked(field: &Field<'_>, variant: &Variant<'_>) -> bool {
    !variant.leaf && matches!(field.bind, Bind::Node | Bind::Flat)
}

fn pattern(body: &Body<'_>) -> TokenStream {
    let members = body.fields.iter().map(|field| field.member);
    let locals = body.fields.iter().map(|field| &field.local);
    quote!({ #(#members: #locals),* })
}

/// The checks of a variant's fields, reported at the variant's content.
pub(crate) fn checks_of(
    body: &Body<'_>,
    value: &dyn Fn(&Field<'_>) -> TokenStream,
) -> Option<TokenStream> {
    checks::any(body).then(|| {
        let checks = checks::of_body(body, value);
        quote!({ let __sink = &mut __cx.sink(__at, &[]); #checks })
    })
}
