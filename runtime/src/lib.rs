//! x
mod model;
pub mod testing;

#[cfg(feature = "_http")]
pub use model::RetryPolicy;
#[cfg(feature = "openai-compatible")]
pub use model::openai_compatible;
pub use model::{
    BoxFuture, Finish, FormatCapability, Model, ModelError, ModelErrorKind, ModelFn, Reply,
    Request, Usage, WireSchema, model_fn,
};
