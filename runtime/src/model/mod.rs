//! Asking a language model: one trait, our words for question and answer, and the adapters.
//!
//! Nothing here knows what a right answer is. A [`Model`] takes a [`Request`] and gives back the
//! [`Reply`] as the provider sent it, with how it [finished](FinishReason); whether the text is any good
//! is for others to say.

#[cfg(feature = "anthropic")]
pub mod anthropic;
#[cfg(feature = "_http")]
mod api;
mod delta;
mod dialect;
mod error;
#[cfg(feature = "_http")]
mod from_env;
mod function;
#[cfg(feature = "gemini")]
pub mod gemini;
#[cfg(feature = "_http")]
pub mod http;
#[cfg(feature = "ollama")]
pub mod ollama;
#[cfg(feature = "openai")]
pub mod openai;
#[cfg(feature = "openai-compatible")]
pub mod openai_compatible;
mod provider;
mod reply;
mod request;
#[cfg(any(feature = "openai", feature = "xai"))]
mod responses;
#[cfg(feature = "_http")]
mod retry;
mod usage;
#[cfg(feature = "xai")]
pub mod xai;

use std::{fmt, pin::Pin, sync::Arc};

#[cfg(feature = "_http")]
pub use self::http::RetryPolicy;
pub use self::{
    delta::Delta,
    dialect::SchemaDialect,
    error::{ModelError, ModelErrorKind},
    function::{ModelFn, model_fn},
    provider::{Provider, UnknownProvider},
    reply::{FinishReason, Reply},
    request::{Request, ResponseSchema},
    usage::Usage,
};

/// A boxed future that may move between threads, as [`Model::generate`] returns it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// How much of the wanted shape a model's interface enforces by itself.
///
/// It decides what goes over the wire and what the prompt has to say in words; replies are checked
/// against the whole schema whatever it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FormatCapability {
    /// The interface takes a JSON Schema.
    JsonSchema,
    /// The interface can be told to answer with some JSON object, not with which.
    JsonObject,
    /// The interface knows text only.
    Text,
}

impl FormatCapability {
    /// The earlier name of [`Text`](Self::Text).
    #[deprecated(note = "named `Text`")]
    #[allow(non_upper_case_globals)] // It stands in for a variant.
    pub const None: Self = Self::Text;
}

/// Something that answers a prompt.
///
/// Object safe, so `&dyn Model` and `Arc<dyn Model>` are models too. A client that an application
/// already has becomes one through [`model_fn`]; implementing the trait is for what needs more:
///
/// ```
/// use typed_extract::model::{BoxFuture, FormatCapability};
/// use typed_extract::{Model, ModelError, Reply, Request};
///
/// struct Echo;
///
/// impl Model for Echo {
///     fn id(&self) -> &str {
///         "echo"
///     }
///     fn capability(&self) -> FormatCapability {
///         FormatCapability::Text
///     }
///     fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
///         Box::pin(async move { Ok(Reply::new(request.prompt())) })
///     }
/// }
///
/// let model: Box<dyn Model> = Box::new(Echo);
/// assert_eq!(model.id(), "echo");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    note = "pass a reference to one (`&model`), or make one from your own client with `model_fn`"
)]
pub trait Model: Send + Sync {
    /// The name under which records keep this model, such as `gpt-5.6`.
    fn id(&self) -> &str;

    /// How much of the shape the interface enforces by itself.
    fn capability(&self) -> FormatCapability;

    /// The dialect of JSON Schema that its wire takes; it counts where the capability is
    /// [`FormatCapability::JsonSchema`].
    fn dialect(&self) -> SchemaDialect {
        SchemaDialect::Full
    }

    /// The longest answer, in tokens, that the model is set up to give where a
    /// [request](Request::max_output_tokens) does not say. A budget reserves no more than this for
    /// an answer; `None` for a model that sets no limit, or whose limit is not known.
    ///
    /// ```
    /// use typed_extract::model::{BoxFuture, FormatCapability};
    /// use typed_extract::{Model, ModelError, Reply, Request};
    ///
    /// struct Short;
    ///
    /// impl Model for Short {
    ///     fn id(&self) -> &str {
    ///         "short"
    ///     }
    ///     fn capability(&self) -> FormatCapability {
    ///         FormatCapability::Text
    ///     }
    ///     fn max_output_tokens(&self) -> Option<u32> {
    ///         Some(256)
    ///     }
    ///     fn generate<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
    ///         Box::pin(async move { Ok(Reply::new("{}")) })
    ///     }
    /// }
    ///
    /// assert_eq!(Short.max_output_tokens(), Some(256));
    /// assert_eq!((&Short as &dyn Model).max_output_tokens(), Some(256));
    /// ```
    fn max_output_tokens(&self) -> Option<u32> {
        None
    }

    /// Sends one request and gives back what came, once.
    ///
    /// An implementation keeps to [`Request::deadline`], retries of its own included, and reports
    /// in the reply's [`FinishReason`] whether the model ended by itself. An error means that there is
    /// no reply to judge.
    fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>>;

    /// Sends one request as [`generate`](Self::generate) does, and hands the text on as it arrives.
    ///
    /// The reply is the same as without streaming and carries the whole text; the texts handed on
    /// since the last [`Delta::Restart`] are that text in pieces. A model that cannot stream needs
    /// no implementation: the provided one hands the whole text on at the end.
    ///
    /// ```
    /// use typed_extract::model::Delta;
    /// use typed_extract::{Model, Request};
    /// use typed_extract::testing::Script;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let model = Script::new([r#"{"count":2}"#]);
    /// let mut text = String::new();
    /// let mut deltas = |delta: Delta<'_>| match delta {
    ///     Delta::Text(piece) => text.push_str(piece),
    ///     _ => text.clear(),
    /// };
    /// let reply = model.stream(&Request::new("How many?"), &mut deltas).await.unwrap();
    /// assert_eq!(reply.text(), text);
    /// # }
    /// ```
    fn stream<'a>(
        &'a self,
        request: &'a Request,
        deltas: &'a mut (dyn FnMut(Delta<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let reply = self.generate(request).await?;
            deltas(Delta::Text(reply.text()));
            Ok(reply)
        })
    }
}

macro_rules! model_behind_a_pointer {
    ($($pointer:ty),*) => {$(
        impl<M: Model + ?Sized> Model for $pointer {
            fn id(&self) -> &str {
                (**self).id()
            }

            fn capability(&self) -> FormatCapability {
                (**self).capability()
            }

            fn dialect(&self) -> SchemaDialect {
                (**self).dialect()
            }

            fn max_output_tokens(&self) -> Option<u32> {
                (**self).max_output_tokens()
            }

            fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
                (**self).generate(request)
            }

            fn stream<'a>(
                &'a self,
                request: &'a Request,
                deltas: &'a mut (dyn FnMut(Delta<'_>) + Send),
            ) -> BoxFuture<'a, Result<Reply, ModelError>> {
                (**self).stream(request, deltas)
            }
        }
    )*};
}
model_behind_a_pointer!(&M, Box<M>, Arc<M>);

/// Its id: what else it holds, a key for instance, is its own.
impl fmt::Debug for dyn Model + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Model").field(&self.id()).finish()
    }
}

/// Does not compile if [`Model`] stops being object safe.
const _: Option<&dyn Model> = None;
