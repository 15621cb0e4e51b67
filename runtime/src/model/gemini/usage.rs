//! Token counts of generateContent.

use serde_json::Value;

use crate::model::Usage;

/// The counts in `usageMetadata`; nothing if there are none at all.
///
/// Thoughts stand beside the candidates' tokens, and counts of zero are left out of the JSON: where
/// the prompt is counted, a count that is missing is zero.
pub(super) fn usage(body: &Value) -> Option<Usage> {
    let counts = body
        .get("usageMetadata")
        .filter(|counts| counts.is_object())?;
    let given = |key: &str| counts.get(key).and_then(Value::as_u64);
    let prompt = given("promptTokenCount");
    let count = |key: &str| match counts.get(key) {
        None => prompt.map(|_| 0),
        Some(count) => count.as_u64(),
    };
    let sum = |left: Option<u64>, right: Option<u64>| Some(left?.saturating_add(right?));

    let reasoning = count("thoughtsTokenCount");
    Some(Usage {
        input: sum(prompt, count("toolUsePromptTokenCount")),
        output: sum(count("candidatesTokenCount"), reasoning),
        cached_input: count("cachedContentTokenCount"),
        cache_write: None,
        reasoning,
    })
}
