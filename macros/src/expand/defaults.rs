//! Defaults by path in the copy. schemars' derive calls the function where
//! nothing says which type is wanted, so the copy calls one that says it.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Attribute, DeriveInput, Meta, parse_quote};

use crate::expand::parameters;
use crate::expand::schema::{mentions, metas};
use crate::expand::unself::ReplaceSelf;
use crate::names;
use crate::plan::{Absent, Field};
use crate::words;

/// The functions of one copy.
pub(crate) struct Defaults<'a> {
    input: &'a DeriveInput,
    functions: Vec<TokenStream>,
}

impl<'a> Defaults<'a> {
    pub(crate) fn new(input: &'a DeriveInput) -> Self {
        Self {
            input,
            functions: Vec::new(),
        }
    }

    /// `default = "__ExtractPage::<T>::__default0"` for a path of the user's.
    pub(crate) fn typed(&mut self, attributes: &mut [Attribute], field: &Field<'_>) {
        let Absent::Function(path) = field.default else {
            return;
        };
        let mut ty = field.ty.clone();
        ReplaceSelf(self.input).visit_type_mut(&mut ty);
        let name = format_ident!("__default{}", self.functions.len());
        let call = quote_spanned!(names::shown_at(path.span())=> #path());
        self.functions.push(quote!(fn #name() -> #ty { #call }));
        let copy = names::shadow(&self.input.ident);
        let arguments = parameters::names(&self.input.generics).join(", ");
        let path = format!("{copy}::<{arguments}>::{name}");
        let given = |one: &&mut Attribute| mentions(one, words::SERDE, "default");
        for attribute in attributes.iter_mut().filter(given) {
            let metas = metas(attribute).into_iter().map(|meta| {
                if meta.path().is_ident("default") {
                    parse_quote!(default = #path)
                } else {
                    meta
                }
            });
            let metas: Vec<Meta> = metas.collect();
            *attribute = parse_quote!(#[serde(#(#metas),*)]);
        }
    }

    /// ```text
    /// impl<T> __ExtractPage<T> { fn __default0() -> Vec<T> { none() } }
    /// ```
    pub(crate) fn into_items(self) -> Option<TokenStream> {
        let Self { input, functions } = self;
        let copy = names::shadow(&input.ident);
        let mut generics = input.generics.clone();
        ReplaceSelf(input).visit_generics_mut(&mut generics);
        let (head, arguments, clause) = generics.split_for_impl();
        let some = !functions.is_empty();
        some.then(|| quote!(impl #head #copy #arguments #clause { #(#functions)* }))
    }
}
