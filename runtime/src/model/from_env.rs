//! A model by its name, with its key from where keys usually are.

#[cfg(feature = "anthropic")]
use super::anthropic;
#[cfg(feature = "gemini")]
use super::gemini;
#[cfg(feature = "ollama")]
use super::ollama;
#[cfg(feature = "openai")]
use super::openai;
#[cfg(feature = "openai-compatible")]
use super::openai_compatible::ChatCompletions;
#[cfg(feature = "xai")]
use super::xai;
use super::{
    Model, ModelError, Provider,
    api::{Api, HttpModelBuilder, config},
};

/// What the builder makes, where the feature is compiled in.
macro_rules! with_feature {
    ($feature:literal, $builder:expr) => {{
        #[cfg(feature = $feature)]
        let model = boxed($builder);
        #[cfg(not(feature = $feature))]
        let model = Err(without($feature));
        model
    }};
}

impl Provider {
    /// The model of this name, such as `openai/gpt-5.6`: the [provider](Self::as_str), a slash, and
    /// the provider's own name for the model, which may hold further slashes.
    ///
    /// The key comes from the provider's usual environment variable: `OPENAI_API_KEY`,
    /// `AZURE_OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GEMINI_API_KEY`, `XAI_API_KEY`,
    /// `DEEPSEEK_API_KEY`, `OPENROUTER_API_KEY`, `MISTRAL_API_KEY`, `GROQ_API_KEY`,
    /// `TOGETHER_API_KEY` or `FIREWORKS_API_KEY`; for `vertex` the project, location and token from
    /// `GOOGLE_CLOUD_PROJECT`, `GOOGLE_CLOUD_LOCATION` and `GOOGLE_OAUTH_ACCESS_TOKEN`. Azure's address comes from
    /// `AZURE_OPENAI_ENDPOINT`, such as `https://<resource>.openai.azure.com`. `ollama`,
    /// `llamacpp`, `lmstudio` and `vllm` are asked on this machine, without a key.
    ///
    /// `openai` and `xai` are asked over Responses, `ollama` over its own chat, and whoever has no
    /// wire of its own over Chat Completions. Each needs the feature of its adapter.
    ///
    /// A name without a provider, an unknown provider, a feature that is not compiled in and a
    /// variable that is not set are `Config` errors that say what to write.
    ///
    /// ```
    /// # #[cfg(feature = "ollama")] {
    /// use typed_extract::Provider;
    ///
    /// let model = Provider::from_env("ollama/qwen3:8b").unwrap();
    /// assert_eq!(model.id(), "qwen3:8b");
    ///
    /// let error = Provider::from_env("olama/qwen3:8b").err().unwrap();
    /// assert!(error.to_string().contains("ollama"), "{error}");
    /// # }
    /// ```
    #[allow(
        clippy::match_same_arms,
        reason = "where an adapter is not compiled in, its arms only say so"
    )]
    pub fn from_env(name: &str) -> Result<Box<dyn Model>, ModelError> {
        let (provider, model) = name
            .split_once('/')
            .ok_or_else(|| config("the name holds no provider; write it like openai/gpt-5.6"))?;
        let provider: Self = provider
            .parse()
            .map_err(|unknown| config(&format!("{unknown}")))?;
        match provider {
            Self::OpenAi => with_feature!(
                "openai",
                openai::Responses::builder(model).api_key_env(openai::VARIABLES.key)
            ),
            Self::XAi => with_feature!(
                "xai",
                xai::Responses::builder(model).api_key_env(xai::VARIABLES.key)
            ),
            Self::Ollama => with_feature!("ollama", ollama::Chat::builder(model)),
            Self::Anthropic => with_feature!(
                "anthropic",
                anthropic::Messages::builder(model).api_key_env("ANTHROPIC_API_KEY")
            ),
            Self::Gemini => with_feature!("gemini", gemini::keyed(model)?),
            Self::Vertex => with_feature!("gemini", gemini::on_vertex(model)?),
            Self::Azure => with_feature!("openai-compatible", azure(model)?),
            Self::DeepSeek
            | Self::OpenRouter
            | Self::Mistral
            | Self::Groq
            | Self::Together
            | Self::Fireworks
            | Self::LlamaCpp
            | Self::LmStudio
            | Self::Vllm => {
                with_feature!("openai-compatible", ChatCompletions::on(provider, model))
            }
        }
    }
}

/// The resource's own address, to which the path of the API is added.
#[cfg(feature = "openai-compatible")]
fn azure(model: &str) -> Result<super::openai_compatible::ChatCompletionsBuilder, ModelError> {
    use super::api::environment;

    const ENDPOINT: &str = "AZURE_OPENAI_ENDPOINT";
    let endpoint = environment::variable(ENDPOINT).ok_or_else(|| environment::missing(ENDPOINT))?;
    Ok(ChatCompletions::on(Provider::Azure, model).base_url(azure_base(&endpoint)))
}

/// Some set the address with the path already added.
#[cfg(feature = "openai-compatible")]
fn azure_base(endpoint: &str) -> String {
    const PATH: &str = "/openai/v1";
    let address = endpoint.trim().trim_end_matches('/');
    format!("{}{PATH}", address.strip_suffix(PATH).unwrap_or(address))
}

fn boxed<A: Api>(builder: HttpModelBuilder<A>) -> Result<Box<dyn Model>, ModelError> {
    Ok(Box::new(builder.build()?))
}

#[cfg(not(all(
    feature = "anthropic",
    feature = "gemini",
    feature = "ollama",
    feature = "openai",
    feature = "openai-compatible",
    feature = "xai"
)))]
fn without(feature: &str) -> ModelError {
    config(&format!(
        "this provider's adapter is not compiled in; add {feature:?} to the features of typed-extract"
    ))
}

#[cfg(all(test, feature = "openai-compatible"))]
mod tests {
    use super::*;

    #[test]
    fn an_azure_resource_is_found_however_its_address_ends() {
        for end in ["", "/", "/openai/v1", "/openai/v1/", "/\n"] {
            let base = azure_base(&format!("https://unit.openai.azure.com{end}"));
            assert_eq!(base, "https://unit.openai.azure.com/openai/v1", "{end:?}");
        }
    }
}
