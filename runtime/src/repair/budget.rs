//! How much a run may spend, apart from the loop that spends it.

use std::time::Duration;

use crate::model::{Request, Usage};

/// What one extraction may spend, checked before each send.
///
/// ```
/// use std::time::Duration;
/// use typed_extract::Budget;
///
/// let budget = Budget::default()
///     .attempts(2)
///     .tokens(20_000)
///     .deadline(Duration::from_secs(90));
/// # let _ = budget;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub(crate) attempts: u32,
    pub(crate) tokens: Option<u64>,
    pub(crate) deadline: Option<Duration>,
}

impl Default for Budget {
    /// Three attempts, no other limit.
    fn default() -> Self {
        Self {
            attempts: 3,
            tokens: None,
            deadline: None,
        }
    }
}

impl Budget {
    /// At most this many requests, the first included. Zero is refused when the
    /// run begins, with [`ErrorKind::Config`](crate::ErrorKind::Config).
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    /// At most this many tokens, input and output of all attempts together.
    ///
    /// A request is expected to use as much as the costliest one before it, and
    /// is not sent if that would pass the limit. Where a model reports no
    /// usage, a token is taken for four bytes of prompt and reply.
    #[must_use]
    pub fn tokens(mut self, tokens: u64) -> Self {
        self.tokens = Some(tokens);
        self
    }

    /// At most this long over everything, waiting and retries included.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }
}

/// Bytes that stand for a token where no usage is reported.
const BYTES_A_TOKEN: usize = 4;

/// What has been spent so far.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    attempts: u32,
    tokens: u64,
    costliest: u64,
}

/// Why a run may not send again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exhausted {
    Attempts,
    Tokens {
        spent: u64,
        expected: u64,
        limit: u64,
    },
}

impl Spent {
    /// Whether one more request is within the budget.
    pub(crate) fn allows(&self, budget: Budget) -> Result<(), Exhausted> {
        if self.attempts >= budget.attempts {
            return Err(Exhausted::Attempts);
        }
        let Some(limit) = budget.tokens else {
            return Ok(());
        };
        let (spent, expected) = (self.tokens, self.costliest);
        if spent.saturating_add(expected) > limit || limit == 0 {
            return Err(Exhausted::Tokens {
                spent,
                expected,
                limit,
            });
        }
        Ok(())
    }

    /// Settles a request that was sent, by what the model reported.
    pub(crate) fn settle(&mut self, request: &Request, reply: &str, usage: Option<&Usage>) {
        let bytes = request.prompt().len() + reply.len();
        let estimate = u64::try_from(bytes.div_ceil(BYTES_A_TOKEN)).unwrap_or(u64::MAX);
        let tokens = usage.and_then(Usage::total_tokens).unwrap_or(estimate);
        self.attempts += 1;
        self.tokens = self.tokens.saturating_add(tokens);
        self.costliest = self.costliest.max(tokens);
    }
}
