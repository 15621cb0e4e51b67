//! How the hosts of the Chat Completions wire differ.

use super::TokenCapField;

pub(super) const OPENAI: &str = "https://api.openai.com/v1";

/// OpenAI's newer models refuse `max_tokens`, and some other hosts ignore anything else.
pub(super) fn usual_cap_field(base: &str) -> TokenCapField {
    let host = base
        .split_once("://")
        .map_or(base, |(_, rest)| rest)
        .split(['/', ':'])
        .next()
        .unwrap_or_default();
    if host == "api.openai.com" || host.ends_with(".openai.azure.com") {
        TokenCapField::MaxCompletionTokens
    } else {
        TokenCapField::MaxTokens
    }
}
