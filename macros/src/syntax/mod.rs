//! What was written in our own attributes and in validator's, item by item.

pub(crate) mod block;
pub(crate) mod container;
pub(crate) mod field;
pub(crate) mod rule;
pub(crate) mod validate;
pub(crate) mod variant;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Meta, Token};

use crate::errors::Errors;
use crate::words;

/// Reads the items of all attributes named `name`, each by `item`, which gets
/// the item's word. A broken item does not hide the others' mistakes.
pub(crate) fn each_item(
    attributes: &[Attribute],
    name: &str,
    errors: &Errors,
    mut item: impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>,
) {
    for attribute in attributes {
        if !attribute.path().is_ident(name) {
            continue;
        }
        match &attribute.meta {
            Meta::List(list) => {
                let read = |input: ParseStream<'_>| items(input, errors, &mut item);
                errors.ok(read.parse2(list.tokens.clone()));
            }
            _ => errors.at(
                attribute,
                format!("write what `{name}` should do: `#[{name}(..)]`"),
            ),
        }
    }
}

/// Reads `word ..., word ...`; after a mistake it goes on behind the next comma.
pub(crate) fn items(
    input: ParseStream<'_>,
    errors: &Errors,
    item: &mut impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    while !input.is_empty() {
        let word = input.call(Ident::parse_any)?;
        let read = item(&word, input).and_then(|()| {
            if input.is_empty() || input.peek(Token![,]) {
                Ok(())
            } else {
                Err(input.error(format!("expected `,` after `{word}`")))
            }
        });
        if errors.ok(read).is_none() {
            skip_item(input)?;
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(())
}

fn skip_item(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

/// The tokens in the parentheses behind a word.
pub(crate) fn parenthesized<T>(
    input: ParseStream<'_>,
    read: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    let content;
    syn::parenthesized!(content in input);
    let value = read(&content);
    // What is left behind a mistake would count as a second one.
    let rest: TokenStream = content.parse()?;
    match value {
        Ok(_) if !rest.is_empty() => Err(syn::Error::new_spanned(
            rest,
            "nothing more is expected here",
        )),
        value => value,
    }
}

/// `= "text"`
pub(crate) fn text_value(word: &Ident, input: ParseStream<'_>) -> syn::Result<LitStr> {
    if !input.peek(Token![=]) || !input.peek2(LitStr) {
        return Err(syn::Error::new_spanned(
            word,
            format!("`{word}` takes a text; write `{word} = \"..\"`"),
        ));
    }
    input.parse::<Token![=]>()?;
    input.parse()
}

/// `= expression`; a string holds an expression, as validator reads it.
pub(crate) fn expression_value(word: &Ident, input: ParseStream<'_>) -> syn::Result<Expr> {
    match plain_expression_value(word, input)? {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => text.parse(),
        expression => Ok(expression),
    }
}

/// `= expression`, taken as it stands.
pub(crate) fn plain_expression_value(word: &Ident, input: ParseStream<'_>) -> syn::Result<Expr> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new_spanned(
            word,
            format!("`{word}` takes a value; write `{word} = ..`"),
        ));
    }
    input.parse::<Token![=]>()?;
    input.parse()
}

/// Refuses a value behind a word that stands alone.
pub(crate) fn alone(word: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    Err(syn::Error::new_spanned(
        word,
        format!("`{word}` takes no value; write `{word}`"),
    ))
}

/// Keeps the first value of a word and refuses a second.
pub(crate) fn once<T>(slot: &mut Option<T>, word: &Ident, value: T) -> syn::Result<()> {
    if slot.is_some() {
        return Err(syn::Error::new_spanned(
            word,
            format!("`{word}` is given twice; keep one"),
        ));
    }
    *slot = Some(value);
    Ok(())
}

pub(crate) fn unknown(word: &Ident, place: &str, known: &[&str]) -> syn::Error {
    let known = words::one_of(known);
    syn::Error::new_spanned(
        word,
        format!("`{word}` is not known in {place}; write {known}"),
    )
}
