//! `Node`: what the flow asks of every type inside a reply.

use proc_macro2::TokenStream;
use quote::quote;

use crate::expand::{Header, assemble, describe, variants, walk};
use crate::names;
use crate::plan::{Plan, Shape};

pub(crate) fn implementation(plan: &Plan<'_>) -> TokenStream {
    let x = names::private();
    let header = Header::new(plan.input, plan.context);
    let (real, context) = (header.real(), header.node_context());
    let generics = header.node();
    let (head, _, clause) = generics.split_for_impl();
    let walk = walk::body(plan, &header);
    let assemble = assemble::methods(plan, &header);
    let lossy = describe::lossy(plan, &header);
    let variants = variants::implementation(plan);
    let describe = describe::body(plan, &header);
    let shown_as = shown_as(plan);
    // `WALKS` does not ask the fields: a type inside itself would ask for ever.
    quote! {
        #[automatically_derived]
        impl #head #x::Node<#context> for #real #clause {
            const WALKS: bool = true;
            #shown_as
            fn walk(&self, __at: &#x::At<'_>, __cx: &mut #x::Walk<'_, #context>) {
                #walk
            }
            #assemble
            fn describe(__cx: &mut #x::Describe) {
                __cx.node::<Self>(
                    #lossy,
                    Self::__extract_rule_infos(),
                    |__cx| { #describe },
                );
            }
            fn declared_keys(
                __g: &mut #x::schemars::SchemaGenerator,
            ) -> #x::Option<#x::schemars::Schema> {
                #x::Some(<Self as #x::schemars::JsonSchema>::json_schema(__g))
            }
        }
        #variants
    }
}

/// What documents show the variants of an enum as, where anything is said of it.
fn shown_as(plan: &Plan<'_>) -> Option<TokenStream> {
    let Shape::Enum(_, variants) = &plan.shape else {
        return None;
    };
    let x = names::private();
    let shown: Vec<_> = variants
        .iter()
        .filter(|variant| !variant.shown_as.is_empty())
        .flat_map(|variant| {
            let texts = variant.shown_as;
            let names = variant.names.iter();
            names.map(move |name| quote!((#name, &[#(#texts),*])))
        })
        .collect();
    (!shown.is_empty()).then(|| quote!(const SHOWN_AS: #x::ShownAs = &[#(#shown),*];))
}
