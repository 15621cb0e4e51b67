//! What the providers' documents say of keywords, as a check of its own.

use serde_json::{Map, Value, json};
use typed_extract::model::SchemaDialect;

/// Calls `look` on a schema and all schemas in it.
pub fn every_schema(schema: &Value, look: &mut impl FnMut(&Map<String, Value>)) {
    let Value::Object(node) = schema else { return };
    look(node);
    for keyword in ["items", "additionalProperties"] {
        if let Some(one) = node.get(keyword) {
            every_schema(one, look);
        }
    }
    for keyword in ["anyOf", "prefixItems"] {
        for one in node
            .get(keyword)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            every_schema(one, look);
        }
    }
    for keyword in ["properties", "$defs"] {
        for one in node
            .get(keyword)
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            every_schema(one.1, look);
        }
    }
}

/// The keywords that a dialect's column in the providers' documents has as
/// working.
fn taken(dialect: SchemaDialect) -> Vec<&'static str> {
    let every = [
        "type",
        "description",
        "title",
        "properties",
        "required",
        "enum",
        "items",
        "anyOf",
    ];
    let closed = ["additionalProperties", "$ref", "$defs"];
    let lengths = ["minLength", "maxLength"];
    let bounds = ["minimum", "maximum"];
    let open_bounds = ["exclusiveMinimum", "exclusiveMaximum"];
    let counts = ["minItems", "maxItems"];
    let mut all = every.to_vec();
    let more: &[&[&str]] = match dialect {
        SchemaDialect::OpenAiStrict => &[
            &closed,
            &lengths,
            &bounds,
            &open_bounds,
            &counts,
            &["const", "format", "pattern", "multipleOf"],
        ],
        SchemaDialect::Azure => &[&closed],
        SchemaDialect::Anthropic => &[&closed, &["const", "format", "pattern", "minItems"]],
        SchemaDialect::XAi => &[
            &closed,
            &lengths,
            &bounds,
            &open_bounds,
            &counts,
            &[
                "const",
                "format",
                "pattern",
                "prefixItems",
                "minProperties",
                "maxProperties",
            ],
        ],
        SchemaDialect::GeminiJsonSchema => &[&closed, &bounds, &counts, &["format", "prefixItems"]],
        SchemaDialect::GeminiOpenApi => &[
            &bounds,
            &counts,
            &["format", "nullable", "propertyOrdering"],
        ],
        SchemaDialect::Groq => &[&["additionalProperties"]],
        SchemaDialect::LlamaCpp => &[
            &closed,
            &lengths,
            &bounds,
            &open_bounds,
            &counts,
            &["const", "format", "pattern", "prefixItems"],
        ],
        SchemaDialect::Xgrammar | SchemaDialect::Llguidance => &[
            &closed,
            &lengths,
            &bounds,
            &open_bounds,
            &counts,
            &["const", "format", "pattern", "prefixItems", "multipleOf"],
        ],
        other => panic!("{other} has no column"),
    };
    all.extend(more.iter().flat_map(|list| list.iter()));
    all
}

/// What a dialect would refuse in one schema of it.
pub fn refused(dialect: SchemaDialect, node: &Map<String, Value>) -> Option<String> {
    let taken = taken(dialect);
    if let Some(keyword) = node
        .keys()
        .find(|keyword| !taken.contains(&keyword.as_str()))
    {
        return Some(keyword.clone());
    }
    if node.contains_key("$ref") && node.len() > 1 {
        return Some("a keyword beside $ref".to_owned());
    }
    let is_object = node.contains_key("properties");
    let strict = matches!(
        dialect,
        SchemaDialect::OpenAiStrict | SchemaDialect::Azure | SchemaDialect::Groq
    );
    if is_object && strict {
        let keys: Vec<&String> = node["properties"].as_object()?.keys().collect();
        if node.get("required") != Some(&json!(keys)) {
            return Some("a key that is not required".to_owned());
        }
    }
    let closes = strict || dialect == SchemaDialect::Anthropic;
    if is_object && closes && node.get("additionalProperties") != Some(&json!(false)) {
        return Some("an open object".to_owned());
    }
    let openapi = dialect == SchemaDialect::GeminiOpenApi;
    if openapi && node.get("type").is_some_and(|kind| !is_capital(kind)) {
        return Some("a type that is not in capitals".to_owned());
    }
    let whole = node.get("type") == Some(&json!("integer"));
    let bounded = ["minimum", "maximum", "exclusiveMinimum"]
        .iter()
        .any(|word| node.contains_key(*word));
    if dialect == SchemaDialect::LlamaCpp && bounded && !whole {
        return Some("a bound of a number".to_owned());
    }
    let most = node.get("minItems").and_then(Value::as_u64);
    if dialect == SchemaDialect::Anthropic && most.is_some_and(|most| most > 1) {
        return Some("minItems over 1".to_owned());
    }
    None
}

fn is_capital(kind: &Value) -> bool {
    kind.as_str()
        .is_some_and(|kind| kind.chars().all(|c| c.is_ascii_uppercase()))
}
