//! What was spent, by report or by estimate.

use std::time::Duration;

use super::Money;

/// What a request, or a whole run, is charged with.
///
/// Tokens are those that the model reported. Where it reported none they are
/// [estimated](crate::Budget::tokens), never taken for nothing, and
/// [`is_estimated`](Self::is_estimated) says so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    pub(crate) input: u64,
    pub(crate) output: u64,
    pub(crate) estimated: bool,
    /// `None` where prices are not known.
    pub(crate) money: Option<Money>,
    pub(crate) elapsed: Duration,
}

impl Cost {
    pub(crate) const NOTHING: Self = Self {
        input: 0,
        output: 0,
        estimated: false,
        money: Some(Money::ZERO),
        elapsed: Duration::ZERO,
    };

    /// Tokens sent.
    pub fn input_tokens(&self) -> u64 {
        self.input
    }

    /// Tokens generated.
    pub fn output_tokens(&self) -> u64 {
        self.output
    }

    /// Both together.
    pub fn tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// Whether any part is an estimate, because the model did not report it.
    pub fn is_estimated(&self) -> bool {
        self.estimated
    }

    /// The money, in the currency of the budget's prices; `None` where there are no
    /// prices, or where they lack a model that was asked.
    pub fn money(&self) -> Option<Money> {
        self.money
    }

    /// The time on the clock, waiting and retries included.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Both charges in one; the time stays that of the first.
    pub(crate) fn and(self, other: &Self) -> Self {
        let money = self.money.zip(other.money);
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            estimated: self.estimated || other.estimated,
            money: money.map(|(one, more)| one.plus(more)),
            elapsed: self.elapsed,
        }
    }
}
