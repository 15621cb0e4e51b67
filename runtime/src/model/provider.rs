//! Who serves models, by name.

use std::{error, fmt, str::FromStr};

use super::dialect::SchemaDialect;

/// A service or server that answers prompts.
///
/// ```
/// use typed_extract::Provider;
///
/// let provider: Provider = "anthropic".parse()?;
/// assert_eq!(provider, Provider::Anthropic);
/// assert!("antropic".parse::<Provider>().is_err());
/// # Ok::<(), typed_extract::model::UnknownProvider>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Provider {
    /// `OpenAI`, `openai`.
    OpenAi,
    /// Azure `OpenAI`, `azure`.
    Azure,
    /// Anthropic, `anthropic`.
    Anthropic,
    /// The Gemini API, `gemini`.
    Gemini,
    /// Gemini on Vertex AI, `vertex`.
    Vertex,
    /// xAI, `xai`.
    XAi,
    /// `DeepSeek`, `deepseek`.
    DeepSeek,
    /// `OpenRouter`, `openrouter`.
    OpenRouter,
    /// Mistral, `mistral`.
    Mistral,
    /// Groq, `groq`.
    Groq,
    /// Together, `together`.
    Together,
    /// Fireworks, `fireworks`.
    Fireworks,
    /// Ollama, `ollama`.
    Ollama,
    /// The server of llama.cpp, `llamacpp`.
    LlamaCpp,
    /// LM Studio, `lmstudio`.
    LmStudio,
    /// vLLM, `vllm`.
    Vllm,
}

impl Provider {
    /// All of them, in the order of their declaration.
    pub const ALL: &'static [Self] = &[
        Self::OpenAi,
        Self::Azure,
        Self::Anthropic,
        Self::Gemini,
        Self::Vertex,
        Self::XAi,
        Self::DeepSeek,
        Self::OpenRouter,
        Self::Mistral,
        Self::Groq,
        Self::Together,
        Self::Fireworks,
        Self::Ollama,
        Self::LlamaCpp,
        Self::LmStudio,
        Self::Vllm,
    ];

    /// Its name in lower case, without spaces or punctuation.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Azure => "azure",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Vertex => "vertex",
            Self::XAi => "xai",
            Self::DeepSeek => "deepseek",
            Self::OpenRouter => "openrouter",
            Self::Mistral => "mistral",
            Self::Groq => "groq",
            Self::Together => "together",
            Self::Fireworks => "fireworks",
            Self::Ollama => "ollama",
            Self::LlamaCpp => "llamacpp",
            Self::LmStudio => "lmstudio",
            Self::Vllm => "vllm",
        }
    }

    /// The dialect of JSON Schema that its newest interface takes.
    ///
    /// What stands behind `OpenRouter`, Together and Fireworks differs from model to model, so they
    /// get the strictest common form. `DeepSeek` takes no schema at all: nothing is rewritten for
    /// it.
    pub const fn dialect(self) -> SchemaDialect {
        match self {
            Self::OpenAi | Self::OpenRouter | Self::Together | Self::Fireworks => {
                SchemaDialect::OpenAiStrict
            }
            Self::Azure => SchemaDialect::Azure,
            Self::Anthropic => SchemaDialect::Anthropic,
            Self::Gemini | Self::Vertex => SchemaDialect::GeminiJsonSchema,
            Self::XAi => SchemaDialect::XAi,
            Self::DeepSeek => SchemaDialect::Full,
            Self::Mistral => SchemaDialect::Llguidance,
            Self::Groq => SchemaDialect::Groq,
            Self::Ollama | Self::LlamaCpp | Self::LmStudio => SchemaDialect::LlamaCpp,
            Self::Vllm => SchemaDialect::Xgrammar,
        }
    }
}

impl From<Provider> for SchemaDialect {
    fn from(provider: Provider) -> Self {
        provider.dialect()
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        let mut all = Self::ALL.iter().copied();
        all.find(|provider| provider.as_str() == name)
            .ok_or_else(|| UnknownProvider(name.to_owned()))
    }
}

/// A name that is no [`Provider`]'s; it says which names are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownProvider(String);

impl fmt::Display for UnknownProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Provider::ALL.iter().map(|one| one.as_str()).collect();
        let (name, names) = (&self.0, names.join(", "));
        write!(f, "{name:?} is no provider; write one of {names}")
    }
}

impl error::Error for UnknownProvider {}
