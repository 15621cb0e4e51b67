//! A request as the body of a Messages call.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Settings, builder::Options};
use crate::model::{FormatCapability, Request, ResponseSchema};

/// The cap on an answer in tokens where neither the request nor the model sets one, since the API
/// asks for a cap in every request. Thinking counts; every current model takes this much.
pub const DEFAULT_MAX_TOKENS: u32 = 8192;

/// The fields the adapter writes itself, which extra fields may not.
pub(super) const OWN_FIELDS: [&str; 7] = [
    "model",
    "max_tokens",
    "system",
    "messages",
    "output_config",
    "temperature",
    "stream",
];

/// The body for this request: the same bytes each time, fields in a fixed order.
///
/// ```
/// use typed_extract::Request;
/// use typed_extract::model::anthropic::{Messages, encode};
///
/// let model = Messages::builder("claude-sonnet-5").build()?;
/// let body = encode(model.settings(), &Request::new("Hello").with_max_output_tokens(64));
/// assert_eq!(
///     String::from_utf8(body).unwrap(),
///     r#"{"model":"claude-sonnet-5","max_tokens":64,"#.to_owned()
///         + r#""messages":[{"role":"user","content":"Hello"}],"stream":false}"#,
/// );
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn encode(settings: &Settings, request: &Request) -> Vec<u8> {
    let body = Body {
        model: &settings.model,
        max_tokens: settings.cap(request).unwrap_or(DEFAULT_MAX_TOKENS),
        system: settings.system.as_deref(),
        messages: [Message {
            role: "user",
            content: request.prompt(),
        }],
        output_config: output_config(&settings.options, request.wire_schema()),
        temperature: settings.temperature,
        stream: request.is_streamed(),
        extra: &settings.extra,
    };
    // Keys are strings and nothing here can refuse to be written, so there is no error to report.
    serde_json::to_vec(&body).unwrap_or_default()
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<&'a str>,
    messages: [Message<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
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
struct OutputConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
    JsonSchema { schema: &'a Value },
}

fn output_config<'a>(
    options: &'a Options,
    schema: Option<&'a ResponseSchema>,
) -> Option<OutputConfig<'a>> {
    let effort = options.effort.as_deref();
    let format = schema
        .filter(|_| options.capability == FormatCapability::JsonSchema)
        .map(|schema| Format::JsonSchema {
            schema: schema.schema(),
        });
    (effort.is_some() || format.is_some()).then_some(OutputConfig { effort, format })
}
