//! Formats of the checked copy of a type's schema, beyond those of JSON Schema: what the Rust type
//! would round or cut off is refused before it is bound.

use std::net::IpAddr;
use std::sync::Arc;

use jsonschema::{Retrieve, ValidationOptions};
use serde_json::{Value, json};

use super::generate::DECIMAL;
use super::walk::each_subschema;
use super::{annotation, forms};
use crate::json::TapeJson;
use crate::json::{
    digits::DECIMAL_DIGITS, digits::SECOND_DIGITS, digits::has_nanos, digits::is_held,
};

const EXACT_DECIMAL: &str = "typed-extract-decimal";
const EXACT_FRACTION: &str = "typed-extract-fraction";
/// An address of either kind: a choice of two formats would be told as one of them.
const EXACT_ADDRESS: &str = "typed-extract-address";

/// The copy of a type's schema that replies are checked against.
pub(super) fn checked(schema: &Value) -> Value {
    let mut checked = schema.clone();
    each_subschema(&mut checked, &mut |words| {
        if words
            .get("anyOf")
            .is_some_and(|branches| *branches == forms::address())
        {
            words.shift_remove("anyOf");
            words.insert("format".to_owned(), json!(EXACT_ADDRESS));
        }
        let word = |name: &str| words.get(name).and_then(Value::as_str);
        let exact = match (word("format"), word("pattern")) {
            (Some("date-time" | "time"), _) => EXACT_FRACTION,
            (None, _) if annotation::is_decimal(words) => EXACT_DECIMAL,
            (None, Some(DECIMAL)) => EXACT_DECIMAL,
            (None, Some(pattern)) if forms::words(pattern).is_some() => EXACT_FRACTION,
            _ => return,
        };
        if words.contains_key("format") {
            let all = words.entry("allOf").or_insert_with(|| json!([]));
            all.as_array_mut()
                .into_iter()
                .for_each(|all| all.push(json!({ "format": exact })));
        } else {
            words.insert("format".to_owned(), json!(exact));
        }
    });
    annotation::reserve_aliases(&mut checked);
    checked
}

type Options<'o> = ValidationOptions<'o, Arc<dyn Retrieve>, TapeJson>;

/// Teaches a validator these formats.
pub(super) fn formats(options: Options<'_>) -> Options<'_> {
    options
        .with_format(EXACT_DECIMAL, is_held)
        .with_format(EXACT_FRACTION, has_nanos)
        .with_format(EXACT_ADDRESS, |text: &str| text.parse::<IpAddr>().is_ok())
}

/// Whether a format is that of an exact decimal.
pub(crate) fn is_decimal(format: &str) -> bool {
    format == EXACT_DECIMAL
}

/// What a format stands for, for people and models.
pub(crate) fn words(format: &str) -> String {
    let words = match format {
        "date" => "a date as YYYY-MM-DD",
        "date-time" => "a date and time with offset as YYYY-MM-DDThh:mm:ssZ (RFC 3339)",
        "time" => "a time with offset as hh:mm:ssZ (RFC 3339)",
        "duration" => "an ISO 8601 duration such as P3DT4H",
        "email" => "an e-mail address",
        "uri" => "a URI with a scheme",
        "uuid" => "a UUID",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        EXACT_ADDRESS => "an IPv4 or IPv6 address",
        other => return format!("text of the format {other}"),
    };
    words.to_owned()
}

/// The words for a text that has the form and holds more digits than its type can.
pub(crate) fn too_long(format: &str, text: &str) -> Option<&'static str> {
    match format {
        EXACT_DECIMAL if !is_held(text) => Some(DECIMAL_DIGITS),
        EXACT_FRACTION if !has_nanos(text) => Some(SECOND_DIGITS),
        _ => None,
    }
}
