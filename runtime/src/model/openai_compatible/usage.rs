//! Token counts of Chat Completions, which hosts spell in different ways.

use serde_json::Value;

use crate::model::Usage;

/// The counts in `usage`; nothing if the host gave none at all.
pub(super) fn usage(body: &Value) -> Option<Usage> {
    let counts = body.get("usage").filter(|counts| counts.is_object())?;
    let count = |pointer: &str| counts.pointer(pointer).and_then(Value::as_u64);
    let first = |pointers: &[&str]| pointers.iter().copied().find_map(count);

    let reasoning = first(&["/completion_tokens_details/reasoning_tokens"]);
    let mut usage = Usage::default();
    if let Some(tokens) = count("/prompt_tokens") {
        usage = usage.with_input(tokens);
    }
    if let Some(tokens) = count("/completion_tokens") {
        usage = usage.with_output(tokens + reasoning_apart(counts, tokens, reasoning.unwrap_or(0)));
    }
    if let Some(tokens) = first(&[
        "/prompt_tokens_details/cached_tokens",
        "/prompt_cache_hit_tokens",
        "/num_cached_tokens",
        "/cached_tokens",
    ]) {
        usage = usage.with_cached_input(tokens);
    }
    if let Some(tokens) = count("/prompt_tokens_details/cache_write_tokens") {
        usage = usage.with_cache_write(tokens);
    }
    if let Some(tokens) = reasoning {
        usage = usage.with_reasoning(tokens);
    }
    Some(usage)
}

/// xAI counts reasoning beside the completion instead of in it; its total gives that away.
fn reasoning_apart(counts: &Value, completion: u64, reasoning: u64) -> u64 {
    let number = |key| counts.get(key).and_then(Value::as_u64);
    let (Some(prompt), Some(total)) = (number("prompt_tokens"), number("total_tokens")) else {
        return 0;
    };
    if u128::from(total) == u128::from(prompt) + u128::from(completion) + u128::from(reasoning) {
        reasoning
    } else {
        0
    }
}
