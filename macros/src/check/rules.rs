//! One-line rules: their names, and that each parameter is a field.

use std::collections::HashSet;

use syn::ext::IdentExt;
use syn::{Data, Fields, Ident};

use crate::errors::Errors;
use crate::plan::{Parameter, Rule, Source};
use crate::syntax::rule::OneLine;
use crate::words;
use crate::written::{Field, Written};

pub(crate) fn one_liners<'a>(written: &'a Written<'a>, errors: &Errors) -> Vec<Rule<'a>> {
    named_once(&written.words.rules, errors);
    let rules = written.words.rules.iter();
    rules
        .map(|rule| {
            said(rule, errors);
            Rule {
                kind: rule.kind,
                name: &rule.name,
                parameters: parameters(rule, written, errors),
                sentence: &rule.sentence,
                check: &rule.check,
            }
        })
        .collect()
}

fn named_once(rules: &[OneLine], errors: &Errors) {
    let mut seen = HashSet::new();
    for rule in rules {
        if !seen.insert(rule.name.unraw().to_string()) {
            errors.at(
                &rule.name,
                format!(
                    "another rule of this type is called `{}`; give this one a name of its own",
                    rule.name
                ),
            );
        }
    }
}

fn said(rule: &OneLine, errors: &Errors) {
    if rule.sentence.value().trim().is_empty() {
        errors.at(
            &rule.sentence,
            format!(
                "write what `{}` asks for, as a sentence that the model can read",
                rule.name
            ),
        );
    }
}

fn parameters<'a>(
    rule: &'a OneLine,
    written: &'a Written<'a>,
    errors: &Errors,
) -> Vec<Parameter<'a>> {
    if !has_named_fields(written) {
        errors.at(
            &rule.name,
            "this type has no named fields; write the rule as a function with `&self` in a `#[rules]` block",
        );
        return Vec::new();
    }
    let named = |ident: &Ident| ident != words::CONTEXT || field(ident, written).is_some();
    if !rule.parameters.iter().any(named) {
        errors.at(
            &rule.name,
            format!("name the fields that `{0}` concerns: `{0}(field, ..)`; a failure is reported at the first", rule.name),
        );
    }
    given_once(&rule.parameters, errors);
    let read = rule.parameters.iter();
    read.filter_map(|ident| parameter(ident, written, errors))
        .collect()
}

fn has_named_fields(written: &Written<'_>) -> bool {
    match &written.input.data {
        Data::Struct(data) => matches!(data.fields, Fields::Named(_)),
        Data::Enum(_) | Data::Union(_) => false,
    }
}

pub(crate) fn given_once<'a>(parameters: impl IntoIterator<Item = &'a Ident>, errors: &Errors) {
    let mut seen = HashSet::new();
    for ident in parameters {
        if !seen.insert(ident) {
            errors.at(ident, format!("`{ident}` is named twice; once is enough"));
        }
    }
}

fn field<'a>(ident: &Ident, written: &'a Written<'a>) -> Option<&'a Field<'a>> {
    let mut fields = written.bodies.iter().flatten();
    fields.find(|field| field.original.ident.as_ref() == Some(ident))
}

fn parameter<'a>(
    ident: &'a Ident,
    written: &'a Written<'a>,
    errors: &Errors,
) -> Option<Parameter<'a>> {
    let found = field(ident, written);
    if ident == words::CONTEXT {
        if found.is_some() {
            errors.at(
                ident,
                "`context` is what the caller lends, so a rule cannot name a field called so; rename the field and keep its wire name with `#[serde(rename = \"context\")]`",
            );
            return None;
        }
        return context(ident, written, errors);
    }
    let Some(field) = found else {
        let fields = written.bodies.iter().flatten();
        let known: Vec<String> = fields
            .filter_map(|field| Some(field.original.ident.as_ref()?.to_string()))
            .collect();
        errors.at(
            ident,
            format!(
                "`{ident}` is not a field of `{}`; write {}",
                written.input.ident,
                words::one_of(&known)
            ),
        );
        return None;
    };
    Some(Parameter {
        ident,
        ty: &field.original.ty,
        source: Source::Field(field.original.ident.as_ref()?),
    })
}

fn context<'a>(
    ident: &'a Ident,
    written: &'a Written<'a>,
    errors: &Errors,
) -> Option<Parameter<'a>> {
    let ty = written.words.context.as_ref();
    if ty.is_none() {
        errors.at(
            ident,
            "this rule reads a context, but the type names none; add `#[extract(context = Type)]`",
        );
    }
    Some(Parameter {
        ident,
        ty: ty?,
        source: Source::Context,
    })
}
