//! Anthropic's Messages.

mod decode;
mod encode;
mod sending;

use typed_extract::anthropic::{Messages, MessagesBuilder};

fn builder() -> MessagesBuilder {
    Messages::builder("claude-sonnet-5")
}
