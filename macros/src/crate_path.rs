//! `crate = ..`: where expanded code finds the runtime crate.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::{LitStr, Path};

#[derive(Clone)]
pub(crate) struct CratePath(TokenStream);

impl Default for CratePath {
    fn default() -> Self {
        Self(quote!(::typed_extract))
    }
}

impl CratePath {
    /// Reads a path, or one written as a string as serde wants it.
    pub(crate) fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let path: Path = if input.peek(LitStr) {
            input.parse::<LitStr>()?.parse()?
        } else {
            Path::parse_mod_style(input)?
        };
        let anchored = path.leading_colon.is_some()
            || path
                .segments
                .first()
                .is_some_and(|first| first.ident == "crate" || first.ident == "$crate");
        if anchored {
            return Ok(Self(path.into_token_stream()));
        }
        let shown = path.to_token_stream().to_string().replace(' ', "");
        Err(syn::Error::new_spanned(
            &path,
            format!(
                "`crate` must be a path that means the same everywhere; write `crate = ::{shown}` or `crate = crate::{shown}`"
            ),
        ))
    }
}

impl ToTokens for CratePath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}
