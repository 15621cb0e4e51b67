//! `#[extract(..)]` on a variant.

use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, LitStr, Token};

use crate::errors::Errors;
use crate::syntax::{each_item, once, parenthesized};
use crate::words;

#[derive(Default)]
pub(crate) struct VariantWords {
    /// The word, and what documents show the variant as.
    pub(crate) shown_as: Option<(Ident, Vec<LitStr>)>,
}

impl VariantWords {
    pub(crate) fn read(attributes: &[Attribute], errors: &Errors) -> Self {
        let mut read = Self::default();
        each_item(attributes, words::EXTRACT, errors, |word, input| {
            read.item(word, input)
        });
        refuse_validate(attributes, errors);
        read
    }

    fn item(&mut self, word: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        if word != words::SHOWN_AS {
            // What follows the word belongs to the same mistake.
            let rest: TokenStream = input.parse()?;
            drop(rest);
            return Err(syn::Error::new_spanned(
                word,
                format!(
                    "`{word}` means nothing on a variant; write it on the variant's fields or on \
                     the enum, or say `{}(\"..\")`",
                    words::SHOWN_AS
                ),
            ));
        }
        let texts = texts(word, input)?;
        once(&mut self.shown_as, word, (word.clone(), texts))
    }
}

/// `("text", ..)`
fn texts(word: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    let wanted = || {
        let message = format!("`{word}` takes texts; write `{word}(\"..\", \"..\")`");
        syn::Error::new_spanned(word, message)
    };
    if !input.peek(syn::token::Paren) {
        return Err(wanted());
    }
    let texts = parenthesized(input, Punctuated::<LitStr, Token![,]>::parse_terminated)?;
    if texts.is_empty() {
        return Err(wanted());
    }
    Ok(texts.into_iter().collect())
}

/// Refuses `#[validate(..)]`, which means nothing here.
fn refuse_validate(attributes: &[Attribute], errors: &Errors) {
    let name = words::VALIDATE;
    for attribute in attributes.iter().filter(|one| one.path().is_ident(name)) {
        errors.at(
            attribute,
            format!(
                "`{name}` means nothing on a variant; write it on the variant's fields or on the enum"
            ),
        );
    }
}
