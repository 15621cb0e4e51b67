//! One budget for many runs.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::estimate::Estimate;
use super::{Exhausted, Limit, Money, MoneyLimit, Prices};
use crate::model::Usage;

/// A budget that many extractions spend from together, on any threads.
///
/// Clones are handles of the same budget. A run reserves what a request is
/// [expected](crate::Budget::tokens) to use before it sends it, and settles by what
/// was used; a request that does not fit beside what others have spent and reserved
/// is not sent, and its run ends with [`ErrorKind::Budget`](crate::ErrorKind::Budget).
/// Nobody waits for what others may give back. With an
/// [output limit](crate::Extractor::max_output_tokens) the reservation covers the
/// longest reply there can be.
///
/// A run that is dropped while a request is under way leaves its reservation spent,
/// since the provider may bill it.
///
/// ```
/// use typed_extract::testing::Script;
/// use typed_extract::{Budget, ErrorKind, Extract, SharedBudget, extract};
///
/// #[derive(Debug, serde::Deserialize, Extract)]
/// struct Total {
///     cents: u32,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), typed_extract::Error> {
/// let all = SharedBudget::new().tokens(350);
/// let model = Script::new([r#"{"cents": 450}"#; 9]);
/// let one = || {
///     let budget = Budget::default().shared(&all);
///     extract::<Total>().model(&model).max_output_tokens(50).document("4.50").budget(budget)
/// };
/// one().await?;
/// one().await?;
/// assert_eq!(one().await.unwrap_err().kind(), ErrorKind::Budget);
/// assert!(all.spent_tokens() <= 350);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct SharedBudget {
    tokens: Option<u64>,
    money: Option<MoneyLimit>,
    spent: Arc<Mutex<Totals>>,
}

/// What is spent and reserved.
#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    tokens: u64,
    money: Money,
}

impl SharedBudget {
    /// A budget without limits, which only counts.
    pub fn new() -> Self {
        Self::default()
    }

    /// At most this many tokens, input and output of all runs together.
    #[must_use]
    pub fn tokens(mut self, tokens: u64) -> Self {
        self.tokens = Some(tokens);
        self
    }

    /// At most this much money for all runs together, at these prices. A model
    /// without a price is not asked.
    #[must_use]
    pub fn money(mut self, limit: Money, prices: impl Into<Arc<Prices>>) -> Self {
        self.money = Some(MoneyLimit {
            limit,
            prices: prices.into(),
        });
        self
    }

    /// The tokens spent so far, with those reserved by requests under way.
    pub fn spent_tokens(&self) -> u64 {
        self.totals().tokens
    }

    /// The money spent so far, with what requests under way have reserved; zero
    /// where the budget knows no prices.
    pub fn spent_money(&self) -> Money {
        self.totals().money
    }

    pub(super) fn prices(&self) -> Option<&Arc<Prices>> {
        self.money.as_ref().map(|money| &money.prices)
    }

    /// Takes what a request is expected to use, if it is there.
    pub(super) fn reserve(&self, model: &str, estimate: &Estimate) -> Result<Reserved, Exhausted> {
        let cost = self
            .money
            .as_ref()
            .map(|money| money.of(model, &estimate.usage()));
        let cost = cost.transpose()?.unwrap_or_default();
        let tokens = estimate.total();
        let mut totals = self.totals();
        super::fits_tokens(Limit::Shared, totals.tokens, tokens, self.tokens)?;
        if let Some(money) = &self.money {
            money.fits(Limit::Shared, totals.money, cost)?;
        }
        totals.tokens = totals.tokens.saturating_add(tokens);
        totals.money = totals.money.plus(cost);
        drop(totals);
        Ok(Reserved {
            budget: self.clone(),
            tokens,
            money: cost,
        })
    }

    /// Nothing that can panic runs under the lock.
    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SharedBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedBudget")
            .field("tokens", &self.tokens)
            .field("money", &self.money.as_ref().map(|money| money.limit))
            .field("spent", &*self.totals())
            .finish()
    }
}

/// What a request took; it stays spent unless it is settled.
#[derive(Debug)]
pub(super) struct Reserved {
    budget: SharedBudget,
    tokens: u64,
    money: Money,
}

impl Reserved {
    /// Gives back what was not used, or takes what was used beyond.
    pub(super) fn settle(self, model: &str, used: &Usage) {
        let money = self.budget.money.as_ref();
        let cost = money.and_then(|money| money.of(model, used).ok());
        let mut totals = self.budget.totals();
        let others = totals.tokens.saturating_sub(self.tokens);
        totals.tokens = others.saturating_add(used.total_tokens().unwrap_or(self.tokens));
        totals.money = totals
            .money
            .minus(self.money)
            .plus(cost.unwrap_or_default());
    }
}
