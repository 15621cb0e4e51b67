//! The settings that only Messages has.

use super::{Anthropic, Messages, MessagesBuilder};
use crate::model::{
    FormatCapability, ModelError,
    api::{
        HttpModel, HttpModelBuilder, config,
        environment::{missing, variable},
    },
};

pub(super) const ANTHROPIC: &str = "https://api.anthropic.com/v1";
/// The version that all models take, those with a sampling temperature included.
const VERSION: &str = "2023-06-01";

/// Settings beyond those of every model.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Options {
    pub(super) capability: FormatCapability,
    pub(super) effort: Option<String>,
    pub(super) version: String,
    pub(super) bearer: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            capability: FormatCapability::JsonSchema,
            effort: None,
            version: VERSION.to_owned(),
            bearer: false,
        }
    }
}

impl Options {
    pub(super) fn check(&self) -> Result<(), ModelError> {
        if self.capability == FormatCapability::JsonObject {
            return Err(config(
                "Messages has no mode for some JSON object; write `JsonSchema`, or `None` for text",
            ));
        }
        let graphic = self.version.bytes().all(|byte| byte.is_ascii_graphic());
        if self.version.is_empty() || !graphic {
            return Err(config(
                "the version is not one; write a date like 2023-06-01, or leave it out",
            ));
        }
        Ok(())
    }
}

impl HttpModel<Anthropic> {
    /// Begins with the model's name, at `https://api.anthropic.com/v1`. Answers are capped at
    /// [`DEFAULT_MAX_TOKENS`](super::DEFAULT_MAX_TOKENS) unless a cap is set.
    pub fn builder(model: impl Into<String>) -> MessagesBuilder {
        Self::begin(ANTHROPIC.to_owned(), model.into(), Options::default())
    }

    /// Takes all from the environment: `ANTHROPIC_MODEL`, `ANTHROPIC_API_KEY`, and
    /// `ANTHROPIC_BASE_URL`, which is Anthropic's own unless set, and which may leave its `/v1` out
    /// as Anthropic's own clients do. A server under another base URL may need no key.
    ///
    /// A variable that is missing is a `Config` error that names it.
    pub fn from_env() -> Result<Self, ModelError> {
        from_variables(variable)?.build()
    }
}

impl HttpModelBuilder<Anthropic> {
    /// [`FormatCapability::JsonSchema`] unless set; with [`FormatCapability::Text`] the schema
    /// stays off the wire. There is no mode for some JSON object.
    pub fn capability(mut self, capability: FormatCapability) -> Self {
        self.settings.options.capability = capability;
        self
    }

    /// How hard the model thinks, in Anthropic's word: `low`, `medium`, `high`, `max`. Left to the
    /// model unless set.
    pub fn effort(mut self, effort: impl Into<String>) -> Self {
        self.settings.options.effort = Some(effort.into());
        self
    }

    /// The `anthropic-version` header; `2023-06-01` unless set. Later versions refuse a
    /// [temperature](Self::temperature).
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.settings.options.version = version.into();
        self
    }

    /// Sends the key as `Authorization: Bearer`, as gateways and OAuth tokens need it, in place of
    /// `x-api-key`; off unless set.
    pub fn bearer(mut self, bearer: bool) -> Self {
        self.settings.options.bearer = bearer;
        self
    }
}

fn from_variables(read: impl Fn(&str) -> Option<String>) -> Result<MessagesBuilder, ModelError> {
    let model = read("ANTHROPIC_MODEL").ok_or_else(|| missing("ANTHROPIC_MODEL"))?;
    let url = read("ANTHROPIC_BASE_URL");
    let key = read("ANTHROPIC_API_KEY");
    if url.is_none() && key.is_none() {
        return Err(missing("ANTHROPIC_API_KEY"));
    }
    let mut builder = Messages::builder(model);
    if let Some(url) = url {
        builder = builder.base_url(with_version(&url));
    }
    Ok(match key {
        Some(key) => builder.api_key(key),
        None => builder,
    })
}

/// Anthropic's own clients add `/v1` themselves, so the variable is usually set without it.
fn with_version(url: &str) -> String {
    let url = url.trim().trim_end_matches('/');
    if url.ends_with("/v1") {
        url.to_owned()
    } else {
        format!("{url}/v1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, api::environment::given};

    fn build(variables: &[(&str, &str)]) -> Result<Messages, ModelError> {
        from_variables(given(variables))?.build()
    }

    #[test]
    fn a_missing_variable_is_named() {
        for (variables, name) in [
            (vec![], "ANTHROPIC_MODEL"),
            (vec![("ANTHROPIC_MODEL", "m")], "ANTHROPIC_API_KEY"),
        ] {
            let error = build(&variables).unwrap_err();
            assert_eq!(error.kind(), crate::model::ModelErrorKind::Config);
            assert!(error.to_string().contains(name), "{error}");
        }
    }

    #[test]
    fn the_base_url_may_leave_the_version_out() {
        let base = |url| {
            let model = build(&[("ANTHROPIC_MODEL", "m"), ("ANTHROPIC_BASE_URL", url)]).unwrap();
            assert_eq!(model.id(), "m");
            format!("{model:?}")
        };
        for url in ["http://localhost:1", "http://localhost:1/v1/"] {
            assert!(base(url).contains("\"http://localhost:1/v1\""), "{url}");
        }
    }
}
