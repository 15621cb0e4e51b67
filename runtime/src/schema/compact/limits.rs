//! What holds of a value beside its type, in parentheses behind it.

use serde_json::Value;

use super::Keywords;

/// The limits of a type that are said of it; all of them where no type is
/// declared, and none of those that the name of a type tells already.
pub(super) fn limits(keywords: &mut Keywords<'_>, kind: &str) -> String {
    let mut limits = Vec::new();
    let is = |kinds: &[&str]| kind == "any" || kinds.contains(&kind);
    if is(&["string"]) {
        limits.extend(keywords.take("format", |format| format.as_str().map(format_name)));
        limits.extend(count(keywords, "minLength", "maxLength", "chars"));
        limits.extend(keywords.take("pattern", |pattern| Some(format!("pattern {pattern}"))));
    }
    if is(&["int", "number"]) {
        limits.extend(range(keywords));
    }
    if is(&["int", "number", "width"]) {
        limits.extend(strict_range(keywords));
        limits.extend(keywords.take("multipleOf", |of| Some(format!("multiple of {of}"))));
    }
    if is(&["array"]) {
        limits.extend(count(keywords, "minItems", "maxItems", "items"));
    }
    if is(&["array", "tuple"]) {
        limits.extend(keywords.take("uniqueItems", |unique| {
            (*unique == Value::Bool(true)).then(|| "unique".to_owned())
        }));
    }
    if is(&["object"]) {
        limits.extend(count(keywords, "minProperties", "maxProperties", "keys"));
    }
    if limits.is_empty() {
        return String::new();
    }
    format!("({})", limits.join(", "))
}

fn format_name(format: &str) -> String {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if format.chars().all(plain) && !format.is_empty() {
        format.to_owned()
    } else {
        format!("format {}", Value::from(format))
    }
}

fn count(
    keywords: &mut Keywords<'_>,
    least: &'static str,
    most: &'static str,
    what: &str,
) -> Option<String> {
    let least = keywords.take(least, Some);
    let most = keywords.take(most, Some);
    Some(match (least, most) {
        (Some(least), Some(most)) if least == most => format!("{least} {what}"),
        (Some(least), Some(most)) => format!("{least}..{most} {what}"),
        (Some(least), None) => format!(">={least} {what}"),
        (None, Some(most)) => format!("<={most} {what}"),
        (None, None) => return None,
    })
}

fn range(keywords: &mut Keywords<'_>) -> Vec<String> {
    let least = keywords.take("minimum", Some);
    let most = keywords.take("maximum", Some);
    match (least, most) {
        (Some(least), Some(most)) => vec![format!("{least}..{most}")],
        (Some(least), None) => vec![format!(">={least}")],
        (None, Some(most)) => vec![format!("<={most}")],
        (None, None) => Vec::new(),
    }
}

fn strict_range(keywords: &mut Keywords<'_>) -> Vec<String> {
    let above = keywords.take("exclusiveMinimum", |limit| Some(format!(">{limit}")));
    let below = keywords.take("exclusiveMaximum", |limit| Some(format!("<{limit}")));
    above.into_iter().chain(below).collect()
}
