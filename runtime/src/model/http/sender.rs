//! The loop around one call: send, read, wait, send again.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{Headers, HttpRequest, HttpResponse, Transport};
use crate::model::{BoxFuture, ModelError, ModelErrorKind, Reply, Usage, retry::RetryPolicy};

/// Sends calls over a transport and retries what a [`RetryPolicy`] says.
#[derive(Clone)]
pub(crate) struct Sender {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) policy: RetryPolicy,
    /// In bytes, for one response.
    pub(crate) max_response: usize,
}

/// One request, and when its answer is too late.
pub(crate) struct Call {
    pub(crate) request: HttpRequest,
    pub(crate) deadline: Option<Instant>,
    /// Not sent again once it may have been billed, whatever the policy allows.
    pub(crate) billed_once: bool,
}

/// Makes a reply of a response.
pub(crate) trait Reader: Send {
    fn read(
        &mut self,
        response: HttpResponse,
        max_response: usize,
    ) -> BoxFuture<'_, Result<Reply, ModelError>>;

    /// The request is sent again; what was read so far is void.
    fn restart(&mut self) {}
}

impl Sender {
    /// Sends until the reader accepts a response or the policy gives up. Known costs of failed
    /// tries are added to what comes back.
    pub(crate) async fn send(
        &self,
        call: Call,
        reader: &mut dyn Reader,
    ) -> Result<Reply, ModelError> {
        let Call {
            mut request,
            deadline,
            billed_once,
        } = call;
        let policy = if billed_once {
            self.policy.resend_maybe_billed(false)
        } else {
            self.policy
        };
        let timeout = request.timeout;
        let mut spent = None;
        let mut retry = 0;
        loop {
            request.timeout =
                within(timeout, deadline).map_err(|error| error_plus(error, spent))?;
            let error = match self.once(&request, reader).await {
                Ok(reply) => return Ok(reply_plus(reply, spent)),
                Err(error) => in_time(error, deadline),
            };
            let Some(delay) = next_delay(policy, retry, &error, deadline) else {
                return Err(error_plus(error, spent));
            };
            spent = plus(spent, error.usage());
            tracing::debug!(
                status = error.status(),
                delay_ms = delay.as_millis(),
                "sending the request again"
            );
            pause(delay).await;
            reader.restart();
            retry += 1;
        }
    }

    async fn once(
        &self,
        request: &HttpRequest,
        reader: &mut dyn Reader,
    ) -> Result<Reply, ModelError> {
        let response = self.transport.send(request).await?;
        reader.read(response, self.max_response).await
    }
}

fn next_delay(
    policy: RetryPolicy,
    retry: u32,
    error: &ModelError,
    deadline: Option<Instant>,
) -> Option<Duration> {
    if !policy.applies_to(error) {
        return None;
    }
    let delay = policy.delay(retry, error.retry_after())?;
    // No clock goes that far.
    Instant::now().checked_add(delay)?;
    left(deadline)
        .is_none_or(|left| delay < left)
        .then_some(delay)
}

/// A whole response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Waits for the rest of a response, up to a number of bytes.
    pub(crate) async fn gather(response: HttpResponse, max: usize) -> Result<Self, ModelError> {
        let HttpResponse {
            status,
            headers,
            mut body,
        } = response;
        let mut cap = Cap::new(max);
        let mut bytes = Vec::new();
        let mut gathered = cap.announced(body.announced_length());
        while gathered.is_ok() {
            match body.chunk().await {
                Ok(None) => break,
                Ok(Some(chunk)) => {
                    gathered = cap.take(chunk.len());
                    bytes.extend_from_slice(&chunk);
                }
                Err(error) => gathered = Err(error),
            }
        }
        match gathered {
            Ok(()) => {}
            // Status and headers of a refusal say enough without the rest of its page.
            Err(_) if status >= 400 => bytes.clear(),
            Err(error) => return Err(error.with_status(status)),
        }
        Ok(Self {
            status,
            headers,
            body: bytes,
        })
    }
}

/// How many bytes of a response may still come.
pub(crate) struct Cap {
    max: usize,
    left: usize,
}

impl Cap {
    pub(crate) fn new(max: usize) -> Self {
        Self { max, left: max }
    }

    fn announced(&self, length: Option<u64>) -> Result<(), ModelError> {
        match length {
            Some(length) if length > self.max as u64 => Err(self.too_large()),
            _ => Ok(()),
        }
    }

    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), ModelError> {
        self.left = self
            .left
            .checked_sub(bytes)
            .ok_or_else(|| self.too_large())?;
        Ok(())
    }

    fn too_large(&self) -> ModelError {
        let message = format!("the response is longer than {} bytes", self.max);
        ModelError::new(ModelErrorKind::TooLarge, message).with_maybe_billed(true)
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
            .with_maybe_billed(true)
            .with_known_of(&error);
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
