//! From a plan to tokens. Nothing in here can fail.

mod deserialize;
mod node;
mod run;
mod schema;
mod shadow;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Generics, Ident, parse_quote};

use crate::plan::Plan;
use crate::written::RuleKind;

/// The whole expansion:
///
/// ```text
/// impl Invoice { pub fn due_after_issue(..) -> Result<(), RuleError> { .. } }
/// const _: () = {
///     struct InvoiceSchema { .. }                 // and what derives on it
///     impl JsonSchema for Invoice { .. }
///     pub struct InvoiceFields<'f> { .. }         // a reference to each field
///     impl Declared for Invoice { .. }            // the field table, running rules
///     impl<C> Node<C> for Invoice { .. }          // walking and probing
///     impl Extract for Invoice { .. }
/// };
/// ```
pub(crate) fn expand(plan: &Plan<'_>) -> TokenStream {
    let door = plan.written.krate.door();
    let rules = run::one_line_functions(plan);
    let schema = (!plan.written.no_schema).then(|| schema::expand(plan));
    let deserialize = plan.written.deserialize.then(|| deserialize::expand(plan));
    let declared = run::declared(plan);
    let node = node::expand(plan);
    let extract = extract(plan);
    quote! {
        #rules
        #[allow(
            dead_code, deprecated, non_camel_case_types, private_interfaces, unreachable_pub,
            unused_qualifications, clippy::all, clippy::pedantic
        )]
        const _: () = {
            use #door as __x;
            use __x::NoRules as _;
            #schema
            #deserialize
            #declared
            #node
            #extract
        };
    }
}

fn extract(plan: &Plan<'_>) -> TokenStream {
    let name = &plan.input.ident;
    let (impl_generics, ty_generics, where_clause) = plan.input.generics.split_for_impl();
    let predicates = where_clause.map(|clause| &clause.predicates);
    let context = context(plan);
    let one_line = plan.written.rules.iter().map(run::info);
    let instructions = match &plan.written.instructions {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    };
    let keep = plan
        .named_fields()
        .iter()
        .filter(|field| field.keep_delimiters);
    let keep = keep.filter_map(|field| field.wire.as_ref());
    quote! {
        #[automatically_derived]
        impl #impl_generics __x::Extract for #name #ty_generics
        where
            Self: __x::Node<#context> + ::core::marker::Send,
            #predicates
        {
            type Context = #context;

            fn rules() -> ::std::vec::Vec<__x::Rule> {
                __x::listed::<Self>(&[const { &[#(#one_line),*] }, Self::__extract_rule_infos()])
            }

            fn hints() -> __x::Hints {
                __x::Hints {
                    instructions: #instructions,
                    keep_delimiters: const { &[#(#keep),*] },
                }
            }
        }
    }
}

/// The declared context; `()` where there is none.
pub(crate) fn context(plan: &Plan<'_>) -> TokenStream {
    match &plan.written.context {
        Some(context) => quote!(#context),
        None => quote!(()),
    }
}

/// The generics of the `Node` impl: every context will do where none is
/// declared.
pub(crate) fn node_generics(
    generics: &Generics,
    door: &TokenStream,
    context: Option<&syn::Type>,
) -> Generics {
    let mut node = generics.clone();
    let types: Vec<Ident> = generics
        .type_params()
        .map(|param| param.ident.clone())
        .collect();
    let context = match context {
        Some(context) => quote!(#context),
        None => {
            node.params.push(parse_quote!(__C: ?::core::marker::Sized));
            quote!(__C)
        }
    };
    if !types.is_empty() {
        let clause = node.make_where_clause();
        for ty in types {
            clause
                .predicates
                .push(parse_quote!(#ty: #door::Node<#context>));
        }
        clause.predicates.push(parse_quote!(
            Self: #door::serde::de::DeserializeOwned + #door::schemars::JsonSchema + 'static
        ));
    }
    node
}

/// The name of the struct of field references.
pub(crate) fn fields_ident(plan: &Plan<'_>) -> Ident {
    format_ident!("{}Fields", plan.input.ident)
}

/// The path of a rule's kind.
pub(crate) fn kind(kind: RuleKind) -> TokenStream {
    let variant = kind.variant();
    quote!(__x::RuleKind::#variant)
}
