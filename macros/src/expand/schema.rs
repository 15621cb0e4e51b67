//! `JsonSchema` for the type, by way of a shadow that schemars derives on.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, parse_quote};

use super::{context, shadow};
use crate::check::unraw;
use crate::plan::Plan;

const KEPT: &[&str] = &["deprecated", "doc", "schemars", "serde", "validate"];

/// ```text
/// #[derive(JsonSchema)] struct InvoiceSchema { .. }
/// impl JsonSchema for Invoice where InvoiceSchema: JsonSchema { .. }   // forwards
/// ```
pub(super) fn expand(plan: &Plan<'_>) -> TokenStream {
    let input = plan.input;
    let shadow_ident = format_ident!("__{}Schema", unraw(&input.ident));
    let mut copy = shadow::of(input, shadow_ident.clone(), KEPT);
    let schemars = plan.written.krate.door_text("schemars");
    copy.attrs
        .push(parse_quote!(#[schemars(crate = #schemars)]));
    if !is_named(&input.attrs) {
        let name = shown_name(plan);
        copy.attrs.push(parse_quote!(#[schemars(rename = #name)]));
    }
    add_exclusive_bounds(plan, &mut copy);
    let name = &input.ident;
    let (impl_generics, ty_generics, _) = input.generics.split_for_impl();
    let shadow_ty = quote!(#shadow_ident #ty_generics);
    let clause = shadow::predicates(input, quote!(#shadow_ty: __x::schemars::JsonSchema));
    let groups = groups(plan);
    let forward = quote!(<#shadow_ty as __x::schemars::JsonSchema>);
    quote! {
        #[derive(__x::schemars::JsonSchema)]
        #copy

        #[automatically_derived]
        impl #impl_generics __x::schemars::JsonSchema for #name #ty_generics #clause {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                #forward::schema_name()
            }

            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(::core::any::type_name::<Self>())
            }

            fn inline_schema() -> bool {
                #forward::inline_schema()
            }

            fn json_schema(__generator: &mut __x::schemars::SchemaGenerator) -> __x::schemars::Schema {
                #[allow(unused_mut)]
                let mut __schema = #forward::json_schema(__generator);
                #groups
                __schema
            }
        }
    }
}

/// Whether the user names the schema himself.
fn is_named(attributes: &[Attribute]) -> bool {
    let mut named = false;
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("schemars"))
    {
        // Faults in here are schemars' own to report.
        let _ = attribute.parse_nested_meta(|meta| {
            named |= meta.path.is_ident("rename");
            crate::written::skip(&meta)
        });
    }
    named
}

/// `Page` or `Page_for_{T}`.
fn shown_name(plan: &Plan<'_>) -> String {
    let name = unraw(&plan.input.ident);
    let types: Vec<String> = plan
        .input
        .generics
        .type_params()
        .map(|param| format!("{{{}}}", param.ident))
        .collect();
    if types.is_empty() {
        name
    } else {
        format!("{name}_for_{}", types.join("_and_"))
    }
}

fn add_exclusive_bounds(plan: &Plan<'_>, copy: &mut syn::DeriveInput) {
    let checks = match &plan.shape {
        crate::plan::Shape::Named(fields) | crate::plan::Shape::Tuple(fields) => {
            fields.iter().map(|field| &field.checks).collect::<Vec<_>>()
        }
        _ => return,
    };
    for (field, checks) in shadow::fields_mut(copy).into_iter().zip(checks) {
        for (keyword, bound) in checks
            .iter()
            .flat_map(crate::checks::Check::exclusive_bounds)
        {
            field
                .attrs
                .push(parse_quote!(#[schemars(extend(#keyword = #bound))]));
        }
    }
}

/// A flattened optional is a group of keys: all of them or none.
fn groups(plan: &Plan<'_>) -> TokenStream {
    let context = context(plan);
    let flat = plan
        .named_fields()
        .iter()
        .filter(|field| field.flatten && field.walks());
    let groups = flat.map(|field| {
        let ty = field.ty;
        quote! {
            __x::require_group(
                &mut __schema,
                <#ty as __x::Node<#context>>::optional_group(__generator),
            );
        }
    });
    quote!(#(#groups)*)
}
