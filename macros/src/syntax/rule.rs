//! A one-line rule: `rule(name(field, ..), "sentence", check = expression)`.

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, LitStr, Token};

use crate::plan::RuleKind;
use crate::syntax::{parenthesized, plain_expression_value};
use crate::words;

pub(crate) struct OneLine {
    pub(crate) kind: RuleKind,
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Ident>,
    pub(crate) sentence: LitStr,
    pub(crate) check: Expr,
}

impl OneLine {
    pub(crate) fn parse(word: &Ident, input: ParseStream<'_>) -> syn::Result<Self> {
        let kind = RuleKind::from_word(word);
        if !input.peek(syn::token::Paren) {
            return Err(form(word, word));
        }
        parenthesized(input, |content| Self::content(word, kind, content))
    }

    fn content(word: &Ident, kind: RuleKind, content: ParseStream<'_>) -> syn::Result<Self> {
        let name: Ident = content.parse().map_err(|_| form(word, word))?;
        if !content.peek(syn::token::Paren) {
            return Err(form(&name, word));
        }
        let parameters = parenthesized(content, |list| {
            Punctuated::<Ident, Token![,]>::parse_terminated_with(list, Ident::parse_any)
        })?;
        if !content.peek(Token![,]) || !content.peek2(LitStr) {
            return Err(syn::Error::new_spanned(
                &name,
                format!(
                    "`{name}` needs a sentence that the model can read; write `{word}({name}(..), \"..\", check = ..)`"
                ),
            ));
        }
        content.parse::<Token![,]>()?;
        let sentence: LitStr = content.parse()?;
        let check = check(word, &name, content)?;
        content.parse::<Option<Token![,]>>()?;
        Ok(Self {
            kind,
            name,
            parameters: parameters.into_iter().collect(),
            sentence,
            check,
        })
    }
}

fn check(word: &Ident, name: &Ident, content: ParseStream<'_>) -> syn::Result<Expr> {
    let missing = || {
        syn::Error::new_spanned(
            name,
            format!(
                "`{name}` checks nothing; write `{word}({name}(..), \"..\", check = expression)`, or a function in a `#[rules]` block"
            ),
        )
    };
    if content.parse::<Option<Token![,]>>()?.is_none() || content.is_empty() {
        return Err(missing());
    }
    let key = content.call(Ident::parse_any)?;
    if key != words::CHECK {
        return Err(syn::Error::new_spanned(
            key,
            "only `check = expression` may follow the sentence",
        ));
    }
    plain_expression_value(&key, content)
}

fn form(at: &Ident, word: &Ident) -> syn::Error {
    syn::Error::new_spanned(
        at,
        format!(
            "a rule has a name and its fields; write `{word}(name(field, other), \"sentence\", check = expression)`"
        ),
    )
}
