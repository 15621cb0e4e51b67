//! `#[validate(..)]` as the validator crate reads it.

use syn::parse::ParseStream;
use syn::{Attribute, Expr, Ident, LitBool, LitStr, Path, Token};

use crate::errors::Errors;
use crate::syntax::{
    each_item, expression_value, items, parenthesized, plain_expression_value, text_value, unknown,
};
use crate::words;

/// One check with its arguments, as written.
pub(crate) struct Check {
    pub(crate) word: Ident,
    pub(crate) message: Option<LitStr>,
    pub(crate) code: Option<LitStr>,
    pub(crate) arguments: Vec<(Ident, Value)>,
    /// Whether an argument could not be read, so that more may seem to lack.
    pub(crate) broken: bool,
}

pub(crate) enum Value {
    Expression(Box<Expr>),
    Path(Path),
    Bool(bool),
}

impl Check {
    fn new(word: &Ident) -> Self {
        Self {
            word: word.clone(),
            message: None,
            code: None,
            arguments: Vec::new(),
            broken: false,
        }
    }

    pub(crate) fn is(&self, word: &str) -> bool {
        self.word == word
    }

    fn value(&self, key: &str) -> Option<&Value> {
        let mut arguments = self.arguments.iter();
        arguments.find_map(|(word, value)| (word == key).then_some(value))
    }

    pub(crate) fn expression(&self, key: &str) -> Option<&Expr> {
        match self.value(key) {
            Some(Value::Expression(expression)) => Some(expression),
            _ => None,
        }
    }

    pub(crate) fn path(&self, key: &str) -> Option<&Path> {
        match self.value(key) {
            Some(Value::Path(path)) => Some(path),
            _ => None,
        }
    }

    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        match self.value(key) {
            Some(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }
}

/// The checks of a field.
pub(crate) fn on_field(attributes: &[Attribute], errors: &Errors) -> Vec<Check> {
    let mut checks = Vec::new();
    each_item(attributes, words::VALIDATE, errors, |word, input| {
        let known = word.to_string();
        if known == words::CREDIT_CARD {
            return Err(syn::Error::new_spanned(
                word,
                "`credit_card` is not supported; write a named rule that checks the number",
            ));
        }
        let known = known.as_str();
        if !words::CHECKS.contains(&known) && known != words::SKIP {
            return Err(unknown(word, "`#[validate(..)]` on a field", words::CHECKS));
        }
        let check = read(word, input, allowed(known), errors)?;
        let says_nothing = [words::NESTED, words::SKIP].contains(&known);
        checks.extend((!says_nothing).then_some(check));
        Ok(())
    });
    checks
}

/// The functions over a whole value, `#[validate(schema(..))]`.
pub(crate) fn on_type(attributes: &[Attribute], errors: &Errors) -> Vec<Check> {
    let mut checks = Vec::new();
    each_item(attributes, words::VALIDATE, errors, |word, input| {
        match word.to_string().as_str() {
            words::SCHEMA => {
                let known = &[words::FUNCTION, words::SKIP_ON_FIELD_ERRORS];
                checks.push(read(word, input, known, errors)?);
            }
            words::CONTEXT => return Err(no_context(word)),
            words::NESTED | words::NEST_ALL_FIELDS => {
                read(word, input, &[], errors)?;
            }
            words::CRATE => {
                plain_expression_value(word, input)?;
            }
            _ => {
                let place = "`#[validate(..)]` on a type";
                return Err(unknown(word, place, words::CHECKS_ON_TYPE));
            }
        }
        Ok(())
    });
    checks
}

fn allowed(word: &str) -> &'static [&'static str] {
    match word {
        words::LENGTH => &[words::MIN, words::MAX, words::EQUAL],
        words::RANGE => &[
            words::MIN,
            words::MAX,
            words::EXCLUSIVE_MIN,
            words::EXCLUSIVE_MAX,
        ],
        words::IP => &[words::V4, words::V6],
        words::CONTAINS | words::DOES_NOT_CONTAIN => &[words::PATTERN],
        words::REGEX => &[words::PATH],
        words::MUST_MATCH => &[words::OTHER],
        words::CUSTOM => &[words::FUNCTION],
        _ => &[],
    }
}

/// Reads a check's arguments: those in `known`, a message and a code.
fn read(
    word: &Ident,
    input: ParseStream<'_>,
    known: &'static [&'static str],
    errors: &Errors,
) -> syn::Result<Check> {
    let mut check = Check::new(word);
    if input.peek(Token![=]) {
        // `nested = true` and the like.
        input.parse::<Token![=]>()?;
        input.parse::<LitBool>()?;
        return Ok(check);
    }
    if !input.peek(syn::token::Paren) {
        return Ok(check);
    }
    parenthesized(input, |content| {
        items(content, errors, &mut |key, input| {
            let read = argument(&mut check, key, input, known);
            check.broken |= read.is_err();
            read
        })
    })?;
    Ok(check)
}

fn argument(
    check: &mut Check,
    key: &Ident,
    input: ParseStream<'_>,
    known: &'static [&'static str],
) -> syn::Result<()> {
    let name = key.to_string();
    match name.as_str() {
        words::MESSAGE => {
            return crate::syntax::once(&mut check.message, key, text_value(key, input)?);
        }
        words::CODE => return crate::syntax::once(&mut check.code, key, text_value(key, input)?),
        words::USE_CONTEXT => return Err(no_context(key)),
        _ => {}
    }
    if !known.contains(&name.as_str()) {
        let known: Vec<&str> = known
            .iter()
            .chain(&[words::MESSAGE, words::CODE])
            .copied()
            .collect();
        return Err(unknown(key, &format!("`{}(..)`", check.word), &known));
    }
    if check.value(&name).is_some() {
        return Err(syn::Error::new_spanned(
            key,
            format!("`{key}` is given twice; keep one"),
        ));
    }
    let value = value(&name, key, input)?;
    check.arguments.push((key.clone(), value));
    Ok(())
}

fn value(name: &str, key: &Ident, input: ParseStream<'_>) -> syn::Result<Value> {
    match name {
        words::FUNCTION | words::OTHER => Ok(Value::Path(path(key, input)?)),
        words::PATTERN => Ok(Value::Expression(Box::new(plain_expression_value(
            key, input,
        )?))),
        words::V4 | words::V6 | words::SKIP_ON_FIELD_ERRORS => {
            if input.peek(Token![=]) {
                input.parse::<Token![=]>()?;
                return Ok(Value::Bool(input.parse::<LitBool>()?.value));
            }
            Ok(Value::Bool(true))
        }
        _ => Ok(Value::Expression(Box::new(expression_value(key, input)?))),
    }
}

fn path(key: &Ident, input: ParseStream<'_>) -> syn::Result<Path> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new_spanned(
            key,
            format!("`{key}` takes a path; write `{key} = ..`"),
        ));
    }
    input.parse::<Token![=]>()?;
    if input.peek(LitStr) {
        return input.parse::<LitStr>()?.parse();
    }
    input.parse()
}

fn no_context(word: &Ident) -> syn::Error {
    syn::Error::new_spanned(
        word,
        "validator's context is not passed on; write a named rule with a parameter `context: &T` and `#[extract(context = T)]` on the type",
    )
}
