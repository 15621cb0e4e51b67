//! The arguments of `#[rules]`.

use proc_macro2::TokenStream;
use syn::Token;
use syn::parse::{ParseStream, Parser};

use crate::crate_path::CratePath;
use crate::errors::Errors;
use crate::syntax::{items, once};
use crate::words;

pub(crate) fn arguments(arguments: TokenStream, errors: &Errors) -> CratePath {
    let mut path = None;
    let read = |input: ParseStream<'_>| {
        items(input, errors, &mut |word, input| {
            if word != words::CRATE {
                return Err(syn::Error::new_spanned(
                    word,
                    "`#[rules]` takes only `crate = path`; a context is declared on the type, by `#[extract(context = ..)]`",
                ));
            }
            input.parse::<Token![=]>()?;
            once(&mut path, word, CratePath::parse(input)?)
        })
    };
    errors.ok(read.parse2(arguments));
    path.unwrap_or_default()
}
