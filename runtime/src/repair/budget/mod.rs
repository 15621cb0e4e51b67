//! How much a run may spend, apart from the loop that spends it.

mod estimate;
mod money;
mod prices;
mod shared;
mod spent;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub use money::{InvalidMoney, Money};
pub use prices::{Price, Prices};
pub use shared::SharedBudget;
pub use spent::Spent;

use super::record::Record;
use crate::model::{ModelError, Reply, Request, Usage};
use estimate::{Estimate, Known};
use shared::Reserved;

/// What one extraction may spend, checked before each send.
///
/// ```
/// use std::time::Duration;
/// use typed_extract::{Budget, Price, Prices};
///
/// let prices = Prices::new("USD").with("gpt-5.6", Price::new("2.50".parse()?, "10".parse()?));
/// let budget = Budget::default()
///     .attempts(2)
///     .tokens(20_000)
///     .money("0.25".parse()?, prices)
///     .deadline(Duration::from_secs(90));
/// # let _ = budget;
/// # Ok::<(), typed_extract::InvalidMoney>(())
/// ```
#[derive(Debug, Clone)]
pub struct Budget {
    pub(crate) attempts: u32,
    pub(crate) deadline: Option<Duration>,
    tokens: Option<u64>,
    money: Option<Money>,
    prices: Option<Arc<Prices>>,
    shared: Option<SharedBudget>,
}

impl Default for Budget {
    /// Three attempts, no other limit.
    fn default() -> Self {
        Self {
            attempts: 3,
            deadline: None,
            tokens: None,
            money: None,
            prices: None,
            shared: None,
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
    /// A request that is expected to pass the limit is not sent. It is expected to
    /// take as much input as any before it in the run, and to give the longest reply
    /// that it may: [`max_output_tokens`](crate::Extractor::max_output_tokens), or
    /// where that is not set as much as any before it. Of the first request it is not
    /// known yet how the model counts; it is held to a low figure, a token for eight
    /// bytes of prompt, with the output limit where one is set.
    ///
    /// What a model reports is what is spent. Where it reports nothing, a token is
    /// taken for four bytes of prompt and reply, and the
    /// [record](crate::Record::spent) marks it as an estimate. A request that may
    /// have been billed though no reply came counts as expected; for the first, that
    /// is a token for four bytes, and without an output limit as much output as
    /// input.
    #[must_use]
    pub fn tokens(mut self, tokens: u64) -> Self {
        self.tokens = Some(tokens);
        self
    }

    /// At most this much money, at these prices.
    ///
    /// A request is estimated as for [`tokens`](Self::tokens), the first one as if it
    /// may be billed. A model whose [id](crate::Model::id) has no price is not asked:
    /// the run ends with [`ErrorKind::Budget`](crate::ErrorKind::Budget) before it
    /// spends, and the error names the id.
    #[must_use]
    pub fn money(mut self, limit: Money, prices: impl Into<Arc<Prices>>) -> Self {
        self.money = Some(limit);
        self.prices(prices)
    }

    /// Prices by which the record tells what was spent, without a limit of their own.
    #[must_use]
    pub fn prices(mut self, prices: impl Into<Arc<Prices>>) -> Self {
        self.prices = Some(prices.into());
        self
    }

    /// Spends from a budget that other runs spend from as well, beside the limits of
    /// this one.
    #[must_use]
    pub fn shared(mut self, budget: &SharedBudget) -> Self {
        self.shared = Some(budget.clone());
        self
    }

    /// At most this long over everything, waiting and retries included.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// The prices by which a run is told: its own, or those it shares.
    fn known_prices(&self) -> Option<&Arc<Prices>> {
        let shared = || self.shared.as_ref().and_then(SharedBudget::prices);
        self.prices.as_ref().or_else(shared)
    }

    /// The currency of what the record tells.
    pub(crate) fn currency(&self) -> Option<Arc<str>> {
        let prices = self.known_prices()?;
        Some(prices.currency().into())
    }

    /// Whether one more attempt is within the budget.
    pub(crate) fn allows_attempt(&self, record: &Record) -> bool {
        u32::try_from(record.attempts().len()).is_ok_and(|made| made < self.attempts)
    }

    /// The same once the attempt under way has ended too.
    pub(crate) fn allows_another_attempt(&self, record: &Record) -> bool {
        let made = record.attempts().len().saturating_add(1);
        u32::try_from(made).is_ok_and(|made| made < self.attempts)
    }

    /// Takes what a request is expected to use, before it is sent.
    pub(crate) fn reserve(
        &self,
        record: &Record,
        model: &str,
        request: &Request,
    ) -> Result<Hold, Exhausted> {
        let estimate = Estimate::of(request, known(record));
        let spent = record.spent();
        fits_tokens(Limit::Own, spent.tokens(), estimate.held, self.tokens)?;
        if let (Some(limit), Some(prices)) = (self.money, &self.prices) {
            let money = MoneyLimit {
                limit,
                prices: Arc::clone(prices),
            };
            let expected = money.of(model, &estimate.usage())?;
            money.fits(Limit::Own, spent.money().unwrap_or_default(), expected)?;
        }
        let shared = self.shared.as_ref();
        let reserved = shared.map(|shared| shared.reserve(model, &estimate));
        Ok(Hold {
            estimate,
            reserved: reserved.transpose()?,
        })
    }

    /// What a request that was sent is charged with.
    pub(crate) fn settle(
        &self,
        hold: Hold,
        model: &str,
        request: &Request,
        answer: Result<&Reply, &ModelError>,
    ) -> Spent {
        let (told, guess) = match answer {
            Ok(reply) => {
                let input = estimate::tokens(request.prompt());
                let guess = Usage::new(input, estimate::tokens(reply.text()));
                (reply.usage(), guess)
            }
            Err(error) if error.maybe_billed() || error.usage().is_some() => {
                (error.usage(), hold.estimate.usage())
            }
            Err(_) => (Some(&Usage::ZERO), Usage::ZERO),
        };
        let told = told.copied().unwrap_or_default();
        let input = told.input_tokens().or(guess.input_tokens());
        let output = told.output_tokens().or(guess.output_tokens());
        let (input, output) = (input.unwrap_or_default(), output.unwrap_or_default());
        let used = told.with_input(input).with_output(output);
        if let Some(reserved) = hold.reserved {
            reserved.settle(model, &used);
        }
        let price = self.known_prices().and_then(|prices| prices.price(model));
        let free = (input == 0 && output == 0).then_some(Money::ZERO);
        Spent {
            input,
            output,
            estimated: told.total_tokens().is_none(),
            money: price.map(|price| price.of(&used)).or(free),
            elapsed: Duration::ZERO,
        }
    }
}

/// A request's share of the budget while it is under way.
#[derive(Debug)]
pub(crate) struct Hold {
    estimate: Estimate,
    reserved: Option<Reserved>,
}

fn known(record: &Record) -> Option<Known> {
    let answered = record.attempts().iter();
    let answered = answered.filter(|attempt| attempt.reply().is_some());
    answered
        .map(|attempt| Known {
            input: attempt.spent.input,
            output: attempt.spent.output,
        })
        .reduce(|one, other| Known {
            input: one.input.max(other.input),
            output: one.output.max(other.output),
        })
}

/// Whose limit it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    Own,
    Shared,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Own => "the limit",
            Self::Shared => "the limit that runs share",
        })
    }
}

/// A limit of money, and what it is counted by.
#[derive(Debug, Clone)]
struct MoneyLimit {
    limit: Money,
    prices: Arc<Prices>,
}

impl MoneyLimit {
    fn of(&self, model: &str, usage: &Usage) -> Result<Money, Exhausted> {
        let price = self.prices.price(model);
        let price = price.ok_or_else(|| Exhausted::Unpriced {
            model: model.to_owned(),
        });
        price.map(|price| price.of(usage))
    }

    fn fits(&self, whose: Limit, spent: Money, expected: Money) -> Result<(), Exhausted> {
        if spent.plus(expected) <= self.limit {
            return Ok(());
        }
        Err(Exhausted::Money {
            spent,
            expected,
            whose,
            limit: self.limit,
            currency: self.prices.currency().to_owned(),
        })
    }
}

fn fits_tokens(
    whose: Limit,
    spent: u64,
    expected: u64,
    limit: Option<u64>,
) -> Result<(), Exhausted> {
    match limit {
        Some(limit) if spent.saturating_add(expected) > limit => Err(Exhausted::Tokens {
            spent,
            expected,
            whose,
            limit,
        }),
        _ => Ok(()),
    }
}

/// Why a run may not send again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Exhausted {
    Tokens {
        spent: u64,
        expected: u64,
        whose: Limit,
        limit: u64,
    },
    Money {
        spent: Money,
        expected: Money,
        whose: Limit,
        limit: Money,
        currency: String,
    },
    Unpriced {
        model: String,
    },
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tokens {
                spent,
                expected,
                whose,
                limit,
            } => write!(
                f,
                "{spent} tokens are spent and the next request is expected to use {expected} \
                 more; {whose} is {limit}"
            ),
            Self::Money {
                spent,
                expected,
                whose,
                limit,
                currency,
            } => write!(
                f,
                "{spent} {currency} are spent and the next request is expected to cost \
                 {expected} more; {whose} is {limit}"
            ),
            Self::Unpriced { model } => write!(
                f,
                "the price of the model {model:?} is not known, so a limit of money cannot be \
                 kept; add it to the prices with `.with({model:?}, price)`"
            ),
        }
    }
}
