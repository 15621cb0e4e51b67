//! Gathers every mistake of one input, so that one build shows them all.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

#[derive(Default)]
pub(crate) struct Errors {
    found: RefCell<Vec<syn::Error>>,
}

impl Errors {
    pub(crate) fn at(&self, tokens: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn add(&self, error: syn::Error) {
        self.found.borrow_mut().push(error);
    }

    /// Unwraps what was read, or notes why it could not be.
    pub(crate) fn ok<T>(&self, read: syn::Result<T>) -> Option<T> {
        read.map_err(|error| self.add(error)).ok()
    }

    /// All mistakes as `compile_error!`s.
    pub(crate) fn finish(self) -> Result<(), TokenStream> {
        let all = self.found.into_inner().into_iter();
        all.reduce(|mut all, next| {
            all.combine(next);
            all
        })
        .map_or(Ok(()), |error| Err(error.into_compile_error()))
    }
}
