//! One-line rules: a plain function each, an entry in the list, a call.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use crate::expand::Header;
use crate::names;
use crate::plan::{Plan, Rule, Source};

/// ```text
/// /// the due date is not before the issue date
/// fn due_after_issue(due_date: &Option<NaiveDate>, issue_date: &NaiveDate) -> Result<(), RuleError> {
///     if due_date.is_none_or(|due| due >= *issue_date) { Ok(()) } else { Err(..) }
/// }
/// ```
pub(crate) fn functions(plan: &Plan<'_>) -> TokenStream {
    if plan.rules.is_empty() {
        return TokenStream::new();
    }
    let functions = plan.rules.iter().map(|rule| function(plan, rule));
    let real = Header::new(plan.input, plan.context).real();
    let (head, _, clause) = plan.input.generics.split_for_impl();
    quote! {
        impl #head #real #clause {
            #(#functions)*
        }
    }
}

fn function(plan: &Plan<'_>, rule: &Rule<'_>) -> TokenStream {
    let (crate_path, vis) = (&plan.crate_path, &plan.input.vis);
    let Rule {
        name,
        sentence,
        check,
        ..
    } = rule;
    let parameters = rule.parameters.iter().map(|one| {
        let (ident, ty) = (one.ident, one.ty);
        quote!(#ident: &#ty)
    });
    quote! {
        #[doc = #sentence]
        #[allow(private_interfaces, clippy::ptr_arg, clippy::ref_option, clippy::trivially_copy_pass_by_ref)]
        #vis fn #name(#(#parameters),*) -> ::core::result::Result<(), #crate_path::RuleError> {
            let __holds: bool = #check;
            #crate_path::__private::hold(__holds, #sentence)
        }
    }
}

/// The list for `Extract::rules` and the prompt.
pub(crate) fn infos(plan: &Plan<'_>) -> Option<TokenStream> {
    let x = names::private();
    let infos: Vec<_> = plan.rules.iter().map(info).collect();
    (!infos.is_empty()).then(|| quote!(const RULES: &'static [#x::RuleInfo] = &[#(#infos),*];))
}

fn info(rule: &Rule<'_>) -> TokenStream {
    let x = names::private();
    let (kind, sentence) = (rule.kind, rule.sentence);
    let name = rule.name.unraw().to_string();
    let fields = rule
        .parameters
        .iter()
        .filter_map(|parameter| match parameter.source {
            Source::Field(ident) => Some(ident.unraw().to_string()),
            Source::Context => None,
        });
    quote! {
        #x::RuleInfo { name: #name, sentence: #sentence, kind: #x::RuleKind::#kind, fields: &[#(#fields),*] }
    }
}

/// Runs each rule whose fields are there.
pub(crate) fn calls(plan: &Plan<'_>) -> TokenStream {
    plan.rules.iter().map(call).collect()
}

fn call(rule: &Rule<'_>) -> TokenStream {
    let x = names::private();
    let (name, info) = (rule.name, info(rule));
    let sources = || rule.parameters.iter().enumerate();
    let arguments = sources().map(|(index, parameter)| match parameter.source {
        Source::Field(_) => {
            let local = names::local(index);
            quote!(#local)
        }
        Source::Context => quote!(__context),
    });
    let fields = sources().filter_map(|(index, parameter)| match parameter.source {
        Source::Field(ident) => Some((names::local(index), ident)),
        Source::Context => None,
    });
    let (locals, idents): (Vec<_>, Vec<_>) = fields.unzip();
    let shown = rule.name.unraw().to_string();
    quote! {
        if let (#(#x::Some(#locals),)*) = (#(__fields.#idents,)*) {
            __sink.enter(#shown);
            __sink.outcome(&#info, Self::#name(#(#arguments),*));
        }
    }
}
