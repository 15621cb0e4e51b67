//! The settings that only Responses has.

use super::Host;
use crate::model::{FormatCapability, api::HttpModelBuilder};

/// Settings beyond those of every model.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Options {
    pub(super) capability: FormatCapability,
    pub(super) strict: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            capability: FormatCapability::JsonSchema,
            strict: true,
        }
    }
}

/// The settings that only Responses has.
impl<H: Host> HttpModelBuilder<H> {
    /// Which `text.format` is sent; [`FormatCapability::JsonSchema`] unless set. With
    /// [`FormatCapability::JsonObject`] the prompt has to hold the word JSON, or the request is
    /// refused.
    pub fn capability(mut self, capability: FormatCapability) -> Self {
        self.settings.options.capability = capability;
        self
    }

    /// Whether the provider is told to enforce the schema strictly; on unless set. Without it
    /// `OpenAI` takes a schema as a hint; xAI enforces it either way.
    pub fn strict(mut self, strict: bool) -> Self {
        self.settings.options.strict = strict;
        self
    }
}
