//! A request as the body of a Chat Completions call.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::model::{FormatCapability, Request, WireSchema};

/// The longest schema name that OpenAI takes, in characters.
const NAME_CHARS: usize = 64;

/// What goes into the body of every request; made by the
/// [builder](super::ChatCompletions::builder).
#[derive(Clone)]
pub struct Settings {
    pub(super) model: String,
    pub(super) capability: FormatCapability,
    pub(super) strict: bool,
    pub(super) max_output_tokens: Option<u32>,
    pub(super) token_cap_field: Option<TokenCapField>,
    pub(super) temperature: Option<f64>,
    pub(super) seed: Option<i64>,
    pub(super) system: Option<String>,
    pub(super) extra: Map<String, Value>,
}

impl Settings {
    pub(super) fn new(model: String) -> Self {
        Self {
            model,
            capability: FormatCapability::JsonSchema,
            strict: true,
            max_output_tokens: None,
            token_cap_field: None,
            temperature: None,
            seed: None,
            system: None,
            extra: Map::new(),
        }
    }

    /// The model's name at the provider.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Which `response_format` is sent.
    pub fn capability(&self) -> FormatCapability {
        self.capability
    }
}

impl fmt::Debug for Settings {
    /// The system text may be as private as a prompt, and extra fields may hold anything.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("model", &self.model)
            .field("capability", &self.capability)
            .field("strict", &self.strict)
            .field("max_output_tokens", &self.max_output_tokens)
            .field("token_cap_field", &self.token_cap_field)
            .field("temperature", &self.temperature)
            .field("seed", &self.seed)
            .field("system_bytes", &self.system.as_ref().map(String::len))
            .field("extra", &self.extra.keys().collect::<Vec<_>>())
            .finish()
    }
}

/// Under which name a host takes the cap on the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenCapField {
    /// `max_completion_tokens`: OpenAI, Azure, xAI, Groq, vLLM.
    MaxCompletionTokens,
    /// `max_tokens`: DeepSeek, OpenRouter, Mistral, Together, Fireworks and local servers. OpenAI's
    /// reasoning models refuse it.
    #[default]
    MaxTokens,
}

impl TokenCapField {
    /// The name of the field.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MaxCompletionTokens => "max_completion_tokens",
            Self::MaxTokens => "max_tokens",
        }
    }
}

/// The fields the adapter writes itself, which [`Settings::extra`] may not.
pub(super) const OWN_FIELDS: [&str; 8] = [
    "model",
    "messages",
    "response_format",
    "stream",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "seed",
];

/// The body for this request: the same bytes each time, fields in a fixed order.
///
/// ```
/// use typed_extract::{FormatCapability, Request};
/// use typed_extract::openai_compatible::{ChatCompletions, encode};
///
/// let model = ChatCompletions::builder("http://localhost:8080/v1", "qwen")
///     .capability(FormatCapability::JsonObject)
///     .build()?;
/// let body = encode(model.settings(), &Request::new("Hello").with_max_output_tokens(64));
/// assert_eq!(
///     String::from_utf8(body).unwrap(),
///     r#"{"model":"qwen","messages":[{"role":"user","content":"Hello"}],"#.to_owned()
///         + r#""response_format":{"type":"json_object"},"max_tokens":64,"stream":false}"#,
/// );
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn encode(settings: &Settings, request: &Request) -> Vec<u8> {
    let cap = request.max_output_tokens().or(settings.max_output_tokens);
    let usual = settings.token_cap_field.unwrap_or_default();
    let under = |field| cap.filter(|_| usual == field);
    let body = Body {
        model: &settings.model,
        messages: messages(settings, request),
        response_format: format(settings, request.wire_schema()),
        max_completion_tokens: under(TokenCapField::MaxCompletionTokens),
        max_tokens: under(TokenCapField::MaxTokens),
        temperature: settings.temperature,
        seed: settings.seed,
        stream: false,
        extra: &settings.extra,
    };
    // Keys are strings and nothing here can refuse to be written, so there is no error to report.
    serde_json::to_vec(&body).unwrap_or_default()
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<i64>,
    stream: bool,
    #[serde(flatten)]
    extra: &'a Map<String, Value>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonSchema { json_schema: JsonSchema<'a> },
    JsonObject,
}

#[derive(Serialize)]
struct JsonSchema<'a> {
    name: String,
    schema: &'a Value,
    strict: bool,
}

fn messages<'a>(settings: &'a Settings, request: &'a Request) -> Vec<Message<'a>> {
    let system = settings.system.as_deref().map(|content| Message {
        role: "system",
        content,
    });
    system
        .into_iter()
        .chain([Message {
            role: "user",
            content: request.prompt(),
        }])
        .collect()
}

fn format<'a>(settings: &Settings, schema: Option<&'a WireSchema>) -> Option<ResponseFormat<'a>> {
    match settings.capability {
        FormatCapability::JsonSchema => schema.map(|schema| ResponseFormat::JsonSchema {
            json_schema: JsonSchema {
                name: wire_name(schema.name()),
                schema: schema.schema(),
                strict: settings.strict,
            },
        }),
        FormatCapability::JsonObject => Some(ResponseFormat::JsonObject),
        FormatCapability::None => None,
    }
}

/// The name in the alphabet that OpenAI takes.
fn wire_name(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let name: String = name.chars().take(NAME_CHARS).map(plain).collect();
    if name.is_empty() {
        "answer".to_owned()
    } else {
        name
    }
}
