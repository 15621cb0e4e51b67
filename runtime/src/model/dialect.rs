//! The dialects of JSON Schema that wires take.

use std::fmt;

/// A dialect of JSON Schema, as a provider takes it in one mode.
///
/// A type has one schema; [`wire_schema`](crate::wire_schema()) makes of it what a wire carries. Replies are
/// checked against the whole schema whatever the dialect.
///
/// ```
/// use typed_extract::model::SchemaDialect;
/// use typed_extract::Provider;
///
/// assert_eq!(SchemaDialect::from(Provider::OpenAi), SchemaDialect::OpenAiStrict);
/// assert_eq!(SchemaDialect::Xgrammar.to_string(), "xgrammar");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SchemaDialect {
    /// Takes every keyword: the schema goes out as it is.
    Full,
    /// `OpenAI` with `strict` on.
    OpenAiStrict,
    /// Azure `OpenAI` with `strict` on, as its own documents say.
    Azure,
    /// Anthropic's structured outputs.
    Anthropic,
    /// xAI's structured outputs.
    XAi,
    /// Gemini's `responseJsonSchema`.
    GeminiJsonSchema,
    /// Gemini's older `responseSchema`, in the spelling of `OpenAPI`.
    GeminiOpenApi,
    /// Groq with `strict` on.
    Groq,
    /// The grammars of llama.cpp, Ollama and LM Studio.
    LlamaCpp,
    /// vLLM with xgrammar.
    Xgrammar,
    /// Servers on llguidance, Mistral among them.
    Llguidance,
}

impl SchemaDialect {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::Llguidance as usize + 1;

    /// The dialect with this word.
    pub(crate) fn named(word: &str) -> Option<Self> {
        const ALL: [SchemaDialect; SchemaDialect::COUNT] = [
            SchemaDialect::Full,
            SchemaDialect::OpenAiStrict,
            SchemaDialect::Azure,
            SchemaDialect::Anthropic,
            SchemaDialect::XAi,
            SchemaDialect::GeminiJsonSchema,
            SchemaDialect::GeminiOpenApi,
            SchemaDialect::Groq,
            SchemaDialect::LlamaCpp,
            SchemaDialect::Xgrammar,
            SchemaDialect::Llguidance,
        ];
        ALL.into_iter().find(|dialect| dialect.as_str() == word)
    }

    /// The stable word for this dialect, such as `openai-strict`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::OpenAiStrict => "openai-strict",
            Self::Azure => "azure",
            Self::Anthropic => "anthropic",
            Self::XAi => "xai",
            Self::GeminiJsonSchema => "gemini-json-schema",
            Self::GeminiOpenApi => "gemini-openapi",
            Self::Groq => "groq",
            Self::LlamaCpp => "llama-cpp",
            Self::Xgrammar => "xgrammar",
            Self::Llguidance => "llguidance",
        }
    }
}

impl fmt::Display for SchemaDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
