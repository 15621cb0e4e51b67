//! Whether a written number is below zero.

use std::ops::Range;

use crate::evidence::boundary::is_currency;
use crate::evidence::fold::plain;

/// What stands around a number says of its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
    /// A dash that may be a bullet, or brackets that may be just brackets.
    Either,
}

/// How far from its digits a sign may stand.
const REACH: usize = 6;

pub(super) fn is_minus(c: char) -> bool {
    plain(c) == '-' && c != '—'
}

/// The sign of the number at `digits`; `marked` tells an amount from a bare
/// whole number.
pub(super) fn of(text: &[char], digits: Range<usize>, marked: bool) -> Sign {
    let before = text.get(..digits.start).unwrap_or_default();
    let after = text.get(digits.end..).unwrap_or_default();
    let left = leading(before);
    if left != Sign::Plus {
        return left;
    }
    if trails(after) {
        return Sign::Minus;
    }
    bracketed(before, after, marked)
}

fn leading(before: &[char]) -> Sign {
    let mut left = before.iter().rev().copied().peekable();
    let mut currency = false;
    let mut spaces = 0;
    while let Some(c) = left.next_if(|c| c.is_whitespace() || is_currency(*c)) {
        currency |= is_currency(c);
        spaces += usize::from(c.is_whitespace());
        if spaces > 1 {
            return Sign::Plus;
        }
    }
    let mark = left.next();
    let further = left.next();
    if mark.is_some_and(is_minus) {
        let apart = further.is_none_or(|c| !c.is_alphanumeric());
        return match (apart, spaces == 0 || currency) {
            (false, _) => Sign::Plus,
            (true, true) => Sign::Minus,
            (true, false) => Sign::Either,
        };
    }
    if spaces > 0 && says_minus(before) {
        return Sign::Minus;
    }
    Sign::Plus
}

/// Whether the word before a number is a spoken minus.
fn says_minus(before: &[char]) -> bool {
    let backwards: String = before
        .iter()
        .rev()
        .skip_while(|c| c.is_whitespace())
        .take_while(|c| c.is_alphabetic())
        .take(REACH)
        .collect();
    matches!(backwards.to_lowercase().as_str(), "sunim" | "sniom")
}

/// `145.00-` at the end of a word.
fn trails(after: &[char]) -> bool {
    let mut right = after.iter();
    right.next().is_some_and(|c| is_minus(*c))
        && right
            .next()
            .is_none_or(|c| !c.is_alphanumeric() && !is_minus(*c))
}

/// `(145.00)`, a currency within the brackets too.
fn bracketed(before: &[char], after: &[char], marked: bool) -> Sign {
    let skipped =
        |c: &char| c.is_whitespace() || is_currency(*c) || c.is_ascii_uppercase() || *c == '%';
    let left: Vec<char> = before.iter().rev().take(REACH).copied().collect();
    let right: Vec<char> = after.iter().take(REACH).copied().collect();
    let opened = left.iter().position(|c| !skipped(c));
    let closed = right.iter().position(|c| !skipped(c));
    let (Some(opened), Some(closed)) = (opened, closed) else {
        return Sign::Plus;
    };
    if left.get(opened) != Some(&'(') || right.get(closed) != Some(&')') {
        return Sign::Plus;
    }
    if marked || opened > 0 || closed > 0 {
        Sign::Minus
    } else {
        Sign::Either
    }
}
