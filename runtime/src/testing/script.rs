//! A model that answers from a list.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::model::{
    BoxFuture, FormatCapability, Model, ModelError, ModelErrorKind, Reply, Request, SchemaDialect,
};

/// A model that gives the items of a list, one a call, and keeps the requests it got.
///
/// An item is a text, a [`Reply`] or a [`ModelError`]; where they differ in type, each is turned
/// `into()` a [`Scripted`]. A call after the last item is an error that says so.
///
/// ```
/// use typed_extract::{Model, ModelError, ModelErrorKind, Request};
/// use typed_extract::testing::{Script, Scripted};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let lost = ModelError::new(ModelErrorKind::Connect, "no route to host");
/// let model = Script::new([Scripted::from(lost), r#"{"count":2}"#.into()]);
///
/// let request = Request::new("How many?");
/// assert_eq!(model.generate(&request).await.unwrap_err().kind(), ModelErrorKind::Connect);
/// assert_eq!(model.generate(&request).await.unwrap().text(), r#"{"count":2}"#);
/// assert!(model.generate(&request).await.is_err(), "the list is used up");
/// assert_eq!(model.calls(), 3);
/// assert_eq!(model.requests()[0].prompt(), "How many?");
/// # }
/// ```
pub struct Script {
    capability: FormatCapability,
    dialect: SchemaDialect,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    left: VecDeque<Scripted>,
    requests: Vec<Request>,
}

impl Script {
    /// A model that will answer with these items, in order.
    pub fn new<I>(items: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<Scripted>,
    {
        let left = items.into_iter().map(Into::into).collect();
        Self {
            capability: FormatCapability::JsonSchema,
            dialect: SchemaDialect::Full,
            state: Mutex::new(State {
                left,
                requests: Vec::new(),
            }),
        }
    }

    /// Sets what the model claims to enforce; [`FormatCapability::JsonSchema`] unless set.
    #[must_use]
    pub fn with_capability(mut self, capability: FormatCapability) -> Self {
        self.capability = capability;
        self
    }

    /// Sets the dialect of the schemas it takes, or the provider whose dialect it is;
    /// [`SchemaDialect::Full`] unless set.
    #[must_use]
    pub fn with_dialect(mut self, dialect: impl Into<SchemaDialect>) -> Self {
        self.dialect = dialect.into();
        self
    }

    /// How often the model was asked, calls after the last item included.
    pub fn calls(&self) -> usize {
        self.state().requests.len()
    }

    /// Every request so far, in order.
    pub fn requests(&self) -> Vec<Request> {
        self.state().requests.clone()
    }

    fn answer(&self, request: &Request) -> Result<Reply, ModelError> {
        let mut state = self.state();
        state.requests.push(request.clone());
        let calls = state.requests.len();
        state
            .left
            .pop_front()
            .map_or_else(|| Err(used_up(calls)), |Scripted(item)| item)
    }

    /// A test that panicked while it held the lock has failed already; what it left is readable.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn used_up(calls: usize) -> ModelError {
    ModelError::new(
        ModelErrorKind::Other,
        format!("the script is used up: call {calls}, items {}", calls - 1),
    )
}

impl Model for Script {
    fn id(&self) -> &'static str {
        "script"
    }

    fn capability(&self) -> FormatCapability {
        self.capability
    }

    fn dialect(&self) -> SchemaDialect {
        self.dialect
    }

    fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move { self.answer(request) })
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        f.debug_struct("Script")
            .field("capability", &self.capability)
            .field("calls", &state.requests.len())
            .field("left", &state.left.len())
            .finish_non_exhaustive()
    }
}

/// One item of a [`Script`]: a reply, or the error in its place.
#[derive(Debug, Clone)]
pub struct Scripted(Result<Reply, ModelError>);

impl From<&str> for Scripted {
    fn from(text: &str) -> Self {
        Self(Ok(text.into()))
    }
}

impl From<String> for Scripted {
    fn from(text: String) -> Self {
        Self(Ok(text.into()))
    }
}

impl From<Reply> for Scripted {
    fn from(reply: Reply) -> Self {
        Self(Ok(reply))
    }
}

impl From<ModelError> for Scripted {
    fn from(error: ModelError) -> Self {
        Self(Err(error))
    }
}

impl From<Result<Reply, ModelError>> for Scripted {
    fn from(answer: Result<Reply, ModelError>) -> Self {
        Self(answer)
    }
}
