//! Dates as documents write them.

use super::words;

/// The order of day, month and year in dates of digits alone.
///
/// `03/04/2027` is the third of April or the fourth of March: without a
/// declared order it supports neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DateOrder {
    /// Day, month, year.
    Dmy,
    /// Month, day, year.
    Mdy,
    /// Year, month, day.
    Ymd,
}

/// Among how many pieces of a text one date is looked for.
const MOST_ATOMS: usize = 12;

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    year: u32,
    month: u32,
    day: u32,
}

impl Date {
    /// Reads the date that an ISO 8601 date or date-time begins with.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.get(..10)?.split('-').map(str::parse);
        match (parts.next()?, parts.next()?, parts.next()?, parts.next()) {
            (Ok(year), Ok(month), Ok(day), None) => Self::new(year, month, day),
            _ => None,
        }
    }

    fn new(year: u32, month: u32, day: u32) -> Option<Self> {
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Self { year, month, day })
    }

    /// Whether a text holds this date in one of its written forms.
    pub(super) fn is_written(self, text: &str, order: Option<DateOrder>) -> bool {
        let atoms = atoms(text);
        (0..atoms.len()).any(|at| {
            let here = atoms.get(at..).unwrap_or_default();
            (!goes_on(&atoms, at) && self.in_digits(here, order))
                || self.in_words(here)
                || self.in_han(here)
        })
    }

    /// `2027-03-04`, `04.03.2027`, `3/4/27`.
    fn in_digits(self, atoms: &[Atom<'_>], order: Option<DateOrder>) -> bool {
        let [
            Atom::Number(a),
            Atom::Mark(one),
            Atom::Number(b),
            Atom::Mark(other),
            Atom::Number(c),
            ..,
        ] = atoms
        else {
            return false;
        };
        if one != other || !matches!(one, '-' | '/' | '.') {
            return false;
        }
        if a.len() == 4 {
            return self.is(a, b, c);
        }
        let declared = match order {
            Some(DateOrder::Dmy) => return self.is(c, b, a),
            Some(DateOrder::Mdy) => return self.is(c, a, b),
            Some(DateOrder::Ymd) => return self.is(a, b, c),
            None => c.len() == 4,
        };
        // The other order is none, or says the same.
        let days = Self::read(c, b, a).into_iter().chain(Self::read(c, a, b));
        declared && days.clone().next().is_some() && days.into_iter().all(|day| day == self)
    }

    /// `3 March 2027`, `3. März 2027`, `1er mars 2027`, `March 3rd, 2027`.
    fn in_words(self, atoms: &[Atom<'_>]) -> bool {
        if !starts_with_word(atoms) {
            return false;
        }
        let mut mark = None;
        let mut words: Vec<(&str, Option<char>)> = Vec::new();
        for atom in atoms.iter().take(MOST_ATOMS) {
            match atom {
                Atom::Mark(c) => mark = Some(*c),
                Atom::Number(word) | Atom::Word(word) if !is_filler(word) => {
                    words.push((word, mark.take()));
                }
                _ => {}
            }
        }
        let [(a, _), (b, _), (c, mark), ..] = words.as_slice() else {
            return false;
        };
        // A year of two digits may be any number, unless a mark ties it on.
        let year_first = a.len() == 4;
        let tied = c.len() == 4 || matches!(mark, Some('-' | '/' | '\''));
        let read = |day: &str, month: &str, year: &str| {
            words::month(month).is_some_and(|month| self.is(year, &month.to_string(), day))
        };
        (tied && (read(a, b, c) || read(b, a, c))) || (year_first && read(c, b, a))
    }

    /// `2027年3月4日`.
    fn in_han(self, atoms: &[Atom<'_>]) -> bool {
        let [
            Atom::Number(year),
            y,
            Atom::Number(month),
            m,
            Atom::Number(day),
            d,
            ..,
        ] = atoms
        else {
            return false;
        };
        let is =
            |atom: &Atom<'_>, names: &[char]| matches!(atom, Atom::Mark(c) if names.contains(c));
        is(y, &['年', '년'])
            && is(m, &['月', '월'])
            && is(d, &['日', '일'])
            && self.is(year, month, day)
    }

    fn is(self, year: &str, month: &str, day: &str) -> bool {
        Self::read(year, month, day) == Some(self)
    }

    fn read(year: &str, month: &str, day: &str) -> Option<Self> {
        let number = |text: &str| text.parse::<u32>().ok();
        let year = match (year.len(), number(year)?) {
            (4, year) => year,
            // As POSIX reads years of two digits.
            (2, year) if year < 69 => 2000 + year,
            (2, year) => 1900 + year,
            _ => return None,
        };
        let short = |text: &str| text.len() <= 2;
        let day = day_of(day);
        (short(month) && short(day)).then_some(())?;
        Self::new(year, number(month)?, number(day)?)
    }
}

/// Whether a number has digits and a mark right before it, as in an address.
fn goes_on(atoms: &[Atom<'_>], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| atoms.get(at));
    matches!(
        (before(2), before(1)),
        (Some(Atom::Number(_)), Some(Atom::Mark('-' | '/' | '.')))
    )
}

/// A day without the ending of its ordinal, or the time after it.
fn day_of(day: &str) -> &str {
    if let Some((day, time)) = day.split_once(['T', 't'])
        && time.starts_with(|c: char| c.is_ascii_digit())
    {
        return day;
    }
    ["st", "nd", "rd", "th", "er"]
        .iter()
        .find_map(|ending| day.strip_suffix(ending))
        .unwrap_or(day)
}

fn is_filler(word: &str) -> bool {
    matches!(word, "of" | "de" | "the" | "le")
}

fn starts_with_word(atoms: &[Atom<'_>]) -> bool {
    match atoms.first() {
        Some(Atom::Number(_)) => true,
        Some(Atom::Word(word)) => !is_filler(word),
        _ => false,
    }
}

/// A piece of a text that may be part of a date.
#[derive(Debug, Clone, Copy)]
enum Atom<'t> {
    /// Digits, or digits with the ending of an ordinal.
    Number(&'t str),
    Word(&'t str),
    /// A mark, or a character of a script without spaces. White space is left
    /// out.
    Mark(char),
}

fn atoms(text: &str) -> Vec<Atom<'_>> {
    let mut atoms = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let alone = |c: char| !c.is_alphanumeric() || super::super::fold::is_unspaced(c);
        let length = if alone(c) || matches!(c, '년' | '월' | '일') {
            c.len_utf8()
        } else {
            rest.find(|c: char| alone(c) || matches!(c, '년' | '월' | '일'))
                .unwrap_or(rest.len())
        };
        let (piece, after) = rest.split_at(length);
        rest = after;
        if length == c.len_utf8() && (alone(c) || matches!(c, '년' | '월' | '일')) {
            if !c.is_whitespace() {
                atoms.push(Atom::Mark(super::super::fold::plain(c)));
            }
        } else if c.is_ascii_digit() {
            atoms.push(Atom::Number(piece));
        } else {
            atoms.push(Atom::Word(piece));
        }
    }
    atoms
}
