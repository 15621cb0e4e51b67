//! `#[extract(..)]` on a field.

use syn::parse::ParseStream;
use syn::{Attribute, Ident};

use crate::errors::Errors;
use crate::syntax::{alone, each_item, once, unknown};
use crate::words;

#[derive(Default)]
pub(crate) struct FieldWords {
    pub(crate) leaf: Option<Ident>,
    pub(crate) keep_delimiters: Option<Ident>,
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
            known if words::ON_TYPE.contains(&known) => {
                return Err(syn::Error::new_spanned(
                    word,
                    format!("`{word}` says something about a type; write it on the struct or enum"),
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

/// Refuses `#[extract(..)]` and `#[validate(..)]` on a variant, where neither
/// means anything.
pub(crate) fn refuse_on_variant(attributes: &[Attribute], errors: &Errors) {
    for name in [words::EXTRACT, words::VALIDATE] {
        let here = attributes.iter().filter(|one| one.path().is_ident(name));
        for attribute in here {
            errors.at(
                attribute,
                format!("`{name}` means nothing on a variant; write it on the variant's fields or on the enum"),
            );
        }
    }
}
