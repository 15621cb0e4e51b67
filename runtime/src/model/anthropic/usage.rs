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

    let whole = |uncached: u64| {
        uncached
            .saturating_add(read.unwrap_or(0))
            .saturating_add(written.unwrap_or(0))
    };
    Some(Usage {
        input: count("/input_tokens").map(whole),
        output: count("/output_tokens"),
        cached_input: read,
        cache_write: written,
        reasoning: count("/output_tokens_details/thinking_tokens"),
    })
}
