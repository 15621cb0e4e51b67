//! What a fault is, by its status and the host's words.
//!
//! Words that hosts define (`code`, `type`, `param`) are asked first, sentences only where a host
//! gives nothing else.

use super::fault::Fault;
use crate::model::ModelErrorKind::{
    self, Auth, BadRequest, Config, ContextExceeded, InvalidOutput, NotFound, Other, Overloaded,
    QuotaExhausted, RateLimited, SchemaRejected, Server, Timeout, TooLarge,
};

/// The kind of fault behind a failed status, or a status that stands for the error in a body.
pub(super) fn kind(status: u16, fault: &Fault) -> ModelErrorKind {
    by_words(status, fault).unwrap_or_else(|| by_status(status))
}

/// The status that an error inside a successful response stands for.
pub(super) fn inner_status(fault: &Fault) -> u16 {
    let number = fault.code.as_deref().and_then(|code| code.parse().ok());
    match number {
        Some(status @ 400..=599) => status,
        _ if fault.mentions("rate_limit") || fault.mentions("too many requests") => 429,
        _ if fault.mentions("unavailable")
            || fault.mentions("overloaded")
            || fault.mentions("at capacity") =>
        {
            503
        }
        _ if is_context(fault) || fault.says("invalid_prompt") => 400,
        _ if fault.says("invalid_request_error") => 400,
        _ => by_type(fault).unwrap_or(500),
    }
}

/// The statuses behind Anthropic's error types.
fn by_type(fault: &Fault) -> Option<u16> {
    [
        ("authentication_error", 401),
        ("billing_error", 402),
        ("permission_error", 403),
        ("not_found_error", 404),
        ("request_too_large", 413),
        ("timeout_error", 504),
    ]
    .into_iter()
    .find_map(|(kind, status)| fault.says(kind).then_some(status))
}

fn by_words(status: u16, fault: &Fault) -> Option<ModelErrorKind> {
    let refused = (400..500).contains(&status);
    // In this order: a used-up quota is also a 429, a rejected schema also a 400 or a 500.
    [
        (is_quota(status, fault), QuotaExhausted),
        (refused && is_key(fault), Auth),
        (refused && is_context(fault), ContextExceeded),
        (refused && fault.says("json_validate_failed"), InvalidOutput),
        (
            matches!(status, 400 | 422 | 500) && is_schema(fault),
            SchemaRejected,
        ),
        (refused && fault.says("model_not_found"), NotFound),
        (status == 429 && is_capacity(fault), Overloaded),
        (fault.says("server_is_overloaded"), Overloaded),
    ]
    .into_iter()
    .find_map(|(holds, kind)| holds.then_some(kind))
}

fn by_status(status: u16) -> ModelErrorKind {
    match status {
        401 | 403 => Auth,
        402 => QuotaExhausted,
        404 => NotFound,
        408 | 504 | 524 => Timeout,
        409 | 424 => Server,
        413 => TooLarge,
        429 => RateLimited,
        498 | 503 | 529 => Overloaded,
        499 => Other,
        400..=498 => BadRequest,
        500.. => Server,
        _ => Config,
    }
}

fn is_quota(status: u16, fault: &Fault) -> bool {
    let said = [
        "insufficient_quota",
        "credit_balance_exhausted",
        "billing_error",
        "billing_hard_limit_reached",
    ];
    let told = || {
        ["credits", "spending limit"]
            .iter()
            .any(|words| fault.mentions(words))
    };
    said.iter().any(|word| fault.says(word))
        || (matches!(status, 403 | 429) && told())
        || (status == 429 && fault.mentions("perday"))
        || (status == 400 && is_spent(fault))
}

/// Anthropic says this like any other mistake in a request.
fn is_spent(fault: &Fault) -> bool {
    fault.mentions("credit balance is too low") || fault.mentions("api usage limits")
}

fn is_key(fault: &Fault) -> bool {
    fault.says("invalid_api_key")
        || fault.mentions("incorrect api key")
        || fault.mentions("api_key_invalid")
}

fn is_context(fault: &Fault) -> bool {
    fault.says("context_length_exceeded")
        || fault.says("exceed_context_size_error")
        || fault.mentions("maximum context length")
        || fault.mentions("prompt is too long")
        || fault.mentions("exceed context limit")
        || fault.mentions("exceeds the maximum number of tokens")
        || fault.mentions("exceeds the context length")
        || fault.mentions("exceeded max context length")
        || fault.mentions("exceeds the available context size")
}

fn is_schema(fault: &Fault) -> bool {
    let params = ["response_format", "text.format"];
    fault.says("invalid_json_schema")
        || fault
            .words
            .iter()
            .any(|word| params.iter().any(|param| word.starts_with(param)))
        || [
            "json schema",
            "grammar error",
            "failed to parse grammar",
            "invalid schema",
            "invalid format:",
            "output_config.format",
            "schema is too complex",
            "compiled grammar is too large",
            "too many states for serving",
            "schema in generationconfig",
            "response_schema",
            "response_json_schema",
        ]
        .iter()
        .any(|words| fault.mentions(words))
        || (params.iter().any(|param| fault.mentions(param))
            && (fault.mentions("schema") || fault.mentions("unavailable")))
}

/// Mistral's own lack of capacity, told as if the caller had sent too much.
fn is_capacity(fault: &Fault) -> bool {
    fault.says("service_tier_capacity_exceeded") || fault.says("3505")
}
