//! The repair loop: one screen of it in [`run`], what it decides by elsewhere.

mod candidate;
mod feed;
mod guard;
mod patch;
mod prompt;
mod run;
mod stop;
mod strategy;
mod trace;
pub(crate) mod verify;
mod within;

pub use prompt::Prompts;
pub use strategy::Repair;

pub(crate) use candidate::Candidate;
pub(crate) use feed::{Feed, Notice, Watch, feed};
pub(crate) use prompt::message::{Example, Message, schema_text};
pub(crate) use run::Run;
