//! A model made from an async closure.

use std::{fmt, marker::PhantomData};

use super::{BoxFuture, FormatCapability, Model, ModelError, Reply, Request};

/// Makes a [`Model`] from a function that sends a request, so that the client an application
/// already has can be used as it is.
///
/// The closure gets its own [`Request`] and returns a future that may move between threads:
///
/// ```
/// use typed_extract::model::FormatCapability;
/// use typed_extract::{Model, ModelError, Reply, Request, model_fn};
///
/// # #[derive(Clone)]
/// # struct Client;
/// # impl Client {
/// #     async fn complete(&self, prompt: &str) -> std::io::Result<String> { Ok(prompt.to_uppercase()) }
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let client = Client; // the application's own; clients are cheap to clone
/// let model = model_fn("my-client", FormatCapability::Text, move |request: Request| {
///     let client = client.clone();
///     async move {
///         let text = client.complete(request.prompt()).await.map_err(ModelError::other)?;
///         Ok(Reply::new(text))
///     }
/// });
///
/// assert_eq!(model.id(), "my-client");
/// assert_eq!(model.generate(&Request::new("hi")).await.unwrap().text(), "HI");
/// # }
/// ```
///
/// What is only borrowed needs no clone, and an async closure does as well:
///
/// ```
/// # use typed_extract::model::FormatCapability;
/// # use typed_extract::{Model, Reply, Request, model_fn};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let greeting = String::from("hello");
/// let greeting = &greeting;
/// let model = model_fn("greeter", FormatCapability::Text, async move |_request| Ok(Reply::new(greeting.as_str())));
/// assert_eq!(model.generate(&Request::new("hi")).await.unwrap().text(), "hello");
/// # }
/// ```
pub fn model_fn<F, Fut>(
    id: impl Into<String>,
    capability: FormatCapability,
    call: F,
) -> ModelFn<F, Fut>
where
    F: Fn(Request) -> Fut + Send + Sync,
    Fut: Future<Output = Result<Reply, ModelError>> + Send,
{
    ModelFn {
        id: id.into(),
        capability,
        call,
        future: PhantomData,
    }
}

/// The model that [`model_fn`] makes.
#[derive(Clone)]
pub struct ModelFn<F, Fut> {
    id: String,
    capability: FormatCapability,
    call: F,
    future: PhantomData<fn() -> Fut>,
}

impl<F, Fut> Model for ModelFn<F, Fut>
where
    F: Fn(Request) -> Fut + Send + Sync,
    Fut: Future<Output = Result<Reply, ModelError>> + Send,
{
    fn id(&self) -> &str {
        &self.id
    }

    fn capability(&self) -> FormatCapability {
        self.capability
    }

    fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin((self.call)(request.clone()))
    }
}

impl<F, Fut> fmt::Debug for ModelFn<F, Fut> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelFn")
            .field("id", &self.id)
            .field("capability", &self.capability)
            .finish_non_exhaustive()
    }
}
