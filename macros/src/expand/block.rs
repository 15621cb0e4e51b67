//! A `#[rules]` block: the functions as they are, and hidden beside them what
//! the derive calls. An inherent function is preferred over that of the trait
//! `NoRules`, so a type without a block needs no word about it.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{ImplItem, ItemImpl};

use crate::check::block::{Argument, Block, BlockRule, marker};
use crate::names;

/// The block as written, without our markers. That a rule takes its fields by
/// reference is our wish, so no lint may blame the user for it.
pub(crate) fn without_markers(item: &ItemImpl) -> ItemImpl {
    let mut item = item.clone();
    for item in &mut item.items {
        if let ImplItem::Fn(function) = item {
            function
                .attrs
                .retain(|attribute| marker(attribute).is_none());
            function.attrs.push(syn::parse_quote! {
                #[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)]
            });
        }
    }
    item
}

/// ```text
/// fn __extract_rules(__fields: &InvoiceFields, __whole: Option<&Self>, ..) {
///     if let (Some(__f0), Some(__f1)) = (__fields.total, __fields.lines) {
///         let __outcome = Self::total_adds_up(__f0, __f1);
///         Sink::outcome(__sink, &RuleInfo { .. }, __outcome);
///     }
/// }
/// ```
pub(crate) fn registered(block: &Block<'_>) -> TokenStream {
    let crate_path = &block.crate_path;
    let x = quote!(#crate_path::__private);
    let ty = &block.item.self_ty;
    let (head, _, clause) = block.item.generics.split_for_impl();
    let calls = block.rules.iter().map(|rule| call(rule, &x));
    let infos = block.rules.iter().map(|rule| {
        let (info, cfgs) = (info(rule, &x), &rule.cfgs);
        quote!(#(#cfgs)* #info)
    });
    let cfgs = block
        .item
        .attrs
        .iter()
        .filter(|one| one.path().is_ident("cfg"));
    quote_spanned! {names::shown_at(ty.span())=>
        #(#cfgs)*
        #[allow(unused_variables)]
        impl #head #ty #clause {
            #[doc(hidden)]
            pub(crate) fn __extract_rules<'__a>(
                __fields: &<Self as #x::Declared>::Fields<'__a>,
                __whole: #x::Option<&'__a Self>,
                __context: &<Self as #x::Declared>::Context,
                __sink: &mut #x::Sink<'_>,
            ) {
                #(#calls)*
            }

            #[doc(hidden)]
            pub(crate) fn __extract_rule_infos() -> &'static [#x::RuleInfo] {
                &[#(#infos),*]
            }
        }
    }
}

fn info(rule: &BlockRule<'_>, x: &TokenStream) -> TokenStream {
    let name = rule.name.unraw().to_string();
    let (sentence, kind) = (&rule.sentence, rule.kind);
    let fields = rule.arguments.iter().filter_map(|argument| match argument {
        Argument::Field(ident, _) => Some(ident.unraw().to_string()),
        Argument::Context(_) => None,
    });
    quote! {
        #x::RuleInfo { name: #name, sentence: #sentence, kind: #x::RuleKind::#kind, fields: &[#(#fields),*] }
    }
}

fn call(rule: &BlockRule<'_>, x: &TokenStream) -> TokenStream {
    let (name, info, cfgs) = (rule.name, info(rule, x), &rule.cfgs);
    let whole = rule.whole.then(|| quote!(__value,));
    let arguments = rule.arguments.iter().enumerate();
    let arguments = arguments.map(|(index, argument)| match argument {
        Argument::Field(_, ty) => {
            let mut local = names::local(index);
            local.set_span(names::shown_at(*ty));
            quote!(#local)
        }
        Argument::Context(ty) => quote_spanned! {names::shown_at(ty.span())=>
            #x::ContextIs::<#ty>::as_context(__context)
        },
    });
    // The caret of a wrong outcome stands where the outcome is written.
    let called = quote!(Self::#name(#whole #(#arguments),*));
    let outcome = quote_spanned! {names::shown_at(rule.outcome)=>
        let __outcome = #called;
        #x::Sink::outcome(__sink, &#info, __outcome);
    };
    let (patterns, sources) = sources(rule, x);
    let shown = rule.name.unraw().to_string();
    quote! {
        #(#cfgs)*
        if let (#(#patterns,)*) = (#(#sources,)*) { #x::Sink::enter(__sink, #shown); #outcome }
    }
}

/// What must be there for the rule to run.
fn sources(rule: &BlockRule<'_>, x: &TokenStream) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let whole = rule
        .whole
        .then(|| (quote!(#x::Some(__value)), quote!(__whole)));
    let arguments = rule.arguments.iter().enumerate();
    let fields = arguments.filter_map(|(index, argument)| match argument {
        Argument::Field(ident, _) => {
            let local = names::local(index);
            Some((quote!(#x::Some(#local)), quote!(__fields.#ident)))
        }
        Argument::Context(_) => None,
    });
    whole.into_iter().chain(fields).unzip()
}
