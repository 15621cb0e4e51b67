//! What a model answered, in our words.

use std::{fmt, sync::Arc};

use super::Usage;
use crate::shown::line;

/// How much of a provider's word is shown, and kept by the adapters, in characters.
const WORD_CHARS: usize = 200;

/// One answer as the provider gave it: the text, and what is known about it.
///
/// `Debug` prints the text's length and never the text. A `&str` or a `String` turns into a reply
/// that [stopped](FinishReason::Stop) by itself.
///
/// ```
/// use typed_extract::model::FinishReason;
/// use typed_extract::{Reply, Usage};
///
/// let reply = Reply::new(r#"{"count":"#).with_finish(FinishReason::Truncated).with_usage(Usage::new(90, 16));
/// assert_eq!(reply.text(), r#"{"count":"#);
/// assert_eq!(reply.finish(), &FinishReason::Truncated);
/// assert_eq!(reply.usage().unwrap().total_tokens(), Some(106));
/// assert!(!format!("{reply:?}").contains("count"));
/// ```
#[derive(Clone, PartialEq)]
pub struct Reply {
    text: Arc<str>,
    finish: FinishReason,
    usage: Option<Usage>,
    request_id: Option<Arc<str>>,
    model: Option<Arc<str>>,
    /// Whether the text is empty and the model's reasoning is not.
    only_reasoned: bool,
}

impl Reply {
    /// A reply with this text that stopped by itself, and nothing else known.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self {
            text: text.into(),
            finish: FinishReason::Stop,
            usage: None,
            request_id: None,
            model: None,
            only_reasoned: false,
        }
    }

    /// Notes whether the host told any reasoning beside the text.
    #[cfg(feature = "_http")]
    pub(crate) fn with_reasoning(mut self, told: bool) -> Self {
        self.only_reasoned = told && self.text.trim().is_empty();
        self
    }

    /// Whether the text is empty and the model's reasoning is not.
    pub(crate) fn only_reasoned(&self) -> bool {
        self.only_reasoned
    }

    /// Sets why the model stopped.
    #[must_use]
    pub fn with_finish(mut self, finish: FinishReason) -> Self {
        self.finish = finish;
        self
    }

    /// Sets what the call cost.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = Some(usage);
        self
    }

    /// Sets the provider's name for the exchange, by which its support finds it.
    #[must_use]
    pub fn with_request_id(mut self, id: impl Into<Arc<str>>) -> Self {
        self.request_id = Some(id.into());
        self
    }

    /// Sets the model that answered, as the provider names it.
    #[must_use]
    pub fn with_model(mut self, model: impl Into<Arc<str>>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// The same without its text, and with another finish.
    pub(crate) fn without_text(&self, finish: FinishReason) -> Self {
        Self {
            text: Arc::default(),
            finish,
            ..self.clone()
        }
    }

    /// The same with every word beside the text on one line of bounded length.
    #[cfg(feature = "_http")]
    pub(crate) fn in_short_words(self) -> Self {
        self.map_words(shown)
    }

    /// Rewrites every word beside the text that came from outside.
    #[cfg(feature = "_http")]
    pub(crate) fn map_words(mut self, rewrite: impl Fn(&str) -> String) -> Self {
        let inner = |word: Arc<str>| Arc::from(rewrite(&word));
        self.request_id = self.request_id.map(inner);
        self.model = self.model.map(inner);
        self.finish = match self.finish {
            FinishReason::Unknown(word) => FinishReason::Unknown(rewrite(&word)),
            FinishReason::Refused { message } => FinishReason::Refused {
                message: message.map(|said| rewrite(&said)),
            },
            FinishReason::Filtered { reason } => FinishReason::Filtered {
                reason: reason.map(|said| rewrite(&said)),
            },
            known => known,
        };
        self
    }

    /// The text of the answer; what there was of it, if the model did not finish.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why the model stopped.
    pub fn finish(&self) -> &FinishReason {
        &self.finish
    }

    /// What the call cost, if the provider said.
    pub fn usage(&self) -> Option<&Usage> {
        self.usage.as_ref()
    }

    /// The provider's name for the exchange.
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }

    /// The model that answered, which may be a dated version of the one asked for.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("text_bytes", &self.text.len())
            .field("finish", &shown(self.finish.as_str()))
            .field("usage", &self.usage)
            .field("request_id", &self.request_id().map(shown))
            .field("model", &self.model().map(shown))
            .field("only_reasoned", &self.only_reasoned)
            .finish()
    }
}

fn shown(word: &str) -> String {
    line(word, WORD_CHARS)
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

/// Why a model stopped writing.
///
/// Only [`Stop`](FinishReason::Stop) says that the answer is whole. A text that happens to parse proves
/// nothing: a cut list is still a list. `Debug` prints the length of what a model said in refusing,
/// and never its words.
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FinishReason {
    /// The model ended by itself.
    Stop,
    /// It ran into a limit: the output cap, the context window, or a loop that the server cut.
    Truncated,
    /// It declined to answer.
    Refused {
        /// What it said instead, if it said something.
        message: Option<String>,
    },
    /// The provider's filter stopped the prompt or the answer.
    Filtered {
        /// The categories or the message that the provider gave, if any.
        reason: Option<String>,
    },
    /// It stopped for a reason that is none of these, in the provider's own word; `tool_calls` for
    /// a tool call in place of an answer. Never a success, since such lists grow.
    Unknown(String),
}

impl fmt::Debug for FinishReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stop => f.write_str("Stop"),
            Self::Truncated => f.write_str("Truncated"),
            Self::Refused { message } => f
                .debug_struct("Refused")
                .field("message_bytes", &message.as_ref().map(String::len))
                .finish(),
            Self::Filtered { reason } => f
                .debug_struct("Filtered")
                .field("reason", &reason.as_deref().map(shown))
                .finish(),
            Self::Unknown(word) => f.debug_tuple("Unknown").field(&shown(word)).finish(),
        }
    }
}

impl FinishReason {
    /// One word: `stop`, `truncated`, `refused`, `filtered`, or the provider's own.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Stop => "stop",
            Self::Truncated => "truncated",
            Self::Refused { .. } => "refused",
            Self::Filtered { .. } => "filtered",
            Self::Unknown(word) => word,
        }
    }
}
