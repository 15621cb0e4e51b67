//! Where a quotation may begin and end.
//!
//! Tokens keep letters and digits together; what is left are numbers with marks
//! inside or before them: `145` is not in `1,450`, `145.50` or `-145`.

use std::ops::Range;

use super::fold::plain;

/// How far a number is followed.
const LONGEST: usize = 64;

/// Whether a span begins or ends inside a number.
pub(super) fn is_cut(text: &str, span: &Range<usize>) -> bool {
    let inside = text.get(span.clone()).unwrap_or_default();
    (starts_with_digit(inside) && cut_before(text, span.start))
        || (ends_with_digit(inside) && cut_after(text, span.end))
}

/// What stands on both sides of a byte.
fn sides(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or_default()
}

fn starts_with_digit(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_numeric)
}

fn ends_with_digit(text: &str) -> bool {
    text.chars().next_back().is_some_and(char::is_numeric)
}

fn cut_before(text: &str, at: usize) -> bool {
    let (before, inside) = sides(text, at);
    let mut left = before.chars().rev();
    let Some(mark) = left.next() else {
        return false;
    };
    let further = left.next();
    let digits = further.is_some_and(char::is_numeric);
    if is_group_space(mark) {
        return digits && leads_group(inside);
    }
    if digits {
        return joins_digits(mark) && is_one_number(text, at);
    }
    let apart = further.is_none_or(|c| c.is_whitespace() || opens(c));
    apart && (matches!(mark, '.' | ',') || is_sign(mark))
}

fn cut_after(text: &str, at: usize) -> bool {
    let mut right = sides(text, at).1.chars();
    let Some(mark) = right.next() else {
        return false;
    };
    if is_group_space(mark) {
        return leads_group(right.as_str());
    }
    joins_digits(mark) && right.next().is_some_and(char::is_numeric) && is_one_number(text, at)
}

/// A space that does not break, as it stands between groups of digits.
const fn is_group_space(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{202F}' | '\u{2009}' | '\u{2007}')
}

/// Whether a text begins with exactly three digits.
fn leads_group(text: &str) -> bool {
    text.chars().take(4).take_while(|c| c.is_numeric()).count() == 3
}

fn joins_digits(mark: char) -> bool {
    matches!(mark, '.' | ',' | ':' | '/' | '-' | '\u{2011}' | '\'' | '’')
}

fn is_sign(mark: char) -> bool {
    plain(mark) == '-' && mark != '—'
}

fn opens(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | ':' | '=' | '"' | '\'' | '|' | ';') || is_currency(c)
}

pub(super) fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢' | '£' | '¤' | '¥' | '\u{20A0}'..='\u{20CF}')
}

/// Whether the digits around a byte are one number and no list, as in a table
/// of values separated by commas.
fn is_one_number(text: &str, at: usize) -> bool {
    let part = |c: &char| c.is_numeric() || matches!(c, '.' | ',');
    let (before, after) = sides(text, at);
    let left: String = before
        .chars()
        .rev()
        .take(LONGEST)
        .take_while(part)
        .collect();
    let right = after.chars().take(LONGEST).take_while(part);
    let run: String = left.chars().rev().chain(right).collect();
    let run = run.trim_matches(['.', ',']);
    match run.split_once(',') {
        None => true,
        Some((_, fraction)) if fraction.chars().all(char::is_numeric) => true,
        Some(_) => is_grouped(run),
    }
}

/// Whether every comma has three digits after it, a fraction aside.
fn is_grouped(run: &str) -> bool {
    let whole = run.split('.').next().unwrap_or_default();
    whole.contains(',')
        && whole
            .split(',')
            .skip(1)
            .all(|group| group.chars().count() == 3)
}
