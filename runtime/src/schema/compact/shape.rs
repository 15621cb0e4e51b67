//! Declared types: scalars, objects, lists and tuples.

use std::fmt::Write as _;

use serde_json::Value;

use super::comment::Comment;
use super::limits::limits;
use super::{Binding, Keys, Keywords, Printed, Printer};

const OBJECT: [&str; 3] = ["properties", "required", "patternProperties"];

/// Integers of a width, with their bounds.
const WIDTHS: [(&str, &str, &str); 8] = [
    ("int8", "-128", "127"),
    ("int16", "-32768", "32767"),
    ("int32", "-2147483648", "2147483647"),
    ("int64", "-9223372036854775808", "9223372036854775807"),
    ("uint8", "0", "255"),
    ("uint16", "0", "65535"),
    ("uint32", "0", "4294967295"),
    ("uint64", "0", "18446744073709551615"),
];

impl Printer<'_> {
    /// The declared types, each with its own limits.
    pub(super) fn typed(&self, keywords: &mut Keywords<'_>, keys: Keys) -> Option<Printed> {
        let kinds = keywords.take("type", |kind| match kind {
            Value::String(one) => Some(vec![one.as_str()]),
            Value::Array(several) => several.iter().map(Value::as_str).collect(),
            _ => None,
        });
        let kinds = kinds.unwrap_or_else(|| undeclared(keywords));
        let printed = kinds.iter().map(|kind| match *kind {
            "object" => self.object(keywords, keys),
            "array" => self.array(keywords),
            "integer" => integer(keywords),
            kind => scalar(keywords, kind),
        });
        Printed::join(printed.collect(), " | ", Binding::Union)
    }

    fn object(&self, keywords: &mut Keywords<'_>, keys: Keys) -> Printed {
        let mut lines = String::new();
        self.properties(keywords, &mut lines);
        let patterns = keywords.take("patternProperties", Value::as_object);
        for (pattern, schema) in patterns.into_iter().flatten() {
            let key = format!("[key: pattern {}]", Value::from(pattern.as_str()));
            self.member(&key, schema, &mut lines);
        }
        match others(keywords, keys) {
            Some(Value::Bool(true)) => {
                let _ = writeln!(lines, "[key: string]: any");
            }
            Some(schema) => self.member("[key: string]", schema, &mut lines),
            None => {}
        }
        let limits = limits(keywords, "object");
        if lines.is_empty() {
            return Printed::tight(format!("{{}}{limits}"));
        }
        Printed::tight(format!("{{\n{lines}}}{limits}"))
    }

    fn properties(&self, keywords: &mut Keywords<'_>, lines: &mut String) {
        let properties = keywords.take("properties", Value::as_object);
        let required = keywords.take("required", Value::as_array);
        let is_required = |key: &str| required.into_iter().flatten().any(|one| one == key);
        for (key, schema) in properties.into_iter().flatten() {
            let mark = if is_required(key) { "" } else { "?" };
            self.member(&format!("{}{mark}", key_text(key)), schema, lines);
        }
        let known = |key: &str| properties.is_some_and(|all| all.contains_key(key));
        let unnamed = required.into_iter().flatten().filter_map(Value::as_str);
        for key in unnamed.filter(|key| !known(key)) {
            self.member(&key_text(key), &Value::Bool(true), lines);
        }
    }

    fn member(&self, key: &str, schema: &Value, lines: &mut String) {
        Comment::of(schema).lines(lines);
        let printed = self.uncommented(schema, Keys::Own);
        let _ = writeln!(lines, "{key}: {}", printed.text);
    }

    fn array(&self, keywords: &mut Keywords<'_>) -> Printed {
        let places = keywords.take("prefixItems", Value::as_array);
        let items = keywords.take("items", Some).unwrap_or(&Value::Bool(true));
        let list = || {
            let element = self.print(items, Keys::Own).within(Binding::Tight);
            format!("{element}[]")
        };
        let Some(places) = places else {
            return Printed::tight(format!("{}{}", list(), limits(keywords, "array")));
        };
        let count = places.len() as u64;
        let limit = |key: &str| keywords.object.get(key).and_then(Value::as_u64);
        let (least, most) = (limit("minItems"), limit("maxItems"));
        let ends = *items == Value::Bool(false) || most.is_some_and(|most| most <= count);
        let told = ends && least == Some(count) && most.is_none_or(|most| most >= count);
        let places = places.iter();
        let mut texts: Vec<String> = places.map(|one| self.print(one, Keys::Own).text).collect();
        if !ends {
            texts.push(format!("...{}", list()));
        }
        let limits = if told {
            keywords.take("minItems", Some);
            keywords.take("maxItems", Some);
            limits(keywords, "tuple")
        } else {
            limits(keywords, "array")
        };
        Printed::tight(format!("[{}]{limits}", texts.join(", ")))
    }
}

/// What keys that are not named may hold; nothing where there may be none,
/// or where an object around this one says so.
fn others<'s>(keywords: &mut Keywords<'s>, keys: Keys) -> Option<&'s Value> {
    let anything = &Value::Bool(true);
    let additional = keywords.take("additionalProperties", Some);
    let combines = ["allOf", "anyOf", "oneOf", "$ref"]
        .iter()
        .any(|key| keywords.object.contains_key(*key));
    let unevaluated = match additional {
        None if !combines => keywords.take("unevaluatedProperties", Some),
        _ => None,
    };
    let outside = combines && keywords.object.contains_key("unevaluatedProperties");
    match additional.or(unevaluated) {
        Some(Value::Bool(false)) => None,
        Some(schema) => Some(schema),
        None if keys == Keys::Outside || outside => None,
        None => Some(anything),
    }
}

/// What is meant where no type is declared.
fn undeclared(keywords: &Keywords<'_>) -> Vec<&'static str> {
    let has = |key: &&str| keywords.object.contains_key(*key);
    if OBJECT.iter().any(has) {
        return vec!["object"];
    }
    let limits = [
        "format",
        "pattern",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minProperties",
        "maxProperties",
    ];
    if limits.iter().any(has) {
        return vec!["any"];
    }
    Vec::new()
}

/// An integer, by the name of its width where it has the bounds of one.
fn integer(keywords: &mut Keywords<'_>) -> Printed {
    let bound = |key| keywords.object.get(key).map(Value::to_string);
    let bounds = bound("minimum").zip(bound("maximum"));
    let width = WIDTHS.iter().find(|(_, least, most)| {
        bounds
            .as_ref()
            .is_some_and(|bounds| (bounds.0.as_str(), bounds.1.as_str()) == (*least, *most))
    });
    let Some((name, ..)) = width else {
        return scalar(keywords, "int");
    };
    keywords.take("minimum", Some);
    keywords.take("maximum", Some);
    let limits = limits(keywords, "width");
    Printed::tight(format!("{name}{limits}"))
}

fn scalar(keywords: &mut Keywords<'_>, kind: &str) -> Printed {
    let limits = limits(keywords, kind);
    Printed::tight(format!("{kind}{limits}"))
}

/// A key as it is, or in JSON's quotation marks.
fn key_text(key: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if begins && key.chars().all(plain) {
        key.to_owned()
    } else {
        Value::from(key).to_string()
    }
}
