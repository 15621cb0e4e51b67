//! A model from the client that an application already has.

use std::fmt;

use super::{BoxFuture, FormatCapability, Model, ModelError, Reply, Request};

/// Makes a model from an async function.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), typed_extract::Error> {
/// use serde::Deserialize;
/// use typed_extract::{Extract, FormatCapability, Reply, Request, extract, model_fn};
///
/// #[derive(Deserialize, Extract)]
/// struct Greeting {
///     name: String,
/// }
///
/// let model = model_fn("my-client", FormatCapability::None, |request: Request| async move {
///     assert!(request.prompt().contains("Hello, Ida!"));
///     Ok(Reply::new(r#"{"name": "Ida"}"#))
/// });
/// let greeting = extract::<Greeting>().model(&model).document("Hello, Ida!").await?;
/// assert_eq!(greeting.name, "Ida");
/// # Ok(())
/// # }
/// ```
pub fn model_fn<F, R>(id: impl Into<String>, capability: FormatCapability, ask: F) -> ModelFn<F>
where
    F: Fn(Request) -> R + Send + Sync,
    R: Future<Output = Result<Reply, ModelError>> + Send,
{
    ModelFn {
        id: id.into(),
        capability,
        ask,
    }
}

/// A model made by [`model_fn`].
#[derive(Clone)]
pub struct ModelFn<F> {
    id: String,
    capability: FormatCapability,
    ask: F,
}

impl<F, R> Model for ModelFn<F>
where
    F: Fn(Request) -> R + Send + Sync,
    R: Future<Output = Result<Reply, ModelError>> + Send,
{
    fn id(&self) -> &str {
        &self.id
    }

    fn capability(&self) -> FormatCapability {
        self.capability
    }

    fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move { (self.ask)(request.clone()).await })
    }
}

impl<F> fmt::Debug for ModelFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelFn")
            .field("id", &self.id)
            .field("capability", &self.capability)
            .finish_non_exhaustive()
    }
}
