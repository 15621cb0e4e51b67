//! Ends that look natural and are none.

use crate::model::Finish;

/// What is told of an answer that a host put among the model's thoughts.
const IN_REASONING: &str = "the answer landed in the reasoning field; turn reasoning off, or allow \
                            more output tokens";

/// What is told of a text that came after the end.
#[cfg(any(
    feature = "anthropic",
    feature = "gemini",
    feature = "openai-compatible"
))]
pub(crate) const TEXT_AFTER_END: &str = "text came after the end";

/// The end of an answer, where all that came are the model's thoughts: an empty
/// text is then no answer.
pub(crate) fn unless_in_reasoning(finish: Finish, text: &str, reasoned: bool) -> Finish {
    if finish == Finish::Stop && reasoned && text.trim().is_empty() {
        Finish::Unknown(IN_REASONING.to_owned())
    } else {
        finish
    }
}
