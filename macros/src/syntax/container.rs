//! `#[extract(..)]` on a type.

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, LitStr, Token, Type, token};

use crate::crate_path::CratePath;
use crate::errors::Errors;
use crate::syntax::rule::OneLine;
use crate::syntax::{alone, each_item, once, parenthesized, text_value, unknown};
use crate::words;

#[derive(Default)]
pub(crate) struct ContainerWords {
    pub(crate) rules: Vec<OneLine>,
    pub(crate) context: Option<Type>,
    pub(crate) crate_path: Option<CratePath>,
    pub(crate) instructions: Option<LitStr>,
    pub(crate) deserialize: Option<Ident>,
    pub(crate) no_schema: Option<Ident>,
    pub(crate) portable: Option<Portable>,
}

/// `portable(openai, ..)`
pub(crate) struct Portable {
    pub(crate) word: Ident,
    pub(crate) providers: Vec<Ident>,
}

impl ContainerWords {
    pub(crate) fn read(attributes: &[Attribute], errors: &Errors) -> Self {
        let mut read = Self::default();
        each_item(attributes, words::EXTRACT, errors, |word, input| {
            read.item(word, input)
        });
        read
    }

    fn item(&mut self, word: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        match word.to_string().as_str() {
            words::RULE | words::POLICY | words::CHECK => {
                self.rules.push(OneLine::parse(word, input)?);
                Ok(())
            }
            words::CONTEXT => once(&mut self.context, word, context(word, input)?),
            words::CRATE => {
                input.parse::<Token![=]>()?;
                once(&mut self.crate_path, word, CratePath::parse(input)?)
            }
            words::INSTRUCTIONS => once(&mut self.instructions, word, text_value(word, input)?),
            words::DESERIALIZE => {
                alone(word, input)?;
                once(&mut self.deserialize, word, word.clone())
            }
            words::NO_SCHEMA => {
                alone(word, input)?;
                once(&mut self.no_schema, word, word.clone())
            }
            words::PORTABLE => once(&mut self.portable, word, portable(word, input)?),
            known if words::ON_FIELD.contains(&known) => Err(syn::Error::new_spanned(
                word,
                format!(
                    "`{word}` says something about a field; write `#[extract({word})]` on the field"
                ),
            )),
            _ => Err(unknown(word, "`#[extract(..)]` on a type", words::ON_TYPE)),
        }
    }
}

fn portable(word: &Ident, input: ParseStream<'_>) -> syn::Result<Portable> {
    let none = || {
        let message = "`portable` names providers; write `portable(openai, anthropic)`";
        syn::Error::new_spanned(word, message)
    };
    if !input.peek(token::Paren) {
        return Err(none());
    }
    let named = parenthesized(input, |content| {
        Punctuated::<Ident, Token![,]>::parse_terminated_with(content, Ident::parse_any)
    })?;
    let providers: Vec<Ident> = named.into_iter().collect();
    if providers.is_empty() {
        return Err(none());
    }
    for provider in &providers {
        if !words::PROVIDERS.contains(&provider.to_string().as_str()) {
            return Err(unknown(provider, "`portable(..)`", words::PROVIDERS));
        }
    }
    let word = word.clone();
    Ok(Portable { word, providers })
}

fn context(word: &Ident, input: ParseStream<'_>) -> syn::Result<Type> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new_spanned(
            word,
            "`context` names a type; write `context = Ledger`",
        ));
    }
    input.parse::<Token![=]>()?;
    let ty: Type = input.parse()?;
    if matches!(ty, Type::Reference(_)) {
        return Err(syn::Error::new_spanned(
            ty,
            "the context is lent by the flow; write its type without `&`",
        ));
    }
    Ok(ty)
}
