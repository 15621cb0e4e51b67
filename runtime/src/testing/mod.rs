//! For tests: models without network, chance or key, and schemas that do not change unnoticed.

#[cfg(feature = "_http")]
mod cassette;
mod partial_reply;
mod schema_file;
mod script;

#[cfg(feature = "_http")]
pub use self::cassette::{Cassette, Scrubber};
pub use self::partial_reply::PartialReply;
pub use self::schema_file::assert_schema_unchanged;
pub use self::script::{Script, Scripted};
