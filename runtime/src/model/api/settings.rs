//! What goes into the body of every request of a model.

use std::fmt;

use serde_json::{Map, Value};

use super::Api;
use crate::model::{FormatCapability, Request};

/// What goes into the body of every request; made by a [builder](super::HttpModelBuilder).
pub struct Settings<A: Api> {
    pub(crate) model: String,
    pub(crate) max_output_tokens: Option<u32>,
    pub(crate) temperature: Option<f64>,
    pub(crate) system: Option<String>,
    pub(crate) extra: Map<String, Value>,
    pub(crate) options: A::Options,
}

impl<A: Api> Settings<A> {
    pub(crate) fn new(model: String, options: A::Options) -> Self {
        Self {
            model,
            max_output_tokens: None,
            temperature: None,
            system: None,
            extra: Map::new(),
            options,
        }
    }

    /// The model's name at the provider.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Which format the provider is asked for.
    pub fn capability(&self) -> FormatCapability {
        A::capability(self)
    }

    /// The cap on an answer in tokens: the request's, else the model's own.
    pub(crate) fn cap(&self, request: &Request) -> Option<u32> {
        request.max_output_tokens().or(self.max_output_tokens)
    }
}

impl<A: Api> Clone for Settings<A> {
    fn clone(&self) -> Self {
        Self {
            model: self.model.clone(),
            max_output_tokens: self.max_output_tokens,
            temperature: self.temperature,
            system: self.system.clone(),
            extra: self.extra.clone(),
            options: self.options.clone(),
        }
    }
}

impl<A: Api> fmt::Debug for Settings<A> {
    /// The system text may be as private as a prompt, and extra fields may hold anything.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("model", &self.model)
            .field("max_output_tokens", &self.max_output_tokens)
            .field("temperature", &self.temperature)
            .field("system_bytes", &self.system.as_ref().map(String::len))
            .field("extra", &self.extra.keys().collect::<Vec<_>>())
            .field("options", &self.options)
            .finish()
    }
}
