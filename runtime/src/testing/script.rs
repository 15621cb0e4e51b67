//! A model that answers from a list.

use std::{
    collections::VecDeque,
    fmt,
    future::poll_fn,
    sync::{Mutex, MutexGuard, PoisonError},
    task::Poll,
};

use crate::model::{
    BoxFuture, Delta, FinishReason, FormatCapability, Model, ModelError, ModelErrorKind, Reply,
    Request, SchemaDialect,
};

/// A model that gives the items of a list, one a call, and keeps the requests it got.
///
/// An item is a text, a [`Reply`] or a [`ModelError`]; where they differ in type, each is turned
/// `into()` a [`Scripted`]. A call after the last item is an error that says so.
///
/// ```
/// use typed_extract::model::ModelErrorKind;
/// use typed_extract::{Model, ModelError, Request};
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

    fn next(&self, request: &Request) -> Scripted {
        let mut state = self.state();
        state.requests.push(request.clone());
        let calls = state.requests.len();
        state
            .left
            .pop_front()
            .unwrap_or_else(|| used_up(calls).into())
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
        Box::pin(async move { self.next(request).answer })
    }

    fn stream<'a>(
        &'a self,
        request: &'a Request,
        deltas: &'a mut (dyn FnMut(Delta<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let Scripted { pieces, answer } = self.next(request);
            for piece in pieces {
                deltas(piece.as_deref().map_or(Delta::Restart, Delta::Text));
                pause().await;
            }
            answer
        })
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

/// Gives way once, so that whoever reads the stream sees what came.
async fn pause() {
    let mut paused = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut paused, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// One item of a [`Script`]: a reply, or the error in its place.
///
/// Where the script is streamed, a reply that was given whole arrives in one piece; one made by
/// [`streamed`](Self::streamed) arrives in its pieces, each at a poll of its own.
#[derive(Clone)]
pub struct Scripted {
    /// The pieces that arrive, with nothing where the text begins anew.
    pieces: Vec<Option<String>>,
    answer: Result<Reply, ModelError>,
}

impl Scripted {
    /// A reply whose text arrives in pieces and that stops by itself.
    ///
    /// ```
    /// use typed_extract::testing::{Script, Scripted};
    /// use typed_extract::model::Delta;
    /// use typed_extract::{Model, Request};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let lost = Scripted::streamed([r#"{"cou"#]);
    /// let model = Script::new([lost.restarted([r#"{"count""#, ":2}"])]);
    ///
    /// let mut seen = Vec::new();
    /// let mut deltas = |delta: Delta<'_>| match delta {
    ///     Delta::Text(piece) => seen.push(piece.to_owned()),
    ///     _ => seen.clear(),
    /// };
    /// let reply = model.stream(&Request::new("How many?"), &mut deltas).await.unwrap();
    /// assert_eq!(seen, [r#"{"count""#, ":2}"]);
    /// assert_eq!(reply.text(), r#"{"count":2}"#);
    /// # }
    /// ```
    pub fn streamed<I>(pieces: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let pieces: Vec<String> = pieces.into_iter().map(Into::into).collect();
        Self {
            answer: Ok(Reply::new(pieces.concat())),
            pieces: pieces.into_iter().map(Some).collect(),
        }
    }

    /// The same, then void: the text begins anew and arrives in these pieces.
    #[must_use]
    pub fn restarted<I>(self, pieces: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let again = Self::streamed(pieces);
        let void = self.pieces.into_iter().chain([None]);
        Self {
            pieces: void.chain(again.pieces).collect(),
            answer: again.answer,
        }
    }

    /// The same with another reason for its end; an error stays one.
    #[must_use]
    pub fn with_finish(self, finish: FinishReason) -> Self {
        Self {
            answer: self.answer.map(|reply| reply.with_finish(finish)),
            ..self
        }
    }

    /// The same with an error after the pieces, and no reply.
    #[must_use]
    pub fn with_error(self, error: ModelError) -> Self {
        Self {
            answer: Err(error),
            ..self
        }
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted")
            .field("pieces", &self.pieces.len())
            .field("answer", &self.answer)
            .finish()
    }
}

impl From<&str> for Scripted {
    fn from(text: &str) -> Self {
        Reply::from(text).into()
    }
}

impl From<String> for Scripted {
    fn from(text: String) -> Self {
        Reply::from(text).into()
    }
}

impl From<Reply> for Scripted {
    fn from(reply: Reply) -> Self {
        Ok(reply).into()
    }
}

impl From<ModelError> for Scripted {
    fn from(error: ModelError) -> Self {
        Err(error).into()
    }
}

impl From<Result<Reply, ModelError>> for Scripted {
    fn from(answer: Result<Reply, ModelError>) -> Self {
        let whole = answer.as_ref().map(|reply| Some(reply.text().to_owned()));
        Self {
            pieces: whole.into_iter().collect(),
            answer,
        }
    }
}
