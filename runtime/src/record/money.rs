//! Amounts of money, exact to a billionth.

use std::fmt;
use std::iter::Sum;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

/// An amount of money, exact to nine decimal places. Its currency is that of the
/// [`Prices`](crate::budget::Prices) it belongs to.
///
/// It is read from decimal text and never passes through a float; in a file it is
/// text too (`"2.50"`), or a whole number.
///
/// ```
/// use typed_extract::record::Money;
///
/// let amount: Money = "2.50".parse()?;
/// assert_eq!(amount.nanos(), 2_500_000_000);
/// assert_eq!(amount.to_string(), "2.5");
/// assert!("2,50".parse::<Money>().is_err());
/// assert!("-1".parse::<Money>().is_err());
/// # Ok::<(), typed_extract::record::InvalidMoney>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Money(u64);

/// Billionths in one unit of a currency.
const UNIT: u64 = 1_000_000_000;
const PLACES: usize = 9;

impl Money {
    /// No money.
    pub const ZERO: Self = Self(0);

    /// An amount in billionths of the currency's unit.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// The amount in billionths of the currency's unit.
    pub const fn nanos(self) -> u64 {
        self.0
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Sum for Money {
    /// An amount beyond what can be held stays at the largest.
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::plus)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / UNIT, self.0 % UNIT);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let rest = format!("{rest:09}");
        write!(f, "{whole}.{}", rest.trim_end_matches('0'))
    }
}

/// Why a text is no amount of money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidMoney(());

impl fmt::Display for InvalidMoney {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "not an amount of money; write digits with at most nine decimal places behind a \
             point, such as \"2.50\", and less than eighteen billion",
        )
    }
}

impl std::error::Error for InvalidMoney {}

impl FromStr for Money {
    type Err = InvalidMoney;

    fn from_str(text: &str) -> Result<Self, InvalidMoney> {
        amount(text).map(Self).ok_or(InvalidMoney(()))
    }
}

fn amount(text: &str) -> Option<u64> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(rest) || rest.len() > PLACES {
        return None;
    }
    let rest: u64 = format!("{rest:0<PLACES$}").parse().ok()?;
    let whole: u64 = whole.parse().ok()?;
    whole.checked_mul(UNIT)?.checked_add(rest)
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Text)
    }
}

struct Text;

impl Visitor<'_> for Text {
    type Value = Money;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount of money as text, such as \"2.50\"")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Money, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_u64<E: serde::de::Error>(self, whole: u64) -> Result<Money, E> {
        let nanos = whole.checked_mul(UNIT);
        nanos.map(Money).ok_or_else(|| E::custom(InvalidMoney(())))
    }
}
