//! All errors of one expansion, each at its own place.

use std::fmt::Display;

use quote::ToTokens;

/// Gathers errors; it must be [finished](Self::finish), so none gets lost.
pub(crate) struct Errors {
    gathered: Option<Vec<syn::Error>>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self {
            gathered: Some(Vec::new()),
        }
    }

    /// An error under the tokens of `at`.
    pub(crate) fn at(&mut self, at: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(at, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.gathered.get_or_insert_with(Vec::new).push(error);
    }

    /// The value of a result, its error kept.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn finish(mut self) -> syn::Result<()> {
        let all = self.gathered.take().unwrap_or_default().into_iter();
        let joined = all.reduce(|mut joined, error| {
            joined.combine(error);
            joined
        });
        joined.map_or(Ok(()), Err)
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        debug_assert!(
            self.gathered.is_none() || std::thread::panicking(),
            "errors were gathered and not reported"
        );
    }
}
