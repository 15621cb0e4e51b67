//! `#[validate(..)]`: that each check has what it needs.

use crate::errors::Errors;
use crate::names;
use crate::plan::{Body, Shape};
use crate::syntax::validate::Check;
use crate::words;

pub(crate) fn shape(shape: &Shape<'_>, errors: &Errors) {
    match shape {
        Shape::Struct(one) => body(one, errors),
        Shape::Enum(_, variants) => {
            for variant in variants {
                body(&variant.body, errors);
            }
        }
    }
}

pub(crate) fn whole(checks: &[Check], errors: &Errors) {
    for check in checks.iter().filter(|check| !check.broken) {
        needs(check, words::FUNCTION, errors);
    }
}

fn body(body: &Body<'_>, errors: &Errors) {
    let checks = body.fields.iter().flat_map(|field| field.checks);
    for check in checks.filter(|check| !check.broken) {
        match check.word.to_string().as_str() {
            words::LENGTH => {
                one_of(check, &[words::MIN, words::MAX, words::EQUAL], errors);
                equal_alone(check, errors);
            }
            words::RANGE => one_of(
                check,
                &[
                    words::MIN,
                    words::MAX,
                    words::EXCLUSIVE_MIN,
                    words::EXCLUSIVE_MAX,
                ],
                errors,
            ),
            words::CONTAINS | words::DOES_NOT_CONTAIN => needs(check, words::PATTERN, errors),
            words::REGEX => needs(check, words::PATH, errors),
            words::CUSTOM => needs(check, words::FUNCTION, errors),
            words::MUST_MATCH => {
                needs(check, words::OTHER, errors);
                names_a_field(check, body, errors);
            }
            _ => {}
        }
    }
}

fn given(check: &Check, key: &str) -> bool {
    check.arguments.iter().any(|(word, _)| word == key)
}

fn needs(check: &Check, key: &str, errors: &Errors) {
    if !given(check, key) {
        let word = &check.word;
        errors.at(
            word,
            format!("`{word}` checks against something; write `{word}({key} = ..)`"),
        );
    }
}

fn one_of(check: &Check, keys: &[&str], errors: &Errors) {
    if !keys.iter().any(|key| given(check, key)) {
        let word = &check.word;
        let keys = words::one_of(keys);
        errors.at(word, format!("`{word}` needs a bound; give it {keys}"));
    }
}

fn equal_alone(check: &Check, errors: &Errors) {
    let other = check
        .arguments
        .iter()
        .find(|(word, _)| word == words::MIN || word == words::MAX);
    if let (true, Some((word, _))) = (given(check, words::EQUAL), other) {
        errors.at(
            word,
            format!("`equal` leaves no room for `{word}`; keep one of them"),
        );
    }
}

fn names_a_field(check: &Check, body: &Body<'_>, errors: &Errors) {
    let Some(path) = check.path(words::OTHER) else {
        return;
    };
    let fields: Vec<String> = body
        .fields
        .iter()
        .map(|field| names::text(field.member))
        .collect();
    let known = path
        .get_ident()
        .is_some_and(|ident| fields.iter().any(|field| ident == field.as_str()));
    if !known {
        errors.at(
            path,
            format!(
                "`other` names a field beside this one; write {}",
                words::one_of(&fields)
            ),
        );
    }
}
