//! A text wherever it stands: plainly, in JSON, or in JSON that stands in a JSON string.

/// Puts something in the place of a text, with whatever escapes it is written.
pub(super) fn replaced(body: &str, text: &str, instead: &str) -> String {
    let wanted = wanted(text);
    if wanted.is_empty() {
        return body.to_owned();
    }
    let mut clean = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((before, after)) = split(rest, &wanted) {
        clean.push_str(before);
        clean.push_str(instead);
        rest = after;
    }
    clean.push_str(rest);
    clean
}

pub(super) fn stands_in(body: &str, text: &str) -> bool {
    let wanted = wanted(text);
    !wanted.is_empty() && split(body, &wanted).is_some()
}

/// Backslashes are passed over on both sides, since nobody can tell those of the text from those
/// that escape it.
fn wanted(text: &str) -> Vec<char> {
    text.chars().filter(|c| *c != '\\').collect()
}

/// What stands before and behind the first place of a text.
fn split<'b>(body: &'b str, wanted: &[char]) -> Option<(&'b str, &'b str)> {
    let mut from = 0;
    loop {
        let rest = body.get(from..).filter(|rest| !rest.is_empty())?;
        if let Some(length) = length(rest, wanted) {
            return Some((body.get(..from)?, rest.get(length..)?));
        }
        let first = rest.chars().next()?;
        from += match backslashes(rest) {
            0 => first.len_utf8(),
            several => several,
        };
    }
}

/// How many bytes the text takes if it begins here.
fn length(rest: &str, wanted: &[char]) -> Option<usize> {
    wanted.iter().try_fold(0, |at, want| {
        let rest = rest.get(at..)?;
        let slashes = backslashes(rest);
        let bare = rest.get(slashes..)?;
        let escaped = || (slashes > 0).then(|| escape(bare, *want))?;
        let plain = || bare.starts_with(*want).then(|| want.len_utf8());
        Some(at + slashes + escaped().or_else(plain)?)
    })
}

fn backslashes(rest: &str) -> usize {
    rest.len() - rest.trim_start_matches('\\').len()
}

/// How many bytes an escape of this character takes, its first backslashes left out.
fn escape(bare: &str, want: char) -> Option<usize> {
    let short = match want {
        '\n' => Some('n'),
        '\r' => Some('r'),
        '\t' => Some('t'),
        '\u{8}' => Some('b'),
        '\u{c}' => Some('f'),
        _ => None,
    };
    if short.is_some_and(|letter| bare.starts_with(letter)) {
        return Some(1);
    }
    let mut units = [0; 2];
    let mut at = 0;
    for (index, unit) in want.encode_utf16(&mut units).iter().enumerate() {
        let rest = bare.get(at..)?;
        let slashes = if index == 0 { 0 } else { backslashes(rest) };
        let digits = rest.get(slashes..)?.strip_prefix('u')?.get(..4)?;
        if u16::from_str_radix(digits, 16).ok() != Some(*unit) {
            return None;
        }
        at += slashes + 1 + digits.len();
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_in_every_spelling() {
        let text = "Åse \"A\" <b>\n𝄞";
        for body in [
            text,
            r#"Åse \"A\" <b>\n𝄞"#,
            r#"\u00c5se \"A\" \u003Cb\u003e\n\ud834\udd1e"#,
            r#"\\u00C5se \\\"A\\\" <b>\\n\\ud834\\udd1e"#,
        ] {
            assert!(stands_in(body, text), "{body}");
            assert_eq!(
                replaced(&format!("“{body}”"), text, "[x]"),
                "“[x]”",
                "{body}"
            );
        }
        assert_eq!(replaced(r"a\\b a\b ab", r"a\b", "-"), "- - -");
        assert_eq!(replaced(r#"\"Acme\""#, "Acme", "-"), r#"\"-\""#);
        assert!(!stands_in(r"\u00c5s \u", "Åse"));
        assert!(!stands_in("anything", r"\"));
    }

    #[test]
    fn a_body_of_backslashes_takes_no_longer_than_another() {
        let body = "\\".repeat(1 << 20);
        assert_eq!(replaced(&body, "Åse", "-"), body);
    }
}
