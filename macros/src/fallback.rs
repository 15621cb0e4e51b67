//! What stands in for the expansion after a mistake, so that the mistake is the
//! only thing the compiler talks about.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

use crate::expand::{self, Header};
use crate::names;
use crate::written::Written;

/// `unbound`: serde's derive gives the type no `Deserialize`, so that it is
/// stood in for as well.
pub(crate) fn container(written: &Written<'_>, unbound: bool) -> TokenStream {
    let input = written.input;
    let fields = match &input.data {
        syn::Data::Struct(data) => Some(&data.fields),
        syn::Data::Enum(_) => None,
        syn::Data::Union(_) => return TokenStream::new(),
    };
    let view = expand::view_of(input, fields);
    let schema = written.words.no_schema.is_none().then(|| schema(written));
    let bound = unbound || written.words.deserialize.is_some();
    let deserialize = bound.then(|| deserialize(written));
    let node = node(written);
    let crate_path = written.words.crate_path.clone().unwrap_or_default();
    expand::enclosed(&crate_path, &quote!(#view #schema #deserialize #node))
}

fn schema(written: &Written<'_>) -> TokenStream {
    let x = names::private();
    let real = Header::new(written.input, None).real();
    let (head, _, clause) = written.input.generics.split_for_impl();
    quote! {
        impl #head #x::schemars::JsonSchema for #real #clause {
            fn schema_name() -> #x::Text {
                ::core::unreachable!()
            }
            fn json_schema(_: &mut #x::schemars::SchemaGenerator) -> #x::schemars::Schema {
                ::core::unreachable!()
            }
        }
    }
}

fn deserialize(written: &Written<'_>) -> TokenStream {
    let x = names::private();
    let real = Header::new(written.input, None).real();
    let mut generics = written.input.generics.clone();
    generics.params.insert(0, parse_quote!('__de));
    let (head, _, clause) = generics.split_for_impl();
    quote! {
        impl #head #x::serde::Deserialize<'__de> for #real #clause {
            fn deserialize<__D: #x::serde::Deserializer<'__de>>(
                _: __D,
            ) -> #x::Result<Self, __D::Error> {
                ::core::unreachable!()
            }
        }
    }
}

fn node(written: &Written<'_>) -> TokenStream {
    let x = names::private();
    let header = Header::new(written.input, written.words.context.as_ref());
    let (real, declared) = (header.real(), header.declared_context());
    let view = expand::view_type(written.input);
    let (plain, extract, node) = (header.plain(), header.extract(), header.node());
    let (head, _, clause) = plain.split_for_impl();
    let (extract_head, _, extract_clause) = extract.split_for_impl();
    let (node_head, _, node_clause) = node.split_for_impl();
    let context = header.node_context();
    quote! {
        impl #head #x::Declared for #real #clause {
            type Fields<'__a> = #view where Self: '__a;
            type Context = #declared;
            const FIELDS: &'static [#x::Field] = &[];
            fn view(&self) -> Self::Fields<'_> {
                ::core::unreachable!()
            }
        }
        impl #node_head #x::Node<#context> for #real #node_clause {}
        impl #extract_head #x::Extract for #real #extract_clause {
            type Context = #declared;
            fn rules() -> #x::Rules {
                ::core::unreachable!()
            }
        }
    }
}
