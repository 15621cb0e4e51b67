//! Where the expansion finds the crate.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

/// The path of `typed-extract` as the user's crate knows it.
#[derive(Clone)]
pub(crate) struct CratePath(syn::Path);

impl Default for CratePath {
    fn default() -> Self {
        Self(syn::parse_quote!(::typed_extract))
    }
}

impl CratePath {
    /// Takes a path that means the same wherever the expansion stands.
    pub(crate) fn new(path: syn::Path) -> syn::Result<Self> {
        let first = path
            .segments
            .first()
            .map(|segment| segment.ident.to_string());
        if matches!(first.as_deref(), Some("self" | "super")) {
            return Err(syn::Error::new(
                path.span(),
                "a relative path means another thing inside the expansion; write `crate::…` or \
                 `::some_crate`",
            ));
        }
        Ok(Self(path))
    }

    /// The hidden door for expanded code.
    pub(crate) fn door(&self) -> TokenStream {
        let path = &self.0;
        quote!(#path::__private)
    }

    /// The same as text, for attributes that take a path in quotes.
    pub(crate) fn door_text(&self, below: &str) -> String {
        let path = self.0.to_token_stream().to_string().replace(' ', "");
        format!("{path}::__private::{below}")
    }

    pub(crate) fn root(&self) -> &syn::Path {
        &self.0
    }
}
