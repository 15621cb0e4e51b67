//! Models for tests: no network, no chance, no key.

mod partial_reply;
mod script;

pub use self::partial_reply::PartialReply;
pub use self::script::{Script, Scripted};
