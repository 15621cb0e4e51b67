//! Whether the elements of an array differ as JSON values: each is read once, whatever the others
//! are.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, RandomState};

use super::{Cursor, Kind};

/// Whether no two elements are equal: numbers as mathematics has it, objects in any order.
pub(super) fn all_differ(array: Cursor<'_>) -> bool {
    // Two keyed hashes stand for an element, which no reply can make collide.
    let keys = (RandomState::new(), RandomState::new());
    let mut seen = HashSet::with_capacity(array.len());
    let mut text = String::new();
    array.elements().all(|element| {
        text.clear();
        write(element, &mut text);
        seen.insert((keys.0.hash_one(&text), keys.1.hash_one(&text)))
    })
}

/// Writes equal values alike. Recursion is bounded by the depth that parsing allows.
fn write(cursor: Cursor<'_>, out: &mut String) {
    match cursor.kind() {
        Kind::Null | Kind::Bool => out.push_str(cursor.raw()),
        Kind::Number => write_number(cursor.raw(), out),
        Kind::String => write_text(&cursor.as_str().unwrap_or_default(), out),
        Kind::Array => {
            out.push('[');
            for element in cursor.elements() {
                write(element, out);
                out.push(',');
            }
            out.push(']');
        }
        Kind::Object => {
            let mut members: Vec<_> = cursor.members().collect();
            members.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
            out.push('{');
            for (key, value) in members {
                write_text(&key, out);
                write(value, out);
            }
            out.push('}');
        }
    }
}

/// Its length comes first, so that nothing inside ends it.
fn write_text(text: &str, out: &mut String) {
    let _ = write!(out, "{}\"{text}", text.len());
}

/// The same text for numbers of the same value, however they are written.
pub(super) fn number(raw: &str) -> String {
    let mut text = String::new();
    write_number(raw, &mut text);
    text
}

/// All digits without the zeros around them, and the power of ten of the last one.
fn write_number(raw: &str, out: &mut String) {
    let (mantissa, exponent) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
    let (sign, mantissa) = mantissa
        .strip_prefix('-')
        .map_or(("", mantissa), |rest| ("-", rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let short = digits.trim_end_matches('0');
    let zeros = digits.len() - short.len();
    let short = short.trim_start_matches('0');
    if short.is_empty() {
        return out.push('0');
    }
    let signed = |length: usize| i128::try_from(length).unwrap_or(i128::MAX);
    let exponent: i128 = exponent.parse().unwrap_or_default();
    let power = exponent + signed(zeros) - signed(fraction.len());
    let _ = write!(out, "{sign}{short}e{power}");
}
