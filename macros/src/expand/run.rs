//! The rules of a type and how they are run on whatever fields there are.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::parse_quote;

use super::{context, fields_ident, kind};
use crate::check::unraw;
use crate::checks::Check;
use crate::plan::{Plan, PlannedField, Shape};
use crate::words;
use crate::written::OneLine;

/// A named function for each one-line rule:
///
/// ```text
/// /// the due date is not before the issue date
/// pub fn due_after_issue(due_date: &Option<Date>, issue_date: &Date) -> Result<(), RuleError>
/// ```
pub(super) fn one_line_functions(plan: &Plan<'_>) -> Option<TokenStream> {
    if plan.written.rules.is_empty() {
        return None;
    }
    let name = &plan.input.ident;
    let (impl_generics, ty_generics, where_clause) = plan.input.generics.split_for_impl();
    let functions = plan
        .written
        .rules
        .iter()
        .map(|rule| one_line_function(plan, rule));
    Some(quote! {
        #[automatically_derived]
        #[allow(
            dead_code, clippy::borrowed_box, clippy::box_collection, clippy::missing_errors_doc,
            clippy::needless_pass_by_value, clippy::ptr_arg, clippy::ref_option,
            clippy::trivially_copy_pass_by_ref, unreachable_pub
        )]
        impl #impl_generics #name #ty_generics #where_clause {
            #(#functions)*
        }
    })
}

fn one_line_function(plan: &Plan<'_>, rule: &OneLine) -> TokenStream {
    let root = plan.written.krate.root();
    let vis = &plan.input.vis;
    let (name, sentence, check) = (&rule.name, &rule.sentence, &rule.check);
    let parameters = rule.fields.iter().map(|field| {
        let planned = plan
            .named_fields()
            .iter()
            .find(|planned| planned.rust == unraw(field));
        match planned {
            Some(planned) => {
                let ty = planned.ty;
                quote!(#field: &#ty)
            }
            None => {
                let ty = context(plan);
                quote!(#field: &#ty)
            }
        }
    });
    quote! {
        #[doc = #sentence]
        #vis fn #name(#(#parameters),*) -> ::core::result::Result<(), #root::RuleError> {
            if #check {
                ::core::result::Result::Ok(())
            } else {
                ::core::result::Result::Err(#root::RuleError::new(#sentence))
            }
        }
    }
}

/// What a one-line rule is listed as.
pub(super) fn info(rule: &OneLine) -> TokenStream {
    let name = unraw(&rule.name);
    let sentence = rule.sentence.value();
    let kind = kind(rule.kind);
    let fields = rule
        .fields
        .iter()
        .map(unraw)
        .filter(|field| field != words::CONTEXT);
    quote! {
        __x::RuleInfo {
            name: #name,
            sentence: #sentence,
            kind: #kind,
            fields: &[#(#fields),*],
        }
    }
}

/// What a check of a field is reported as.
pub(super) fn check_info(check: &Check, field: &PlannedField<'_>) -> TokenStream {
    let (name, sentence, rust) = (check.name(), check.sentence(), &field.rust);
    let other: Vec<String> = check.other().iter().map(unraw).collect();
    quote! {
        __x::RuleInfo {
            name: #name,
            sentence: #sentence,
            kind: __x::RuleKind::Rule,
            fields: &[#rust #(, #other)*],
        }
    }
}

/// `Declared`: the context, the field table, and one function that runs the
/// type's own rules on the fields that are there.
pub(super) fn declared(plan: &Plan<'_>) -> TokenStream {
    let name = &plan.input.ident;
    let (impl_generics, ty_generics, where_clause) = plan.input.generics.split_for_impl();
    let context = context(plan);
    let (view, fields) = view(plan);
    let table = plan.named_fields().iter().map(table_entry);
    let checks = plan.named_fields().iter().flat_map(|field| {
        field
            .checks
            .iter()
            .map(move |check| run_check(check, field))
    });
    let one_line = plan
        .written
        .rules
        .iter()
        .map(|rule| run_one_line(plan, rule));
    let schema_checks = plan.written.schema_checks.iter().map(run_schema_check);
    quote! {
        #view
        #[automatically_derived]
        impl #impl_generics __x::Declared for #name #ty_generics #where_clause {
            type Fields<'__f> = #fields where Self: '__f;
            type Context = #context;
            const FIELDS: &'static [__x::Field] = &[#(#table),*];

            fn run<'__f>(
                __fields: &Self::Fields<'__f>,
                __whole: ::core::option::Option<&'__f Self>,
                __context: &Self::Context,
                __sink: &mut __x::Sink<'_>,
            ) {
                #(#checks)*
                #(#schema_checks)*
                #(#one_line)*
                Self::__extract_rules(__fields, __whole, __context, __sink);
            }
        }
    }
}

/// The struct of field references, and its type as seen from the impl.
fn view(plan: &Plan<'_>) -> (Option<TokenStream>, TokenStream) {
    let Shape::Named(fields) = &plan.shape else {
        return (None, quote!(()));
    };
    let name = fields_ident(plan);
    let mut generics = plan.input.generics.clone();
    generics.params.insert(0, parse_quote!('__f));
    let outlives: Vec<_> = plan
        .input
        .generics
        .type_params()
        .map(|param| &param.ident)
        .collect();
    if !outlives.is_empty() {
        let clause = generics.make_where_clause();
        for ty in outlives {
            clause.predicates.push(parse_quote!(#ty: '__f));
        }
    }
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let members = fields.iter().filter_map(|field| {
        let (ident, ty) = (field.ident()?, field.ty);
        Some(quote!(pub(crate) #ident: ::core::option::Option<&'__f #ty>))
    });
    let view = quote! {
        #[doc(hidden)]
        pub struct #name #impl_generics #where_clause {
            #(#members,)*
            pub(crate) __lifetime: ::core::marker::PhantomData<&'__f ()>,
        }
    };
    (Some(view), quote!(#name #ty_generics))
}

/// A field as the table lists it.
pub(super) fn table_entry(field: &PlannedField<'_>) -> TokenStream {
    let (rust, aliases) = (&field.rust, &field.aliases);
    let wire = match &field.wire {
        Some(wire) => quote!(::core::option::Option::Some(#wire)),
        None => quote!(::core::option::Option::None),
    };
    quote!(__x::Field { rust: #rust, wire: #wire, aliases: &[#(#aliases),*] })
}

/// ```text
/// if let (Some(a), Some(b)) = (fields.a, fields.b) { sink.outcome(&INFO, Self::rule(a, b)); }
/// ```
fn run_one_line(plan: &Plan<'_>, rule: &OneLine) -> TokenStream {
    let info = info(rule);
    let name = &rule.name;
    let is_field = |field: &&syn::Ident| {
        plan.named_fields()
            .iter()
            .any(|planned| planned.rust == unraw(field))
    };
    let fields: Vec<_> = rule.fields.iter().filter(is_field).collect();
    let bound: Vec<_> = (0..fields.len())
        .map(|at| format_ident!("__v{at}"))
        .collect();
    let mut values = bound.iter();
    let arguments = rule.fields.iter().map(|field| {
        if is_field(&field) {
            values.next().map(|value| quote!(#value))
        } else {
            Some(quote!(__context))
        }
    });
    quote! {
        if let (#(::core::option::Option::Some(#bound),)*) = (#(__fields.#fields,)*) {
            __sink.outcome(const { &#info }, Self::#name(#(#arguments),*));
        }
    }
}

fn run_check(check: &Check, field: &PlannedField<'_>) -> Option<TokenStream> {
    let ident = field.ident()?;
    let info = check_info(check, field);
    let span = check.span;
    if let Some(other) = check.other() {
        return Some(quote_spanned! {span=>
            if let (::core::option::Option::Some(__v0), ::core::option::Option::Some(__v1)) =
                (__fields.#ident, __fields.#other)
            {
                __sink.outcome(const { &#info }, *__v0 == *__v1);
            }
        });
    }
    let outcome = check.outcome(&quote!(__x), &quote!(__v0));
    Some(quote_spanned! {span=>
        if let ::core::option::Option::Some(__v0) = __fields.#ident {
            __sink.outcome(const { &#info }, #outcome);
        }
    })
}

fn run_schema_check(path: &syn::Path) -> TokenStream {
    let name = path
        .segments
        .last()
        .map(|last| last.ident.to_string())
        .unwrap_or_default();
    let sentence = format!("passes {name}");
    quote! {
        if let ::core::option::Option::Some(__v0) = __whole {
            __sink.outcome(
                const {
                    &__x::RuleInfo {
                        name: #name,
                        sentence: #sentence,
                        kind: __x::RuleKind::Rule,
                        fields: &[],
                    }
                },
                __x::custom_check(#path(__v0)),
            );
        }
    }
}
