//! A request as the body of a generateContent call.

use serde::Serialize;
use serde_json::{Map, Value};

use super::Settings;
use crate::model::{FormatCapability, Request, ResponseSchema};

/// The fields the adapter writes itself, which extra fields may not.
pub(super) const OWN_FIELDS: [&str; 3] = ["systemInstruction", "contents", "generationConfig"];

/// The same inside `generationConfig`, with those that would contradict them.
pub(super) const OWN_GENERATION_FIELDS: [&str; 9] = [
    "maxOutputTokens",
    "temperature",
    "seed",
    "responseMimeType",
    "responseJsonSchema",
    "_responseJsonSchema",
    "responseSchema",
    "responseFormat",
    "candidateCount",
];

/// The body for this request: the same bytes each time, fields in a fixed order. Whether the answer
/// is streamed stands in the path and not here.
///
/// ```
/// use typed_extract::model::FormatCapability;
/// use typed_extract::Request;
/// use typed_extract::model::gemini::{GenerateContent, encode};
///
/// let model = GenerateContent::builder("gemini-3.5-flash")
///     .capability(FormatCapability::JsonObject)
///     .build()?;
/// let body = encode(model.settings(), &Request::new("Hello"));
/// assert_eq!(
///     String::from_utf8(body).unwrap(),
///     r#"{"contents":[{"role":"user","parts":[{"text":"Hello"}]}],"#.to_owned()
///         + r#""generationConfig":{"responseMimeType":"application/json"}}"#,
/// );
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn encode(settings: &Settings, request: &Request) -> Vec<u8> {
    let body = Body {
        system_instruction: settings.system.as_deref().map(|text| Content {
            role: None,
            parts: [Part { text }],
        }),
        contents: [Content {
            role: Some("user"),
            parts: [Part {
                text: request.prompt(),
            }],
        }],
        generation_config: GenerationConfig::of(settings, request),
        extra: &settings.extra,
    };
    // Keys are strings and nothing here can refuse to be written, so there is no error to report.
    serde_json::to_vec(&body).unwrap_or_default()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Content<'a>>,
    contents: [Content<'a>; 1],
    #[serde(skip_serializing_if = "GenerationConfig::is_empty")]
    generation_config: GenerationConfig<'a>,
    #[serde(flatten)]
    extra: &'a Map<String, Value>,
}

#[derive(Serialize)]
struct Content<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: [Part<'a>; 1],
}

#[derive(Serialize)]
struct Part<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a Value>,
    #[serde(flatten)]
    extra: &'a Map<String, Value>,
}

impl<'a> GenerationConfig<'a> {
    fn of(settings: &'a Settings, request: &'a Request) -> Self {
        let options = &settings.options;
        let schema = request
            .wire_schema()
            .filter(|_| options.capability == FormatCapability::JsonSchema);
        let json = schema.is_some() || options.capability == FormatCapability::JsonObject;
        Self {
            max_output_tokens: settings.cap(request),
            temperature: settings.temperature,
            seed: options.seed,
            response_mime_type: json.then_some("application/json"),
            response_json_schema: schema.map(ResponseSchema::schema),
            extra: &options.generation,
        }
    }

    fn is_empty(&self) -> bool {
        self.max_output_tokens.is_none()
            && self.temperature.is_none()
            && self.seed.is_none()
            && self.response_mime_type.is_none()
            && self.extra.is_empty()
    }
}
