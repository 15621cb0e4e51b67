//! Turn a document into a domain struct an application can trust.

mod checks;
mod error;
mod extract;
mod extract_trait;
mod failure;
mod flow;
mod model;
mod node;
mod path;
mod repair;
mod rule;
mod schema;
pub mod testing;

#[doc(hidden)]
pub mod __private;

pub use error::{Error, ErrorKind};
pub use extract::{Extracted, Extractor, Target, extract, extract_value, json_schema, validate};
pub use extract_trait::Extract;
pub use failure::{Code, Failure, Failures, Layer};
pub use flow::{Normalization, Normalize};
#[cfg(feature = "_http")]
pub use model::RetryPolicy;
#[cfg(feature = "openai-compatible")]
pub use model::openai_compatible;
pub use model::{
    BoxFuture, Finish, FormatCapability, Model, ModelError, ModelErrorKind, ModelFn, Reply,
    Request, Usage, WireSchema, model_fn,
};
pub use path::{Path, Segment};
pub use repair::{Attempt, Budget, Prompts, Record};
pub use rule::{Outcome, Rule, RuleError, RuleKind, Violation};
pub use typed_extract_macros::{Extract, rules};
