//! The settings that only Ollama has.

use super::{BASE_URL, ChatBuilder, OllamaChat};
use crate::model::{
    FormatCapability, ModelError,
    api::{HttpModel, HttpModelBuilder, config},
};

/// Settings beyond those of every model.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Options {
    pub(super) capability: FormatCapability,
    pub(super) context_tokens: Option<u32>,
    pub(super) seed: Option<i64>,
}

impl Options {
    pub(super) fn check(&self) -> Result<(), ModelError> {
        if self.context_tokens == Some(0) {
            return Err(config(
                "a context of 0 tokens holds no prompt; raise it or leave it out",
            ));
        }
        Ok(())
    }
}

/// Ollama's own chat.
impl HttpModel<OllamaChat> {
    /// Begins with the name of a model that the server has; the server is the one on this machine
    /// unless [another](ChatBuilder::base_url) is given. Neither needs a key.
    pub fn builder(model: impl Into<String>) -> ChatBuilder {
        let options = Options {
            capability: FormatCapability::JsonSchema,
            context_tokens: None,
            seed: None,
        };
        Self::begin(BASE_URL.to_owned(), model.into(), options)
    }
}

/// The settings that only Ollama has.
impl HttpModelBuilder<OllamaChat> {
    /// The size of the context in tokens, for prompt and answer together; the server's own, often
    /// 4096, unless set.
    ///
    /// Prompts that do not fit are an error
    /// ([`ContextExceeded`](crate::model::ModelErrorKind::ContextExceeded)): each request forbids the
    /// server to leave out a part of the prompt, which it does unasked. Servers from before late
    /// 2025 do not know that word and shorten in silence, so that there this size has to be large
    /// enough.
    pub fn context_tokens(mut self, tokens: u32) -> Self {
        self.settings.options.context_tokens = Some(tokens);
        self
    }

    /// The sampling seed.
    pub fn seed(mut self, seed: i64) -> Self {
        self.settings.options.seed = Some(seed);
        self
    }

    /// Which `format` is sent; [`FormatCapability::JsonSchema`] unless set.
    pub fn capability(mut self, capability: FormatCapability) -> Self {
        self.settings.options.capability = capability;
        self
    }
}
