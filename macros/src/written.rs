//! What was written in `#[extract(..)]` and `#[validate(..)]`, before anything
//! is checked.

use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Expr, Field, Ident, LitStr, Path, Token, Type};

use crate::checks::{Check, read_check};
use crate::crate_path::CratePath;
use crate::errors::Errors;
use crate::words;

/// The attributes of a type.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) krate: CratePath,
    pub(crate) context: Option<Type>,
    pub(crate) instructions: Option<LitStr>,
    pub(crate) deserialize: bool,
    pub(crate) no_schema: bool,
    pub(crate) rules: Vec<OneLine>,
    /// Functions of `#[validate(schema(function = ..))]`.
    pub(crate) schema_checks: Vec<Path>,
}

/// What a rule means when it is broken.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum RuleKind {
    Rule,
    Policy,
    Check,
}

impl RuleKind {
    pub(crate) fn variant(self) -> Ident {
        let name = match self {
            Self::Rule => "Rule",
            Self::Policy => "Policy",
            Self::Check => "Check",
        };
        Ident::new(name, proc_macro2::Span::call_site())
    }
}

/// A rule in one line: `name(field, ..), "sentence", check = expression`.
pub(crate) struct OneLine {
    pub(crate) kind: RuleKind,
    pub(crate) name: Ident,
    pub(crate) fields: Vec<Ident>,
    pub(crate) sentence: LitStr,
    pub(crate) check: Expr,
}

const ONE_LINE: &str = "write a rule as `rule(name(field, ..), \"sentence\", check = expression)`";

impl Parse for OneLine {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let help =
            |error: syn::Error| syn::Error::new(error.span(), format!("{error}; {ONE_LINE}"));
        let name: Ident = input.parse().map_err(help)?;
        if !input.peek(syn::token::Paren) {
            return Err(syn::Error::new(
                name.span(),
                format!("`{name}` names no field; {ONE_LINE}"),
            ));
        }
        let fields;
        syn::parenthesized!(fields in input);
        let fields = Punctuated::<Ident, Token![,]>::parse_terminated(&fields).map_err(help)?;
        input.parse::<Token![,]>().map_err(help)?;
        let sentence: LitStr = input.parse().map_err(help)?;
        input.parse::<Token![,]>().map_err(help)?;
        let word: Ident = input.parse().map_err(help)?;
        if word != words::CHECK {
            return Err(syn::Error::new(
                word.span(),
                format!("expected `check`; {ONE_LINE}"),
            ));
        }
        input.parse::<Token![=]>().map_err(help)?;
        let check = input.parse().map_err(help)?;
        input.parse::<Option<Token![,]>>()?;
        if !input.is_empty() {
            return Err(input.error(format!("nothing stands after the check; {ONE_LINE}")));
        }
        Ok(Self {
            kind: RuleKind::Rule,
            name,
            fields: fields.into_iter().collect(),
            sentence,
            check,
        })
    }
}

/// The attributes of a field.
#[derive(Default)]
pub(crate) struct FieldWritten {
    pub(crate) leaf: bool,
    pub(crate) keep_delimiters: Option<Path>,
    pub(crate) checks: Vec<Check>,
}

/// Reads the attributes of the type itself.
pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Written {
    let mut written = Written::default();
    each_word(&input.attrs, words::EXTRACT, errors, |meta, errors| {
        written.word(&meta, errors)
    });
    each_word(&input.attrs, words::VALIDATE, errors, |meta, errors| {
        written.validate_word(&meta, errors)
    });
    written
}

impl Written {
    fn word(&mut self, meta: &ParseNestedMeta<'_>, errors: &mut Errors) -> syn::Result<()> {
        let word = meta
            .path
            .get_ident()
            .map(Ident::to_string)
            .unwrap_or_default();
        match word.as_str() {
            words::RULE => self.rule(meta, RuleKind::Rule),
            words::POLICY => self.rule(meta, RuleKind::Policy),
            words::CHECK => self.rule(meta, RuleKind::Check),
            words::CONTEXT => once(&mut self.context, meta, meta.value()?.parse()?),
            words::INSTRUCTIONS => once(&mut self.instructions, meta, meta.value()?.parse()?),
            words::CRATE => {
                self.krate = CratePath::new(meta.value()?.parse()?)?;
                Ok(())
            }
            words::DESERIALIZE => flag(&mut self.deserialize, meta),
            words::NO_SCHEMA => flag(&mut self.no_schema, meta),
            words::LEAF | words::KEEP_DELIMITERS => {
                errors.at(&meta.path, format!("`{word}` belongs on a field"));
                skip(meta)
            }
            _ => unknown(meta, "extract", words::ON_TYPE, errors),
        }
    }

    fn rule(&mut self, meta: &ParseNestedMeta<'_>, kind: RuleKind) -> syn::Result<()> {
        if !meta.input.peek(syn::token::Paren) {
            return Err(meta.error(ONE_LINE));
        }
        let content;
        syn::parenthesized!(content in meta.input);
        self.rules.push(OneLine {
            kind,
            ..content.parse()?
        });
        Ok(())
    }

    fn validate_word(
        &mut self,
        meta: &ParseNestedMeta<'_>,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        if meta.path.is_ident("context") || meta.path.is_ident("nest_all_fields") {
            return skip(meta);
        }
        if !meta.path.is_ident("schema") {
            return unknown(meta, "validate", "schema(function = path)", errors);
        }
        meta.parse_nested_meta(|inner| {
            if inner.path.is_ident("function") {
                let value = inner.value()?;
                let path = if value.peek(LitStr) {
                    value.parse::<LitStr>()?.parse()?
                } else {
                    value.parse()?
                };
                self.schema_checks.push(path);
                return Ok(());
            }
            if inner.path.is_ident("use_context") {
                return Err(inner.error(USE_CONTEXT));
            }
            skip(&inner)
        })
    }
}

/// What to write in place of validator's own context.
pub(crate) const USE_CONTEXT: &str =
    "validator's context is not passed on; write a rule with a parameter named `context`";

/// Reads the attributes of a field.
pub(crate) fn read_field(field: &Field, errors: &mut Errors) -> FieldWritten {
    let mut written = FieldWritten::default();
    each_word(&field.attrs, words::EXTRACT, errors, |meta, errors| {
        if meta.path.is_ident(words::LEAF) {
            return flag(&mut written.leaf, &meta);
        }
        if meta.path.is_ident(words::KEEP_DELIMITERS) {
            return once(&mut written.keep_delimiters, &meta, meta.path.clone());
        }
        unknown(&meta, "extract", words::ON_FIELD, errors)
    });
    each_word(&field.attrs, words::VALIDATE, errors, |meta, errors| {
        written.checks.extend(read_check(&meta, errors)?);
        Ok(())
    });
    written
}

/// Reads every word of every attribute of that name; one that fails does not
/// hide those of other attributes.
fn each_word(
    attributes: &[Attribute],
    name: &str,
    errors: &mut Errors,
    mut read: impl FnMut(ParseNestedMeta<'_>, &mut Errors) -> syn::Result<()>,
) {
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident(name))
    {
        let result = attribute.parse_nested_meta(|meta| read(meta, errors));
        errors.keep(result);
    }
}

fn once<T>(slot: &mut Option<T>, meta: &ParseNestedMeta<'_>, value: T) -> syn::Result<()> {
    if slot.is_some() {
        return Err(twice(meta));
    }
    *slot = Some(value);
    Ok(())
}

fn flag(slot: &mut bool, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if *slot {
        return Err(twice(meta));
    }
    *slot = true;
    Ok(())
}

fn twice(meta: &ParseNestedMeta<'_>) -> syn::Error {
    let word = meta
        .path
        .get_ident()
        .map(Ident::to_string)
        .unwrap_or_default();
    meta.error(format!("`{word}` stands twice; remove one"))
}

/// Notes an unknown word and goes on with the next.
pub(crate) fn unknown(
    meta: &ParseNestedMeta<'_>,
    attribute: &str,
    known: &str,
    errors: &mut Errors,
) -> syn::Result<()> {
    let path = &meta.path;
    let word = quote::quote!(#path).to_string().replace(' ', "");
    errors.at(
        path,
        format!("`{attribute}` knows no `{word}` here; it knows {known}"),
    );
    skip(meta)
}

/// Steps over what belongs to a word.
pub(crate) fn skip(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in meta.input);
        content.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(())
}
