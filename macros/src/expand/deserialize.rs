//! `Deserialize` for the type where `#[extract(deserialize)]` asks for it, by
//! way of a shadow that serde derives on.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, Fields, Ident, parse_quote};

use super::shadow;
use crate::check::unraw;
use crate::plan::Plan;

/// ```text
/// #[derive(Deserialize)] struct InvoiceDeserialize { .. }
/// impl Deserialize for Invoice { .. }   // reads the shadow and moves its fields
/// ```
pub(super) fn expand(plan: &Plan<'_>) -> TokenStream {
    let input = plan.input;
    let shadow_ident = format_ident!("__{}Deserialize", unraw(&input.ident));
    let mut copy = shadow::of(input, shadow_ident.clone(), &["serde"]);
    let serde = plan.written.krate.door_text("serde");
    copy.attrs.push(parse_quote!(#[serde(crate = #serde)]));
    let name = &input.ident;
    let mut generics = input.generics.clone();
    generics.params.insert(0, parse_quote!('__de));
    let (impl_generics, _, _) = generics.split_for_impl();
    let (own_generics, ty_generics, _) = input.generics.split_for_impl();
    let shadow_ty = quote!(#shadow_ident #ty_generics);
    let clause = shadow::predicates(input, quote!(#shadow_ty: __x::serde::Deserialize<'__de>));
    let moved = moved(input, &shadow_ident, &quote!(Self));
    // `#[serde(default)]` on the type asks the shadow for what the real one has.
    let default = plan.default.as_ref().map(|_| {
        let given = moved_struct(input, &quote!(#name), &quote!(Self));
        let clause =
            shadow::predicates(input, quote!(#name #ty_generics: ::core::default::Default));
        quote! {
            #[automatically_derived]
            impl #own_generics ::core::default::Default for #shadow_ty #clause {
                fn default() -> Self {
                    match <#name #ty_generics as ::core::default::Default>::default() { #given }
                }
            }
        }
    });
    quote! {
        #[derive(__x::serde::Deserialize)]
        #copy

        #default

        #[automatically_derived]
        impl #impl_generics __x::serde::Deserialize<'__de> for #name #ty_generics #clause {
            fn deserialize<__D: __x::serde::Deserializer<'__de>>(
                __deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                let __shadow =
                    <#shadow_ty as __x::serde::Deserialize<'__de>>::deserialize(__deserializer)?;
                ::core::result::Result::Ok(match __shadow { #moved })
            }
        }
    }
}

fn moved(input: &syn::DeriveInput, from: &Ident, to: &TokenStream) -> TokenStream {
    match &input.data {
        Data::Struct(_) => moved_struct(input, &quote!(#from), to),
        Data::Enum(data) => {
            let arms = data.variants.iter().map(|variant| {
                let ident = &variant.ident;
                arm(
                    &variant.fields,
                    &quote!(#from::#ident),
                    &quote!(#to::#ident),
                )
            });
            quote!(#(#arms)*)
        }
        Data::Union(_) => TokenStream::new(),
    }
}

fn moved_struct(input: &syn::DeriveInput, from: &TokenStream, to: &TokenStream) -> TokenStream {
    match &input.data {
        Data::Struct(data) => arm(&data.fields, from, to),
        _ => TokenStream::new(),
    }
}

/// `From { a, b } => To { a, b },`
fn arm(fields: &Fields, from: &TokenStream, to: &TokenStream) -> TokenStream {
    match fields {
        Fields::Named(fields) => {
            let names: Vec<_> = fields
                .named
                .iter()
                .filter_map(|field| field.ident.as_ref())
                .collect();
            quote!(#from { #(#names),* } => #to { #(#names),* },)
        }
        Fields::Unnamed(fields) => {
            let names: Vec<_> = (0..fields.unnamed.len())
                .map(|at| format_ident!("__v{at}"))
                .collect();
            quote!(#from(#(#names),*) => #to(#(#names),*),)
        }
        Fields::Unit => quote!(#from => #to,),
    }
}
