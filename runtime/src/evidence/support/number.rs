//! Numbers as documents write them.
//!
//! A written number may have more than one reading (`1,250` is one thousand two
//! hundred and fifty or one and a quarter). It supports a value that one of
//! them equals; a reading that the text rules out (`1,250.00` is no list, and
//! `(1,250.00)` is no gain) is none.

use super::amount::Amount;
use super::passage::Passage;
use super::sign::{self, Sign, is_minus};
use super::words;

/// How many groups of digits one number has at most.
const MOST_GROUPS: usize = 12;

/// Whether a number stands in the passage.
pub(super) fn is_written(amount: &Amount, passage: &Passage<'_>) -> bool {
    let text: Vec<char> = passage.around().chars().map(plain_digit).collect();
    let inside = passage.inside_chars();
    let mut at = 0;
    while let Some(start) = next_number(&text, at) {
        let run = Run::read(&text, start);
        let here = |start: usize, end: usize| inside.start <= start && end <= inside.end;
        if run
            .written()
            .filter(|one| here(one.start, one.end))
            .any(|one| one.readings(&text).contains(amount))
        {
            return true;
        }
        at = run.end();
    }
    words::numbers(passage.inside()).any(|word| *amount == word)
}

/// Decimal digits of other scripts are read as ASCII ones.
fn plain_digit(c: char) -> char {
    const ZEROS: [char; 14] = [
        '\u{660}', '\u{6F0}', '\u{966}', '\u{9E6}', '\u{A66}', '\u{AE6}', '\u{B66}', '\u{BE6}',
        '\u{C66}', '\u{CE6}', '\u{D66}', '\u{E50}', '\u{ED0}', '\u{FF10}',
    ];
    let digit = ZEROS
        .iter()
        .filter_map(|zero| (c as u32).checked_sub(*zero as u32))
        .find(|digit| *digit < 10);
    digit
        .and_then(|digit| char::from_digit(digit, 10))
        .unwrap_or(c)
}

/// Where the next number begins: at a digit that no letter or identifier leads
/// up to.
fn next_number(text: &[char], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let start = at + text.get(at..)?.iter().position(char::is_ascii_digit)?;
        if !in_identifier(text, start) {
            return Some(start);
        }
        at = start + digits(text, start);
    }
}

/// `B2` and `K-1`, but not `第2`.
fn in_identifier(text: &[char], start: usize) -> bool {
    let before = |back: usize| start.checked_sub(back).and_then(|at| text.get(at)).copied();
    let letter = |c: Option<char>| c.is_some_and(is_letter);
    letter(before(1))
        || (before(1).is_some_and(is_minus) && before(2).is_some_and(char::is_alphabetic))
}

fn is_letter(c: char) -> bool {
    (c.is_alphanumeric() || c == '_') && !super::super::fold::is_unspaced(c)
}

fn digits(text: &[char], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.iter().take_while(|c| c.is_ascii_digit()).count()
}

/// Groups of digits with one mark between each two.
struct Run<'t> {
    text: &'t [char],
    groups: Vec<Group>,
    /// The groups cannot be one number, so that commas part several.
    list: bool,
}

#[derive(Clone, Copy)]
struct Group {
    start: usize,
    end: usize,
    /// The mark before the group.
    mark: Mark,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Point,
    Comma,
    Apostrophe,
    /// A space that may part two numbers as well.
    Space,
    /// A space that does not break.
    FixedSpace,
}

impl Mark {
    fn of(c: char) -> Option<Self> {
        Some(match c {
            '.' | '·' | '٫' => Self::Point,
            ',' | '٬' => Self::Comma,
            '\'' | '’' | '_' => Self::Apostrophe,
            ' ' => Self::Space,
            '\u{A0}' | '\u{202F}' | '\u{2009}' | '\u{2007}' => Self::FixedSpace,
            _ => return None,
        })
    }

    const fn is_decimal(self) -> bool {
        matches!(self, Self::Point | Self::Comma)
    }
}

impl<'t> Run<'t> {
    fn read(text: &'t [char], start: usize) -> Self {
        let mut groups = vec![Group {
            start,
            end: start + digits(text, start),
            mark: Mark::None,
        }];
        while let Some(group) = groups.last().and_then(|last| next_group(text, last.end)) {
            groups.push(group);
        }
        let list = is_list(&groups, text);
        Self { text, groups, list }
    }

    fn end(&self) -> usize {
        self.groups.last().map_or(0, |group| group.end)
    }

    /// Every way to take neighbouring groups as one number.
    fn written(&self) -> impl Iterator<Item = Written> + '_ {
        let count = self.groups.len();
        (0..count)
            .flat_map(move |from| {
                (from + 1..=count.min(from + MOST_GROUPS)).map(move |to| (from, to))
            })
            .filter(|(from, to)| self.may_part(*from) && self.may_part(*to))
            .filter_map(|(from, to)| Written::new(self.groups.get(from..to)?, self.text))
    }

    /// Whether one number may end and another begin before a group: at the ends
    /// of the run, at a space, and at a comma in what is a list.
    fn may_part(&self, at: usize) -> bool {
        let Some(group) = self.groups.get(at).filter(|_| at > 0) else {
            return true;
        };
        match group.mark {
            // `000` begins no number.
            Mark::Space => self.text.get(group.start) != Some(&'0'),
            Mark::Comma => self.list,
            _ => false,
        }
    }
}

/// Whether groups cannot be one number, so that commas part several.
fn is_list(groups: &[Group], text: &[char]) -> bool {
    if groups.iter().any(|group| group.mark == Mark::Space) {
        return false;
    }
    groups.len() > MOST_GROUPS
        || Written::new(groups, text).is_none_or(|one| one.amounts.is_empty())
}

fn next_group(text: &[char], end: usize) -> Option<Group> {
    let mark = Mark::of(*text.get(end)?)?;
    let start = end + 1;
    let length = digits(text, start);
    let spaced = matches!(mark, Mark::Space | Mark::FixedSpace);
    (length > 0 && (!spaced || length == 3)).then_some(Group {
        start,
        end: start + length,
        mark,
    })
}

/// Groups of digits taken as one number.
struct Written {
    start: usize,
    end: usize,
    /// It has marks between its digits, so it is an amount and no number of a
    /// page.
    marked: bool,
    amounts: Vec<Amount>,
}

impl Written {
    fn new(groups: &[Group], text: &[char]) -> Option<Self> {
        let (first, last) = (groups.first()?, groups.last()?);
        Some(Self {
            start: first.start,
            end: last.end,
            marked: groups.len() > 1,
            amounts: amounts(groups, text),
        })
    }

    /// All that the number may say with what stands around it.
    fn readings(self, text: &[char]) -> Vec<Amount> {
        let mut readings = self.amounts.clone();
        let after = text.get(self.end..).unwrap_or_default();
        match words::factor(after) {
            Some(words::Factor::Exponent(exponent)) => {
                readings = self
                    .amounts
                    .iter()
                    .map(|one| one.shifted(exponent))
                    .collect();
            }
            Some(words::Factor::Unit(exponents)) => {
                let units = exponents.iter();
                readings.extend(units.flat_map(|exponent| {
                    let amounts = self.amounts.iter();
                    amounts.map(|one| one.shifted(*exponent))
                }));
            }
            None => {}
        }
        match sign::of(text, self.start..self.end, self.marked) {
            Sign::Plus => {}
            Sign::Minus => readings = readings.iter().map(Amount::negated).collect(),
            Sign::Either => {
                let negated: Vec<Amount> = readings.iter().map(Amount::negated).collect();
                readings.extend(negated);
            }
        }
        readings
    }
}

/// What groups of digits may say together: grouped whole numbers, and decimals.
fn amounts(groups: &[Group], text: &[char]) -> Vec<Amount> {
    let parts: Vec<String> = groups
        .iter()
        .map(|group| {
            text.get(group.start..group.end)
                .unwrap_or_default()
                .iter()
                .collect()
        })
        .collect();
    let marks: Vec<Mark> = groups.iter().skip(1).map(|group| group.mark).collect();
    let whole = is_grouped(&parts, &marks).then(|| Amount::new(false, &parts.concat(), "", 0));
    let decimal = match (parts.split_last(), marks.split_last()) {
        (Some((fraction, parts)), Some((mark, marks)))
            if mark.is_decimal() && !marks.contains(mark) && is_grouped(parts, marks) =>
        {
            Some(Amount::new(false, &parts.concat(), fraction, 0))
        }
        _ => None,
    };
    [whole, decimal].into_iter().flatten().flatten().collect()
}

/// Whether digits are grouped as people group them: by three, or as in India by
/// two before the last three.
fn is_grouped(parts: &[String], marks: &[Mark]) -> bool {
    let (Some(first), Some(mark)) = (parts.first(), marks.first()) else {
        return true;
    };
    if first.starts_with('0') || marks.iter().any(|other| other != mark) {
        return false;
    }
    let mut rest = parts.iter().skip(1).map(String::len);
    let thousands = first.len() <= 3 && rest.clone().all(|length| length == 3);
    let lakhs = *mark == Mark::Comma
        && parts.len() > 2
        && first.len() <= 2
        && rest.next_back() == Some(3)
        && rest.all(|length| length == 2);
    thousands || lakhs
}
