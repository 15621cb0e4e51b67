//! xAI's Responses.
//!
//! [`Responses`] is the model. What goes over the wire is made by [`encode`] and read by
//! [`decode`] and [`decode_stream`], pure functions over bytes; the rest is sending. Nothing is
//! kept by xAI: every request says `store: false`.
//!
//! ```no_run
//! use typed_extract::model::xai::Responses;
//!
//! # fn main() -> Result<(), typed_extract::ModelError> {
//! let model = Responses::builder("grok-4.6").api_key_env("XAI_API_KEY").build()?;
//! # Ok(())
//! # }
//! ```

pub use super::http::Headers;
use super::{
    ModelError, Provider, Reply, Request,
    api::{HttpModel, HttpModelBuilder, Settings as ApiSettings, Variables, environment::variable},
    responses::{self, Host, Options},
};

/// The wire of xAI's Responses.
#[derive(Debug)]
pub struct ResponsesApi;

/// A model behind xAI's Responses endpoint.
///
/// ```
/// use typed_extract::model::FormatCapability;
/// use typed_extract::Model;
/// use typed_extract::model::xai::Responses;
///
/// let model = Responses::builder("grok-4.6").api_key("xai-secret").max_output_tokens(2048).build()?;
/// assert_eq!((model.id(), model.capability()), ("grok-4.6", FormatCapability::JsonSchema));
/// assert!(!format!("{model:?}").contains("xai-secret"));
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub type Responses = HttpModel<ResponsesApi>;

/// Sets up a [`Responses`] model.
pub type ResponsesBuilder = HttpModelBuilder<ResponsesApi>;

/// What goes into the body of every request; made by the [builder](Responses::builder).
pub type Settings = ApiSettings<ResponsesApi>;

pub(super) const VARIABLES: Variables = Variables {
    model: "XAI_MODEL",
    key: "XAI_API_KEY",
    base_url: None,
};

impl Host for ResponsesApi {
    const BASE_URL: &'static str = "https://api.x.ai/v1";
    const PROVIDER: Provider = Provider::XAi;
}

/// xAI's Responses.
impl HttpModel<ResponsesApi> {
    /// Begins with the model's name; the address is xAI's own unless
    /// [another](ResponsesBuilder::base_url) is given.
    pub fn builder(model: impl Into<String>) -> ResponsesBuilder {
        Self::begin(
            ResponsesApi::BASE_URL.to_owned(),
            model.into(),
            Options::default(),
        )
    }

    /// Takes all from the environment: `XAI_MODEL` and `XAI_API_KEY`.
    ///
    /// A variable that is missing is a `Config` error that names it.
    pub fn from_env() -> Result<Self, ModelError> {
        VARIABLES
            .begin(ResponsesApi::BASE_URL, Options::default(), variable)?
            .build()
    }
}

/// The body for this request: the same bytes each time, fields in a fixed order.
///
/// ```
/// use typed_extract::model::ResponseSchema;
/// use typed_extract::Request;
/// use typed_extract::model::xai::{Responses, encode};
///
/// let model = Responses::builder("grok-4.6").build()?;
/// let schema = ResponseSchema::new("Parcel", serde_json::json!({"type": "object"}));
/// let body = encode(model.settings(), &Request::new("Hello").with_wire_schema(schema));
/// assert_eq!(
///     String::from_utf8(body).unwrap(),
///     r#"{"model":"grok-4.6","store":false,"input":"Hello","#.to_owned()
///         + r#""text":{"format":{"type":"json_schema","name":"Parcel","#
///         + r#""schema":{"type":"object"},"strict":true}},"stream":false}"#,
/// );
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn encode(settings: &Settings, request: &Request) -> Vec<u8> {
    responses::encode(settings, request)
}

/// Reads a response: status, error inside, `status` and its reason, refusal, and only then the
/// text, which is that of all messages without the reasoning.
///
/// What a filter stopped is a reply with [`FinishReason::Filtered`](crate::FinishReason::Filtered). A text
/// that came before a limit is kept. A response that is `completed` and holds no message is a
/// reply with an empty text. A body that is no response is a `Decode` error.
///
/// ```
/// use typed_extract::model::{FinishReason, ModelErrorKind};
/// use typed_extract::model::xai::{Headers, decode};
///
/// let body = br#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},
///     "output":[{"type":"message","content":[{"type":"output_text","text":"[1,2]"}]}]}"#;
/// let reply = decode(200, &Headers::default(), body)?;
/// assert_eq!((reply.text(), reply.finish()), ("[1,2]", &FinishReason::Truncated));
///
/// let error = decode(200, &Headers::default(), br#"{"code":"The service is currently unavailable","error":"at capacity"}"#);
/// assert_eq!(error.unwrap_err().kind(), ModelErrorKind::Overloaded);
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn decode(status: u16, headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    responses::decode(status, headers, body)
}

/// Reads a whole stream of events, as [`decode`] reads a response; the content type in the headers
/// says that it is one.
///
/// The response in the last event is what is read. Where it is `completed`, its text has to be
/// that of the pieces: a stream that contradicts itself is a `Decode` error. A stream without its
/// last event is a [`StreamCut`](crate::ModelErrorKind::StreamCut) error, whatever came before.
///
/// ```
/// use typed_extract::model::ModelErrorKind;
/// use typed_extract::model::xai::{Headers, decode_stream};
///
/// let headers = Headers::from_iter([("content-type", "text/event-stream")]);
/// let piece = r#"data: {"type":"response.output_text.delta","delta":"{}"}"#;
/// let error = decode_stream(&headers, format!("{piece}\n\n").as_bytes()).unwrap_err();
/// assert_eq!(error.kind(), ModelErrorKind::StreamCut);
///
/// let last = r#"data: {"type":"response.completed","response":{"status":"completed",
/// data: "output":[{"type":"message","content":[{"type":"output_text","text":"{}"}]}]}}"#;
/// let whole = format!("{piece}\n\n{last}\n\n");
/// assert_eq!(decode_stream(&headers, whole.as_bytes())?.text(), "{}");
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub fn decode_stream(headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    responses::decode_stream::<ResponsesApi>(headers, body)
}
