//! Strings and numbers, byte by byte or eight at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The high bit of each byte that is zero; exact up to the first one found.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

/// Where the next byte stands that a string cannot simply hold: a quote, a
/// backslash, a control character, or the end of the text.
#[inline]
pub(super) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let quote = zero_bytes(word ^ (ONES * 0x22));
        let backslash = zero_bytes(word ^ (ONES * 0x5C));
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
        let stop = quote | backslash | control;
        if stop != 0 {
            return at + (stop.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1F) {
            return at;
        }
        at += 1;
    }
    at
}

/// Where a run of digits ends.
#[inline]
fn digits_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

/// A number's end and whether it is written as an integer; `None` if it is not
/// as RFC 8259 section 6 has it.
#[inline]
pub(super) fn number(bytes: &[u8], start: usize) -> Option<(usize, bool)> {
    let first = start + usize::from(bytes.get(start) == Some(&b'-'));
    let end = digits_end(bytes, first);
    if end == first || end > first + 1 && bytes.get(first) == Some(&b'0') {
        return None;
    }
    match bytes.get(end) {
        Some(b'.') => {
            let fraction = digits_end(bytes, end + 1);
            if fraction == end + 1 {
                return None;
            }
            exponent(bytes, fraction).map(|end| (end, false))
        }
        Some(b'e' | b'E') => exponent(bytes, end).map(|end| (end, false)),
        _ => Some((end, true)),
    }
}

/// The end of the exponent that may stand at `at`.
#[inline]
fn exponent(bytes: &[u8], at: usize) -> Option<usize> {
    if !matches!(bytes.get(at), Some(b'e' | b'E')) {
        return Some(at);
    }
    let first = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
    let end = digits_end(bytes, first);
    (end > first).then_some(end)
}

/// What is wrong with an escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BadEscape {
    /// No escape of JSON.
    Unknown,
    /// Half of a surrogate pair.
    Surrogate,
}

/// The length of the escape at `at`, where a backslash stands.
pub(super) fn escape(bytes: &[u8], at: usize) -> Result<usize, BadEscape> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(2),
        Some(b'u') => match unit(bytes, at + 2).ok_or(BadEscape::Unknown)? {
            0xD800..=0xDBFF => {
                let pair = bytes.get(at + 6..at + 8) == Some(b"\\u");
                let low = unit(bytes, at + 8).filter(|_| pair);
                match low {
                    Some(0xDC00..=0xDFFF) => Ok(12),
                    _ => Err(BadEscape::Surrogate),
                }
            }
            0xDC00..=0xDFFF => Err(BadEscape::Surrogate),
            _ => Ok(6),
        },
        _ => Err(BadEscape::Unknown),
    }
}

/// The four hexadecimal digits at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0, |value, digit| {
        Some(value * 16 + char::from(*digit).to_digit(16)?)
    })
}

/// The text of a string whose escapes are known to be sound.
pub(super) fn unescaped(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let (c, length) = escaped(after);
        out.push(c);
        rest = after.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The character that the text after a backslash stands for, and how long it
/// is.
fn escaped(after: &str) -> (char, usize) {
    let bytes = after.as_bytes();
    match bytes.first() {
        Some(b'b') => ('\u{8}', 1),
        Some(b'f') => ('\u{C}', 1),
        Some(b'n') => ('\n', 1),
        Some(b'r') => ('\r', 1),
        Some(b't') => ('\t', 1),
        Some(b'u') => {
            let first = unit(bytes, 1).unwrap_or(0xFFFD);
            match (first, unit(bytes, 7)) {
                (0xD800..=0xDBFF, Some(second @ 0xDC00..=0xDFFF)) => {
                    let joined = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                    (char::from_u32(joined).unwrap_or('\u{FFFD}'), 11)
                }
                _ => (char::from_u32(first).unwrap_or('\u{FFFD}'), 5),
            }
        }
        Some(byte) => (char::from(*byte), 1),
        None => ('\\', 0),
    }
}

/// Powers of ten that a float holds exactly.
const EXACT_TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The float nearest to a number's text.
#[inline]
pub(super) fn float(text: &str) -> f64 {
    short_float(text).unwrap_or_else(|| text.parse().unwrap_or(f64::INFINITY))
}

/// The same for a short decimal: both parts are exact, so one division rounds
/// once (W. D. Clinger, "How to read floating point numbers accurately", 1990).
#[inline]
fn short_float(text: &str) -> Option<f64> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        all => (false, all),
    };
    if digits.len() > 16 {
        return None;
    }
    let mut mantissa: u64 = 0;
    let mut fraction = 0;
    let mut after_point = 0;
    for byte in digits {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
                fraction += after_point;
            }
            b'.' => after_point = 1,
            _ => return None,
        }
    }
    // Sixteen bytes of digits may pass 2^53, where integers stop being exact.
    if mantissa > 1 << 53 {
        return None;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "at most 2^53, as was just checked"
    )]
    let value = mantissa as f64 / EXACT_TENS.get(fraction)?;
    Some(if negative { -value } else { value })
}
