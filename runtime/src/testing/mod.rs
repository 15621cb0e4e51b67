//! Models for tests.

mod script;

pub use script::{Script, Scripted};
