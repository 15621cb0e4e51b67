//! The walk over a bound value: its own rules, then what its fields hold.

use proc_macro2::TokenStream;
use quote::quote;

use crate::expand::{Header, checks};
use crate::names;
use crate::plan::{Bind, Body, Field, Plan, Reach, Shape, Variant};

pub(crate) fn body(plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    let own = own(header);
    if plan.opaque {
        return own;
    }
    let below = match &plan.shape {
        Shape::Struct(body) => {
            let fields = body.fields.iter();
            fields
                .filter_map(|field| {
                    let member = field.member;
                    step(field, header, &quote!(&self.#member))
                })
                .collect()
        }
        Shape::Enum(_, variants) => arms(variants, header),
    };
    quote!(#own #below)
}

fn own(header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let context = header.lent_context();
    quote! {
        __cx.own::<Self>(__at, &<Self as #x::Declared>::view(self), #x::Some(self), #context);
    }
}

/// Goes on into a field.
fn step(field: &Field<'_>, header: &Header<'_>, value: &TokenStream) -> Option<TokenStream> {
    if !matches!(field.bind, Bind::Node | Bind::Flat) {
        return None;
    }
    let at = match field.reach {
        Reach::Here => quote!(__at),
        Reach::Key(key) => quote!(&__at.key(#key)),
        Reach::Index(index) => quote!(&__at.index(#index)),
    };
    let walk = header.node_of(field.ty, "walk");
    let verbatim = verbatim(field, value, &at);
    Some(in_date_order(
        field,
        &quote!(#walk(#value, #at, __cx); #verbatim),
    ))
}

/// Asks that the text of a value stands in the document.
pub(crate) fn verbatim(
    field: &Field<'_>,
    value: &TokenStream,
    at: &TokenStream,
) -> Option<TokenStream> {
    let x = names::private();
    let ty = field.ty;
    field
        .verbatim
        .then(|| quote!(<#ty as #x::Verbatim>::cite(#value, #at, __cx);))
}

/// Does what `inside` does with the order of dates that a field declares.
pub(crate) fn in_date_order(field: &Field<'_>, inside: &TokenStream) -> TokenStream {
    let x = names::private();
    match field.date_order {
        None => inside.clone(),
        Some(order) => quote! {
            let __outer = __cx.set_date_order(#x::Some(#x::DateOrder::#order));
            #inside
            __cx.set_date_order(__outer);
        },
    }
}

fn arms(variants: &[Variant<'_>], header: &Header<'_>) -> TokenStream {
    if variants.is_empty() {
        return quote!(match *self {});
    }
    let arms: Vec<_> = variants.iter().filter_map(|one| arm(one, header)).collect();
    let rest = (arms.len() < variants.len()).then(|| quote!(_ => {}));
    if arms.is_empty() {
        return TokenStream::new();
    }
    quote!(match self { #(#arms)* #rest })
}

fn arm(variant: &Variant<'_>, header: &Header<'_>) -> Option<TokenStream> {
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
    let steps = walked.iter().filter_map(|field| {
        let local = &field.local;
        step(field, header, &quote!(#local))
    });
    Some(quote!(Self::#ident #pattern => { #under #checks #(#steps)* }))
}

fn is_walked(field: &Field<'_>, variant: &Variant<'_>) -> bool {
    variant.with.is_none() && matches!(field.bind, Bind::Node | Bind::Flat)
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
