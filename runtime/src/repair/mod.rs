//! The repair loop: one screen of it in [`run`], what it decides by elsewhere.

mod budget;
mod documents;
mod drift;
mod feed;
mod message;
mod party;
mod prompt;
mod record;
mod run;
mod trace;
pub(crate) mod verify;

pub use budget::Budget;
pub use prompt::Prompts;
pub use record::{Attempt, PassedOver, Record};

pub(crate) use feed::{Feed, Notice, Watch, feed};
pub(crate) use message::{Example, Message, schema_text};
pub(crate) use party::Party;
pub(crate) use record::Origin;
pub(crate) use run::Run;
