//! The repair loop: one screen of it in [`run`], what it decides by elsewhere.

mod attempt;
mod candidate;
mod deadline;
mod guard;
mod judge;
mod patch;
mod progress;
mod prompt;
mod run;
mod state;
mod stop;
mod strategy;
mod trace;
pub(crate) mod verify;

pub use prompt::Prompts;
pub use strategy::Repair;

pub(crate) use candidate::Candidate;
pub(crate) use progress::{Notice, ProgressReceiver, ProgressSender, progress};
pub(crate) use prompt::message::{Example, Message, schema_text};
pub(crate) use run::Run;
