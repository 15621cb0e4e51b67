//! When two values are the same, and finding one by what it holds.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use crate::json::{Cursor, Kind};

/// What does not count where two values are compared. The order of members never does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum But {
    /// Everything counts, the way a number is written included.
    Nothing,
    /// How a number is written: `1.10` is `1.1`.
    Notation,
    /// The same, and what lists hold.
    Lists,
}

/// Whether two values are the same JSON, numbers as they are written.
pub(in crate::repair) fn same(one: Cursor<'_>, other: Cursor<'_>) -> bool {
    equal(one, other, But::Nothing)
}

/// Recursion is bounded by the depth that parsing allows.
pub(super) fn equal(one: Cursor<'_>, other: Cursor<'_>, but: But) -> bool {
    if one.raw() == other.raw() {
        return true;
    }
    match (one.kind(), other.kind()) {
        (Kind::Object, Kind::Object) => {
            let there = by_key(other);
            let held = |(key, value): (Cow<'_, str>, Cursor<'_>)| {
                there
                    .get(&key)
                    .is_some_and(|there| equal(value, *there, but))
            };
            one.len() == other.len() && one.members().all(held)
        }
        (Kind::Array, Kind::Array) => {
            let mut pairs = one.elements().zip(other.elements());
            but == But::Lists
                || one.len() == other.len() && pairs.all(|(one, other)| equal(one, other, but))
        }
        (Kind::String, Kind::String) => one.as_str() == other.as_str(),
        (Kind::Number, Kind::Number) => {
            but != But::Nothing && Number::of(one.raw()) == Number::of(other.raw())
        }
        _ => false,
    }
}

/// The members of an object by name, so that comparing two large ones stays linear.
pub(super) fn by_key(object: Cursor<'_>) -> HashMap<Cow<'_, str>, Cursor<'_>> {
    object.members().collect()
}

/// Hashes values by what they hold, so that equal ones are found without comparing each with each.
#[derive(Debug)]
pub(super) struct Contents {
    state: RandomState,
    but: But,
}

impl Contents {
    pub(super) fn new(but: But) -> Self {
        Self {
            state: RandomState::new(),
            but,
        }
    }

    pub(super) fn of<'c>(&self, value: Cursor<'c>) -> Content<'c> {
        Content {
            value,
            hash: self.hash(value),
            but: self.but,
        }
    }

    /// Recursion is bounded by the depth that parsing allows.
    fn hash(&self, value: Cursor<'_>) -> u64 {
        match value.kind() {
            // Members count in any order, so that their hashes are added up.
            Kind::Object => {
                let member = |(key, value): (Cow<'_, str>, Cursor<'_>)| {
                    self.state.hash_one((key, self.hash(value)))
                };
                let members = value.members().map(member);
                self.state
                    .hash_one((1u8, members.fold(0, u64::wrapping_add)))
            }
            Kind::Array if self.but == But::Lists => self.state.hash_one(2u8),
            Kind::Array => {
                let mut hasher = self.state.build_hasher();
                3u8.hash(&mut hasher);
                for element in value.elements() {
                    self.hash(element).hash(&mut hasher);
                }
                hasher.finish()
            }
            Kind::String => self.state.hash_one((4u8, value.as_str())),
            Kind::Number if self.but != But::Nothing => {
                self.state.hash_one((5u8, Number::of(value.raw())))
            }
            _ => self.state.hash_one((6u8, value.raw())),
        }
    }
}

/// A value, found by what it holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content<'c> {
    pub(super) value: Cursor<'c>,
    hash: u64,
    but: But,
}

impl PartialEq for Content<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && equal(self.value, other.value, self.but)
    }
}

impl Eq for Content<'_> {}

impl Hash for Content<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

/// What a JSON number is worth, exactly: its digits without outer zeros, and the power of ten of
/// the last one. A sign is kept on zero.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Number {
    negative: bool,
    digits: String,
    power: i64,
    /// An exponent that no 32 bits hold, as it is written.
    beyond: Option<String>,
}

impl Number {
    fn of(raw: &str) -> Self {
        let (negative, raw) = match raw.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, raw),
        };
        let (mantissa, exponent) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let upto = all.trim_end_matches('0');
        let digits = upto.trim_start_matches('0').to_owned();
        if digits.is_empty() {
            return Self {
                negative,
                digits,
                power: 0,
                beyond: None,
            };
        }
        let scale = |length: usize| i64::try_from(length).unwrap_or(i64::MAX / 2);
        let shift = scale(all.len() - upto.len()) - scale(fraction.len());
        let known = exponent.parse::<i32>().ok();
        Self {
            negative,
            digits,
            power: shift + i64::from(known.unwrap_or(0)),
            beyond: known.is_none().then(|| exponent.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn numbers_are_equal_by_what_they_are_worth() {
        for (one, other) in [
            ("1.10", "1.1"),
            ("10", "1e1"),
            ("0.0120", "12E-3"),
            ("0", "0.00e9"),
        ] {
            assert_eq!(Number::of(one), Number::of(other), "{one} {other}");
        }
        for (one, other) in [
            ("1", "10"),
            ("1", "-1"),
            ("1.01", "1.1"),
            ("1e99999999999", "1e99999999998"),
        ] {
            assert_ne!(Number::of(one), Number::of(other), "{one} {other}");
        }
    }
}
