//! Turn a document into a domain struct an application can trust.

mod checks;
mod extract_trait;
mod failure;
mod flow;
mod node;
mod path;
mod rule;

#[doc(hidden)]
pub mod __private;

pub use extract_trait::Extract;
pub use failure::{Code, Failure, Failures, Layer};
pub use path::{Path, Segment};
pub use rule::{Outcome, Rule, RuleError, RuleKind, Violation};
pub use typed_extract_macros::{Extract, rules};
