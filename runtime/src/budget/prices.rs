//! What tokens cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Usage;
use crate::record::Money;

/// What a million tokens of a model cost.
///
/// The classes are those of [`Usage`]: input includes what was read from or written
/// to a cache, output includes reasoning. Cached parts are billed at their own
/// price, the rest of the input at the plain one, and reasoning as output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    input: Money,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cached_input: Option<Money>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cache_write: Option<Money>,
    output: Money,
}

impl Price {
    /// A price for a million tokens of input and one for a million of output.
    pub const fn new(input: Money, output: Money) -> Self {
        Self {
            input,
            cached_input: None,
            cache_write: None,
            output,
        }
    }

    /// Sets the price of a million tokens read from a cache; that of other input
    /// where none is set.
    #[must_use]
    pub const fn with_cached_input(mut self, price: Money) -> Self {
        self.cached_input = Some(price);
        self
    }

    /// Sets the price of a million tokens written to a cache; that of other input
    /// where none is set.
    #[must_use]
    pub const fn with_cache_write(mut self, price: Money) -> Self {
        self.cache_write = Some(price);
        self
    }

    /// What these tokens cost, rounded up to the next billionth. Where the usage does
    /// not say how much went into a cache, all of it may have.
    pub(super) fn of(&self, usage: &Usage) -> Money {
        let input = usage.input_tokens().unwrap_or_default();
        let cached = usage.cached_input_tokens().unwrap_or_default().min(input);
        let fresh = input - cached;
        let write = self.cache_write.unwrap_or(self.input);
        let (written, plain) = match usage.cache_write_tokens() {
            Some(written) => (written.min(fresh), self.input),
            None => (0, self.input.max(write)),
        };
        let parts = [
            (fresh - written, plain),
            (cached, self.cached_input.unwrap_or(self.input)),
            (written, write),
            (usage.output_tokens().unwrap_or_default(), self.output),
        ];
        let cost = parts
            .into_iter()
            .map(|(tokens, price)| u128::from(tokens) * u128::from(price.nanos()))
            .fold(0, u128::saturating_add);
        Money::from_nanos(u64::try_from(cost.div_ceil(MILLION)).unwrap_or(u64::MAX))
    }

    /// The tokens of output that the money pays for beside this input.
    pub(super) fn output_within(&self, input: u64, money: Money) -> u64 {
        let rest = money.minus(self.of(&Usage::new(input, 0)));
        let tokens = (u128::from(rest.nanos()) * MILLION).checked_div(self.output.nanos().into());
        tokens.map_or(u64::MAX, |tokens| u64::try_from(tokens).unwrap_or(u64::MAX))
    }
}

const MILLION: u128 = 1_000_000;

/// The prices of models, in one currency.
///
/// They are the caller's, set in code or read from a file of any format of serde's:
///
/// ```
/// use typed_extract::budget::{Price, Prices};
/// use typed_extract::record::Money;
///
/// let read: Prices = serde_json::from_str(
///     r#"{
///         "currency": "USD",
///         "per_million_tokens": {
///             "large": {"input": "2.50", "cached_input": "0.25", "output": "10"},
///             "small": {"input": "0.05", "output": "0.40"}
///         }
///     }"#,
/// )?;
/// let large = Price::new("2.50".parse()?, "10".parse()?).with_cached_input("0.25".parse()?);
/// let small = Price::new("0.05".parse()?, "0.40".parse()?);
/// assert_eq!(read, Prices::new("USD").with("large", large).with("small", small));
///
/// // A float is refused: it is not the number that was written.
/// assert!(serde_json::from_str::<Price>(r#"{"input": 2.5, "output": "10"}"#).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    currency: String,
    #[serde(rename = "per_million_tokens")]
    models: BTreeMap<String, Price>,
}

impl Prices {
    /// No prices yet, in this currency. Its name is only shown, such as `USD`.
    pub fn new(currency: impl Into<String>) -> Self {
        Self {
            currency: currency.into(),
            models: BTreeMap::new(),
        }
    }

    /// Sets the price of the model with this [id](crate::Model::id).
    #[must_use]
    pub fn with(mut self, model: impl Into<String>, price: Price) -> Self {
        self.models.insert(model.into(), price);
        self
    }

    /// The currency's name.
    pub fn currency(&self) -> &str {
        &self.currency
    }

    /// The price of the model with this id, if it is known.
    pub fn price(&self, model: &str) -> Option<&Price> {
        self.models.get(model)
    }
}
