//! After an error: the errors, and impls that keep one mistake from causing ten
//! more.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::written;

/// The errors and a stand-in for the derived impls.
pub(crate) fn expand(input: &DeriveInput, error: &syn::Error) -> TokenStream {
    let errors = error.to_compile_error();
    let mut unheard = crate::errors::Errors::new();
    let written = written::read(input, &mut unheard);
    // These were reported already.
    let _ = unheard.finish();
    if input.generics.lifetimes().next().is_some() {
        return errors;
    }
    let door = written.krate.door();
    let name = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let context = written
        .context
        .map_or_else(|| quote!(()), |context| quote!(#context));
    let node = crate::expand::node_generics(&input.generics, &door, None);
    let (node_impl, _, node_where) = node.split_for_impl();
    let schema = (!written.no_schema).then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #door::schemars::JsonSchema for #name #ty_generics #where_clause {
                fn schema_name() -> ::std::borrow::Cow<'static, str> {
                    ::std::unreachable!()
                }
                fn json_schema(_: &mut #door::schemars::SchemaGenerator) -> #door::schemars::Schema {
                    ::std::unreachable!()
                }
            }
        }
    });
    quote! {
        #errors
        const _: () = {
            #schema
            #[automatically_derived]
            impl #impl_generics #door::Declared for #name #ty_generics #where_clause {
                type Fields<'__f> = #door::AnyFields where Self: '__f;
                type Context = #context;
                const FIELDS: &'static [#door::Field] = &[];
            }
            #[automatically_derived]
            impl #node_impl #door::Node<__C> for #name #ty_generics #node_where {}
            #[automatically_derived]
            impl #impl_generics #door::Extract for #name #ty_generics
            where
                Self: #door::Node<#context> + ::core::marker::Send,
            {
                type Context = #context;
                fn rules() -> ::std::vec::Vec<#door::Rule> {
                    ::std::vec::Vec::new()
                }
            }
        };
    }
}
