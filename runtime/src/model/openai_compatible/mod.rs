//! Chat Completions: OpenAI, and every host and local server that speaks its wire.
//!
//! [`ChatCompletions`] is the model. What goes over the wire is made by [`encode`] and read by
//! [`decode`], two pure functions over bytes; the rest is sending.
//!
//! ```no_run
//! use typed_extract::openai_compatible::ChatCompletions;
//!
//! # fn main() -> Result<(), typed_extract::ModelError> {
//! let hosted = ChatCompletions::builder("https://api.openai.com/v1", "gpt-5.6")
//!     .api_key_env("OPENAI_API_KEY")
//!     .build()?;
//! let local = ChatCompletions::builder("http://127.0.0.1:8080/v1", "qwen").build()?;
//! # Ok(())
//! # }
//! ```

mod builder;
mod classify;
mod decode;
mod encode;
mod environment;
mod fault;
mod usage;

use std::{fmt, time::Duration};

use secrecy::{ExposeSecret, SecretString};

pub use self::{
    builder::ChatCompletionsBuilder,
    decode::decode,
    encode::{Settings, TokenCapField, encode},
};
pub use super::http::Headers;
use super::{
    BoxFuture, FormatCapability, Model, ModelError, Reply, Request, SchemaDialect,
    http::{Call, Sender, scrub},
};

/// A model behind a Chat Completions endpoint.
///
/// Needs a tokio runtime to send. Cloning shares the connections.
///
/// ```
/// use typed_extract::{FormatCapability, Model};
/// use typed_extract::openai_compatible::ChatCompletions;
///
/// let model = ChatCompletions::builder("http://localhost:11434/v1", "qwen3:8b")
///     .capability(FormatCapability::JsonObject)
///     .temperature(0.0)
///     .build()?;
/// assert_eq!(model.id(), "qwen3:8b");
/// # Ok::<(), typed_extract::ModelError>(())
/// ```
#[derive(Clone)]
pub struct ChatCompletions {
    url: String,
    key: Option<SecretString>,
    settings: Settings,
    timeout: Duration,
    sender: Sender,
}

impl ChatCompletions {
    /// Begins with the base URL, the part before `/chat/completions`, and the model's name there.
    pub fn builder(
        base_url: impl Into<String>,
        model: impl Into<String>,
    ) -> ChatCompletionsBuilder {
        ChatCompletionsBuilder::new(base_url.into(), model.into())
    }

    /// Takes all from the environment: `OPENAI_MODEL`, `OPENAI_API_KEY`, and `OPENAI_BASE_URL`,
    /// which is OpenAI's own unless set. A server under another base URL may need no key.
    ///
    /// A variable that is missing is a `Config` error that names it.
    pub fn from_env() -> Result<Self, ModelError> {
        environment::builder(environment::read)?.build()
    }

    /// What goes into the body of every request, for [`encode`].
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    async fn send(&self, request: &Request) -> Result<Reply, ModelError> {
        let call = Call {
            url: self.url.clone(),
            key: self.key.clone(),
            body: encode(&self.settings, request),
            timeout: self.timeout,
        };
        let read =
            |answer: &super::http::Answer| decode(answer.status, &answer.headers, &answer.body);
        let key = self.key.as_ref().map(ExposeSecret::expose_secret);
        let answer = self.sender.send(call, request.deadline(), read).await;
        answer.map_err(|error| error.map_texts(|text| scrub(text, key, request.prompt())))
    }
}

impl Model for ChatCompletions {
    fn id(&self) -> &str {
        self.settings.model()
    }

    fn capability(&self) -> FormatCapability {
        self.settings.capability()
    }

    fn dialect(&self) -> SchemaDialect {
        if self.settings.strict && is_openai(&self.url) {
            SchemaDialect::OpenAiStrict
        } else {
            SchemaDialect::Full
        }
    }

    fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(self.send(request))
    }
}

/// Whether a URL is of `OpenAI`'s own service or of its twin at Azure.
fn is_openai(url: &str) -> bool {
    let url = reqwest::Url::parse(url).ok();
    let host = url.as_ref().and_then(reqwest::Url::host_str);
    host.is_some_and(|host| host == "api.openai.com" || host.ends_with(".openai.azure.com"))
}

impl fmt::Debug for ChatCompletions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatCompletions")
            .field("url", &self.url)
            .field("key", &self.key)
            .field("settings", &self.settings)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
