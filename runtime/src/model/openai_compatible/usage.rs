//! Token counts of Chat Completions, which hosts spell in different ways.

use serde_json::Value;

use crate::model::Usage;

/// The counts in `usage`; nothing if the host gave none at all.
pub(super) fn usage(body: &Value) -> Option<Usage> {
    let counts = body.get("usage").filter(|counts| counts.is_object())?;
    let count = |pointer: &str| counts.pointer(pointer).and_then(Value::as_u64);
    let cached = [
        "/prompt_tokens_details/cached_tokens",
        "/prompt_cache_hit_tokens",
        "/num_cached_tokens",
        "/cached_tokens",
    ];
    let reasoning = count("/completion_tokens_details/reasoning_tokens");
    let apart = |tokens| tokens + reasoning_apart(counts, tokens, reasoning.unwrap_or(0));
    Some(Usage {
        input: count("/prompt_tokens"),
        output: count("/completion_tokens").map(apart),
        cached_input: cached.into_iter().find_map(count),
        cache_write: count("/prompt_tokens_details/cache_write_tokens"),
        reasoning,
    })
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
