//! Speaking to a model over HTTP: the model every adapter makes, and the way out.
//!
//! An adapter says what goes into a request and what a response comes to, both over bytes;
//! [`HttpModel`] does the sending: keys, time limits, retries, streams. What carries the bytes is
//! a [`Transport`], reqwest unless another one is given.

mod client;
mod exchange;
mod framing;
mod headers;
mod scrub;
mod sender;
mod timing;
mod transport;

pub(crate) use self::{
    client::{ClientOptions, ReqwestTransport},
    framing::Framing,
    scrub::scrub,
    sender::{Answer, Call, Cap, Reader, Sender},
    timing::{retry_after, span},
};
pub use self::{
    exchange::{HttpRequest, HttpResponse},
    headers::Headers,
    transport::{HttpBody, Transport},
};
pub use super::api::{Api, HttpModel, HttpModelBuilder, Settings};
pub use super::retry::RetryPolicy;
