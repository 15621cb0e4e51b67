//! A request as the body of a Responses call.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Host, Options};
use crate::model::{
    FormatCapability, Request, ResponseSchema,
    api::{Settings, openai_name},
};

/// The fields the adapter writes itself, which extra fields may not.
pub(super) const OWN_FIELDS: [&str; 8] = [
    "model",
    "store",
    "instructions",
    "input",
    "max_output_tokens",
    "temperature",
    "text",
    "stream",
];

/// The body for this request: the same bytes each time, fields in a fixed order.
pub(crate) fn encode<H: Host>(settings: &Settings<H>, request: &Request) -> Vec<u8> {
    let body = Body {
        model: &settings.model,
        store: false,
        instructions: settings.system.as_deref(),
        input: request.prompt(),
        max_output_tokens: settings.cap(request),
        temperature: settings.temperature,
        text: text(&settings.options, request.wire_schema()),
        stream: request.is_streamed(),
        extra: &settings.extra,
    };
    // Keys are strings and nothing here can refuse to be written, so there is no error to report.
    serde_json::to_vec(&body).unwrap_or_default()
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    /// Both providers keep what they answered unless told not to.
    store: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
    input: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Text<'a>>,
    stream: bool,
    #[serde(flatten)]
    extra: &'a Map<String, Value>,
}

#[derive(Serialize)]
struct Text<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
    JsonSchema {
        name: String,
        schema: &'a Value,
        strict: bool,
    },
    JsonObject,
}

fn text<'a>(options: &Options, schema: Option<&'a ResponseSchema>) -> Option<Text<'a>> {
    let format = match options.capability {
        FormatCapability::JsonSchema => {
            let schema = schema?;
            Format::JsonSchema {
                name: openai_name(schema.name()),
                schema: schema.schema(),
                strict: options.strict,
            }
        }
        FormatCapability::JsonObject => Format::JsonObject,
        FormatCapability::Text => return None,
    };
    Some(Text { format })
}
