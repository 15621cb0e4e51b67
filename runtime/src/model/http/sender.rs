//! The loop around one call: send, read, wait, send again.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{Answer, Call, Transport};
use crate::model::{ModelError, ModelErrorKind, Reply, Usage, retry::RetryPolicy};

/// Sends calls over a transport and retries what a [`RetryPolicy`] says.
#[derive(Clone)]
pub(crate) struct Sender {
    transport: Arc<dyn Transport>,
    policy: RetryPolicy,
}

impl Sender {
    pub(crate) fn new(transport: Arc<dyn Transport>, policy: RetryPolicy) -> Self {
        Self { transport, policy }
    }

    /// Sends until `read` accepts an answer or the policy gives up. Known costs of failed tries
    /// are added to what comes back.
    pub(crate) async fn send(
        &self,
        mut call: Call,
        deadline: Option<Instant>,
        read: impl Fn(&Answer) -> Result<Reply, ModelError>,
    ) -> Result<Reply, ModelError> {
        let timeout = call.timeout;
        let mut spent = None;
        let mut retry = 0;
        loop {
            call.timeout = within(timeout, deadline).map_err(|error| error_plus(error, spent))?;
            let error = match self.once(&call, &read).await {
                Ok(reply) => return Ok(reply_plus(reply, spent)),
                Err(error) => in_time(error, deadline),
            };
            let Some(delay) = self.next_delay(retry, &error, deadline) else {
                return Err(error_plus(error, spent));
            };
            spent = plus(spent, error.usage());
            tracing::debug!(
                status = error.status(),
                delay_ms = delay.as_millis(),
                "sending the request again"
            );
            pause(delay).await;
            retry += 1;
        }
    }

    async fn once(
        &self,
        call: &Call,
        read: &impl Fn(&Answer) -> Result<Reply, ModelError>,
    ) -> Result<Reply, ModelError> {
        read(&self.transport.post(call).await?)
    }

    fn next_delay(
        &self,
        retry: u32,
        error: &ModelError,
        deadline: Option<Instant>,
    ) -> Option<Duration> {
        if !self.policy.applies_to(error) {
            return None;
        }
        let delay = self.policy.delay(retry, error.retry_after())?;
        left(deadline)
            .is_none_or(|left| delay < left)
            .then_some(delay)
    }
}

async fn pause(delay: Duration) {
    if !delay.is_zero() {
        futures_timer::Delay::new(delay).await;
    }
}

fn left(deadline: Option<Instant>) -> Option<Duration> {
    deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
}

/// The time one exchange may take, or an error if there is none.
fn within(timeout: Duration, deadline: Option<Instant>) -> Result<Duration, ModelError> {
    match left(deadline) {
        Some(Duration::ZERO) => Err(ModelError::new(
            ModelErrorKind::Deadline,
            "before the request was sent",
        )),
        left => Ok(left.map_or(timeout, |left| timeout.min(left))),
    }
}

/// A timeout that the deadline caused is told from one that the client's own limit caused.
fn in_time(error: ModelError, deadline: Option<Instant>) -> ModelError {
    let ran_out = error.kind() == ModelErrorKind::Timeout && error.maybe_billed();
    if ran_out && left(deadline) == Some(Duration::ZERO) {
        return ModelError::new(ModelErrorKind::Deadline, "while waiting for the answer")
            .with_maybe_billed(true);
    }
    error
}

fn plus(spent: Option<Usage>, usage: Option<&Usage>) -> Option<Usage> {
    match (spent, usage) {
        (Some(spent), Some(usage)) => Some(spent + *usage),
        (spent, usage) => spent.or(usage.copied()),
    }
}

/// A reply that does not tell its cost leaves the sum unknown, not at the cost of the failed tries.
fn reply_plus(reply: Reply, spent: Option<Usage>) -> Reply {
    let Some(spent) = spent else { return reply };
    let usage = reply.usage().copied().unwrap_or_default();
    reply.with_usage(spent + usage)
}

fn error_plus(error: ModelError, spent: Option<Usage>) -> ModelError {
    match plus(spent, error.usage()) {
        Some(usage) => error.with_usage(usage),
        None => error,
    }
}
