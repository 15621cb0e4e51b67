//! The names that an expansion brings into scope; no user type has them.

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::{DeriveInput, Ident, Member};

/// Shown where `span` is, but resolved as our other names: the tokens of a
/// `macro_rules` carry a scope of their own.
pub(crate) fn shown_at(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}

/// The alias of `typed_extract::__private` inside an expansion.
pub(crate) fn private() -> Ident {
    Ident::new("__x", Span::call_site())
}

/// The struct of references to the fields, `{Type}Fields`; underscored where
/// the type itself speaks of a type called so.
pub(crate) fn view(input: &DeriveInput) -> Ident {
    let plain = format_ident!("{}Fields", input.ident.unraw());
    let mut mentions = Mentions {
        ident: &plain,
        found: false,
    };
    mentions.visit_derive_input(input);
    if mentions.found {
        format_ident!("__{plain}")
    } else {
        plain
    }
}

struct Mentions<'a> {
    ident: &'a Ident,
    found: bool,
}

impl<'ast> Visit<'ast> for Mentions<'_> {
    fn visit_ident(&mut self, ident: &'ast Ident) {
        self.found |= ident == self.ident;
    }
}

/// The hidden copy of a type that carries the derived schema.
pub(crate) fn shadow(ident: &Ident) -> Ident {
    format_ident!("__Extract{}", ident.unraw())
}

/// The test of a type's portability.
pub(crate) fn portable(ident: &Ident) -> Ident {
    format_ident!("__portable_{}", ident.unraw())
}

/// The local variable that holds a field.
pub(crate) fn local(index: usize) -> Ident {
    format_ident!("__f{index}")
}

/// A field's name as text, without `r#`.
pub(crate) fn text(member: &Member) -> String {
    match member {
        Member::Named(ident) => ident.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
