//! What goes over the wire and what is made of the answer, against files and real sockets.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unreadable_literal,
    reason = "a test that panics has failed, which is its purpose"
)]

use typed_extract_tests::server;

mod anthropic;
mod broken;
mod cassette;
mod decode;
mod echoed;
mod encode;
mod ended;
mod fixtures;
mod from_env;
mod gemini;
mod hostile;
mod hosts;
mod models;
mod ollama_chat;
mod openai_responses;
mod over_sockets;
mod real_server;
mod reasoning;
mod secrets;
mod sending;
mod setup;
mod streams;
mod xai_responses;
