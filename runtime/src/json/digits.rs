//! How many digits exact types hold: of a decimal, and of a second.

/// The words for a decimal that would be rounded.
pub(crate) const DECIMAL_DIGITS: &str = "holds more digits than an exact decimal can: at most 28 after the point, and 28 in all (29 where \
     they are no more than 79228162514264337593543950335)";

/// The words for a time that would be cut off.
pub(crate) const SECOND_DIGITS: &str =
    "holds more digits of a second than a time can: at most nine";

/// Digits of a second that time types hold.
const NANOS: usize = 9;

/// Whether a time holds all digits of the second that are written.
pub(crate) fn has_nanos(text: &str) -> bool {
    let Some((_, fraction)) = text.split_once(['.', ',']) else {
        return true;
    };
    fraction.bytes().take_while(u8::is_ascii_digit).count() <= NANOS
}

/// Digits that every exact decimal holds.
#[cfg(feature = "rust_decimal")]
const ALWAYS_HELD: usize = 28;

/// Whether a decimal holds all digits that are written; a text of another form is left to its
/// pattern.
#[cfg(feature = "rust_decimal")]
pub(crate) fn is_held(text: &str) -> bool {
    if text.len() <= ALWAYS_HELD {
        return true;
    }
    let is_decimal = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
    !is_decimal || rust_decimal::Decimal::from_str_exact(text).is_ok()
}

/// Nothing is rounded where no type rounds.
#[cfg(not(feature = "rust_decimal"))]
pub(crate) fn is_held(_: &str) -> bool {
    true
}
