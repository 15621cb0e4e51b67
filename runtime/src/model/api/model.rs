//! The model that every API makes.

use std::{fmt, marker::PhantomData, time::Duration};

use secrecy::{ExposeSecret, SecretString};

use super::{
    Api, HttpModelBuilder, Settings,
    stream::{Streamed, Whole},
};
use crate::model::{
    BoxFuture, Delta, FormatCapability, Model, ModelError, Reply, Request, SchemaDialect,
    http::{Call, HttpRequest, Reader, Sender, scrub},
};

/// A model behind an HTTP API; each adapter names its own.
///
/// Needs a tokio runtime to send, unless another [transport](HttpModelBuilder::transport) is
/// given. Cloning shares the connections.
pub struct HttpModel<A: Api> {
    /// Without the path, which depends on the request.
    pub(super) base: String,
    pub(super) key: Option<SecretString>,
    pub(super) settings: Settings<A>,
    pub(super) timeout: Duration,
    pub(super) sender: Sender,
}

impl<A: Api> HttpModel<A> {
    pub(crate) fn begin(
        base_url: String,
        model: String,
        options: A::Options,
    ) -> HttpModelBuilder<A> {
        HttpModelBuilder::new(base_url, Settings::new(model, options))
    }

    /// What goes into the body of every request.
    pub fn settings(&self) -> &Settings<A> {
        &self.settings
    }

    fn call(&self, request: &Request) -> Call {
        let path = A::path(&self.settings, request.is_streamed());
        let plain = |value: &str| SecretString::from(value.to_owned());
        let accept = if request.is_streamed() {
            "text/event-stream, application/x-ndjson, application/json"
        } else {
            "application/json"
        };
        let mut headers = vec![
            ("content-type", plain("application/json")),
            ("accept", plain(accept)),
        ];
        headers.extend(
            A::headers(&self.settings)
                .into_iter()
                .map(|(name, value)| (name, SecretString::from(value))),
        );
        if let Some(key) = &self.key {
            let (name, value) = A::key_header(&self.settings, key.expose_secret());
            headers.push((name, value.into()));
        }
        Call {
            request: HttpRequest {
                url: format!("{}{path}", self.base),
                headers,
                body: A::encode(&self.settings, request),
                timeout: self.timeout,
            },
            deadline: request.deadline(),
            billed_once: request.is_billed_once(),
        }
    }

    async fn send(&self, request: &Request, reader: &mut dyn Reader) -> Result<Reply, ModelError> {
        let answer = self.sender.send(self.call(request), reader).await;
        let key = self.key.as_ref().map(ExposeSecret::expose_secret);
        let system = self.settings.system.as_deref().unwrap_or_default();
        let sent = [request.prompt(), system];
        match answer {
            Ok(reply) => Ok(reply.map_words(|word| scrub(word, key, &[]))),
            Err(error) => Err(error.map_texts(|text| scrub(text, key, &sent))),
        }
    }
}

impl<A: Api> Model for HttpModel<A> {
    fn id(&self) -> &str {
        self.settings.model()
    }

    fn capability(&self) -> FormatCapability {
        self.settings.capability()
    }

    fn dialect(&self) -> SchemaDialect {
        A::dialect(&self.settings)
    }

    fn max_output_tokens(&self) -> Option<u32> {
        self.settings.max_output_tokens
    }

    fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move { self.send(request, &mut Whole::<A>(PhantomData)).await })
    }

    fn stream<'a>(
        &'a self,
        request: &'a Request,
        deltas: &'a mut (dyn FnMut(Delta<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let mut reader = Streamed::<A> {
                deltas,
                begun: false,
                api: PhantomData,
            };
            self.send(&request.clone().streamed(), &mut reader).await
        })
    }
}

impl<A: Api> Clone for HttpModel<A> {
    fn clone(&self) -> Self {
        Self {
            base: self.base.clone(),
            key: self.key.clone(),
            settings: self.settings.clone(),
            timeout: self.timeout,
            sender: self.sender.clone(),
        }
    }
}

impl<A: Api> fmt::Debug for HttpModel<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpModel")
            .field("base_url", &self.base)
            .field("key", &self.key)
            .field("settings", &self.settings)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
