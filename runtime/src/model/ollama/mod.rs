//! Ollama's own chat, `/api/chat`.
//!
//! [`Chat`] is the model. What goes over the wire is made by [`encode`] and read by [`decode`] and
//! [`decode_stream`], pure functions over bytes; the rest is sending. Other than Ollama's copy of
//! Chat Completions, this wire takes the size of the context.
//!
//! ```no_run
//! use typed_extract::model::ollama::Chat;
//!
//! # fn main() -> Result<(), typed_extract::ModelError> {
//! let model = Chat::builder("qwen3:8b").context_tokens(16_384).build()?;
//! # Ok(())
//! # }
//! ```

mod builder;
mod decode;
mod encode;
mod stream;

use serde_json::Value;

pub use self::{
    decode::{decode, decode_stream},
    encode::encode,
};
pub use super::http::Headers;
use super::{
    FormatCapability, ModelError, Provider, Reply, Request, SchemaDialect,
    api::{Api, HttpModel, HttpModelBuilder, Settings as ApiSettings, sealed::Sealed},
};

/// The wire of Ollama's own chat.
#[derive(Debug)]
pub struct OllamaChat;

/// A model behind an Ollama server.
///
/// ```
/// use typed_extract::model::FormatCapability;
/// use typed_extract::Model;
/// use typed_extract::model::ollama::Chat;
///
/// let model = Chat::builder("qwen3:8b").base_url("http://10.0.0.7:11434").temperature(0.0).build()?;
/// assert_eq!((model.id(), model.capability()), ("qwen3:8b", FormatCapability::JsonSchema));
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub type Chat = HttpModel<OllamaChat>;

/// Sets up a [`Chat`] model.
pub type ChatBuilder = HttpModelBuilder<OllamaChat>;

/// What goes into the body of every request; made by the [builder](Chat::builder).
pub type Settings = ApiSettings<OllamaChat>;

/// Where Ollama listens unless it was told otherwise.
const BASE_URL: &str = "http://localhost:11434";

impl Sealed for OllamaChat {}

impl Api for OllamaChat {
    type Options = builder::Options;
    type Assembly = stream::Assembly;

    const OWN_FIELDS: &'static [&'static str] = &encode::OWN_FIELDS;

    fn path(_settings: &Settings, _streamed: bool) -> String {
        "/api/chat".to_owned()
    }

    fn example_base(_settings: &Settings) -> &'static str {
        BASE_URL
    }

    fn capability(settings: &Settings) -> FormatCapability {
        settings.options.capability
    }

    fn settle(_base: &str, settings: &mut Settings) -> Result<(), ModelError> {
        settings.options.check()
    }

    fn dialect(_settings: &Settings) -> SchemaDialect {
        Provider::Ollama.dialect()
    }

    fn encode(settings: &Settings, request: &Request) -> Vec<u8> {
        encode(settings, request)
    }

    fn decode(status: u16, headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
        decode(status, headers, body)
    }

    fn decode_value(headers: &Headers, body: &Value) -> Result<Reply, ModelError> {
        decode::WIRE.decode_value(200, headers, body)
    }
}
