//! How much a run may spend, apart from the loop that spends it.

mod estimate;
mod prices;
mod shared;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub use prices::{Price, Prices};
pub use shared::SharedBudget;

use crate::model::{FinishReason, Model, ModelError, Reply, Request, Usage};
use crate::record::Record;
use crate::record::{Cost, Money};
use estimate::{Demand, Known, LEAST_OUTPUT};
use shared::Reserved;

/// What one extraction may spend, checked before each send.
///
/// ```
/// use std::time::Duration;
/// use typed_extract::budget::{Price, Prices};
/// use typed_extract::Budget;
///
/// let prices = Prices::new("USD").with("gpt-5.6", Price::new("2.50".parse()?, "10".parse()?));
/// let budget = Budget::default()
///     .attempts(2)
///     .tokens(20_000)
///     .money("0.25".parse()?, prices)
///     .deadline(Duration::from_secs(90));
/// # let _ = budget;
/// # Ok::<(), typed_extract::record::InvalidMoney>(())
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
    /// A request is sent with an output limit that what is left can pay for, beside the
    /// prompt. It is [`max_output_tokens`](crate::Extractor::max_output_tokens) or that
    /// of the [model](crate::Model::max_output_tokens), and where neither is set the
    /// budget implies one: what is left, at most 16,384 tokens. Where what is left
    /// cannot carry the prompt and the least that a reply takes, nothing is sent, and the
    /// run ends with [`ErrorKind::Budget`](crate::ErrorKind::Budget). The least is the
    /// limit set on the extraction; once replies are known, the longest of them; without
    /// either, 8 tokens. The prompt is held to take as much as any before it in the run.
    /// Of the first it is not known yet how the model counts: its reply gets what a token
    /// for three bytes leaves, and it is not sent where a token for eight does not fit.
    ///
    /// What a model reports is what is spent. Where it reports nothing, or no tokens for
    /// a text that came, a token is taken for four bytes of prompt and reply, and the
    /// [record](crate::Record::cost) marks it as an estimate. A reply that was cut off,
    /// and a request that may have been billed though no reply came, count as all that
    /// they might use.
    #[must_use]
    pub fn tokens(mut self, tokens: u64) -> Self {
        self.tokens = Some(tokens);
        self
    }

    /// At most this much money, at these prices.
    ///
    /// The output limit follows as for [`tokens`](Self::tokens). A model whose [id](crate::Model::id) has no price is not asked:
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

    /// Takes what a request may use, before it is sent.
    pub(crate) fn reserve(
        &self,
        record: &Record,
        model: &(impl Model + ?Sized),
        request: &Request,
    ) -> Result<Hold, Exhausted> {
        let demand = Demand::of(request, model, known(record));
        let spent = record.cost();
        let spent = Totals {
            tokens: spent.tokens(),
            money: spent.money().unwrap_or_default(),
        };
        let own = self.limits().left(Limit::Own, spent, model.id(), &demand)?;
        let own = own.map(|left| demand.output(left));
        let Some(shared) = &self.shared else {
            return Ok(Hold::new(&demand, own, None));
        };
        let (output, reserved) = shared.reserve(model.id(), &demand, own)?;
        Ok(Hold::new(&demand, output, Some(reserved)))
    }

    fn limits(&self) -> Limits {
        let money = self.money.zip(self.prices.clone());
        Limits {
            tokens: self.tokens,
            money: money.map(|(limit, prices)| MoneyLimit { limit, prices }),
        }
    }

    /// What a request that was sent is charged with.
    pub(crate) fn settle(
        &self,
        hold: Hold,
        model: &str,
        request: &Request,
        answer: Result<&Reply, &ModelError>,
    ) -> Cost {
        let (told, guess) = match answer {
            Ok(reply) => (counted(reply), guess(reply, request, &hold)),
            Err(error) if error.maybe_billed() || error.usage().is_some() => {
                (error.usage().copied(), hold.most)
            }
            Err(_) => (Some(Usage::ZERO), Usage::ZERO),
        };
        let told = told.unwrap_or_default();
        let input = told.input_tokens().or(guess.input_tokens());
        let output = told.output_tokens().or(guess.output_tokens());
        let (input, output) = (input.unwrap_or_default(), output.unwrap_or_default());
        let used = told.with_input(input).with_output(output);
        if let Some(reserved) = hold.reserved {
            reserved.settle(model, &used);
        }
        let price = self.known_prices().and_then(|prices| prices.price(model));
        let free = (input == 0 && output == 0).then_some(Money::ZERO);
        Cost {
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
    most: Usage,
    output: Option<u64>,
    reserved: Option<Reserved>,
}

impl Hold {
    fn new(demand: &Demand, output: Option<u64>, reserved: Option<Reserved>) -> Self {
        Self {
            most: demand.usage(output),
            output,
            reserved,
        }
    }

    /// The request with the output limit that the budget allows it, to be paid for once.
    pub(crate) fn cap(&self, request: Request) -> Request {
        match self.output {
            // No request takes more than fits: a larger limit is the largest there is.
            Some(output) => request
                .with_max_output_tokens(u32::try_from(output).unwrap_or(u32::MAX))
                .billed_once(),
            None => request,
        }
    }
}

/// The counts that a host told. No prompt and no text is made of no tokens: a zero there is a count
/// that is not told.
fn counted(reply: &Reply) -> Option<Usage> {
    let mut told = *reply.usage()?;
    told.input = told.input.filter(|count| *count > 0);
    told.output = (told.output).filter(|count| *count > 0 || reply.text().is_empty());
    Some(told)
}

/// What a reply is taken to have used where that is not told. One that was cut off used all that it
/// might, thoughts that nobody sees included.
fn guess(reply: &Reply, request: &Request, hold: &Hold) -> Usage {
    let text = estimate::tokens(reply.text());
    let output = match (reply.finish(), request.max_output_tokens()) {
        (FinishReason::Truncated, Some(_)) => hold.most.output_tokens().unwrap_or(text).max(text),
        _ => text,
    };
    Usage::new(estimate::tokens(request.prompt()), output)
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
    fn price(&self, model: &str) -> Result<&Price, Exhausted> {
        let price = self.prices.price(model);
        price.ok_or_else(|| Exhausted::Unpriced {
            model: model.to_owned(),
        })
    }

    /// The output that the money left pays for beside the input.
    fn left(
        &self,
        whose: Limit,
        spent: Money,
        model: &str,
        demand: &Demand,
    ) -> Result<u64, Exhausted> {
        let price = self.price(model)?;
        let expected = price.of(&Usage::new(demand.input, demand.least));
        if spent.plus(expected) > self.limit {
            return Err(Exhausted::Money {
                spent,
                expected,
                whose,
                limit: self.limit,
                currency: self.prices.currency().to_owned(),
            });
        }
        Ok(price.output_within(demand.input, self.limit.minus(spent)))
    }
}

/// What is spent and reserved.
#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    tokens: u64,
    money: Money,
}

/// What may be spent in all.
#[derive(Debug, Clone, Default)]
struct Limits {
    tokens: Option<u64>,
    money: Option<MoneyLimit>,
}

impl Limits {
    /// How long a reply may be, in tokens, beside what is spent; `None` where nothing limits it.
    fn left(
        &self,
        whose: Limit,
        spent: Totals,
        model: &str,
        demand: &Demand,
    ) -> Result<Option<u64>, Exhausted> {
        let tokens = (self.tokens)
            .map(|limit| tokens_left(whose, spent.tokens, limit, demand))
            .transpose()?;
        let money = (self.money.as_ref())
            .map(|money| money.left(whose, spent.money, model, demand))
            .transpose()?;
        Ok(tokens.into_iter().chain(money).min())
    }
}

fn tokens_left(whose: Limit, spent: u64, limit: u64, demand: &Demand) -> Result<u64, Exhausted> {
    let input = match whose {
        Limit::Own => demand.least_input,
        Limit::Shared => demand.input,
    };
    let expected = input.saturating_add(demand.least);
    if spent.saturating_add(expected) > limit {
        return Err(Exhausted::Tokens {
            spent,
            expected,
            whose,
            limit,
        });
    }
    let left = limit.saturating_sub(spent.saturating_add(demand.input));
    Ok(left.max(demand.least.min(LEAST_OUTPUT)))
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
                "{spent} tokens are spent or reserved and the next request is expected to use \
                 {expected} more; {whose} is {limit}"
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
