//! The one way out: a call in bytes, an answer in bytes, and the sender that retries.

mod client;
mod headers;
mod scrub;
mod sender;
mod timing;

use std::time::Duration;

use secrecy::SecretString;

pub use self::headers::Headers;
pub(crate) use self::{
    client::{ClientOptions, ReqwestTransport},
    scrub::scrub,
    sender::Sender,
    timing::retry_after,
};
use super::{BoxFuture, ModelError};

/// One POST of a JSON body.
pub(crate) struct Call {
    pub(crate) url: String,
    /// Sent as `Authorization: Bearer`.
    pub(crate) key: Option<SecretString>,
    pub(crate) body: Vec<u8>,
    /// For the whole exchange, connecting and reading included.
    pub(crate) timeout: Duration,
}

/// What came back, whatever the status.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    pub(crate) body: Vec<u8>,
}

/// The seam to an HTTP client: one exchange, no retries, errors without URL or key.
pub(crate) trait Transport: Send + Sync {
    fn post<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, ModelError>>;
}
