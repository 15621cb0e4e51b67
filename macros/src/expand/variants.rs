//! Binding an enum: how its variants are told, and what each holds.

use proc_macro2::TokenStream;
use quote::quote;
use serde_derive_internals::ast::Style;

use crate::expand::assemble::{self, Heads};
use crate::expand::{Header, walk};
use crate::names;
use crate::plan::{Bind, Field, Plan, Shape, Tagging, Told, Variant};

/// The methods of `Node`; the variants themselves are in [`implementation`].
pub(crate) fn methods(plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let context = header.node_context();
    let Heads {
        assemble,
        flat,
        claims,
    } = assemble::heads(header);
    let own = assemble::whole_rules(header);
    if !has_variants(plan) {
        return TokenStream::new();
    }
    quote! {
        #assemble {
            let __value = __cx.assemble_enum::<Self>(__cursor, __at)?;
            #own
            #x::Some(__value)
        }
        #flat {
            let __value = __cx.assemble_enum_flat::<Self>(__members, __at)?;
            #own
            #x::Some(__value)
        }
        #claims { #x::claims_enum::<Self, #context>(__members) }
    }
}

/// An enum without variants has no value.
fn has_variants(plan: &Plan<'_>) -> bool {
    matches!(&plan.shape, Shape::Enum(_, variants) if !variants.is_empty())
}

/// `impl Variants for Payment { .. }`
pub(crate) fn implementation(plan: &Plan<'_>) -> TokenStream {
    let Shape::Enum(tagging, variants) = &plan.shape else {
        return TokenStream::new();
    };
    if plan.opaque || !has_variants(plan) {
        return TokenStream::new();
    }
    let x = names::private();
    let header = Header::new(plan.input, plan.context);
    let (real, context) = (header.real(), header.node_context());
    let generics = header.node();
    let (head, _, clause) = generics.split_for_impl();
    let tagging = tag(*tagging);
    let numbered = || variants.iter().enumerate();
    let names = numbered().filter(|(_, one)| matches!(one.told, Told::ByName));
    let names = names.map(|(number, one)| {
        let names = &one.names;
        quote!((&[#(#names),*], #number))
    });
    let untagged = numbered().filter(|(_, one)| matches!(one.told, Told::ByContent));
    let untagged = untagged.map(|(number, _)| number);
    let arms = numbered().filter_map(|(number, one)| arm(number, one, &header));
    let claims = numbered().filter_map(|(number, one)| claims_arm(number, one, &header));
    quote! {
        #[automatically_derived]
        impl #head #x::Variants<#context> for #real #clause {
            const TAGGING: #x::Tagging = #tagging;
            const NAMES: &'static [(&'static [&'static str], usize)] = &[#(#names),*];
            const UNTAGGED: &'static [usize] = &[#(#untagged),*];
            fn variant(
                __variant: usize,
                __content: #x::Content<'_, '_>,
                __at: &#x::At<'_>,
                __cx: &mut #x::Walk<'_, #context>,
            ) -> #x::Option<Self> {
                match __variant { #(#arms)* _ => #x::None }
            }
            fn variant_claims(__variant: usize, __members: &#x::Members<'_>) -> bool {
                match __variant { #(#claims)* _ => false }
            }
        }
    }
}

fn tag(tagging: Tagging<'_>) -> TokenStream {
    let x = names::private();
    match tagging {
        Tagging::External => quote!(#x::Tagging::External),
        Tagging::Internal { tag } => quote!(#x::Tagging::Internal(#tag)),
        Tagging::Adjacent { tag, content } => quote!(#x::Tagging::Adjacent(#tag, #content)),
        Tagging::Untagged => quote!(#x::Tagging::Untagged),
    }
}

fn arm(number: usize, variant: &Variant<'_>, header: &Header<'_>) -> Option<TokenStream> {
    if matches!(variant.told, Told::Never) {
        return None;
    }
    let ident = variant.ident;
    let under = variant.key.map(|key| quote!(let __at = &__at.key(#key);));
    let inside = match variant.with {
        Some(function) => with(variant, &quote!(#function)),
        None => content(variant, &quote!(Self::#ident), header),
    };
    Some(quote!(#number => { #under #inside }))
}

/// A variant that a function of the user's reads: it gives all fields at once.
fn with(variant: &Variant<'_>, function: &TokenStream) -> TokenStream {
    let (x, ident) = (names::private(), variant.ident);
    let types: Vec<_> = variant.body.fields.iter().map(|field| field.ty).collect();
    let locals: Vec<_> = variant
        .body
        .fields
        .iter()
        .map(|field| &field.local)
        .collect();
    let members = variant.body.fields.iter().map(|field| field.member);
    let (given, pattern) = match (types.as_slice(), locals.as_slice()) {
        ([ty], [local]) => (quote!(#ty), quote!(#local)),
        _ => (quote!((#(#types),*)), quote!((#(#locals),*))),
    };
    quote! {
        let __read: #x::Option<#given> = __content.foreign(
            __at,
            __cx,
            |__source| #function(__source),
            |__source| #function(__source),
        );
        __read.map(|#pattern| Self::#ident { #(#members: #locals),* })
    }
}

fn content(variant: &Variant<'_>, constructor: &TokenStream, header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let body = &variant.body;
    let value = assemble::built(body, constructor);
    let checks = checks(variant);
    match body.style {
        Style::Unit => quote!(__content.unit().map(|()| #constructor)),
        Style::Struct => {
            let fields = assemble::from_members(body, header);
            quote! {
                __content.members(__at, __cx, |__members, __cx| {
                    #fields
                    #checks
                    #x::Some(#value)
                })
            }
        }
        Style::Newtype => {
            let fields = body.fields.iter().map(|field| newtype(field, header));
            quote!(#(#fields)* #checks #x::Some(#value))
        }
        Style::Tuple => {
            let fields = assemble::from_value(body, header);
            quote! {
                let __cursor = __content.value()?;
                #fields
                #checks
                #x::Some(#value)
            }
        }
    }
}

fn newtype(field: &Field<'_>, header: &Header<'_>) -> TokenStream {
    let ty = field.ty;
    let value = match field.bind {
        Bind::Node => {
            let probe = header.node_of(ty, "probe");
            let flat = header.node_of(ty, "assemble_flat");
            let absent = header.node_of(ty, "absent");
            quote!(__content.newtype(__at, __cx, #probe, #flat, #absent))
        }
        Bind::Skip => {
            let x = names::private();
            quote!(#x::Some(<#ty as ::core::default::Default>::default()))
        }
        _ => {
            let bind = assemble::bind(field);
            quote!(__content.foreign(__at, __cx, #bind, #bind))
        }
    };
    assemble::bound(field, &value)
}

fn checks(variant: &Variant<'_>) -> Option<TokenStream> {
    let checks = walk::checks_of(&variant.body, &|field| {
        let local = &field.local;
        quote!(#local.as_ref())
    })?;
    Some(quote!(if __cx.runs_rules() { #checks }))
}

/// Whether the content of a variant would take any of the members; asked of
/// untagged ones only.
fn claims_arm(number: usize, variant: &Variant<'_>, header: &Header<'_>) -> Option<TokenStream> {
    let x = names::private();
    if !matches!(variant.told, Told::ByContent) {
        return None;
    }
    let body = &variant.body;
    let claimed = match (variant.with, body.style, body.fields.as_slice()) {
        (None, Style::Struct, _) => assemble::claimed(body, header),
        (None, Style::Newtype, [field]) => assemble::claims_of(field, header),
        (None, Style::Unit | Style::Tuple, _) => quote!(false),
        _ => quote!(#x::claims_rest(__members)),
    };
    Some(quote!(#number => #claimed,))
}
