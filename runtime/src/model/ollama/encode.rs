//! A request as the body of a call to Ollama's own chat.

use serde::Serialize;
use serde_json::{Map, Value};

use super::Settings;
use crate::model::{FormatCapability, Request, ResponseSchema};

/// The fields the adapter writes itself, which extra fields may not.
pub(super) const OWN_FIELDS: [&str; 7] = [
    "model", "messages", "format", "options", "truncate", "shift", "stream",
];

/// The body for this request: the same bytes each time, fields in a fixed order.
///
/// ```
/// use typed_extract::Request;
/// use typed_extract::model::ollama::{Chat, encode};
///
/// let model = Chat::builder("qwen3:8b").context_tokens(8192).build()?;
/// let body = encode(model.settings(), &Request::new("Hello").with_max_output_tokens(64));
/// assert_eq!(
///     String::from_utf8(body).unwrap(),
///     r#"{"model":"qwen3:8b","messages":[{"role":"user","content":"Hello"}],"#.to_owned()
///         + r#""options":{"num_predict":64,"num_ctx":8192},"#
///         + r#""truncate":false,"shift":false,"stream":false}"#,
/// );
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn encode(settings: &Settings, request: &Request) -> Vec<u8> {
    let options = &settings.options;
    let body = Body {
        model: &settings.model,
        messages: messages(settings, request),
        format: format(options.capability, request.wire_schema()),
        options: Options {
            num_predict: settings.cap(request),
            temperature: settings.temperature,
            seed: options.seed,
            num_ctx: options.context_tokens,
        }
        .given(),
        truncate: false,
        shift: false,
        stream: request.is_streamed(),
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
    format: Option<Format<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Options>,
    /// Ollama leaves out what does not fit into the context unless told to refuse it.
    truncate: bool,
    /// It also forgets the prompt's beginning when an answer outgrows the context.
    shift: bool,
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
#[serde(untagged)]
enum Format<'a> {
    Schema(&'a Value),
    Word(&'static str),
}

#[derive(Serialize, Default, PartialEq)]
struct Options {
    #[serde(skip_serializing_if = "Option::is_none")]
    num_predict: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_ctx: Option<u32>,
}

impl Options {
    fn given(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }
}

fn messages<'a>(settings: &'a Settings, request: &'a Request) -> Vec<Message<'a>> {
    let system = settings.system.as_deref().map(|content| Message {
        role: "system",
        content,
    });
    let user = Message {
        role: "user",
        content: request.prompt(),
    };
    system.into_iter().chain([user]).collect()
}

fn format(capability: FormatCapability, schema: Option<&ResponseSchema>) -> Option<Format<'_>> {
    match capability {
        FormatCapability::JsonSchema => schema.map(|schema| Format::Schema(schema.schema())),
        FormatCapability::JsonObject => Some(Format::Word("json")),
        FormatCapability::Text => None,
    }
}
