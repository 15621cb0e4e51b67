//! What the examples share: exchanges with a real model, recorded once and
//! replayed without one.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use typed_extract::{
    BoxFuture, FormatCapability, Model, ModelError, ModelErrorKind, Reply, Request, Usage,
};

/// A file of exchanges.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recording {
    /// The model that was asked.
    pub model: String,
    /// The server that ran it.
    pub server: String,
    /// What was sent and what came back, in order.
    pub exchanges: Vec<Exchange>,
}

/// One request and its reply, as the server reported them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Exchange {
    prompt: String,
    reply: String,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    milliseconds: u64,
}

impl Exchange {
    fn usage(&self) -> Usage {
        let unknown = Usage::default();
        let usage = self
            .input_tokens
            .map_or(unknown, |tokens| unknown.with_input(tokens));
        self.output_tokens
            .map_or(usage, |tokens| usage.with_output(tokens))
    }

    /// How long the real model took.
    pub fn latency(&self) -> Duration {
        Duration::from_millis(self.milliseconds)
    }
}

/// A model that answers from a recording, and only to the requests that were
/// recorded.
#[derive(Debug)]
pub struct Replay {
    recording: Recording,
    next: Mutex<usize>,
}

impl Replay {
    /// Reads a recording from its JSON text.
    ///
    /// # Errors
    ///
    /// Where the text is not a recording.
    pub fn new(json: &str) -> Result<Self, serde_json::Error> {
        Ok(Self {
            recording: serde_json::from_str(json)?,
            next: Mutex::new(0),
        })
    }

    /// What is replayed.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    fn answer(&self, request: &Request) -> Result<Reply, ModelError> {
        let mut next = self
            .next
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let exchange = self.recording.exchanges.get(*next).ok_or_else(|| {
            ModelError::new(ModelErrorKind::Other, "the recording has no more exchanges")
        })?;
        if exchange.prompt != request.prompt() {
            let message = "this is not the request that was recorded; record it anew with --record";
            return Err(ModelError::new(ModelErrorKind::Other, message));
        }
        *next += 1;
        Ok(Reply::new(exchange.reply.as_str()).with_usage(exchange.usage()))
    }
}

impl Model for Replay {
    fn id(&self) -> &str {
        &self.recording.model
    }

    fn capability(&self) -> FormatCapability {
        FormatCapability::None
    }

    fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(std::future::ready(self.answer(request)))
    }
}

/// A model that passes everything on to another one and keeps what it saw.
#[derive(Debug)]
pub struct Recorder<M> {
    model: M,
    server: String,
    exchanges: Mutex<Vec<Exchange>>,
}

impl<M: Model> Recorder<M> {
    /// Listens to what `model` is asked; `server` says what runs it.
    pub fn new(model: M, server: impl Into<String>) -> Self {
        Self {
            model,
            server: server.into(),
            exchanges: Mutex::default(),
        }
    }

    /// Writes the exchanges so far.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written.
    pub fn save(&self, file: &Path) -> std::io::Result<()> {
        let exchanges = self
            .exchanges
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let recording = Recording {
            model: self.model.id().to_owned(),
            server: self.server.clone(),
            exchanges: exchanges.clone(),
        };
        std::fs::write(file, serde_json::to_string_pretty(&recording)? + "\n")
    }
}

impl<M: Model> Model for Recorder<M> {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn capability(&self) -> FormatCapability {
        self.model.capability()
    }

    fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let begun = Instant::now();
            let reply = self.model.generate(request).await?;
            let usage = reply.usage().copied().unwrap_or_default();
            let exchange = Exchange {
                prompt: request.prompt().to_owned(),
                reply: reply.text().to_owned(),
                input_tokens: usage.input_tokens(),
                output_tokens: usage.output_tokens(),
                milliseconds: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            };
            self.exchanges
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .push(exchange);
            Ok(reply)
        })
    }
}
