//! Chat Completions: OpenAI, and every host and local server that speaks its wire.
//!
//! [`ChatCompletions`] is the model. What goes over the wire is made by [`encode`] and read by
//! [`decode`], two pure functions over bytes; the rest is sending. How the hosts differ stands in
//! one table: [`ChatCompletions::on`] takes a provider's address, names and habits from it.
//!
//! ```no_run
//! use typed_extract::model::openai_compatible::ChatCompletions;
//! use typed_extract::Provider;
//!
//! # fn main() -> Result<(), typed_extract::ModelError> {
//! let hosted = ChatCompletions::on(Provider::Mistral, "mistral-large-latest").build()?;
//! let local = ChatCompletions::builder("http://127.0.0.1:8080/v1", "qwen").build()?;
//! # Ok(())
//! # }
//! ```

mod builder;
mod decode;
mod encode;
mod hosts;
mod stream;
mod usage;

use serde_json::Value;

use self::hosts::KeyHeader;
pub use self::{
    builder::TokenCapField,
    decode::{decode, decode_stream},
    encode::encode,
};
pub use super::http::Headers;
use super::{
    FormatCapability, ModelError, Reply, Request, SchemaDialect,
    api::{Api, HttpModel, HttpModelBuilder, Settings as ApiSettings, sealed::Sealed},
};

/// The wire of OpenAI's Chat Completions.
#[derive(Debug)]
pub struct Chat;

/// A model behind a Chat Completions endpoint.
///
/// ```
/// use typed_extract::model::FormatCapability;
/// use typed_extract::Model;
/// use typed_extract::model::openai_compatible::ChatCompletions;
///
/// let model = ChatCompletions::builder("http://localhost:11434/v1", "qwen3:8b")
///     .capability(FormatCapability::JsonObject)
///     .temperature(0.0)
///     .build()?;
/// assert_eq!(model.id(), "qwen3:8b");
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
pub type ChatCompletions = HttpModel<Chat>;

/// Sets up a [`ChatCompletions`] model.
pub type ChatCompletionsBuilder = HttpModelBuilder<Chat>;

/// What goes into the body of every request; made by the
/// [builder](ChatCompletions::builder).
pub type Settings = ApiSettings<Chat>;

impl Sealed for Chat {}

impl Api for Chat {
    type Options = builder::Options;
    type Assembly = stream::Assembly;

    const OWN_FIELDS: &'static [&'static str] = &encode::OWN_FIELDS;

    fn path(_settings: &Settings, _streamed: bool) -> String {
        "/chat/completions".to_owned()
    }

    fn example_base(settings: &Settings) -> &'static str {
        settings.options.host.example_base
    }

    fn key_header(settings: &Settings, key: &str) -> (&'static str, String) {
        match settings.options.host.key_header {
            KeyHeader::Bearer => ("authorization", format!("Bearer {key}")),
            KeyHeader::ApiKey => ("api-key", key.to_owned()),
        }
    }

    fn capability(settings: &Settings) -> FormatCapability {
        settings.options.capability
    }

    fn settle(base: &str, settings: &mut Settings) -> Result<(), ModelError> {
        settings.options.settle(base)?;
        for (key, value) in (settings.options.host.extra)() {
            settings.extra.entry(key).or_insert(value);
        }
        Ok(())
    }

    fn dialect(settings: &Settings) -> SchemaDialect {
        settings.options.dialect()
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
