//! Token counts of Messages.

use serde_json::Value;

use crate::model::Usage;

/// The counts in `usage`; nothing if there are none at all.
///
/// `input_tokens` is only what no cache had a part in. A cache count that is missing or null means
/// that no cache was used, as far as the sum goes.
pub(super) fn usage(body: &Value) -> Option<Usage> {
    let counts = body.get("usage").filter(|counts| counts.is_object())?;
    let count = |pointer: &str| counts.pointer(pointer).and_then(Value::as_u64);
    let read = count("/cache_read_input_tokens");
    let written = count("/cache_creation_input_tokens");

    let mut usage = Usage::default();
    if let Some(uncached) = count("/input_tokens") {
        let input = uncached
            .saturating_add(read.unwrap_or(0))
            .saturating_add(written.unwrap_or(0));
        usage = usage.with_input(input);
    }
    if let Some(tokens) = count("/output_tokens") {
        usage = usage.with_output(tokens);
    }
    if let Some(tokens) = read {
        usage = usage.with_cached_input(tokens);
    }
    if let Some(tokens) = written {
        usage = usage.with_cache_write(tokens);
    }
    if let Some(tokens) = count("/output_tokens_details/thinking_tokens") {
        usage = usage.with_reasoning(tokens);
    }
    Some(usage)
}
