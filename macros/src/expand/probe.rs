//! The walk over a broken reply: binds what can be bound, field by field.

use proc_macro2::TokenStream;
use quote::quote;
use serde_derive_internals::ast::Style;

use crate::expand::{Header, declared, walk};
use crate::names;
use crate::plan::{Absent, Bind, Body, Field, Plan, Reach, Shape, Tagging, Variant};

/// Both probes. A flattened struct or internally tagged enum finds its keys
/// among its parent's as it would among its own.
pub(crate) fn methods(plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    if plan.opaque {
        return TokenStream::new();
    }
    let parts = match &plan.shape {
        Shape::Struct(body) => of_struct(plan, body, header),
        Shape::Enum(tagging, variants) => of_enum(*tagging, variants, header),
    };
    if parts.is_empty() {
        return TokenStream::new();
    }
    let (x, context) = (names::private(), header.node_context());
    quote! {
        fn probe_parts(
            __cursor: #x::Cursor<'_>,
            __at: &#x::At<'_>,
            __cx: &mut #x::Walk<'_, #context>,
        ) {
            #parts
        }
        fn probe_flat(
            __cursor: #x::Cursor<'_>,
            __at: &#x::At<'_>,
            __cx: &mut #x::Walk<'_, #context>,
        ) {
            <Self as #x::Node<#context>>::probe_parts(__cursor, __at, __cx);
        }
    }
}

fn of_struct(plan: &Plan<'_>, body: &Body<'_>, header: &Header<'_>) -> TokenStream {
    if matches!(body.style, Style::Unit) {
        return TokenStream::new();
    }
    let x = names::private();
    let fields = fields(body, header);
    let view = declared::view_value(plan, |field| {
        let local = &field.local;
        quote!(#local.as_ref())
    });
    let context = header.lent_context();
    quote! {
        #fields
        __cx.own::<Self>(__at, &#view, #x::None, #context);
    }
}

/// One `let` for each field, as far as the reply has it.
fn fields(body: &Body<'_>, header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let keyed = |field: &Field<'_>| matches!(field.reach, Reach::Key(_));
    let open = body
        .fields
        .iter()
        .any(keyed)
        .then(|| quote!(let #x::Some(__members) = __cx.object(__cursor) else { return };));
    let fields = body.fields.iter().map(|field| {
        let (local, ty) = (&field.local, field.ty);
        let value = value(field, header);
        let at = match field.reach {
            Reach::Here => quote!(__at),
            Reach::Key(key) => quote!(&__at.key(#key)),
            Reach::Index(index) => quote!(&__at.index(#index)),
        };
        let verbatim = walk::verbatim(field, &quote!(__value), &at)
            .map(|cite| quote!(if let #x::Some(__value) = &#local { #cite }));
        walk::in_date_order(
            field,
            &quote!(let #local: #x::Option<#ty> = #value; #verbatim),
        )
    });
    quote!(#open #(#fields)*)
}

fn value(field: &Field<'_>, header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let probe = header.node_of(field.ty, "probe");
    let probe_flat = header.node_of(field.ty, "probe_flat");
    let bind = bind(field);
    match (field.bind, field.reach) {
        (Bind::Skip, _) => skipped(field),
        (Bind::Unseen, _) => quote!(#x::None),
        (Bind::Flat, _) => quote!({ #probe_flat(__cursor, __at, __cx); #x::None }),
        (_, Reach::Key(_)) => keyed(field, header),
        (Bind::Node, Reach::Here) => quote!(#probe(#x::Some(__cursor), __at, __cx)),
        (Bind::Node, Reach::Index(index)) => {
            quote!(__cx.probe_element(__cursor, __at, #index, #probe))
        }
        (_, Reach::Here) => quote!(__cx.probe_with(__cursor, __at, #bind)),
        (_, Reach::Index(index)) => {
            quote!(__cx.probe_element_with(__cursor, __at, #index, #bind))
        }
    }
}

fn keyed(field: &Field<'_>, header: &Header<'_>) -> TokenStream {
    let names = field.names();
    let names = names.iter().flatten();
    let names = quote!(&[#(#names),*]);
    let default = default(field);
    match field.bind {
        Bind::With(_) => {
            let bind = bind(field);
            quote!(__cx.member_with(&__members, __at, #names, #default, #bind))
        }
        Bind::Leaf => quote!(__cx.member_leaf(&__members, __at, #names, #default)),
        _ => {
            let probe = header.node_of(field.ty, "probe");
            quote!(__cx.member(&__members, __at, #names, #default, #probe))
        }
    }
}

/// How a value is bound that is not looked into.
fn bind(field: &Field<'_>) -> TokenStream {
    let x = names::private();
    if let Bind::With(function) = field.bind {
        quote!(|__cursor| #function(__cursor))
    } else {
        quote!(|__cursor| #x::serde::Deserialize::deserialize(__cursor))
    }
}

/// What an absent key stands for, as a function pointer if anything.
fn default(field: &Field<'_>) -> TokenStream {
    let x = names::private();
    let ty = field.ty;
    match field.default {
        Absent::Missing => quote!(#x::None),
        Absent::Default => quote!(#x::Some(<#ty as ::core::default::Default>::default)),
        Absent::Function(path) => quote!(#x::Some(|| -> #ty { #path() })),
        Absent::OfContainer(function) => {
            let member = field.member;
            let whole = function.map_or_else(
                || quote!(<Self as ::core::default::Default>::default()),
                |path| quote!(#path()),
            );
            quote!(#x::Some(|| { let __whole: Self = #whole; __whole.#member }))
        }
    }
}

fn skipped(field: &Field<'_>) -> TokenStream {
    let x = names::private();
    let default = default(field);
    let ty = field.ty;
    quote! {{
        let __make: #x::Option<fn() -> #ty> = #default;
        __make.map(|__make| __make())
    }}
}

fn of_enum(tagging: Tagging<'_>, variants: &[Variant<'_>], header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let arms: Vec<_> = variants
        .iter()
        .filter(|variant| variant.probed)
        .filter_map(|variant| arm(variant, tagging, header))
        .collect();
    if arms.is_empty() {
        return TokenStream::new();
    }
    let chosen = match tagging {
        Tagging::External => quote!(#x::external(__cursor)),
        Tagging::Internal { tag } => quote!(#x::internal(__cursor, #tag)),
        Tagging::Adjacent { tag, content } => quote!(#x::adjacent(__cursor, #tag, #content)),
        Tagging::Untagged => return TokenStream::new(),
    };
    quote! {
        let #x::Some((__tag, __cursor)) = #chosen else { return };
        match &*__tag { #(#arms)* _ => {} }
    }
}

fn arm(variant: &Variant<'_>, tagging: Tagging<'_>, header: &Header<'_>) -> Option<TokenStream> {
    let body = &variant.body;
    if matches!(body.style, Style::Unit) {
        return None;
    }
    let tags = &variant.names;
    let under = variant.key.map(|key| quote!(let __at = &__at.key(#key);));
    let inside = match (tagging, body.style) {
        (Tagging::Internal { .. }, Style::Newtype) => inside_tagged(body, header),
        _ => fields(body, header),
    };
    let checks = walk::checks_of(body, &|field| {
        let local = &field.local;
        quote!(#local.as_ref())
    });
    Some(quote!(#(#tags)|* => { #under #inside #checks }))
}

/// The content of an internally tagged newtype stands beside the tag.
fn inside_tagged(body: &Body<'_>, header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let fields = body.fields.iter().map(|field| {
        let (local, ty) = (&field.local, field.ty);
        let probe_flat = header.node_of(ty, "probe_flat");
        let walk =
            matches!(field.bind, Bind::Node).then(|| quote!(#probe_flat(__cursor, __at, __cx);));
        quote!(#walk let #local: #x::Option<#ty> = #x::None;)
    });
    fields.collect()
}
