//! Anthropic's Messages API.
//!
//! [`Messages`] is the model. What goes over the wire is made by [`encode`] and read by [`decode`]
//! and [`decode_stream`], pure functions over bytes; the rest is sending.
//!
//! ```no_run
//! use typed_extract::model::anthropic::Messages;
//!
//! # fn main() -> Result<(), typed_extract::ModelError> {
//! let model = Messages::builder("claude-sonnet-5")
//!     .api_key_env("ANTHROPIC_API_KEY")
//!     .build()?;
//! # Ok(())
//! # }
//! ```

mod builder;
mod decode;
mod encode;
mod stream;
mod usage;

use serde_json::Value;

pub use self::{
    decode::{decode, decode_stream},
    encode::{DEFAULT_MAX_TOKENS, encode},
};
pub use super::http::Headers;
use super::{
    FormatCapability, ModelError, Provider, Reply, Request, SchemaDialect,
    api::{Api, HttpModel, HttpModelBuilder, Settings as ApiSettings, sealed::Sealed},
};

/// The wire of Anthropic's Messages.
#[derive(Debug)]
pub struct Anthropic;

/// A model behind the Messages API.
///
/// ```
/// use typed_extract::model::FormatCapability;
/// use typed_extract::Model;
/// use typed_extract::model::anthropic::Messages;
///
/// let model = Messages::builder("claude-sonnet-5")
///     .api_key("sk-ant-0")
///     .effort("low")
///     .max_output_tokens(2048)
///     .build()?;
/// assert_eq!(model.id(), "claude-sonnet-5");
/// assert_eq!(model.capability(), FormatCapability::JsonSchema);
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub type Messages = HttpModel<Anthropic>;

/// Sets up a [`Messages`] model.
pub type MessagesBuilder = HttpModelBuilder<Anthropic>;

/// What goes into the body of every request; made by the [builder](Messages::builder).
pub type Settings = ApiSettings<Anthropic>;

impl Sealed for Anthropic {}

impl Api for Anthropic {
    type Options = builder::Options;
    type Assembly = stream::Assembly;

    const OWN_FIELDS: &'static [&'static str] = &encode::OWN_FIELDS;

    fn path(_settings: &Settings, _streamed: bool) -> String {
        "/messages".to_owned()
    }

    fn example_base(_settings: &Settings) -> &'static str {
        builder::ANTHROPIC
    }

    fn key_header(settings: &Settings, key: &str) -> (&'static str, String) {
        if settings.options.bearer {
            ("authorization", format!("Bearer {key}"))
        } else {
            ("x-api-key", key.to_owned())
        }
    }

    fn headers(settings: &Settings) -> Vec<(&'static str, String)> {
        vec![("anthropic-version", settings.options.version.clone())]
    }

    fn capability(settings: &Settings) -> FormatCapability {
        settings.options.capability
    }

    fn settle(_base: &str, settings: &mut Settings) -> Result<(), ModelError> {
        settings.options.check()
    }

    fn dialect(_settings: &Settings) -> SchemaDialect {
        Provider::Anthropic.dialect()
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
