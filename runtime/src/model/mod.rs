//! Who is asked: the trait, what goes in, what comes out. It knows nothing of
//! checking.

mod error;
mod function;
mod reply;
mod request;

use std::pin::Pin;
use std::sync::Arc;

pub use error::{ModelError, ModelErrorKind};
pub use function::{ModelFn, model_fn};
pub use reply::{Finish, Reply, Usage};
pub use request::Request;

/// A future that can be sent between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a model's wire can enforce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FormatCapability {
    /// Replies match the JSON Schema that the request carries.
    JsonSchema,
    /// Replies are JSON objects of any shape.
    JsonObject,
    /// Replies are text.
    None,
}

/// A language model that can be asked.
///
/// The adapters are models, [`model_fn`] makes one from an async closure, and
/// so are references, boxes and [`Arc`]s of models.
pub trait Model: Send + Sync {
    /// The name under which records and traces list it.
    fn id(&self) -> &str;

    /// What its wire can enforce.
    fn capability(&self) -> FormatCapability;

    /// Sends a request and waits for the whole reply. Faults of the transport
    /// are retried in here, within [`Request::deadline`].
    ///
    /// # Errors
    ///
    /// A [`ModelError`] where no reply came. A refusal or a reply that was cut
    /// off is a reply: see [`Finish`].
    fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>>;
}

macro_rules! through {
    ($($pointer:ty),*) => {
        $(impl<M: Model + ?Sized> Model for $pointer {
            fn id(&self) -> &str {
                (**self).id()
            }

            fn capability(&self) -> FormatCapability {
                (**self).capability()
            }

            fn generate<'a>(
                &'a self,
                request: &'a Request,
            ) -> BoxFuture<'a, Result<Reply, ModelError>> {
                (**self).generate(request)
            }
        })*
    };
}

through!(&M, Box<M>, Arc<M>);

// A model is used behind a pointer; this line keeps the trait fit for that.
const _: Option<&dyn Model> = None;
