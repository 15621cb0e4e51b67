//! What may differ between a quotation and the passage it quotes.
//!
//! Each difference is one of presentation: it is named, undone on both sides,
//! and recorded. Digits, letters, case and signs of comparison are content.

use std::borrow::Cow;
use std::fmt;

use icu_normalizer::ComposingNormalizer;
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

/// A difference of presentation between a quotation and its passage that was
/// set aside to find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum TextNormalization {
    /// Runs of white space of any kind are one space; invisible breaks are
    /// none, and neither is a break between characters that stand without
    /// spaces, such as Han or Thai.
    Whitespace,
    /// Letters and their combining marks are composed (Unicode NFC).
    Composition,
    /// Typographic quotation marks, apostrophes, hyphens, dashes and ligatures
    /// are the plain characters.
    Typography,
    /// A hyphen at the end of a line may belong to the word or to the line; a
    /// soft hyphen is none.
    LineHyphen,
}

impl TextNormalization {
    const ALL: [Self; 4] = [
        Self::Whitespace,
        Self::Composition,
        Self::Typography,
        Self::LineHyphen,
    ];

    /// The stable word for this step.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Whitespace => "whitespace",
            Self::Composition => "nfc",
            Self::Typography => "typography",
            Self::LineHyphen => "line_hyphen",
        }
    }
}

impl fmt::Display for TextNormalization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of [`TextNormalization`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Folds(u8);

impl Folds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(0b1111);

    pub(crate) const fn with(self, step: TextNormalization) -> Self {
        Self(self.0 | 1 << step as u8)
    }

    const fn without(self, step: TextNormalization) -> Self {
        Self(self.0 & !(1 << step as u8))
    }

    const fn has(self, step: TextNormalization) -> bool {
        self.0 & 1 << step as u8 != 0
    }

    /// The steps of these names; nothing where one of them is none.
    pub(crate) fn named(names: &[impl AsRef<str>]) -> Option<Self> {
        names.iter().try_fold(Self::NONE, |folds, name| {
            let mut all = TextNormalization::ALL.into_iter();
            let step = all.find(|step| step.as_str() == name.as_ref())?;
            Some(folds.with(step))
        })
    }

    /// Whether nothing was set aside.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// The steps in a fixed order.
    pub fn iter(self) -> impl Iterator<Item = TextNormalization> {
        let all = TextNormalization::ALL.into_iter();
        all.filter(move |step| self.has(*step))
    }
}

/// The smallest set of steps under which two texts are the same; nothing where
/// no set makes them so.
///
/// Each step is left out in turn while the texts stay equal. The steps touch
/// different characters, so the order does not matter.
pub(crate) fn difference(one: &str, other: &str) -> Option<Folds> {
    if one == other {
        return Some(Folds::NONE);
    }
    let equal = |folds| fold(one, folds) == fold(other, folds);
    if !equal(Folds::ALL) {
        return None;
    }
    let needed = TextNormalization::ALL.into_iter();
    Some(needed.fold(Folds::ALL, |folds, step| {
        let fewer = folds.without(step);
        if equal(fewer) { fewer } else { folds }
    }))
}

/// A text with the differences of presentation undone.
pub(crate) fn fold(text: &str, folds: Folds) -> Cow<'_, str> {
    if text.is_ascii() && !folds.has(TextNormalization::Whitespace) {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    let mut spaced = false;
    for c in text.chars() {
        if folds.has(TextNormalization::Whitespace) {
            if is_space(c) {
                spaced = true;
                continue;
            }
            if is_invisible(c) {
                continue;
            }
        }
        if c == SOFT_HYPHEN && folds.has(TextNormalization::LineHyphen) {
            continue;
        }
        if std::mem::take(&mut spaced) && !folded.is_empty() && !runs_on(&folded, c) {
            folded.push(' ');
        }
        if folds.has(TextNormalization::Typography) {
            push_plain(&mut folded, c);
        } else {
            folded.push(c);
        }
    }
    if folds.has(TextNormalization::Composition) {
        Cow::Owned(composed(&folded).into_owned())
    } else {
        Cow::Owned(folded)
    }
}

/// Whether white space between a text and what follows says nothing.
fn runs_on(before: &str, next: char) -> bool {
    let last = before.chars().rev().find(|c| !extends(*c));
    is_unspaced(next) && last.is_some_and(is_unspaced)
}

/// Unicode NFC.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    ComposingNormalizer::new_nfc().normalize(text)
}

/// Adds the plain characters that a typographic one stands for.
pub(crate) fn push_plain(text: &mut String, c: char) {
    match c {
        '\u{FB00}' => text.push_str("ff"),
        '\u{FB01}' => text.push_str("fi"),
        '\u{FB02}' => text.push_str("fl"),
        '\u{FB03}' => text.push_str("ffi"),
        '\u{FB04}' => text.push_str("ffl"),
        '\u{FB05}' | '\u{FB06}' => text.push_str("st"),
        c => text.push(plain(c)),
    }
}

/// The plain character that a typographic one stands for.
pub(crate) const fn plain(c: char) -> char {
    match c {
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' | '‶' | '〝' | '〞' => '"',
        '‘' | '’' | '‚' | '‛' | '‹' | '›' | '′' | '‵' | 'ʼ' | '´' => '\'',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹘' | '﹣' | '－' => '-',
        c => c,
    }
}

pub(crate) const SOFT_HYPHEN: char = '\u{AD}';

/// White space, seen or not.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// What ends a line or a page.
pub(crate) const fn is_line_end(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// What only says where a line may be broken.
pub(crate) const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

/// A character of a script that puts no spaces between words.
pub(crate) const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0FFF}'       // Thai, Lao, Tibetan
        | '\u{1000}'..='\u{109F}'     // Myanmar
        | '\u{1780}'..='\u{17FF}'     // Khmer
        | '\u{1950}'..='\u{19FF}'     // Tai Le, New Tai Lue, Khmer symbols
        | '\u{2E80}'..='\u{312F}'     // Han radicals and punctuation, kana, Bopomofo
        | '\u{31A0}'..='\u{31FF}'     // Bopomofo, strokes, kana
        | '\u{3400}'..='\u{9FFF}'     // Han
        | '\u{F900}'..='\u{FAFF}'     // Han
        | '\u{FF66}'..='\u{FF9F}'     // narrow kana
        | '\u{20000}'..='\u{3FFFF}') // Han
}

/// A Hangul syllable: spaces stand between words, and particles follow a word
/// without one.
pub(crate) const fn is_syllable(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115F}' | '\u{A960}'..='\u{A97C}' | '\u{AC00}'..='\u{D7A3}')
}

/// What cannot stand apart from the character before it.
pub(crate) fn extends(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    match c {
        // Joiners, vowels and finals of Hangul, and the skin tones of emoji.
        '\u{200C}'
        | '\u{200D}'
        | '\u{1160}'..='\u{11FF}'
        | '\u{D7B0}'..='\u{D7FB}'
        | '\u{1F3FB}'..='\u{1F3FF}' => true,
        c => GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c)),
    }
}
