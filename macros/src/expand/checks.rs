//! The checks of `#[validate(..)]`, by the traits of the validator crate.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, Lit};

use crate::names;
use crate::plan::{Body, Field, Plan, Reach, Shape};
use crate::syntax::validate::Check;
use crate::types;
use crate::words;

/// Those of a struct's fields, then those of the whole.
pub(crate) fn of_struct(plan: &Plan<'_>) -> TokenStream {
    let fields = plan.body().map(|body| {
        of_body(body, &|field| {
            let member = field.member;
            quote!(__fields.#member)
        })
    });
    let before = plan
        .whole_checks
        .iter()
        .any(skips_on_errors)
        .then(|| quote!(let __before = __sink.count();));
    let whole = plan.whole_checks.iter().map(whole);
    quote!(#before #fields #(#whole)*)
}

fn skips_on_errors(check: &Check) -> bool {
    check.flag(words::SKIP_ON_FIELD_ERRORS).unwrap_or(true)
}

fn whole(check: &Check) -> TokenStream {
    let x = names::private();
    let Some(function) = check.path(words::FUNCTION) else {
        return TokenStream::new();
    };
    let told = told(check, &quote!(#x::Place::Here));
    let shown = function_name(check, &function);
    let condition = skips_on_errors(check).then(|| quote!(if __sink.count() == __before));
    quote! {
        if let #x::Some(__value) = __whole {
            #condition { __sink.enter(#shown); #x::checks::custom(__sink, #told, #function(__value)); }
        }
    }
}

/// Those of the fields that `value` gives as `Option<&T>`.
pub(crate) fn of_body(body: &Body<'_>, value: &dyn Fn(&Field<'_>) -> TokenStream) -> TokenStream {
    let fields = body.fields.iter();
    fields
        .flat_map(|field| field.checks.iter().map(move |check| (field, check)))
        .map(|(field, check)| one(field, check, body, value))
        .collect()
}

pub(crate) fn any(body: &Body<'_>) -> bool {
    body.fields.iter().any(|field| !field.checks.is_empty())
}

fn one(
    field: &Field<'_>,
    check: &Check,
    body: &Body<'_>,
    value: &dyn Fn(&Field<'_>) -> TokenStream,
) -> TokenStream {
    let x = names::private();
    let place = match field.reach {
        Reach::Here => quote!(#x::Place::Here),
        Reach::Key(key) => quote!(#x::Place::Key(#key)),
        Reach::Index(index) => quote!(#x::Place::Index(#index)),
    };
    let told = told(check, &place);
    let source = value(field);
    if check.is(words::MUST_MATCH) {
        return must_match(check, body, &source, &told, field, value);
    }
    let pattern = pattern(check, field);
    let call = call(check, field, &told);
    quote! {
        if let #x::Some(#pattern) = #source { #call }
    }
}

fn told(check: &Check, place: &TokenStream) -> TokenStream {
    let x = names::private();
    let code = optional(check.code.as_ref());
    let message = optional(check.message.as_ref());
    quote!(&#x::Check { place: #place, code: #code, message: #message })
}

fn optional(value: Option<impl ToTokens>) -> TokenStream {
    let x = names::private();
    value.map_or_else(|| quote!(#x::None), |value| quote!(#x::Some(#value)))
}

/// `None` passes; validator's traits see to it for most checks, for the others
/// the value is taken out here, as validator's derive does.
fn pattern(check: &Check, field: &Field<'_>) -> TokenStream {
    let unwrapped = [
        words::IP,
        words::NON_CONTROL_CHARACTER,
        words::DOES_NOT_CONTAIN,
        words::CUSTOM,
    ];
    if !unwrapped.iter().any(|word| check.is(word)) {
        return quote!(__value);
    }
    let x = names::private();
    let mut pattern = quote!(__value);
    let mut ty = field.ty;
    while let Some(content) = types::option_content(ty) {
        pattern = quote!(#x::Some(#pattern));
        ty = content;
    }
    pattern
}

fn call(check: &Check, field: &Field<'_>, told: &TokenStream) -> TokenStream {
    let x = names::private();
    let word = &check.word;
    let bound = |key| optional(check.expression(key));
    let arguments = match word.to_string().as_str() {
        words::LENGTH => {
            let bounds = [words::MIN, words::MAX, words::EQUAL].map(bound);
            quote!([#(#bounds),*])
        }
        words::RANGE => {
            let keys = [
                words::MIN,
                words::MAX,
                words::EXCLUSIVE_MIN,
                words::EXCLUSIVE_MAX,
            ];
            let bounds = keys.map(bound);
            quote!([#(#bounds),*])
        }
        words::CONTAINS | words::DOES_NOT_CONTAIN => check
            .expression(words::PATTERN)
            .map_or_else(TokenStream::new, ToTokens::to_token_stream),
        words::REGEX => {
            let path = check.expression(words::PATH);
            quote!(&#path)
        }
        words::CUSTOM => return custom(check, field, told),
        _ => TokenStream::new(),
    };
    let function = function(check);
    quote_spanned! {names::shown_at(word.span())=>
        #x::checks::#function(__sink, #told, __value, #arguments);
    }
}

fn function(check: &Check) -> TokenStream {
    if !check.is(words::IP) {
        let word = &check.word;
        return quote!(#word);
    }
    match (check.flag(words::V4), check.flag(words::V6)) {
        (Some(true), None | Some(false)) => quote!(ipv4),
        (None | Some(false), Some(true)) => quote!(ipv6),
        _ => quote!(ip),
    }
}

fn custom(check: &Check, field: &Field<'_>, told: &TokenStream) -> TokenStream {
    let x = names::private();
    let function = check.path(words::FUNCTION);
    let mut ty = field.ty;
    while let Some(content) = types::option_content(ty) {
        ty = content;
    }
    let value = if types::is_number(ty) {
        quote!(*__value)
    } else {
        quote!(__value)
    };
    let shown = function_name(check, &function);
    quote!(__sink.enter(#shown); #x::checks::custom(__sink, #told, #function(#value));)
}

/// What a function of the user's is told by if it panics: its code, else its path.
fn function_name(check: &Check, function: &impl ToTokens) -> String {
    let code = check.code.as_ref().map(syn::LitStr::value);
    code.unwrap_or_else(|| quote!(#function).to_string().replace(' ', ""))
}

fn must_match(
    check: &Check,
    body: &Body<'_>,
    source: &TokenStream,
    told: &TokenStream,
    field: &Field<'_>,
    value: &dyn Fn(&Field<'_>) -> TokenStream,
) -> TokenStream {
    let x = names::private();
    let other = check.path(words::OTHER).and_then(|path| path.get_ident());
    let other = body
        .fields
        .iter()
        .find(|one| other.is_some_and(|ident| ident == names::text(one.member).as_str()));
    let Some(other) = other else {
        return TokenStream::new();
    };
    let name = shown(other);
    let other = value(other);
    let present = types::option_content(field.ty).map(|_| quote!(if __value.is_some()));
    quote_spanned! {names::shown_at(check.word.span())=>
        if let (#x::Some(__value), #x::Some(__other)) = (#source, #other) {
            #present { #x::checks::must_match(__sink, #told, __value, __other, #name); }
        }
    }
}

/// A field's name as the reply has it.
fn shown(field: &Field<'_>) -> String {
    match field.reach {
        Reach::Key(key) => key.to_owned(),
        Reach::Here | Reach::Index(_) => names::text(field.member),
    }
}

/// The sentences for the prompt: only of checks that no schema keyword says.
pub(crate) fn infos(plan: &Plan<'_>) -> Option<TokenStream> {
    let x = names::private();
    let fields = match &plan.shape {
        Shape::Struct(body) => said(body, |field| names::text(field.member)),
        Shape::Enum(..) => Vec::new(),
    };
    let whole = plan.whole_checks.iter().filter_map(|check| {
        let sentence = check.message.as_ref()?.value();
        Some(info(check, &sentence, None))
    });
    let infos: Vec<_> = fields.into_iter().chain(whole).collect();
    (!infos.is_empty()).then(|| quote!(const CHECKS: &'static [#x::RuleInfo] = &[#(#infos),*];))
}

/// The same for one variant, by wire names.
pub(crate) fn of_variant(body: &Body<'_>) -> Option<TokenStream> {
    let infos = said(body, shown);
    (!infos.is_empty()).then(|| quote!(__cx.list(&[#(#infos),*], &[]);))
}

fn said(body: &Body<'_>, name: impl Fn(&Field<'_>) -> String) -> Vec<TokenStream> {
    let mut infos = Vec::new();
    for field in &body.fields {
        let unplaced = matches!(field.reach, Reach::Here);
        let named = (!unplaced).then(|| name(field));
        for check in field.checks {
            let sentence = sentence(check, body);
            infos.extend(sentence.map(|text| info(check, &text, named.as_deref())));
        }
    }
    infos
}

fn info(check: &Check, sentence: &str, field: Option<&str>) -> TokenStream {
    let x = names::private();
    let name = check
        .code
        .as_ref()
        .map_or_else(|| check.word.to_string(), syn::LitStr::value);
    let field = field.into_iter();
    quote! {
        #x::RuleInfo { name: #name, sentence: #sentence, kind: #x::RuleKind::Rule, fields: &[#(#field),*] }
    }
}

fn sentence(check: &Check, body: &Body<'_>) -> Option<String> {
    let own = match check.word.to_string().as_str() {
        words::DOES_NOT_CONTAIN => {
            let text = literal(check.expression(words::PATTERN)?)?;
            Some(format!("must not contain {text:?}"))
        }
        words::NON_CONTROL_CHARACTER => Some("must not hold control characters".to_owned()),
        words::IP => Some("must be an IP address".to_owned()),
        words::MUST_MATCH => {
            let ident = check.path(words::OTHER)?.get_ident()?;
            let other = |field: &&Field<'_>| ident == names::text(field.member).as_str();
            let other = body.fields.iter().find(other)?;
            Some(format!("must be equal to `{}`", shown(other)))
        }
        words::CUSTOM => None,
        _ => return None,
    };
    check.message.as_ref().map(syn::LitStr::value).or(own)
}

fn literal(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}
