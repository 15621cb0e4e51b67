//! The repair loop: one screen of it in [`run`], what it decides by elsewhere.

mod budget;
mod documents;
mod feed;
mod guard;
mod message;
mod party;
mod patch;
mod prompt;
mod record;
mod run;
mod stop;
mod strategy;
mod trace;
pub(crate) mod verify;
mod within;

pub use budget::{Budget, InvalidMoney, Money, Price, Prices, SharedBudget, Spent};
pub use prompt::Prompts;
pub use record::{Attempt, PassedOver, Patch, Record};
pub use strategy::Repair;

pub(crate) use feed::{Feed, Notice, Watch, feed};
pub(crate) use message::{Example, Message, schema_text};
pub(crate) use party::Party;
pub(crate) use record::{Held, Origin, sha256};
pub(crate) use run::Run;
