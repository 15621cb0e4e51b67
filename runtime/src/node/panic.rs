//! Panics of the caller's own functions, turned into failures.
//!
//! A reply was paid for before it is judged, so a panic in a rule, a check, a conversion or a
//! verification must not take its record along. It says nothing about the reply: what it gives is a
//! failure that no repair can mend. Where panics abort the process they cannot be caught.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use crate::failure::{Failure, FailureCode, Layer};
use crate::path::FieldPath;
use crate::shown::line;

/// How much of a panic's message is shown, in characters.
const SHOWN: usize = 200;

/// What `run` gives, or the message of its panic.
///
/// What it had changed is only pushed to, and is looked at no more than to be reported.
pub(crate) fn caught<R>(run: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| message(&*payload))
}

/// The same for a future, whose panic may come whenever it is polled.
pub(crate) async fn caught_later<R>(run: impl Future<Output = R>) -> Result<R, String> {
    let mut run = pin!(run);
    std::future::poll_fn(|cx| match caught(|| run.as_mut().poll(cx)) {
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(message) => Poll::Ready(Err(message)),
    })
    .await
}

/// The failure of a rule, a check or a verification that panicked.
pub(crate) fn in_rule(name: String, message: &str) -> Failure {
    failure(Layer::Rule, "rule.panicked", message).with_rule(name)
}

/// The failure of a type whose own code panicked while a reply was bound to it.
pub(crate) fn in_binding(message: &str) -> Failure {
    failure(Layer::Bind, "bind.panicked", message)
}

fn failure(layer: Layer, code: &'static str, message: &str) -> Failure {
    Failure::new(
        layer,
        FailureCode::new(code),
        FieldPath::root(),
        format!("it panicked: {message}"),
    )
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("without a message");
    line(text, SHOWN)
}
