//! `#[extract(..)]` on a field.

use syn::parse::ParseStream;
use syn::{Attribute, Ident, Token};

use crate::errors::Errors;
use crate::syntax::{alone, each_item, once, unknown};
use crate::words;

#[derive(Default)]
pub(crate) struct FieldWords {
    pub(crate) leaf: Option<Ident>,
    pub(crate) keep_delimiters: Option<Ident>,
    pub(crate) verbatim: Option<Ident>,
    /// The word, and the variant of `DateOrder`.
    pub(crate) date_order: Option<(Ident, Ident)>,
}

impl FieldWords {
    pub(crate) fn read(attributes: &[Attribute], errors: &Errors) -> Self {
        let mut read = Self::default();
        each_item(attributes, words::EXTRACT, errors, |word, input| {
            read.item(word, input)
        });
        read
    }

    fn item(&mut self, word: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        let slot = match word.to_string().as_str() {
            words::LEAF => &mut self.leaf,
            words::KEEP_DELIMITERS => &mut self.keep_delimiters,
            words::VERBATIM => &mut self.verbatim,
            words::DATE_ORDER => {
                let order = date_order(word, input)?;
                return once(&mut self.date_order, word, (word.clone(), order));
            }
            known if words::ON_TYPE.contains(&known) => {
                return Err(syn::Error::new_spanned(
                    word,
                    format!("`{word}` says something about a type; write it on the struct or enum"),
                ));
            }
            words::SHOWN_AS => {
                return Err(syn::Error::new_spanned(
                    word,
                    format!("`{word}` says something about a variant; write it on the variant"),
                ));
            }
            _ => {
                return Err(unknown(
                    word,
                    "`#[extract(..)]` on a field",
                    words::ON_FIELD,
                ));
            }
        };
        alone(word, input)?;
        once(slot, word, word.clone())
    }
}

/// `= dmy`, as the variant of `DateOrder`.
fn date_order(word: &Ident, input: ParseStream<'_>) -> syn::Result<Ident> {
    let orders = words::DATE_ORDERS;
    let known = words::one_of(&orders.map(|(name, _)| name));
    let message = format!("`{word}` takes the order of day, month and year; write {known}");
    if !input.peek(Token![=]) || !input.peek2(Ident) {
        return Err(syn::Error::new_spanned(word, message));
    }
    input.parse::<Token![=]>()?;
    let order: Ident = input.parse()?;
    let found = orders.iter().find(|(name, _)| order == name);
    match found {
        Some((_, variant)) => Ok(Ident::new(variant, order.span())),
        None => Err(syn::Error::new_spanned(order, message)),
    }
}
