//! `Extract`: the type as a root.

use proc_macro2::TokenStream;
use quote::quote;

use crate::expand::Header;
use crate::names;
use crate::plan::Plan;

pub(crate) fn implementation(plan: &Plan<'_>) -> TokenStream {
    let x = names::private();
    let header = Header::new(plan.input, plan.context);
    let (real, context) = (header.real(), header.declared_context());
    let generics = header.extract();
    let (head, _, clause) = generics.split_for_impl();
    let hints = hints(plan);
    quote! {
        #[automatically_derived]
        impl #head #x::Extract for #real #clause {
            type Context = #context;
            fn rules() -> #x::Rules {
                #x::listed::<Self>(Self::__extract_rule_infos())
            }
            #hints
        }
    }
}

fn hints(plan: &Plan<'_>) -> Option<TokenStream> {
    let x = names::private();
    if plan.instructions.is_none() && plan.keep_delimiters.is_empty() {
        return None;
    }
    let kept = &plan.keep_delimiters;
    let given = plan.instructions.map(|text| quote!(#x::Some(#text)));
    let instructions = given.unwrap_or_else(|| quote!(#x::None));
    Some(quote! {
        fn hints() -> #x::Hints {
            #x::Hints { instructions: #instructions, keep_delimiters: &[#(#kept),*] }
        }
    })
}
