//! The transport over reqwest.

use std::{sync::Arc, time::Duration};

use reqwest::{Client, RequestBuilder, Response, header::HeaderValue, redirect};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;

use super::{Headers, HttpBody, HttpRequest, HttpResponse, Transport};
use crate::model::{BoxFuture, ModelError, ModelErrorKind};

/// What the client is built with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientOptions {
    pub(crate) connect_timeout: Duration,
    /// Without it no certificates are loaded, which a machine may lack, and no TLS is possible.
    pub(crate) tls: bool,
}

/// One pooled reqwest client.
pub(crate) struct ReqwestTransport(Client);

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
        Ok(Self::with_client(client))
    }

    pub(crate) fn with_client(client: Client) -> Self {
        Self(client)
    }

    async fn exchange(&self, request: &HttpRequest) -> Result<HttpResponse, ModelError> {
        needs_tokio()?;
        let response = self
            .prepare(request)?
            .send()
            .await
            .map_err(failed_to_send)?;
        let status = response.status().as_u16();
        Ok(HttpResponse::new(
            status,
            headers(&response),
            Body(response),
        ))
    }

    fn prepare(&self, request: &HttpRequest) -> Result<RequestBuilder, ModelError> {
        let mut prepared = self
            .0
            .post(request.url())
            .timeout(request.timeout())
            .body(request.body().to_vec());
        for (name, value) in request.headers() {
            let mut value = HeaderValue::try_from(value)
                .map_err(|_| config(&format!("the value of `{name}` cannot stand in a header")))?;
            value.set_sensitive(true);
            prepared = prepared.header(name, value);
        }
        Ok(prepared)
    }
}

impl Transport for ReqwestTransport {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        Box::pin(self.exchange(request))
    }
}

struct Body(Response);

impl HttpBody for Body {
    fn chunk(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ModelError>> {
        Box::pin(async {
            let chunk = self.0.chunk().await.map_err(failed_to_read)?;
            Ok(chunk.map(Vec::from))
        })
    }

    fn announced_length(&self) -> Option<u64> {
        self.0.content_length()
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
