//! The settings that only Chat Completions has.

use super::{
    Chat, ChatCompletionsBuilder,
    hosts::{self, Host},
};
use crate::model::{
    FormatCapability, ModelError, Provider, SchemaDialect,
    api::{HttpModel, HttpModelBuilder, Variables, config, environment::variable},
};

/// Settings beyond those of every model.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Options {
    pub(super) capability: FormatCapability,
    pub(super) strict: bool,
    pub(super) token_cap_field: Option<TokenCapField>,
    pub(super) seed: Option<i64>,
    /// Who was named, or is known by the address.
    provider: Option<Provider>,
    pub(super) host: Host,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            capability: hosts::USUAL.capability,
            strict: true,
            token_cap_field: None,
            seed: None,
            provider: None,
            host: hosts::USUAL,
        }
    }
}

impl Options {
    /// The habits of a provider, if it speaks this wire; [`settle`](Self::settle) refuses others.
    fn on(provider: Provider, model: &str) -> Self {
        let host = hosts::host(provider);
        // With an address, since a wrong one would be complained of first; it is never asked.
        let known = host.unwrap_or(hosts::at(hosts::OPENAI));
        Self {
            provider: Some(provider),
            capability: known.capability,
            strict: (known.strict)(model),
            token_cap_field: host.map(|host| host.token_cap_field),
            seed: None,
            host: known,
        }
    }

    /// What the address tells, where nothing was said, and what the provider cannot do.
    pub(super) fn settle(&mut self, base: &str) -> Result<(), ModelError> {
        if let Some(provider) = self.provider {
            self.check(provider)?;
        }
        self.provider = self.provider.or_else(|| hosts::known(base));
        self.token_cap_field
            .get_or_insert_with(|| hosts::usual_cap_field(self.provider));
        Ok(())
    }

    fn check(&self, provider: Provider) -> Result<(), ModelError> {
        if hosts::host(provider).is_none() {
            return Err(config(&format!(
                "{provider} does not speak Chat Completions; use the adapter of its own"
            )));
        }
        if self.seed.is_some() && self.host.seed_field.is_none() {
            return Err(config(&format!(
                "{provider} is not known to take a seed; leave `.seed` out"
            )));
        }
        Ok(())
    }

    /// Only a strict mode refuses what its dialect does not know; what nothing is known of gets
    /// the schema as it is.
    pub(super) fn dialect(&self) -> SchemaDialect {
        let dialect = self.provider.map_or(SchemaDialect::Full, Provider::dialect);
        match dialect {
            SchemaDialect::OpenAiStrict | SchemaDialect::Azure | SchemaDialect::Groq
                if !self.strict =>
            {
                SchemaDialect::Full
            }
            dialect => dialect,
        }
    }
}

/// Under which name a host takes the cap on the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenCapField {
    /// `max_completion_tokens`: OpenAI, Azure, xAI, Groq, vLLM.
    MaxCompletionTokens,
    /// `max_tokens`: DeepSeek, OpenRouter, Mistral, Together, Fireworks and local servers. OpenAI's
    /// reasoning models refuse it.
    #[default]
    MaxTokens,
}

impl TokenCapField {
    /// The name of the field.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MaxCompletionTokens => "max_completion_tokens",
            Self::MaxTokens => "max_tokens",
        }
    }
}

impl HttpModel<Chat> {
    /// Begins with the base URL, the part before `/chat/completions`, and the model's name there.
    pub fn builder(
        base_url: impl Into<String>,
        model: impl Into<String>,
    ) -> ChatCompletionsBuilder {
        Self::begin(base_url.into(), model.into(), Options::default())
    }

    /// Begins with a provider whose habits are known: its address, the environment variable that
    /// holds its key, and the names it gives to things. Everything can be set to something else.
    ///
    /// The variable is read when the model is built, unless a [key](ChatCompletionsBuilder::api_key)
    /// is given; servers on this machine have none. Azure needs its
    /// [base URL](ChatCompletionsBuilder::base_url), `https://<resource>.openai.azure.com/openai/v1`,
    /// and the deployment's name as model. `OpenRouter` is told to pick only hosts that keep to the
    /// schema, and Fireworks to refuse a prompt that does not fit, unless the extra fields `provider`
    /// and `context_length_exceeded_behavior` say otherwise. Anthropic, Gemini and Vertex speak
    /// other wires: building such a model is a `Config` error. Groq does not stream an answer in a
    /// format, so that there a stream's text comes at once. Ollama takes the size of the context
    /// over its own chat only, the adapter of the feature `ollama`.
    ///
    /// ```
    /// use typed_extract::model::FormatCapability;
    /// use typed_extract::{Model, Provider};
    /// use typed_extract::model::openai_compatible::ChatCompletions;
    ///
    /// let model = ChatCompletions::on(Provider::DeepSeek, "deepseek-chat").api_key("sk-1").build()?;
    /// assert_eq!(model.capability(), FormatCapability::JsonObject, "it takes no schema");
    ///
    /// let azure = ChatCompletions::on(Provider::Azure, "my-deployment").api_key("1f").build();
    /// assert!(azure.unwrap_err().to_string().contains("openai.azure.com/openai/v1"));
    /// # Ok::<(), typed_extract::ModelError>(())
    /// ```
    pub fn on(provider: Provider, model: impl Into<String>) -> ChatCompletionsBuilder {
        let model = model.into();
        let options = Options::on(provider, &model);
        let host = options.host;
        let builder = Self::begin(host.base.to_owned(), model, options);
        match host.key_variable {
            Some(variable) => builder.api_key_env(variable),
            None => builder,
        }
    }

    /// Takes all from the environment: `OPENAI_MODEL`, `OPENAI_API_KEY`, and `OPENAI_BASE_URL`,
    /// which is OpenAI's own unless set. A server under another base URL may need no key.
    ///
    /// A variable that is missing is a `Config` error that names it.
    pub fn from_env() -> Result<Self, ModelError> {
        from_variables(variable)?.build()
    }
}

impl HttpModelBuilder<Chat> {
    /// Which `response_format` the host takes; [`FormatCapability::JsonSchema`] unless set or
    /// known better.
    pub fn capability(mut self, capability: FormatCapability) -> Self {
        self.settings.options.capability = capability;
        self
    }

    /// Whether the host is told to enforce the schema strictly; on unless set. OpenAI refuses a
    /// schema that its strict mode does not know, local servers ignore the word. On Groq it is on
    /// for the models that have it.
    pub fn strict(mut self, strict: bool) -> Self {
        self.settings.options.strict = strict;
        self
    }

    /// Under which name the cap is sent. Unless set, `max_completion_tokens` goes to
    /// `api.openai.com` and Azure, and `max_tokens` to all others.
    pub fn token_cap_field(mut self, field: TokenCapField) -> Self {
        self.settings.options.token_cap_field = Some(field);
        self
    }

    /// The sampling seed, where the host knows one; a `Config` error where a
    /// [provider](super::ChatCompletions::on) is not known to take one.
    pub fn seed(mut self, seed: i64) -> Self {
        self.settings.options.seed = Some(seed);
        self
    }
}

fn from_variables(
    read: impl Fn(&str) -> Option<String>,
) -> Result<ChatCompletionsBuilder, ModelError> {
    let variables = Variables {
        model: "OPENAI_MODEL",
        key: "OPENAI_API_KEY",
        base_url: Some("OPENAI_BASE_URL"),
    };
    variables.begin(hosts::OPENAI, Options::default(), read)
}

#[cfg(test)]
mod tests {
    use super::{super::ChatCompletions, *};
    use crate::model::{Model, api::environment::given};

    fn build(variables: &[(&str, &str)]) -> Result<ChatCompletions, ModelError> {
        from_variables(given(variables))?.build()
    }

    #[test]
    fn a_missing_variable_is_named() {
        for (variables, name) in [
            (vec![], "OPENAI_MODEL"),
            (vec![("OPENAI_MODEL", "m")], "OPENAI_API_KEY"),
        ] {
            let error = build(&variables).unwrap_err();
            assert_eq!(error.kind(), crate::model::ModelErrorKind::Config);
            assert!(error.to_string().contains(name), "{error}");
        }
    }

    #[test]
    fn another_base_url_needs_no_key() {
        let model = build(&[
            ("OPENAI_MODEL", "m"),
            ("OPENAI_BASE_URL", "http://localhost:1234/v1/"),
        ])
        .unwrap();
        assert_eq!(model.id(), "m");
        assert!(format!("{model:?}").contains("\"http://localhost:1234/v1\""));
    }
}
