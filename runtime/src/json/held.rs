//! What types of other crates would round, cut off or shift in silence. Their
//! readers tell which type reads, whatever schema the user has written for it.

use std::any::type_name;

use super::digits::{SECOND_DIGITS, has_nanos};
use super::{BindError, BindKind, Cursor, account, equal};

/// The error for a text that its type would change in silence.
#[inline]
pub(super) fn kept<V>(text: &str) -> Result<(), BindError> {
    let reader = type_name::<V>();
    // Every text comes by here: the first letter sends most of them on.
    let why = match reader.as_bytes().first() {
        Some(b'r') if reader.starts_with("rust_decimal::") => rounded(text),
        Some(b'c') if reader.starts_with("chrono::") => cut_off(text),
        Some(b'j' | b'<' | b't') if is_of_a_calendar(reader) => {
            cut_off(text).or_else(|| shifted(text))
        }
        _ => return Ok(()),
    };
    told(why)
}

fn is_of_a_calendar(reader: &str) -> bool {
    let mut crates = ["jiff::", "<jiff::", "time::"].iter();
    crates.any(|one| reader.starts_with(one))
}

/// The same for a text in a buffer, of which any of those types may be made.
#[cold]
pub(super) fn kept_in_buffer(text: &str) -> Result<(), BindError> {
    told(
        rounded(text)
            .or_else(|| cut_off(text))
            .or_else(|| shifted(text)),
    )
}

fn told(why: Option<&'static str>) -> Result<(), BindError> {
    match why.filter(|_| account::is_kept()) {
        Some(why) => Err(BindError::new(BindKind::Lost, why.to_owned())),
        None => Ok(()),
    }
}

/// Whether a type reads all digits of a number where it is given its text.
#[inline]
pub(super) fn takes_digits<V>() -> bool {
    type_name::<V>().starts_with("rust_decimal::")
}

/// Whether a double, in which a buffer holds a fraction, and a single, which may
/// be made of that, say the same as the number.
#[expect(
    clippy::cast_possible_truncation,
    reason = "serde's derived code does the same"
)]
pub(super) fn fits_buffer(number: Cursor<'_>) -> bool {
    let double = number.as_f64().unwrap_or_default();
    let single = double as f32;
    let in_range = single.is_finite() && (single != 0.0 || double == 0.0);
    let written = number.number_text().unwrap_or_default();
    in_range && equal::number(written) == equal::number(&double.to_string())
}

/// Digits that every exact decimal holds.
#[cfg(feature = "rust_decimal")]
const ALWAYS_HELD: usize = 28;

#[cfg(feature = "rust_decimal")]
fn rounded(text: &str) -> Option<&'static str> {
    use rust_decimal::Decimal;

    if text.len() <= ALWAYS_HELD && !text.contains(['e', 'E']) {
        return None;
    }
    let read = text.parse().or_else(|_| Decimal::from_scientific(text));
    let plain = text.replace('_', "");
    let written = equal::number(plain.trim_start_matches('+'));
    let is_other = |value: &Decimal| equal::number(&value.to_string()) != written;
    read.ok()
        .filter(is_other)
        .map(|_| super::digits::DECIMAL_DIGITS)
}

#[cfg(not(feature = "rust_decimal"))]
fn rounded(_: &str) -> Option<&'static str> {
    None
}

fn cut_off(text: &str) -> Option<&'static str> {
    (text.contains(':') && !has_nanos(text)).then_some(SECOND_DIGITS)
}

/// Some types move a leap second to the second before it.
fn shifted(text: &str) -> Option<&'static str> {
    let is_leap = |at: &[u8]| {
        matches!(at, [b':', tens, ones, b':', b'6', b'0']
            if tens.is_ascii_digit() && ones.is_ascii_digit())
    };
    let mut places = text.as_bytes().windows(6);
    places
        .any(is_leap)
        .then_some("is a leap second, which its type would move to the second before")
}
