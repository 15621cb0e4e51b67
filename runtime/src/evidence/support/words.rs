//! The words that numbers and dates are written with, in English, German and
//! French.

use super::amount::Amount;

/// What a number is multiplied with by what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Factor {
    /// `e3`: a part of the number.
    Exponent(i64),
    /// A unit that a value may or may not have taken in, with the powers of ten
    /// it may mean.
    Unit(&'static [i64]),
}

const UNITS: &[(&str, &[i64])] = &[
    ("percent", &[-2]),
    ("per cent", &[-2]),
    ("pct", &[-2]),
    ("prozent", &[-2]),
    ("pour cent", &[-2]),
    ("thousand", &[3]),
    ("tausend", &[3]),
    ("mille", &[3]),
    ("k", &[3]),
    ("million", &[6]),
    ("millions", &[6]),
    ("millionen", &[6]),
    ("mio", &[6]),
    ("mn", &[6]),
    ("m", &[6]),
    ("milliarde", &[9]),
    ("milliarden", &[9]),
    ("milliard", &[9]),
    ("milliards", &[9]),
    ("mrd", &[9]),
    ("bn", &[9]),
    ("billion", &[9, 12]),
    ("billions", &[9, 12]),
    ("billionen", &[12]),
];

/// How long the longest unit is.
const LONGEST_UNIT: usize = 10;

/// What the text after a number makes of it.
pub(super) fn factor(after: &[char]) -> Option<Factor> {
    if let Some(exponent) = exponent(after) {
        return Some(Factor::Exponent(exponent));
    }
    let spaced = after.first().is_some_and(|c| c.is_whitespace());
    let rest = after.get(usize::from(spaced)..)?;
    match rest.first()? {
        '%' | '％' | '﹪' | '٪' => return Some(Factor::Unit(&[-2])),
        '‰' => return Some(Factor::Unit(&[-3])),
        _ => {}
    }
    let word: String = rest
        .iter()
        .take(LONGEST_UNIT + 1)
        .collect::<String>()
        .to_lowercase();
    let unit = |(name, _): &&(&str, &[i64])| {
        word.strip_prefix(name)
            .is_some_and(|rest| !rest.chars().next().is_some_and(char::is_alphanumeric))
    };
    UNITS
        .iter()
        .find(unit)
        .map(|(_, powers)| Factor::Unit(powers))
}

fn exponent(after: &[char]) -> Option<i64> {
    let rest = after
        .strip_prefix(&['e'])
        .or_else(|| after.strip_prefix(&['E']))?;
    let written: String = rest
        .iter()
        .take(6)
        .take_while(|c| c.is_ascii_digit() || matches!(c, '+' | '-'))
        .collect();
    written.parse().ok()
}

/// The words that are numbers, from nought to twelve.
const NUMBERS: [&[&str]; 13] = [
    &["zero", "nought", "null", "zéro"],
    &["one", "eins", "once"],
    &["two", "zwei", "deux", "twice"],
    &["three", "drei", "trois"],
    &["four", "vier", "quatre"],
    &["five", "fünf", "cinq"],
    &["six", "sechs"],
    &["seven", "sieben", "sept"],
    &["eight", "acht", "huit"],
    &["nine", "neun", "neuf"],
    &["ten", "zehn", "dix"],
    &["eleven", "elf", "onze"],
    &["twelve", "zwölf", "douze"],
];

/// The whole numbers that stand in a text as words.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = Amount> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter_map(|word| {
            let word = word.to_lowercase();
            NUMBERS
                .iter()
                .position(|names| names.contains(&word.as_str()))
        })
        .filter_map(|number| Amount::new(false, &number.to_string(), "", 0))
}

const MONTHS: [&[&str]; 12] = [
    &[
        "january", "jan", "januar", "jänner", "jän", "janvier", "janv",
    ],
    &[
        "february", "feb", "februar", "feber", "février", "fevrier", "févr", "fév",
    ],
    &["march", "mar", "märz", "maerz", "mär", "mrz", "mars"],
    &["april", "apr", "avril", "avr"],
    &["may", "mai"],
    &["june", "jun", "juni", "juin"],
    &["july", "jul", "juli", "juillet", "juil"],
    &["august", "aug", "août", "aout"],
    &["september", "sep", "sept", "septembre"],
    &["october", "oct", "oktober", "okt", "octobre"],
    &["november", "nov", "novembre"],
    &[
        "december",
        "dec",
        "dezember",
        "dez",
        "décembre",
        "decembre",
        "déc",
    ],
];

/// The month, from 1, that a word names.
pub(super) fn month(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let place = MONTHS
        .iter()
        .position(|names| names.contains(&word.as_str()))?;
    u32::try_from(place + 1).ok()
}
