//! When a request is sent again, and after how long: decisions only, no waiting.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    time::Duration,
};

use super::{ModelError, ModelErrorKind};

/// How often, and after which delays, a request is sent again after a transport fault.
///
/// Faults of the way there are meant: no connection, 408, 409, 429 that is no used-up quota, and
/// 5xx. What the model answered is never a reason here. A delay that the provider asks for
/// (`Retry-After`) is kept to; otherwise the delay doubles from `base_delay` up to `max_delay`,
/// with up to half of it left to chance so that many clients do not come back at once. Nothing
/// waits past the deadline of a request.
///
/// ```
/// use std::time::Duration;
/// use typed_extract::model::RetryPolicy;
///
/// let policy = RetryPolicy::default().base_delay(Duration::from_secs(1)).jitter(|| 1.0);
/// assert_eq!(policy.delay(0, None), Some(Duration::from_secs(1)));
/// assert_eq!(policy.delay(2, None), Some(Duration::from_secs(4)));
/// assert_eq!(policy.delay(3, None), None, "three retries are the default");
/// assert_eq!(policy.delay(0, Some(Duration::from_secs(3600))), None, "nobody waits that long");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct RetryPolicy {
    retries: u32,
    base_delay: Duration,
    max_delay: Duration,
    max_retry_after: Duration,
    resend_maybe_billed: bool,
    jitter: fn() -> f64,
}

impl Default for RetryPolicy {
    /// Three retries, 0.5 s doubling up to 8 s, at most 60 s where the provider asks for it.
    fn default() -> Self {
        Self {
            retries: 3,
            base_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(8),
            max_retry_after: Duration::from_secs(60),
            resend_maybe_billed: false,
            jitter: chance,
        }
    }
}

impl RetryPolicy {
    /// Sends every request once.
    pub fn none() -> Self {
        Self::default().retries(0)
    }

    /// Sets how often a request is sent again at most.
    #[must_use]
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Sets the delay before the first retry; it doubles with each one.
    #[must_use]
    pub fn base_delay(mut self, delay: Duration) -> Self {
        self.base_delay = delay;
        self
    }

    /// Sets where the doubling ends.
    #[must_use]
    pub fn max_delay(mut self, delay: Duration) -> Self {
        self.max_delay = delay;
        self
    }

    /// Sets the longest wait that a provider may ask for. If it asks for more, its error is
    /// returned at once, since coming back earlier would be pointless.
    #[must_use]
    pub fn max_retry_after(mut self, delay: Duration) -> Self {
        self.max_retry_after = delay;
        self
    }

    /// Allows sending again after a read timeout or a cut answer, when the first request may have
    /// been worked on and billed; off unless set, and never done for a request that is to be
    /// [billed once](crate::Request::billed_once).
    #[must_use]
    pub fn resend_maybe_billed(mut self, allowed: bool) -> Self {
        self.resend_maybe_billed = allowed;
        self
    }

    /// Replaces chance by a function that gives a number from 0 to 1.
    #[must_use]
    pub fn jitter(mut self, jitter: fn() -> f64) -> Self {
        self.jitter = jitter;
        self
    }

    /// The wait before the retry with this number, counted from 0, given what the provider asked
    /// for; `None` to give up.
    pub fn delay(&self, retry: u32, retry_after: Option<Duration>) -> Option<Duration> {
        if retry >= self.retries {
            return None;
        }
        let share = (self.jitter)().clamp(0.0, 1.0);
        match retry_after {
            Some(asked) if asked > self.max_retry_after => None,
            Some(asked) => Some(asked.saturating_add(scaled(self.base_delay, share / 2.0))),
            None => Some(scaled(self.backoff(retry), 0.5 + share / 2.0)),
        }
    }

    fn backoff(&self, retry: u32) -> Duration {
        self.base_delay
            .saturating_mul(2_u32.saturating_pow(retry))
            .min(self.max_delay)
    }

    /// Whether this fault lies in the transport and may be gone next time.
    ///
    /// Output that the provider rejected is the model's fault: it costs an attempt, not a retry.
    pub(crate) fn applies_to(&self, error: &ModelError) -> bool {
        error.is_retryable()
            && error.kind() != ModelErrorKind::InvalidOutput
            && (self.resend_maybe_billed || !error.maybe_billed())
    }
}

/// A part of a duration; the whole where the factor is no number.
fn scaled(whole: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(whole.as_secs_f64() * factor).unwrap_or(whole)
}

/// A number from 0 to 1 out of the standard library's hash keys: spreading load needs no better.
fn chance() -> f64 {
    let bits = u32::try_from(RandomState::new().build_hasher().finish() >> 32).unwrap_or_default();
    f64::from(bits) / f64::from(u32::MAX)
}
