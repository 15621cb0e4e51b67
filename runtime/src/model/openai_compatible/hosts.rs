//! How the hosts of the Chat Completions wire differ: one table.

use std::fmt;

use serde_json::{Map, Value, json};

use super::TokenCapField::{self, MaxCompletionTokens, MaxTokens};
use crate::model::{FormatCapability, Provider};

pub(super) const OPENAI: &str = "https://api.openai.com/v1";

/// The models that Groq constrains to a schema; all others refuse `strict`.
const GROQ_STRICT: [&str; 3] = [
    "openai/gpt-oss-20b",
    "openai/gpt-oss-120b",
    "qwen/qwen3.8-27b",
];

/// The habits of one host.
#[derive(Clone, Copy)]
pub(super) struct Host {
    /// Empty where every customer has an own one.
    pub(super) base: &'static str,
    /// What a base URL looks like here.
    pub(super) example_base: &'static str,
    /// Where the key is usually found; none for servers that need none.
    pub(super) key_variable: Option<&'static str>,
    pub(super) key_header: KeyHeader,
    pub(super) token_cap_field: TokenCapField,
    pub(super) capability: FormatCapability,
    /// Whether `strict` is fit for the model.
    pub(super) strict: fn(model: &str) -> bool,
    /// The name of the seed; none where the host is not known to take one.
    pub(super) seed_field: Option<&'static str>,
    /// Whether an answer in a format can come as a stream.
    pub(super) streams_formats: bool,
    /// Whether a stream has to be asked for its usage; the others tell it unasked.
    pub(super) asks_stream_usage: bool,
    pub(super) system_role: &'static str,
    /// What the host needs to be told on every request.
    pub(super) extra: fn() -> Map<String, Value>,
}

impl fmt::Debug for Host {
    /// The row's name is enough; its functions have none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Host").field(&self.base).finish()
    }
}

/// How the key travels.
#[derive(Clone, Copy)]
pub(super) enum KeyHeader {
    Bearer,
    ApiKey,
}

/// What a host does of which nothing else is known.
pub(super) const USUAL: Host = Host {
    base: "",
    example_base: OPENAI,
    key_variable: None,
    key_header: KeyHeader::Bearer,
    token_cap_field: MaxTokens,
    capability: FormatCapability::JsonSchema,
    strict: |_| true,
    seed_field: Some("seed"),
    streams_formats: true,
    asks_stream_usage: true,
    system_role: "system",
    extra: Map::new,
};

/// The row of a provider; none for those that speak another wire.
pub(super) fn host(provider: Provider) -> Option<Host> {
    Some(match provider {
        Provider::OpenAi => Host {
            key_variable: Some("OPENAI_API_KEY"),
            token_cap_field: MaxCompletionTokens,
            system_role: "developer",
            ..at(OPENAI)
        },
        Provider::Azure => Host {
            example_base: "https://<resource>.openai.azure.com/openai/v1",
            key_variable: Some("AZURE_OPENAI_API_KEY"),
            key_header: KeyHeader::ApiKey,
            token_cap_field: MaxCompletionTokens,
            ..USUAL
        },
        Provider::XAi => Host {
            key_variable: Some("XAI_API_KEY"),
            token_cap_field: MaxCompletionTokens,
            ..at("https://api.x.ai/v1")
        },
        Provider::DeepSeek => Host {
            key_variable: Some("DEEPSEEK_API_KEY"),
            capability: FormatCapability::JsonObject,
            seed_field: None,
            ..at("https://api.deepseek.com")
        },
        Provider::OpenRouter => Host {
            key_variable: Some("OPENROUTER_API_KEY"),
            asks_stream_usage: false,
            // Or a host may be chosen that drops the schema.
            extra: || fields(&json!({"provider": {"require_parameters": true}})),
            ..at("https://openrouter.ai/api/v1")
        },
        Provider::Mistral => Host {
            key_variable: Some("MISTRAL_API_KEY"),
            seed_field: Some("random_seed"),
            asks_stream_usage: false,
            ..at("https://api.mistral.ai/v1")
        },
        Provider::Groq => Host {
            key_variable: Some("GROQ_API_KEY"),
            token_cap_field: MaxCompletionTokens,
            strict: |model| GROQ_STRICT.contains(&model),
            streams_formats: false,
            asks_stream_usage: false,
            ..at("https://api.groq.com/openai/v1")
        },
        Provider::Together => Host {
            key_variable: Some("TOGETHER_API_KEY"),
            ..at("https://api.together.xyz/v1")
        },
        Provider::Fireworks => Host {
            key_variable: Some("FIREWORKS_API_KEY"),
            seed_field: None,
            // Or a prompt that is too long is shortened in silence.
            extra: || fields(&json!({"context_length_exceeded_behavior": "error"})),
            ..at("https://api.fireworks.ai/inference/v1")
        },
        Provider::Ollama => at("http://localhost:11434/v1"),
        Provider::LlamaCpp => at("http://localhost:8080/v1"),
        Provider::LmStudio => at("http://localhost:1234/v1"),
        Provider::Vllm => Host {
            token_cap_field: MaxCompletionTokens,
            ..at("http://localhost:8000/v1")
        },
        Provider::Anthropic | Provider::Gemini | Provider::Vertex => return None,
    })
}

/// A host without habits of its own.
pub(super) const fn at(base: &'static str) -> Host {
    Host {
        base,
        example_base: base,
        ..USUAL
    }
}

fn fields(object: &Value) -> Map<String, Value> {
    object.as_object().cloned().unwrap_or_default()
}

/// OpenAI and Azure, by their address.
pub(super) fn known(base: &str) -> Option<Provider> {
    let host = base
        .split_once("://")
        .map_or(base, |(_, rest)| rest)
        .split(['/', ':'])
        .next()
        .unwrap_or_default();
    match host {
        "api.openai.com" => Some(Provider::OpenAi),
        _ if host.ends_with(".openai.azure.com") => Some(Provider::Azure),
        _ => None,
    }
}

/// OpenAI's newer models refuse `max_tokens`, and some other hosts ignore anything else.
pub(super) fn usual_cap_field(provider: Option<Provider>) -> TokenCapField {
    provider
        .and_then(host)
        .map_or(MaxTokens, |host| host.token_cap_field)
}
