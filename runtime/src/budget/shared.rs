//! One budget for many runs.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::estimate::Demand;
use super::{Exhausted, Limit, Limits, MoneyLimit, Prices, Totals};
use crate::model::Usage;
use crate::record::Money;

/// A budget that many extractions spend from together, on any threads.
///
/// Clones are handles of the same budget. A run reserves the prompt of a request and
/// the longest reply that it allows before it sends it, and settles by what was used; a
/// request that does not fit beside what others have spent and reserved is not sent, and
/// its run ends with [`ErrorKind::Budget`](crate::ErrorKind::Budget). Nobody waits for
/// what others may give back.
///
/// The longest reply is the [output limit](crate::Extractor::max_output_tokens). Where
/// none is set, the budget implies one: a sixteenth of what is left, but no less than 1,024
/// tokens, and what [one run](crate::Budget::tokens) may take besides. Set one, so that as
/// many runs as the budget has room for go side by side.
///
/// A run that is dropped while a request is under way leaves its reservation spent,
/// since the provider may bill it.
///
/// ```
/// use typed_extract::testing::Script;
/// use typed_extract::budget::SharedBudget;
/// use typed_extract::{Budget, ErrorKind, Extract, extract};
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
    limits: Limits,
    spent: Arc<Mutex<Totals>>,
}

impl SharedBudget {
    /// A budget without limits, which only counts.
    pub fn new() -> Self {
        Self::default()
    }

    /// At most this many tokens, input and output of all runs together.
    #[must_use]
    pub fn tokens(mut self, tokens: u64) -> Self {
        self.limits.tokens = Some(tokens);
        self
    }

    /// At most this much money for all runs together, at these prices. A model
    /// without a price is not asked.
    #[must_use]
    pub fn money(mut self, limit: Money, prices: impl Into<Arc<Prices>>) -> Self {
        self.limits.money = Some(MoneyLimit {
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
        self.limits.money.as_ref().map(|money| &money.prices)
    }

    /// Takes what a request may use, if it is there: its input and an output of at most `own`, which
    /// is given back with it; `None` where nothing limits it.
    pub(super) fn reserve(
        &self,
        model: &str,
        demand: &Demand,
        own: Option<u64>,
    ) -> Result<(Option<u64>, Reserved), Exhausted> {
        let mut totals = self.totals();
        let left = self.limits.left(Limit::Shared, *totals, model, demand)?;
        let share = left.map(|left| demand.share(left));
        let output = own.into_iter().chain(share).min();
        let most = demand.usage(output);
        let tokens = most.total_tokens().unwrap_or(u64::MAX);
        let money = self.cost(model, &most);
        totals.tokens = totals.tokens.saturating_add(tokens);
        totals.money = totals.money.plus(money);
        drop(totals);
        let reserved = Reserved {
            budget: self.clone(),
            tokens,
            money,
        };
        Ok((output, reserved))
    }

    /// What this costs, nothing where the budget knows no prices.
    fn cost(&self, model: &str, usage: &Usage) -> Money {
        let money = self.limits.money.as_ref();
        let price = money.and_then(|money| money.prices.price(model));
        price.map(|price| price.of(usage)).unwrap_or_default()
    }

    /// Nothing that can panic runs under the lock.
    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SharedBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedBudget")
            .field("tokens", &self.limits.tokens)
            .field(
                "money",
                &self.limits.money.as_ref().map(|money| money.limit),
            )
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
        let cost = self.budget.cost(model, used);
        let mut totals = self.budget.totals();
        let others = totals.tokens.saturating_sub(self.tokens);
        totals.tokens = others.saturating_add(used.total_tokens().unwrap_or(self.tokens));
        totals.money = totals.money.minus(self.money).plus(cost);
    }
}
