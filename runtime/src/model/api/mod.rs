//! What one provider's API is, and the model that every API makes.
//!
//! An adapter is pure: a request as bytes, and a reply from bytes. Everything between is shared.

mod builder;
mod classify;
pub(crate) mod environment;
mod fault;
mod model;
mod response;
#[cfg(any(feature = "openai", feature = "openai-compatible", feature = "xai"))]
mod schema_name;
mod settings;
mod stream;
#[cfg(any(feature = "openai", feature = "openai-compatible", feature = "xai"))]
mod variables;

use serde_json::Value;

#[cfg(feature = "openai-compatible")]
pub(crate) use self::fault::filtered_categories;
#[cfg(any(feature = "ollama", feature = "openai-compatible"))]
pub(crate) use self::response::calls_tools;
#[cfg(any(
    feature = "anthropic",
    feature = "gemini",
    feature = "ollama",
    feature = "openai-compatible"
))]
pub(crate) use self::stream::End;
#[cfg(any(feature = "openai", feature = "xai"))]
pub(crate) use self::stream::{contradiction, without_end};
pub use self::{builder::HttpModelBuilder, model::HttpModel, settings::Settings};
pub(crate) use self::{
    fault::Fault,
    response::{Response, Wire, config, word},
    stream::{Assemble, Step, decode_stream},
};
#[cfg(any(feature = "openai", feature = "openai-compatible", feature = "xai"))]
pub(crate) use self::{schema_name::openai_name, variables::Variables};
use super::{FormatCapability, ModelError, Reply, Request, SchemaDialect, http::Headers};

/// The API of a provider: where its requests go, what stands in them, what a response comes to.
///
/// Implemented by the adapters of this crate and by nothing else; a client of an application's own
/// is a [`model_fn`](crate::model_fn) or a [`Model`](crate::Model).
pub trait Api: sealed::Sealed + Sized + Send + Sync + 'static {
    /// The settings that only this API has.
    type Options: Clone + std::fmt::Debug + Send + Sync;

    /// Gathers the messages of a stream.
    #[doc(hidden)]
    type Assembly: Assemble + Default;

    /// What comes after the base URL, for instance `/chat/completions`.
    fn path(settings: &Settings<Self>, streamed: bool) -> String;

    /// A base URL to write, for who gave none or a wrong one.
    fn example_base(settings: &Settings<Self>) -> &'static str;

    /// The header that carries the key.
    fn key_header(_settings: &Settings<Self>, key: &str) -> (&'static str, String) {
        ("authorization", format!("Bearer {key}"))
    }

    /// Headers besides those of every request with a JSON body.
    fn headers(_settings: &Settings<Self>) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The fields of the body that the adapter writes itself, which extra fields may not.
    const OWN_FIELDS: &'static [&'static str];

    /// Which format the settings ask the provider for.
    fn capability(settings: &Settings<Self>) -> FormatCapability;

    /// The dialect of JSON Schema that its wire takes.
    fn dialect(settings: &Settings<Self>) -> SchemaDialect;

    /// Last settings that depend on the address, and refusals of what cannot work.
    fn settle(_base: &str, _settings: &mut Settings<Self>) -> Result<(), ModelError> {
        Ok(())
    }

    /// The body for a request: the same bytes each time.
    fn encode(settings: &Settings<Self>, request: &Request) -> Vec<u8>;

    /// A response as a reply.
    fn decode(status: u16, headers: &Headers, body: &[u8]) -> Result<Reply, ModelError>;

    /// The same for a body that is read already.
    #[doc(hidden)]
    fn decode_value(headers: &Headers, body: &Value) -> Result<Reply, ModelError>;
}

pub(crate) mod sealed {
    /// Keeps [`Api`](super::Api) to the adapters of this crate.
    #[allow(missing_debug_implementations)]
    pub trait Sealed {}
}
