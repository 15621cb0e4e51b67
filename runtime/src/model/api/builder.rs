//! Setting up a model, and refusing what cannot work.

use std::{fmt, net::IpAddr, sync::Arc, time::Duration};

use reqwest::Url;
use secrecy::SecretString;
use serde_json::{Map, Value};

use super::{Api, HttpModel, Settings, config, environment};
use crate::model::{
    ModelError,
    http::{ClientOptions, ReqwestTransport, RetryPolicy, Sender, Transport},
};

/// Settings of an [`HttpModel`]; what is wrong with them is said by [`build`](Self::build).
#[must_use = "call `.build()` to get the model"]
pub struct HttpModelBuilder<A: Api> {
    base_url: String,
    key: Key,
    pub(crate) settings: Settings<A>,
    timeout: Duration,
    connect_timeout: Duration,
    max_response: usize,
    retries: RetryPolicy,
    transport: Option<Arc<dyn Transport>>,
    allow_insecure: bool,
}

enum Key {
    None,
    Given(SecretString),
    Variable(String),
}

impl<A: Api> HttpModelBuilder<A> {
    pub(super) fn new(base_url: String, settings: Settings<A>) -> Self {
        Self {
            base_url,
            key: Key::None,
            settings,
            timeout: Duration::from_secs(300),
            connect_timeout: Duration::from_secs(10),
            max_response: 8 << 20,
            retries: RetryPolicy::default(),
            transport: None,
            allow_insecure: false,
        }
    }

    /// Another address than the provider's own, without the path of the endpoint: a proxy, a
    /// gateway, a test's server.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }

    /// The key, sent in a header and never printed.
    pub fn api_key(mut self, key: impl Into<SecretString>) -> Self {
        self.key = Key::Given(key.into());
        self
    }

    /// The environment variable that holds the key; read when the model is built.
    pub fn api_key_env(mut self, variable: impl Into<String>) -> Self {
        self.key = Key::Variable(variable.into());
        self
    }

    /// The cap on an answer in tokens, reasoning included, where a request sets none.
    pub fn max_output_tokens(mut self, tokens: u32) -> Self {
        self.settings.max_output_tokens = Some(tokens);
        self
    }

    /// The sampling temperature; left to the host unless set, since reasoning models refuse it.
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.settings.temperature = Some(temperature);
        self
    }

    /// A system text before the prompt; none unless set.
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.settings.system = Some(text.into());
        self
    }

    /// Further fields for the body, such as one for the reasoning effort.
    pub fn extra(mut self, fields: Map<String, Value>) -> Self {
        self.settings.extra = fields;
        self
    }

    /// The time for one exchange, connecting and reading included; 300 s unless set. The deadline
    /// of a request shortens it.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The time for connecting; 10 s unless set. Without effect on a [`client`](Self::client).
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// The largest response in bytes; 8 MiB unless set.
    pub fn max_response_bytes(mut self, bytes: usize) -> Self {
        self.max_response = bytes;
        self
    }

    /// What is retried, and when.
    pub fn retries(mut self, policy: RetryPolicy) -> Self {
        self.retries = policy;
        self
    }

    /// A client of the application's own, with its proxies, certificates and connections. It
    /// should not follow redirects, which could take prompts to another place.
    pub fn client(self, client: reqwest::Client) -> Self {
        self.transport(ReqwestTransport::with_client(client))
    }

    /// Another HTTP client than reqwest.
    pub fn transport(mut self, transport: impl Transport + 'static) -> Self {
        self.transport = Some(Arc::new(transport));
        self
    }

    /// Allows sending the key over plain HTTP to another machine; refused unless set.
    pub fn allow_insecure(mut self, allowed: bool) -> Self {
        self.allow_insecure = allowed;
        self
    }

    /// Makes the model, without asking the host anything.
    ///
    /// Every fault is a [`Config`](crate::model::ModelErrorKind::Config) error that says what to write: a base
    /// URL that is not HTTP, holds a password or a query, an empty model name, a key variable
    /// that is not set, a key over plain HTTP, an extra field that the adapter writes itself.
    pub fn build(self) -> Result<HttpModel<A>, ModelError> {
        let url = checked_base(&self.base_url, A::example_base(&self.settings))?;
        let base = url.as_str().trim_end_matches('/').to_owned();
        let mut settings = self.settings;
        check_settings(&settings)?;
        A::settle(&base, &mut settings)?;
        check_path(&base, &A::path(&settings, false))?;
        let key = self.key.read()?;
        if key.is_some() && !self.allow_insecure {
            check_secrecy(&url)?;
        }
        let transport = match self.transport {
            Some(transport) => transport,
            None => Arc::new(ReqwestTransport::new(&ClientOptions {
                connect_timeout: self.connect_timeout,
                tls: url.scheme() == "https",
            })?),
        };
        Ok(HttpModel {
            base,
            key,
            settings,
            timeout: self.timeout,
            sender: Sender {
                transport,
                policy: self.retries,
                max_response: self.max_response,
            },
        })
    }
}

impl<A: Api> fmt::Debug for HttpModelBuilder<A> {
    /// Without the base URL, which may hold a password as long as nobody has checked it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpModelBuilder")
            .field("settings", &self.settings)
            .field("timeout", &self.timeout)
            .field("connect_timeout", &self.connect_timeout)
            .field("max_response", &self.max_response)
            .field("retries", &self.retries)
            .finish_non_exhaustive()
    }
}

impl Key {
    fn read(self) -> Result<Option<SecretString>, ModelError> {
        use secrecy::ExposeSecret;

        let key = match self {
            Self::None => return Ok(None),
            Self::Given(key) => key,
            Self::Variable(name) => environment::variable(&name)
                .ok_or_else(|| environment::missing(&name))?
                .into(),
        };
        // Keys come out of files, with the line's end still on them.
        let trimmed = key.expose_secret().trim();
        if trimmed.is_empty() {
            return Err(config(
                "the API key is empty; leave `.api_key` out for a server that needs none",
            ));
        }
        if !trimmed.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(config(
                "the API key holds blanks or characters outside ASCII; give the key alone",
            ));
        }
        Ok(Some(trimmed.to_owned().into()))
    }
}

fn checked_base(text: &str, example: &str) -> Result<Url, ModelError> {
    let url = Url::parse(text.trim())
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        .ok_or_else(|| config(&format!("the base URL is not one; write it like {example}")))?;
    let complaint = if !url.username().is_empty() || url.password().is_some() {
        "the base URL holds a user or password; leave it out and use `.api_key`"
    } else if url.query().is_some() || url.fragment().is_some() {
        "the base URL holds a query or fragment; leave it out, keys belong in `.api_key`"
    } else {
        return Ok(url);
    };
    Err(config(complaint))
}

/// The whole address of the endpoint is easily taken for the base of it.
fn check_path(base: &str, path: &str) -> Result<(), ModelError> {
    if base.ends_with(path) {
        return Err(config(&format!(
            "the base URL ends in {path}; leave that off, it is added"
        )));
    }
    Ok(())
}

fn check_settings<A: Api>(settings: &Settings<A>) -> Result<(), ModelError> {
    if settings.model.trim().is_empty() {
        return Err(config(
            "the model name is empty; write the host's name for it, like gpt-5.6",
        ));
    }
    if settings
        .temperature
        .is_some_and(|temperature| !temperature.is_finite())
    {
        return Err(config(
            "the temperature is not a number; write one from 0 to 2, or leave it out",
        ));
    }
    if settings.max_output_tokens == Some(0) {
        return Err(config(
            "a cap of 0 output tokens leaves no room for an answer; raise it or leave it out",
        ));
    }
    match settings
        .extra
        .keys()
        .find(|key| A::OWN_FIELDS.contains(&key.as_str()))
    {
        Some(key) => Err(config(&format!(
            "the extra field `{key}` is the adapter's own; use the builder's method"
        ))),
        None => Ok(()),
    }
}

fn check_secrecy(base: &Url) -> Result<(), ModelError> {
    if base.scheme() == "https" || is_loopback(base.host_str().unwrap_or_default()) {
        return Ok(());
    }
    Err(config(
        "plain http to another machine would show the key to all between; write https, or `.allow_insecure(true)`",
    ))
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let named = bare == "localhost" || bare.ends_with(".localhost");
    named
        || bare
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}
