//! The wire of Responses, which `OpenAI` made and xAI speaks too.

mod builder;
mod decode;
mod encode;
mod stream;

use serde_json::Value;

pub(crate) use self::{
    builder::Options,
    decode::{decode, decode_stream},
    encode::encode,
};
use super::{
    FormatCapability, ModelError, Provider, Reply, Request, SchemaDialect,
    api::{Api, Settings, sealed::Sealed},
    http::Headers,
};

/// Who speaks Responses.
#[doc(hidden)]
pub trait Host: Send + Sync + 'static {
    #[doc(hidden)]
    const BASE_URL: &'static str;
    #[doc(hidden)]
    const PROVIDER: Provider;
}

impl<H: Host> Sealed for H {}

impl<H: Host> Api for H {
    type Options = Options;
    type Assembly = stream::Assembly;

    const OWN_FIELDS: &'static [&'static str] = &encode::OWN_FIELDS;

    fn path(_settings: &Settings<Self>, _streamed: bool) -> String {
        "/responses".to_owned()
    }

    fn example_base(_settings: &Settings<Self>) -> &'static str {
        H::BASE_URL
    }

    fn capability(settings: &Settings<Self>) -> FormatCapability {
        settings.options.capability
    }

    fn dialect(_settings: &Settings<Self>) -> SchemaDialect {
        H::PROVIDER.dialect()
    }

    fn encode(settings: &Settings<Self>, request: &Request) -> Vec<u8> {
        encode(settings, request)
    }

    fn decode(status: u16, headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
        decode(status, headers, body)
    }

    fn decode_value(headers: &Headers, body: &Value) -> Result<Reply, ModelError> {
        decode::WIRE.decode_value(200, headers, body)
    }
}
