//! A request as the body of a Chat Completions call.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Settings, builder::Options};
use crate::model::{FormatCapability, Request, ResponseSchema, api::openai_name};

/// The fields the adapter writes itself, which [`Settings::extra`] may not.
pub(super) const OWN_FIELDS: [&str; 10] = [
    "model",
    "messages",
    "response_format",
    "stream",
    "stream_options",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "seed",
    "random_seed",
];

/// The body for this request: the same bytes each time, fields in a fixed order.
///
/// ```
/// use typed_extract::model::FormatCapability;
/// use typed_extract::Request;
/// use typed_extract::model::openai_compatible::{ChatCompletions, encode};
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
    let options = &settings.options;
    let mut numbers = Map::new();
    if let Some(cap) = settings.cap(request) {
        let field = options.token_cap_field.unwrap_or_default();
        numbers.insert(field.as_str().to_owned(), cap.into());
    }
    if let Some(temperature) = settings.temperature {
        numbers.insert("temperature".to_owned(), json!(temperature));
    }
    if let (Some(seed), Some(field)) = (options.seed, options.host.seed_field) {
        numbers.insert(field.to_owned(), seed.into());
    }
    let response_format = format(options, request.wire_schema());
    // A server that is not asked for a stream answers at once, which a streaming caller can read.
    let stream =
        request.is_streamed() && (response_format.is_none() || options.host.streams_formats);
    let body = Body {
        model: &settings.model,
        messages: messages(settings, request),
        response_format,
        numbers,
        stream,
        stream_options: (stream && options.host.asks_stream_usage).then_some(StreamOptions {
            include_usage: true,
        }),
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
    #[serde(flatten)]
    numbers: Map<String, Value>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(flatten)]
    extra: &'a Map<String, Value>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
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
        role: settings.options.host.system_role,
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

fn format<'a>(options: &Options, schema: Option<&'a ResponseSchema>) -> Option<ResponseFormat<'a>> {
    match options.capability {
        FormatCapability::JsonSchema => schema.map(|schema| ResponseFormat::JsonSchema {
            json_schema: JsonSchema {
                name: openai_name(schema.name()),
                schema: schema.schema(),
                strict: options.strict,
            },
        }),
        FormatCapability::JsonObject => Some(ResponseFormat::JsonObject),
        FormatCapability::Text => None,
    }
}
