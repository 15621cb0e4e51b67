//! What a model replies.

use std::fmt;

/// How a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finish {
    /// The model ended by itself.
    Stop,
    /// The reply was cut off at its output limit.
    Truncated,
    /// The model declined, by a signal of the provider's.
    Refused {
        /// What it said, if anything.
        message: Option<String>,
    },
    /// A filter of the provider's ended or replaced the reply.
    Filtered {
        /// The provider's word for why.
        reason: Option<String>,
    },
    /// Anything else, in the provider's word. It is never taken for success.
    Unknown(String),
}

/// Tokens used, as the provider reports them. A missing count is unknown, not
/// zero.
///
/// ```
/// use typed_extract::Usage;
///
/// let usage = Usage::new(100, 25);
/// assert_eq!(usage.total_tokens(), Some(125));
/// assert_eq!(Usage::default().total_tokens(), None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    input: Option<u64>,
    output: Option<u64>,
    cached_input: Option<u64>,
    reasoning: Option<u64>,
}

impl Usage {
    /// Tokens read and written.
    pub fn new(input: u64, output: u64) -> Self {
        Self {
            input: Some(input),
            output: Some(output),
            ..Self::default()
        }
    }

    /// The same with counts that may be unknown.
    pub fn reported(input: Option<u64>, output: Option<u64>) -> Self {
        Self {
            input,
            output,
            ..Self::default()
        }
    }

    /// How many of the input tokens came from a cache.
    #[must_use]
    pub fn with_cached_input(mut self, tokens: u64) -> Self {
        self.cached_input = Some(tokens);
        self
    }

    /// How many of the output tokens were reasoning.
    #[must_use]
    pub fn with_reasoning(mut self, tokens: u64) -> Self {
        self.reasoning = Some(tokens);
        self
    }

    /// Tokens read, those from a cache included.
    pub fn input_tokens(&self) -> Option<u64> {
        self.input
    }

    /// Tokens written, reasoning included.
    pub fn output_tokens(&self) -> Option<u64> {
        self.output
    }

    /// How many of the input tokens came from a cache.
    pub fn cached_input_tokens(&self) -> Option<u64> {
        self.cached_input
    }

    /// How many of the output tokens were reasoning.
    pub fn reasoning_tokens(&self) -> Option<u64> {
        self.reasoning
    }

    /// Input and output together, where both are known.
    pub fn total_tokens(&self) -> Option<u64> {
        self.input?.checked_add(self.output?)
    }

    /// Adds up several; a count that one of them lacks is unknown in the sum.
    pub(crate) fn sum(all: impl Iterator<Item = Option<Self>>) -> Self {
        let add = |one: Option<u64>, other: Option<u64>| one?.checked_add(other?);
        let all = all.map(Option::unwrap_or_default);
        all.reduce(|sum, one| Self {
            input: add(sum.input, one.input),
            output: add(sum.output, one.output),
            cached_input: add(sum.cached_input, one.cached_input),
            reasoning: add(sum.reasoning, one.reasoning),
        })
        .unwrap_or_default()
    }
}

/// A whole reply. `Debug` shows the length of its text, not the text.
#[derive(Clone)]
pub struct Reply {
    text: String,
    finish: Finish,
    usage: Option<Usage>,
    request_id: Option<String>,
}

impl Reply {
    /// A reply that ended by itself.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            finish: Finish::Stop,
            usage: None,
            request_id: None,
        }
    }

    /// The same with another end.
    #[must_use]
    pub fn with_finish(mut self, finish: Finish) -> Self {
        self.finish = finish;
        self
    }

    /// The same with the tokens it used.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = Some(usage);
        self
    }

    /// The same with the provider's id of the request.
    #[must_use]
    pub fn with_request_id(mut self, id: impl Into<String>) -> Self {
        self.request_id = Some(id.into());
        self
    }

    /// The text of the answer; reasoning is not part of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How it ended.
    pub fn finish(&self) -> &Finish {
        &self.finish
    }

    /// The tokens it used, if reported.
    pub fn usage(&self) -> Option<&Usage> {
        self.usage.as_ref()
    }

    /// The provider's id of the request.
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }
}

impl From<&str> for Reply {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("text_bytes", &self.text.len())
            .field("finish", &self.finish)
            .field("usage", &self.usage)
            .field("request_id", &self.request_id)
            .finish()
    }
}
