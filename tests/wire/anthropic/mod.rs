//! Anthropic's Messages.

mod decode;
mod encode;
mod sending;

use typed_extract::model::anthropic::{Messages, MessagesBuilder};

fn builder() -> MessagesBuilder {
    Messages::builder("claude-sonnet-5")
}
