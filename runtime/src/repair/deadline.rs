//! Waiting, and no longer than the run may take.

use std::pin::pin;
use std::task::Poll;
use std::time::Instant;

use futures_timer::Delay;

use crate::model::{ModelError, ModelErrorKind};

/// An answer, if it comes before the deadline. One that was given up may be billed all the same.
pub(super) async fn with_deadline<A>(
    deadline: Option<Instant>,
    answer: impl Future<Output = Result<A, ModelError>>,
) -> Result<A, ModelError> {
    let Some(deadline) = deadline else {
        return answer.await;
    };
    let late = || {
        ModelError::new(
            ModelErrorKind::Deadline,
            "the deadline of the run has passed",
        )
    };
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(late());
    }
    let mut answer = pin!(answer);
    let mut timer = pin!(Delay::new(left));
    std::future::poll_fn(|cx| {
        if let Poll::Ready(reply) = answer.as_mut().poll(cx) {
            return Poll::Ready(reply);
        }
        timer
            .as_mut()
            .poll(cx)
            .map(|()| Err(late().with_maybe_billed(true)))
    })
    .await
}
