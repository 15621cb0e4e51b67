//! The view of a type's fields, the field table, and `run`, which is all that
//! its rules and checks are.

use proc_macro2::TokenStream;
use quote::quote;
use serde_derive_internals::ast::Style;
use syn::visit_mut::VisitMut;
use syn::{Fields, Generics, parse_quote};

use crate::expand::unself::ReplaceSelf;
use crate::expand::{Header, checks, rules};
use crate::names;
use crate::plan::{Body, Field, Plan, Reach};

pub(crate) fn view(plan: &Plan<'_>) -> TokenStream {
    let fields = match &plan.input.data {
        syn::Data::Struct(data) => Some(&data.fields),
        syn::Data::Enum(_) | syn::Data::Union(_) => None,
    };
    view_of(plan.input, fields)
}

/// ```text
/// struct InvoiceFields<'__a> { number: Option<&'__a String>, .. }
/// ```
pub(crate) fn view_of(input: &syn::DeriveInput, fields: Option<&Fields>) -> TokenStream {
    let x = names::private();
    let (view, vis) = (names::view(input), &input.vis);
    let fields = fields.cloned().map(|mut fields| {
        ReplaceSelf(input).visit_fields_mut(&mut fields);
        fields
    });
    let fields = fields.as_ref();
    let (head, clause) = match fields {
        Some(Fields::Named(_) | Fields::Unnamed(_)) => {
            let mut generics = view_generics(&input.generics);
            ReplaceSelf(input).visit_generics_mut(&mut generics);
            let clause = generics.where_clause.clone();
            (quote!(#generics), clause)
        }
        Some(Fields::Unit) | None => (quote!(<'__a>), None),
    };
    let list = fields.map_or_else(Vec::new, |fields| fields.iter().collect());
    let vises = list.iter().map(|field| &field.vis);
    let types = list.iter().map(|field| &field.ty);
    // Without fields something must use the lifetime.
    let marker = list.is_empty().then(|| quote!(#x::Marker<'__a>));
    let body = match fields {
        Some(Fields::Named(_)) => {
            let idents = list.iter().map(|field| &field.ident);
            let marker = marker.map(|ty| quote!(__a: #ty));
            quote!(#clause { #(#vises #idents: #x::Option<&'__a #types>,)* #marker })
        }
        Some(Fields::Unnamed(_)) => {
            quote!((#(#vises #x::Option<&'__a #types>,)* #marker) #clause;)
        }
        Some(Fields::Unit) | None => quote!((#marker);),
    };
    quote!(#[doc(hidden)] #vis struct #view #head #body)
}

fn view_generics(generics: &Generics) -> Generics {
    let mut generics = generics.clone();
    generics.params.insert(0, parse_quote!('__a));
    generics
}

/// The view with its arguments: `InvoiceFields<'__a>`.
pub(crate) fn view_type(input: &syn::DeriveInput) -> TokenStream {
    let view = names::view(input);
    let has_fields = match &input.data {
        syn::Data::Struct(data) => !matches!(data.fields, Fields::Unit),
        syn::Data::Enum(_) | syn::Data::Union(_) => false,
    };
    if !has_fields {
        return quote!(#view<'__a>);
    }
    let generics = view_generics(&input.generics);
    let (_, arguments, _) = generics.split_for_impl();
    quote!(#view #arguments)
}

/// A view made of one expression for each field.
pub(crate) fn view_value(
    plan: &Plan<'_>,
    value: impl Fn(&Field<'_>) -> TokenStream,
) -> TokenStream {
    let x = names::private();
    let view = names::view(plan.input);
    let Some(body) = plan.body() else {
        return quote!(#view(#x::MARKER));
    };
    let values = body.fields.iter().map(value);
    let marker = body.fields.is_empty().then(|| quote!(#x::MARKER));
    match body.style {
        Style::Struct => {
            let members = body.fields.iter().map(|field| field.member);
            let marker = marker.map(|value| quote!(__a: #value));
            quote!(#view { #(#members: #values,)* #marker })
        }
        Style::Tuple | Style::Newtype | Style::Unit => quote!(#view(#(#values,)* #marker)),
    }
}

pub(crate) fn implementation(plan: &Plan<'_>) -> TokenStream {
    let x = names::private();
    let header = Header::new(plan.input, plan.context);
    let (real, context) = (header.real(), header.declared_context());
    let view = view_type(plan.input);
    let fields = plan.body().map(table);
    let rules = rules::infos(plan);
    let checks = checks::infos(plan);
    let run = run(plan);
    let whole = view_value(plan, |field| {
        let member = field.member;
        quote!(#x::Some(&self.#member))
    });
    let generics = header.plain();
    let (head, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #head #x::Declared for #real #clause {
            type Fields<'__a> = #view where Self: '__a;
            type Context = #context;
            const FIELDS: &'static [#x::Field] = &[#fields];
            #rules
            #checks
            fn view(&self) -> Self::Fields<'_> {
                #whole
            }
            #run
        }
    }
}

fn table(body: &Body<'_>) -> TokenStream {
    let x = names::private();
    let fields = body.fields.iter().map(|field| {
        let rust = names::text(field.member);
        let aliases = &field.aliases;
        let wire = match field.reach {
            Reach::Key(key) => quote!(#x::Some(#key)),
            Reach::Here | Reach::Index(_) => quote!(#x::None),
        };
        quote!(#x::Field { rust: #rust, wire: #wire, aliases: &[#(#aliases),*] },)
    });
    fields.collect()
}

fn run(plan: &Plan<'_>) -> TokenStream {
    let x = names::private();
    let rules = rules::calls(plan);
    let checks = checks::of_struct(plan);
    quote! {
        fn run<'__a>(
            __fields: &Self::Fields<'__a>,
            __whole: #x::Option<&'__a Self>,
            __context: &Self::Context,
            __sink: &mut #x::Sink<'_>,
        ) {
            #rules
            Self::__extract_rules(__fields, __whole, __context, __sink);
            #checks
        }
    }
}
