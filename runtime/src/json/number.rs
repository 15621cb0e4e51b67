//! Numbers: how they are written, and what they are worth.

use super::{Cursor, tag};

/// Longest text of a number; nothing sensible needs more, and arithmetic on it costs its square.
pub(super) const LONGEST: usize = 1_000;

/// Digits that surely fit the 32 bits of a node's link.
const SMALL_DIGITS: usize = 9;

/// Set in the form of a small number whose text begins with a minus.
const NEGATIVE: u32 = 1 << 8;

/// Powers that divide a small number's digits into its value; each is exact, and so is the digits'
/// own conversion, which makes the one division correctly rounded.
const POWERS: [f64; SMALL_DIGITS + 1] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/// A number as it was found in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub(super) end: usize,
    pub(super) link: u32,
    pub(super) meta: u32,
}

/// Why a text that begins like a number is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    NoDigit,
    LeadingZero,
    NoFraction,
    NoExponent,
    /// Hexadecimal and the like, or digits in groups.
    Radix,
    TooLong,
    Infinite,
}

/// A run of digits: where it ends, and its value as far as 64 bits hold it.
#[inline]
fn digits(bytes: &[u8], mut at: usize, mut value: u64) -> (usize, u64) {
    while let Some(byte) = bytes.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (at, value)
}

/// Reads the number that begins at a place; a fault names the place it shows at.
#[inline]
pub(super) fn read(text: &str, start: usize) -> Result<Number, (usize, Fault)> {
    let bytes = text.as_bytes();
    let negative = bytes.get(start) == Some(&b'-');
    let first = start + usize::from(negative);
    let (mut end, mut value) = digits(bytes, first, 0);
    let whole = end - first;
    if whole == 0 {
        return Err((end, Fault::NoDigit));
    }
    if whole > 1 && bytes.get(first) == Some(&b'0') {
        return Err((first, Fault::LeadingZero));
    }
    let mut scale = 0;
    if bytes.get(end) == Some(&b'.') {
        let point = end;
        (end, value) = digits(bytes, point + 1, value);
        scale = end - point - 1;
        if scale == 0 {
            return Err((end, Fault::NoFraction));
        }
    }
    let exponent = matches!(bytes.get(end), Some(b'e' | b'E'));
    if exponent || whole + scale > SMALL_DIGITS {
        return read_large(text, start, end, scale > 0);
    }
    if matches!(bytes.get(end), Some(b'x' | b'X' | b'o' | b'b' | b'_')) {
        return Err((end, Fault::Radix));
    }
    Ok(small(end, value, scale, negative))
}

#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "nine digits fit 32 bits, and a scale of nine does"
)]
const fn small(end: usize, value: u64, scale: usize, negative: bool) -> Number {
    let sign = if negative { NEGATIVE } else { 0 };
    Number {
        end,
        link: value as u32,
        meta: tag::SMALL | ((scale as u32 | sign) << 8),
    }
}

/// The rest of a number whose mantissa ends at `end`, and what can hold it.
#[cold]
fn read_large(
    text: &str,
    start: usize,
    mut end: usize,
    fraction: bool,
) -> Result<Number, (usize, Fault)> {
    let bytes = text.as_bytes();
    let exponent = matches!(bytes.get(end), Some(b'e' | b'E'));
    if exponent {
        let signed = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
        let from = end + 1 + usize::from(signed);
        (end, _) = digits(bytes, from, 0);
        if end == from {
            return Err((end, Fault::NoExponent));
        }
    }
    let raw = text.get(start..end).unwrap_or_default();
    if raw.len() > LONGEST {
        return Err((start, Fault::TooLong));
    }
    if !raw.parse().is_ok_and(f64::is_finite) {
        return Err((start, Fault::Infinite));
    }
    Ok(Number {
        end,
        link: 0,
        meta: class(raw, fraction || exponent),
    })
}

/// Whether a text is one number and nothing else.
pub(crate) fn is_number(text: &str) -> bool {
    read(text, 0).is_ok_and(|number| number.end == text.len())
}

fn class(raw: &str, float: bool) -> u32 {
    if float {
        tag::FLOAT
    } else if raw.parse::<u64>().is_ok() {
        tag::UNSIGNED
    } else if raw.parse::<i64>().is_ok() {
        tag::SIGNED
    } else {
        tag::BIG
    }
}

/// The value of a number that is written as an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integer {
    Unsigned(u64),
    /// Written with a minus.
    Signed(i64),
    /// Outside both.
    Big,
}

impl<'t> Cursor<'t> {
    /// Whether this is a number written without fraction and exponent.
    #[inline]
    pub(crate) fn is_integer(self) -> bool {
        let node = self.node();
        match node.tag() {
            tag::SMALL => node.count() & !NEGATIVE == 0,
            tag => (tag::UNSIGNED..=tag::BIG).contains(&tag),
        }
    }

    /// The value of a number that is written as an integer.
    #[inline]
    pub(super) fn integer(self) -> Option<Integer> {
        let node = self.node();
        match node.tag() {
            tag::SMALL => match node.count() {
                0 => Some(Integer::Unsigned(u64::from(node.link))),
                NEGATIVE => Some(Integer::Signed(-i64::from(node.link))),
                _ => None,
            },
            tag::UNSIGNED => Some(self.inner().parse().map_or(Integer::Big, Integer::Unsigned)),
            tag::SIGNED => Some(self.inner().parse().map_or(Integer::Big, Integer::Signed)),
            tag::BIG => Some(Integer::Big),
            _ => None,
        }
    }

    /// The value of a number, correctly rounded.
    #[inline]
    pub(crate) fn as_f64(self) -> Option<f64> {
        let node = self.node();
        if node.tag() != tag::SMALL {
            return self.number_text()?.parse().ok();
        }
        let form = node.count();
        let power = POWERS.get((form & !NEGATIVE) as usize)?;
        let value = f64::from(node.link) / power;
        Some(if form & NEGATIVE == 0 { value } else { -value })
    }

    /// The text of a number as it was written, for whoever needs every digit.
    #[inline]
    pub(crate) fn number_text(self) -> Option<&'t str> {
        self.node().is_number().then(|| self.inner())
    }
}
