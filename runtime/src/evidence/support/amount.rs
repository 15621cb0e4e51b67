//! A number as the decimal digits it is written in; none passes through a
//! float.

/// A number in its one normal form: two are equal where the numbers are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Amount {
    negative: bool,
    /// Without zeros at either end; of zero, empty.
    digits: String,
    /// The power of ten of the last digit.
    exponent: i64,
}

impl Amount {
    /// Reads a number as JSON writes it, a leading plus and zeros allowed too.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        Self::new(negative, whole, fraction, i64::from(exponent))
    }

    /// A number of ASCII digits before and after its decimal point.
    pub(super) fn new(negative: bool, whole: &str, fraction: &str, exponent: i64) -> Option<Self> {
        let all = format!("{whole}{fraction}");
        if !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let right = all.trim_end_matches('0');
        let dropped = i64::try_from(all.len() - right.len()).ok()?;
        let digits = right.trim_start_matches('0').to_owned();
        let zero = digits.is_empty();
        let fraction = i64::try_from(fraction.len()).ok()?;
        Some(Self {
            negative: negative && !zero,
            exponent: if zero {
                0
            } else {
                exponent - fraction + dropped
            },
            digits,
        })
    }

    /// The number times a power of ten.
    pub(super) fn shifted(&self, exponent: i64) -> Self {
        let mut shifted = self.clone();
        if !shifted.digits.is_empty() {
            shifted.exponent += exponent;
        }
        shifted
    }

    pub(super) fn negated(&self) -> Self {
        let mut negated = self.clone();
        negated.negative = !self.negative && !self.digits.is_empty();
        negated
    }
}
