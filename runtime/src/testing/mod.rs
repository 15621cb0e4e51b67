//! Models for tests: no network, no chance, no key.

#[cfg(feature = "_http")]
mod cassette;
mod partial_reply;
mod script;

#[cfg(feature = "_http")]
pub use self::cassette::{Cassette, Scrubber};
pub use self::partial_reply::PartialReply;
pub use self::script::{Script, Scripted};
