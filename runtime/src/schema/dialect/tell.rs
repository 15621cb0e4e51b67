//! What a wire cannot carry, in words.

use serde_json::{Map, Value};

/// Bounds that are told together: the keywords, and what they count.
const BOUNDS: [(&str, &str, &str); 4] = [
    ("minItems", "maxItems", " item"),
    ("minLength", "maxLength", " character"),
    ("minProperties", "maxProperties", " key"),
    ("minimum", "maximum", ""),
];

/// Sentences for keywords and their values, in a fixed order.
pub(super) fn sentences(told: &Map<String, Value>) -> String {
    let mut all: Vec<String> = Vec::new();
    for (least, most, unit) in BOUNDS {
        all.extend(bounds(told.get(least), told.get(most), unit));
    }
    for (keyword, value) in told {
        all.extend(sentence(keyword, value));
    }
    all.join(" ")
}

fn bounds(least: Option<&Value>, most: Option<&Value>, unit: &str) -> Option<String> {
    let verb = if unit.is_empty() { "be" } else { "have" };
    let single = most.or(least).and_then(Value::as_f64) == Some(1.0);
    let plural = if unit.is_empty() || single { "" } else { "s" };
    let unit = format!("{unit}{plural}");
    Some(match (least, most) {
        (Some(least), Some(most)) if least == most => format!("Must {verb} exactly {least}{unit}."),
        (Some(least), Some(most)) => format!("Must {verb} {least} to {most}{unit}."),
        (Some(least), None) => format!("Must {verb} at least {least}{unit}."),
        (None, Some(most)) => format!("Must {verb} at most {most}{unit}."),
        (None, None) => return None,
    })
}

fn sentence(keyword: &str, value: &Value) -> Option<String> {
    let is_bound = |(least, most, _): &(&str, &str, &str)| [*least, *most].contains(&keyword);
    if BOUNDS.iter().any(is_bound) {
        return None;
    }
    Some(match (keyword, value) {
        ("exclusiveMinimum", bound) => format!("Must be greater than {bound}."),
        ("exclusiveMaximum", bound) => format!("Must be less than {bound}."),
        ("multipleOf", step) => format!("Must be a multiple of {step}."),
        ("uniqueItems", Value::Bool(true)) => "All items must differ.".to_owned(),
        ("uniqueItems", _) => return None,
        ("dependentRequired", Value::Object(groups)) => together(groups),
        ("pattern", Value::String(pattern)) => format!("Must match the pattern `{pattern}`."),
        ("format", Value::String(format)) => format!("Must be in the format {format}."),
        ("enum", Value::Array(values)) => {
            let values: Vec<String> = values.iter().map(Value::to_string).collect();
            format!("Must be one of {}.", values.join(", "))
        }
        (_, value) => format!("Must satisfy {keyword} = {value} of JSON Schema."),
    })
}

fn together(groups: &Map<String, Value>) -> String {
    let sentence = |(key, others): (&String, &Value)| {
        let others = others.as_array().into_iter().flatten();
        let others: Vec<&str> = others.filter_map(Value::as_str).collect();
        (!others.is_empty()).then(|| format!("With {key}, also give {}.", others.join(", ")))
    };
    let all: Vec<String> = groups.iter().filter_map(sentence).collect();
    all.join(" ")
}
