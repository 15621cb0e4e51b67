//! A request and a response, in bytes.

use std::{fmt, time::Duration};

use secrecy::{ExposeSecret, SecretString};

use super::{Headers, HttpBody};

/// One POST.
#[derive(Clone)]
pub struct HttpRequest {
    pub(crate) url: String,
    pub(crate) headers: Vec<(&'static str, SecretString)>,
    pub(crate) body: Vec<u8>,
    pub(crate) timeout: Duration,
}

impl HttpRequest {
    /// Where it goes; holds no key.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The header names and values, the key's among them: not to be printed.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.headers
            .iter()
            .map(|(name, value)| (*name, value.expose_secret()))
    }

    /// The body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// For the whole exchange, connecting and reading included.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }
}

impl fmt::Debug for HttpRequest {
    /// Without header values and body, which hold keys and documents.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("HttpRequest")
            .field("url", &self.url)
            .field("headers", &names)
            .field("body_bytes", &self.body.len())
            .field("timeout", &self.timeout)
            .finish()
    }
}

/// What came back, whatever the status; the body may still be on its way.
pub struct HttpResponse {
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    pub(crate) body: Box<dyn HttpBody>,
}

impl HttpResponse {
    /// A response with this status, these headers and this body.
    pub fn new(status: u16, headers: Headers, body: impl HttpBody + 'static) -> Self {
        Self {
            status,
            headers,
            body: Box::new(body),
        }
    }
}

impl fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpResponse")
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}
