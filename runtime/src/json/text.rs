//! The inside of strings: where plain text ends, what escapes mean, and a hash of the value.

const ONES: u64 = 0x0101_0101_0101_0101;

/// Marks, by its top bit, the first byte of a word that plain text cannot hold: a quote, a
/// backslash or a control character. Marks above the first may be wrong.
///
/// Flipping `0x02` swaps the quote (0x22) with the space (0x20), so that "below 0x21" means quote or
/// control character. Bytes of multi-byte characters have their top bit set and are never marked.
#[inline]
const fn stops(word: u64) -> u64 {
    let low = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
    let slash = (word ^ (ONES * 0x5C)).wrapping_sub(ONES);
    (low | slash) & !word & (ONES << 7)
}

#[inline]
const fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The eight bytes at a place, filled up with zeros, which stop every scan.
#[inline]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => last_word(rest),
    }
}

#[cold]
fn last_word(rest: &[u8]) -> u64 {
    rest.iter()
        .rev()
        .fold(0, |word, byte| (word << 8) | u64::from(*byte))
}

/// Scans plain text from a place to the first byte that is none; gives that place and the hash of
/// what was passed.
#[inline]
pub(super) fn scan(bytes: &[u8], mut at: usize) -> (usize, u32) {
    let mut hash = 0;
    loop {
        let word = word_at(bytes, at);
        let stops = stops(word);
        if stops != 0 {
            let below = ((stops & stops.wrapping_neg()) >> 7) - 1;
            return (
                at + stops.trailing_zeros() as usize / 8,
                finish(mix(hash, word & below)),
            );
        }
        hash = mix(hash, word);
        at += 8;
    }
}

/// The first byte at or after a place that plain text cannot hold, or the end.
#[inline]
pub(crate) fn plain_end(bytes: &[u8], at: usize) -> usize {
    scan(bytes, at).0
}

/// The hash that [`scan`] gives for the same bytes.
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    let whole = bytes.len() & !7;
    let words = (0..=whole).step_by(8).map(|at| word_at(bytes, at));
    finish(words.fold(0, mix))
}

#[inline]
const fn finish(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// The value of a string whose escapes were checked when it was parsed.
#[cold]
pub(crate) fn unescape(mut text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    while let Some((plain, rest)) = text.split_once('\\') {
        value.push_str(plain);
        let (character, length) = match escape(rest) {
            Escape::Character(character, length) => (character, length),
            _ => (char::REPLACEMENT_CHARACTER, 1),
        };
        value.push(character);
        text = rest.get(length..).unwrap_or_default();
    }
    value.push_str(text);
    value
}

/// What stands after a backslash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    /// A character, and the bytes that its escape takes after the backslash.
    Character(char, usize),
    /// Half of a surrogate pair without the other half.
    LoneSurrogate,
    /// `\u` without four hexadecimal digits.
    ShortHex,
    Unknown,
}

pub(crate) fn escape(rest: &str) -> Escape {
    let character = match rest.as_bytes().first() {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{C}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(rest),
        _ => return Escape::Unknown,
    };
    Escape::Character(character, 1)
}

fn unicode(rest: &str) -> Escape {
    let Some(first) = hex(rest, 1) else {
        return Escape::ShortHex;
    };
    if let Some(character) = char::from_u32(first) {
        return Escape::Character(character, 5);
    }
    let paired = rest.get(5..7) == Some("\\u");
    let second = if paired { hex(rest, 7) } else { None };
    match second {
        Some(second @ 0xDC00..=0xDFFF) if first < 0xDC00 => {
            let point = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            char::from_u32(point).map_or(Escape::LoneSurrogate, |character| {
                Escape::Character(character, 11)
            })
        }
        _ => Escape::LoneSurrogate,
    }
}

fn hex(text: &str, at: usize) -> Option<u32> {
    let digits = text.get(at..at + 4)?;
    let digits = digits
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit())
        .then_some(digits)?;
    u32::from_str_radix(digits, 16).ok()
}

/// Whether a character is a control character that text does not ordinarily hold.
pub(crate) fn is_odd_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\r' | '\t')
}
