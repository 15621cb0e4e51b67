//! A model that answers from a list.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::model::{
    BoxFuture, FormatCapability, Model, ModelError, ModelErrorKind, Reply, Request,
};

/// A model that answers from a list and remembers what it was asked.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), typed_extract::Error> {
/// use serde::Deserialize;
/// use typed_extract::testing::Script;
/// use typed_extract::{Extract, extract};
///
/// #[derive(Deserialize, Extract)]
/// struct Age {
///     age: u8,
/// }
///
/// let model = Script::new([r#"{"age": "forty"}"#, r#"{"age": 40}"#]);
/// let ida = extract::<Age>().model(&model).document("Ida is 40").await?;
/// assert_eq!(ida.age, 40);
/// assert_eq!(model.calls(), 2);
/// assert!(model.requests()[1].prompt().contains("expected integer"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Script {
    capability: FormatCapability,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    replies: VecDeque<Scripted>,
    requests: Vec<Request>,
}

/// What a [`Script`] answers with: a reply, its text, or an error.
#[derive(Debug, Clone)]
pub struct Scripted(Result<Reply, ModelError>);

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

impl Script {
    /// Answers with these in turn; a request beyond the last is an error of
    /// kind [`ModelErrorKind::Other`].
    pub fn new<I>(replies: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<Scripted>,
    {
        let replies = replies.into_iter().map(Into::into).collect();
        Self {
            capability: FormatCapability::JsonSchema,
            state: Mutex::new(State {
                replies,
                requests: Vec::new(),
            }),
        }
    }

    /// Says that its wire can enforce this much; a schema where nothing is
    /// said.
    #[must_use]
    pub fn with_capability(mut self, capability: FormatCapability) -> Self {
        self.capability = capability;
        self
    }

    /// How often it was asked.
    pub fn calls(&self) -> usize {
        self.state().requests.len()
    }

    /// What it was asked, in order.
    pub fn requests(&self) -> Vec<Request> {
        self.state().requests.clone()
    }

    /// No panic happens under the lock, so it is never poisoned by us.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Model for Script {
    fn id(&self) -> &'static str {
        "script"
    }

    fn capability(&self) -> FormatCapability {
        self.capability
    }

    fn generate<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let mut state = self.state();
        state.requests.push(request.clone());
        let next = state.replies.pop_front().map(|scripted| scripted.0);
        let ended = || {
            let message = "the script has no more replies";
            Err(ModelError::new(ModelErrorKind::Other, message))
        };
        Box::pin(std::future::ready(next.unwrap_or_else(ended)))
    }
}
