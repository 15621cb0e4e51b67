//! The checks of `#[validate(..)]`: decided by the validator crate's own traits,
//! reported like rules.

use std::borrow::Cow;
use std::fmt::Display;

use schemars::Schema;
use serde::Serialize;
use serde_json::Value;
use validator::{
    AsRegex, ValidateContains, ValidateEmail, ValidateIp, ValidateLength,
    ValidateNonControlCharacter, ValidateRange, ValidateRegex, ValidateRequired, ValidateUrl,
    ValidationError,
};

use crate::node::Sink;

/// Where a check reports, seen from the value that holds the field.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    /// The value itself.
    Here,
    Key(&'static str),
    Index(usize),
}

/// One check as the macros write it down.
#[derive(Debug)]
pub struct Check {
    pub place: Place,
    pub code: Option<&'static str>,
    pub message: Option<&'static str>,
}

impl Sink<'_> {
    fn refuse(&mut self, check: &Check, code: &'static str, message: impl FnOnce() -> String) {
        let message = check.message.map_or_else(message, str::to_owned);
        self.invalid(
            check.place,
            Cow::Borrowed(check.code.unwrap_or(code)),
            message,
        );
    }
}

pub fn length<T: ValidateLength<u64> + ?Sized>(
    sink: &mut Sink<'_>,
    check: &Check,
    value: &T,
    [min, max, equal]: [Option<u64>; 3],
) {
    if !value.validate_length(min, max, equal) {
        sink.refuse(check, "length", || {
            let bounds = [("at least", min), ("at most", max), ("exactly", equal)];
            let found = value.length().unwrap_or_default();
            format!("must have a length of {}, not {found}", list(&bounds))
        });
    }
}

/// Bounds in the order `min`, `max`, `exclusive_min`, `exclusive_max`.
pub fn range<V: ValidateRange<T>, T: Clone + Serialize>(
    sink: &mut Sink<'_>,
    check: &Check,
    value: &V,
    bounds: [Option<T>; 4],
) {
    let [min, max, above, below] = bounds.clone();
    if !value.validate_range(min, max, above, below) {
        sink.refuse(check, "range", || {
            let [min, max, above, below] = bounds.map(|bound| bound.as_ref().map(shown));
            let bounds = [
                ("at least", min),
                ("at most", max),
                ("more than", above),
                ("less than", below),
            ];
            format!("must be {}", list(&bounds))
        });
    }
}

pub fn email(sink: &mut Sink<'_>, check: &Check, value: &impl ValidateEmail) {
    if !value.validate_email() {
        sink.refuse(check, "email", || "must be an e-mail address".to_owned());
    }
}

pub fn url(sink: &mut Sink<'_>, check: &Check, value: &impl ValidateUrl) {
    if !value.validate_url() {
        sink.refuse(check, "url", || "must be a URL".to_owned());
    }
}

pub fn ip(sink: &mut Sink<'_>, check: &Check, value: &impl ValidateIp) {
    if !value.validate_ip() {
        sink.refuse(check, "ip", || "must be an IP address".to_owned());
    }
}

pub fn ipv4(sink: &mut Sink<'_>, check: &Check, value: &impl ValidateIp) {
    if !value.validate_ipv4() {
        sink.refuse(check, "ip", || "must be an IPv4 address".to_owned());
    }
}

pub fn ipv6(sink: &mut Sink<'_>, check: &Check, value: &impl ValidateIp) {
    if !value.validate_ipv6() {
        sink.refuse(check, "ip", || "must be an IPv6 address".to_owned());
    }
}

pub fn contains(sink: &mut Sink<'_>, check: &Check, value: &impl ValidateContains, needle: &str) {
    if !value.validate_contains(needle) {
        sink.refuse(check, "contains", || format!("must contain {needle:?}"));
    }
}

pub fn does_not_contain(
    sink: &mut Sink<'_>,
    check: &Check,
    value: &impl ValidateContains,
    needle: &str,
) {
    if value.validate_contains(needle) {
        let message = || format!("must not contain {needle:?}");
        sink.refuse(check, "does_not_contain", message);
    }
}

pub fn regex(sink: &mut Sink<'_>, check: &Check, value: &impl ValidateRegex, regex: impl AsRegex) {
    if !value.validate_regex(&regex) {
        let message = || format!("must match the pattern {}", regex.as_regex());
        sink.refuse(check, "regex", message);
    }
}

pub fn required(sink: &mut Sink<'_>, check: &Check, value: &impl ValidateRequired) {
    if !value.validate_required() {
        sink.refuse(check, "required", || "must have a value".to_owned());
    }
}

pub fn non_control_character(
    sink: &mut Sink<'_>,
    check: &Check,
    value: &impl ValidateNonControlCharacter,
) {
    if !value.validate_non_control_character() {
        let message = || "must not hold control characters".to_owned();
        sink.refuse(check, "non_control_character", message);
    }
}

pub fn must_match<T: PartialEq + ?Sized>(
    sink: &mut Sink<'_>,
    check: &Check,
    value: &T,
    other: &T,
    name: &str,
) {
    if value != other {
        sink.refuse(check, "must_match", || format!("must be equal to `{name}`"));
    }
}

/// What a function of the user's returned, for a field or a whole value.
pub fn custom(sink: &mut Sink<'_>, check: &Check, outcome: Result<(), ValidationError>) {
    sink.left();
    let Err(error) = outcome else { return };
    let code = check.code.map_or(error.code, Cow::Borrowed);
    let message = check
        .message
        .map(Cow::Borrowed)
        .or(error.message)
        .unwrap_or_else(|| Cow::Owned(format!("does not pass the check `{code}`")));
    sink.invalid(check.place, code, message.into_owned());
}

/// Writes an exclusive bound into a number's schema, which schemars leaves out.
pub fn exclusive(key: &'static str, bound: impl Serialize) -> impl FnMut(&mut Schema) {
    move |schema| {
        let number = has_type(schema, "number") || has_type(schema, "integer");
        if let (true, Ok(bound @ Value::Number(_))) = (number, serde_json::to_value(&bound)) {
            schema.insert(key.to_owned(), bound);
        }
    }
}

fn has_type(schema: &Schema, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(many)) => many.iter().any(|one| one == name),
        _ => false,
    }
}

fn list<T: Display>(bounds: &[(&str, Option<T>)]) -> String {
    let given = bounds
        .iter()
        .filter_map(|(word, bound)| Some(format!("{word} {}", bound.as_ref()?)));
    given.collect::<Vec<_>>().join(" and ")
}

fn shown(bound: &impl Serialize) -> String {
    serde_json::to_string(bound).unwrap_or_default()
}
