//! Gemini's generateContent, at Google AI and at Vertex AI.
//!
//! [`GenerateContent`] is the model. What goes over the wire is made by [`encode`] and read by
//! [`decode`] and [`decode_stream`], pure functions over bytes; the rest is sending.
//!
//! ```no_run
//! use typed_extract::model::gemini::GenerateContent;
//!
//! # fn main() -> Result<(), typed_extract::ModelError> {
//! let model = GenerateContent::builder("gemini-3.5-flash")
//!     .api_key_env("GEMINI_API_KEY")
//!     .build()?;
//! let vertex = GenerateContent::vertex("my-project", "europe-west1", "gemini-3.5-flash")
//!     .api_key_env("GOOGLE_OAUTH_ACCESS_TOKEN")
//!     .build()?;
//! # Ok(())
//! # }
//! ```

mod builder;
mod decode;
mod encode;
mod place;
mod stream;
mod usage;

use serde_json::Value;

pub(super) use self::builder::{keyed, on_vertex};
pub use self::{
    decode::{decode, decode_stream},
    encode::encode,
};
pub use super::http::Headers;
use super::{
    FormatCapability, ModelError, Provider, Reply, Request, SchemaDialect,
    api::{Api, HttpModel, HttpModelBuilder, Settings as ApiSettings, sealed::Sealed},
};

/// The wire of Gemini's generateContent.
#[derive(Debug)]
pub struct Gemini;

/// A model behind generateContent.
///
/// ```
/// use typed_extract::model::FormatCapability;
/// use typed_extract::Model;
/// use typed_extract::model::gemini::GenerateContent;
///
/// let model = GenerateContent::builder("gemini-3.5-flash")
///     .api_key("AIza-0")
///     .max_output_tokens(8192)
///     .build()?;
/// assert_eq!(model.id(), "gemini-3.5-flash");
/// assert_eq!(model.capability(), FormatCapability::JsonSchema);
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub type GenerateContent = HttpModel<Gemini>;

/// Sets up a [`GenerateContent`] model.
pub type GenerateContentBuilder = HttpModelBuilder<Gemini>;

/// What goes into the body of every request; made by the [builder](GenerateContent::builder).
pub type Settings = ApiSettings<Gemini>;

impl Sealed for Gemini {}

impl Api for Gemini {
    type Options = builder::Options;
    type Assembly = stream::Assembly;

    const OWN_FIELDS: &'static [&'static str] = &encode::OWN_FIELDS;

    fn path(settings: &Settings, streamed: bool) -> String {
        settings.options.place.path(&settings.model, streamed)
    }

    fn example_base(_settings: &Settings) -> &'static str {
        "https://generativelanguage.googleapis.com/v1beta"
    }

    fn key_header(settings: &Settings, key: &str) -> (&'static str, String) {
        settings.options.place.key_header(key)
    }

    fn capability(settings: &Settings) -> FormatCapability {
        settings.options.capability
    }

    fn settle(_base: &str, settings: &mut Settings) -> Result<(), ModelError> {
        settings.options.place.check(&settings.model)?;
        settings.options.check()
    }

    fn dialect(_settings: &Settings) -> SchemaDialect {
        Provider::Gemini.dialect()
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
