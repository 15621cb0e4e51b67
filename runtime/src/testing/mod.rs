//! Models for tests: no network, no chance, no key.

mod script;

pub use self::script::{Script, Scripted};
