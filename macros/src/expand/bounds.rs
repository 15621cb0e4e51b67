//! The heads of the impls: generics, type, context.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, GenericParam, Generics, Ident, Type, WherePredicate, parse_quote};

use crate::expand::parameters;
use crate::names;

/// What the impls of one type have in common.
pub(crate) struct Header<'a> {
    pub(crate) input: &'a DeriveInput,
    context: Option<&'a Type>,
}

impl<'a> Header<'a> {
    pub(crate) fn new(input: &'a DeriveInput, context: Option<&'a Type>) -> Self {
        Self { input, context }
    }

    /// `Page<T>`
    pub(crate) fn real(&self) -> TokenStream {
        let ident = &self.input.ident;
        let (_, arguments, _) = self.input.generics.split_for_impl();
        quote!(#ident #arguments)
    }

    /// Whether anything here depends on a type parameter.
    pub(crate) fn is_generic(&self) -> bool {
        self.input.generics.type_params().next().is_some()
    }

    /// The type that the rules read beside the fields.
    pub(crate) fn declared_context(&self) -> TokenStream {
        self.context.map_or_else(|| quote!(()), |ty| quote!(#ty))
    }

    /// The context that `Node` is implemented for.
    pub(crate) fn node_context(&self) -> TokenStream {
        self.context.map_or_else(|| quote!(__C), |ty| quote!(#ty))
    }

    /// `<T as Node<C>>::walk` and the like of a field's type. What is called
    /// through it is named by this path alone, so that for a type which is no
    /// node the compiler says the same at each place, and shows it once.
    pub(crate) fn node_of(&self, ty: &Type, method: &str) -> TokenStream {
        let (x, context) = (names::private(), self.node_context());
        let span = ty.span();
        let method = Ident::new(method, span);
        quote_spanned!(span=> <#ty as #x::Node<#context>>::#method)
    }

    /// The type's own context, where a walk is at hand.
    pub(crate) fn lent_context(&self) -> TokenStream {
        if self.context.is_some() {
            quote!(__cx.context())
        } else {
            quote!(&())
        }
    }

    /// The type's own generics.
    pub(crate) fn plain(&self) -> Generics {
        self.input.generics.clone()
    }

    /// Those of `Node`: what the fields hold of the parameters is a node too.
    pub(crate) fn node(&self) -> Generics {
        let x = names::private();
        let mut generics = self.plain();
        let context = self.node_context();
        if self.context.is_none() {
            generics.params.push(GenericParam::Type(
                parse_quote!(__C: ?::core::marker::Sized),
            ));
        }
        for ty in parameters::held(self.input) {
            let bound = quote!(#x::Node<#context> + #x::schemars::JsonSchema);
            demand(&mut generics, parse_quote!(#ty: #bound));
        }
        for parameter in self.input.generics.type_params() {
            let ident = &parameter.ident;
            demand(&mut generics, parse_quote!(#ident: 'static));
        }
        if self.is_generic() {
            let real = self.real();
            demand(
                &mut generics,
                parse_quote!(#real: #x::serde::de::DeserializeOwned + #x::schemars::JsonSchema),
            );
        }
        generics
    }

    /// Those of `Extract`.
    pub(crate) fn extract(&self) -> Generics {
        let x = names::private();
        let mut generics = self.plain();
        if self.is_generic() {
            let (real, context) = (self.real(), self.declared_context());
            demand(
                &mut generics,
                parse_quote!(#real: #x::Node<#context> + #x::schemars::JsonSchema + ::core::marker::Send),
            );
        }
        generics
    }
}

/// Adds a where-clause.
pub(crate) fn demand(generics: &mut Generics, predicate: WherePredicate) {
    generics.make_where_clause().predicates.push(predicate);
}
