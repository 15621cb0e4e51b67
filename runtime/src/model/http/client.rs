//! The transport over reqwest.

use std::{sync::Arc, time::Duration};

use reqwest::{Client, RequestBuilder, Response, header, redirect};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;
use secrecy::ExposeSecret;

use super::{Answer, Call, Headers, Transport};
use crate::model::{BoxFuture, ModelError, ModelErrorKind};

/// What the client is built with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientOptions {
    pub(crate) connect_timeout: Duration,
    /// In bytes, for one response.
    pub(crate) max_response: usize,
    /// Without it no certificates are loaded, which a machine may lack, and no TLS is possible.
    pub(crate) tls: bool,
}

/// One pooled reqwest client and a cap on what it reads.
pub(crate) struct ReqwestTransport {
    client: Client,
    max_response: usize,
}

impl ReqwestTransport {
    pub(crate) fn new(options: &ClientOptions) -> Result<Self, ModelError> {
        let tls = if options.tls {
            platform_tls()
        } else {
            no_tls()
        }
        .map_err(|error| config("TLS could not be set up; see the source").with_source(error))?;
        let client = Client::builder()
            .tls_backend_preconfigured(tls)
            .connect_timeout(options.connect_timeout)
            // A redirect would take prompt and key to another place than the one configured.
            .redirect(redirect::Policy::none())
            .build()
            .map_err(|error| {
                config("the HTTP client could not be built").with_source(error.without_url())
            })?;
        Ok(Self::with_client(client, options.max_response))
    }

    pub(crate) fn with_client(client: Client, max_response: usize) -> Self {
        Self {
            client,
            max_response,
        }
    }

    async fn exchange(&self, call: &Call) -> Result<Answer, ModelError> {
        needs_tokio()?;
        let response = self.prepare(call)?.send().await.map_err(failed_to_send)?;
        let status = response.status().as_u16();
        let headers = headers(&response);
        let body = match self.read(response).await {
            Ok(body) => body,
            // Status and headers of a refusal say enough without the rest of its page.
            Err(_) if status >= 400 => Vec::new(),
            Err(error) => return Err(error.with_status(status)),
        };
        Ok(Answer {
            status,
            headers,
            body,
        })
    }

    fn prepare(&self, call: &Call) -> Result<RequestBuilder, ModelError> {
        let request = self
            .client
            .post(&call.url)
            .timeout(call.timeout)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json")
            .body(call.body.clone());
        let Some(key) = &call.key else {
            return Ok(request);
        };
        let mut bearer =
            header::HeaderValue::try_from(format!("Bearer {}", key.expose_secret()))
                .map_err(|_| config("the API key holds characters that no header can carry"))?;
        bearer.set_sensitive(true);
        Ok(request.header(header::AUTHORIZATION, bearer))
    }

    async fn read(&self, mut response: Response) -> Result<Vec<u8>, ModelError> {
        let announced = response.content_length().unwrap_or(0);
        if announced > self.max_response as u64 {
            return Err(self.too_large());
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed_to_read)? {
            if body.len() + chunk.len() > self.max_response {
                return Err(self.too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    fn too_large(&self) -> ModelError {
        let message = format!("the response is longer than {} bytes", self.max_response);
        ModelError::new(ModelErrorKind::TooLarge, message).with_maybe_billed(true)
    }
}

impl Transport for ReqwestTransport {
    fn post<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, ModelError>> {
        Box::pin(self.exchange(call))
    }
}

fn platform_tls() -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    Ok(builder
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth())
}

/// Trusts nobody; given only because reqwest panics when it finds no TLS provider.
fn no_tls() -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    Ok(builder
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth())
}

fn needs_tokio() -> Result<(), ModelError> {
    match tokio::runtime::Handle::try_current() {
        Ok(_) => Ok(()),
        Err(_) => Err(config(
            "this model works inside a tokio runtime only; call it from one",
        )),
    }
}

fn config(message: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Config, message)
}

/// Only a failed connection is sure not to have brought the request to anybody.
fn failed_to_send(error: reqwest::Error) -> ModelError {
    let error = error.without_url();
    let (kind, message) = match () {
        () if error.is_connect() => (
            ModelErrorKind::Connect,
            "is the base URL right and the server up?",
        ),
        () if error.is_timeout() => (ModelErrorKind::Timeout, "no answer in time"),
        () if error.is_builder() => (ModelErrorKind::Config, "the request could not be built"),
        () => (
            ModelErrorKind::StreamCut,
            "the connection ended before an answer came",
        ),
    };
    let reached = matches!(kind, ModelErrorKind::Timeout | ModelErrorKind::StreamCut);
    ModelError::new(kind, message)
        .with_maybe_billed(reached)
        .with_source(error)
}

fn failed_to_read(error: reqwest::Error) -> ModelError {
    let error = error.without_url();
    let (kind, message) = if error.is_timeout() {
        (
            ModelErrorKind::Timeout,
            "the answer began and did not end in time",
        )
    } else {
        (
            ModelErrorKind::StreamCut,
            "the connection ended in the middle of the answer",
        )
    };
    ModelError::new(kind, message)
        .with_maybe_billed(true)
        .with_source(error)
}

fn headers(response: &Response) -> Headers {
    let readable = response
        .headers()
        .iter()
        .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
    readable.collect()
}
