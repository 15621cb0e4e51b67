//! The keywords that hold no schema and look at one value: each is asked of the validator alone, so
//! that its verdict is the one the whole schema gives.

use std::collections::HashMap;
use std::sync::OnceLock;

use jsonschema::Validator;
use jsonschema::json::Json as _;
use serde_json::{Map, Value, json};

use crate::json::{Cursor, TapeJson};
use crate::schema::{DECIMAL, exact, forms};

const KEYWORDS: [&str; 14] = [
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "uniqueItems",
];

/// One keyword with its value.
#[derive(Debug)]
pub(super) struct Plain {
    keyword: &'static str,
    value: Value,
    pub(super) check: usize,
}

/// Every keyword and value of a schema once, each compiled when it is first asked.
#[derive(Debug, Default)]
pub(crate) struct PlainChecks {
    places: HashMap<String, usize>,
    checks: Vec<Check>,
}

struct Check {
    schema: Value,
    validator: OnceLock<Option<Validator<TapeJson>>>,
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Check")
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}

impl Check {
    fn validator(&self) -> Option<&Validator<TapeJson>> {
        let build = || crate::schema::options().build(&self.schema).ok();
        self.validator.get_or_init(build).as_ref()
    }
}

impl PlainChecks {
    pub(super) fn of(&mut self, words: &Map<String, Value>) -> Vec<Plain> {
        let there = KEYWORDS
            .into_iter()
            .filter_map(|keyword| Some((keyword, words.get(keyword)?)));
        there
            .map(|(keyword, value)| Plain {
                keyword,
                value: value.clone(),
                check: self.place(json!({ keyword: value })),
            })
            .collect()
    }

    /// The check of the keys that a pattern names.
    pub(super) fn pattern(&mut self, pattern: &str) -> usize {
        self.place(json!({ "pattern": pattern }))
    }

    fn place(&mut self, schema: Value) -> usize {
        let next = self.checks.len();
        let place = *self.places.entry(schema.to_string()).or_insert(next);
        if place == next {
            self.checks.push(Check {
                schema,
                validator: OnceLock::new(),
            });
        }
        place
    }

    pub(super) fn holds(&self, check: usize, cursor: Cursor<'_>) -> bool {
        let validator = self.checks.get(check).and_then(Check::validator);
        validator.is_none_or(|validator| validator.is_valid(cursor))
    }

    /// The pattern that a check asks of keys.
    pub(super) fn pattern_text(&self, check: usize) -> &str {
        let schema = self.checks.get(check).map(|check| &check.schema);
        let text = schema.and_then(|schema| schema.get("pattern")?.as_str());
        text.unwrap_or_default()
    }

    /// The same of a key.
    pub(super) fn takes_key(&self, check: usize, key: &str) -> bool {
        let mut buffer = <TapeJson as jsonschema::json::Json>::StringBuffer::default();
        TapeJson::with_string_node(&mut buffer, key, |node| self.holds(check, node))
    }
}

impl Plain {
    /// Whether it asks for the text of an exact decimal.
    pub(super) fn is_decimal(&self) -> bool {
        match self.keyword {
            "pattern" => self.value == DECIMAL,
            "format" => self.value.as_str().is_some_and(exact::is_decimal),
            _ => false,
        }
    }

    /// The code and the words of a value that breaks it.
    pub(super) fn told(&self, cursor: Cursor<'_>) -> (&'static str, String) {
        let value = &self.value;
        let text = value.as_str().unwrap_or_default();
        match self.keyword {
            "format" => exact::too_long(text, &cursor.as_str().unwrap_or_default()).map_or_else(
                || ("schema.format", format!("expected {}", exact::words(text))),
                |message| ("schema.range", message.to_owned()),
            ),
            "minimum" => ("schema.range", format!("must be at least {value}")),
            "maximum" => ("schema.range", format!("must be at most {value}")),
            "exclusiveMinimum" => ("schema.range", format!("must be more than {value}")),
            "exclusiveMaximum" => ("schema.range", format!("must be less than {value}")),
            "multipleOf" => (
                "schema.multiple_of",
                format!("must be a multiple of {value}"),
            ),
            "pattern" if self.is_decimal() => (
                "schema.pattern",
                "expected a plain decimal such as \"1234.50\": a point before the decimals, no \
                 thousands separators, no currency sign"
                    .to_owned(),
            ),
            "pattern" => (
                "schema.pattern",
                forms::words(text).map_or_else(
                    || format!("must match the pattern {text}"),
                    |words| format!("expected {words}"),
                ),
            ),
            "uniqueItems" => ("schema.unique", "no two elements may be equal".to_owned()),
            length => ("schema.length", length_words(length, value)),
        }
    }
}

fn length_words(keyword: &str, limit: &Value) -> String {
    let what = match keyword {
        "minLength" | "maxLength" => "character",
        "minItems" | "maxItems" => "element",
        _ => "key",
    };
    let ending = if limit.as_f64() == Some(1.0) { "" } else { "s" };
    if keyword.starts_with("min") {
        format!("needs at least {limit} {what}{ending}")
    } else {
        format!("may have at most {limit} {what}{ending}")
    }
}
