//! Clearing a provider's words of what must not reach a log.

/// A run of the prompt this long, in characters without marks, is taken for a quote of it.
const QUOTE_CHARS: usize = 21;
/// A piece of the key this long is worth hiding where a message was cut inside it.
const KEY_PIECE: usize = 6;
/// A piece of the key this long, in characters, is hidden wherever it stands.
const KEY_RUN: usize = 12;
const HIDDEN: &str = "[key]";

/// The text without the key and without longer quotes from what was sent: the prompt, and the
/// system text before it.
pub(crate) fn scrub(text: &str, key: Option<&str>, sent: &[&str]) -> String {
    let clean = without_key(text, key.unwrap_or_default());
    sent.iter()
        .fold(clean, |text, sent| without_quotes(&text, sent))
}

fn without_key(text: &str, key: &str) -> String {
    if key.is_empty() {
        return text.to_owned();
    }
    let clean = text.replace(key, HIDDEN);
    let open = clean.trim_end_matches('…');
    let cut = (KEY_PIECE..key.len())
        .rev()
        .filter_map(|end| key.get(..end))
        .find_map(|piece| open.strip_suffix(piece));
    let clean = match cut {
        Some(before) => format!("{before}{HIDDEN}"),
        None => clean,
    };
    without_pieces(&clean, key)
}

/// Words are cut before the key is looked for, and hosts show parts of keys, so that a piece from
/// anywhere in the key can stand anywhere in the text, in any case.
fn without_pieces(text: &str, key: &str) -> String {
    let key = key.to_ascii_lowercase();
    let said: Vec<_> = text.char_indices().collect();
    let lower = |run: &str| run.to_ascii_lowercase();
    let hidden = marked(&said, KEY_RUN, |run| key.contains(&lower(run)));
    let marked: Vec<_> = said.iter().zip(&hidden).collect();
    let mut clean = String::with_capacity(text.len());
    for run in marked.chunk_by(|(_, one), (_, other)| one == other) {
        match run {
            [(_, true), ..] => clean.push_str(HIDDEN),
            _ => clean.extend(run.iter().map(|((_, c), _)| c)),
        }
    }
    clean
}

/// Which characters stand in a run of this length that is one of those looked for.
fn marked(said: &[(usize, char)], length: usize, is_one: impl Fn(&str) -> bool) -> Vec<bool> {
    let mut marked = vec![false; said.len()];
    for (at, window) in said.windows(length).enumerate() {
        let run: String = window.iter().map(|(_, c)| c).collect();
        if is_one(&run) {
            let places = marked.iter_mut().skip(at).take(length);
            places.for_each(|place| *place = true);
        }
    }
    marked
}

/// A quote may have lost its line ends and marks, or have them escaped, so both texts are compared
/// without.
fn without_quotes(text: &str, prompt: &str) -> String {
    let said = folded(text);
    let prompt: String = folded(prompt).into_iter().map(|(_, c)| c).collect();
    let quoted = marked(&said, QUOTE_CHARS, |run| prompt.contains(run));
    let mut clean = String::with_capacity(text.len());
    let mut from = 0;
    let hidden: Vec<_> = said.iter().zip(&quoted).collect();
    for run in hidden.chunk_by(|(_, one), (_, other)| one == other) {
        let letters = || run.iter().filter(|((_, c), hide)| **hide && *c != GAP);
        let (Some(((start, _), _)), Some(((last, end), _))) =
            (letters().next(), letters().next_back())
        else {
            continue;
        };
        clean.push_str(text.get(from..*start).unwrap_or_default());
        clean.push_str("[quote]");
        from = last + end.len_utf8();
    }
    clean.push_str(text.get(from..).unwrap_or_default());
    clean
}

/// What stands for everything between two words.
const GAP: char = ' ';

/// The letters and digits of a text with their places, and one gap between words.
fn folded(text: &str) -> Vec<(usize, char)> {
    let mut folded: Vec<(usize, char)> = Vec::with_capacity(text.len());
    let mut after_backslash = false;
    for (at, c) in text.char_indices() {
        let escapes = std::mem::replace(&mut after_backslash, c == '\\')
            && matches!(c, 'n' | 'r' | 't' | 'b' | 'f');
        if c.is_alphanumeric() && !escapes {
            folded.push((at, c));
        } else if folded.last().is_some_and(|(_, last)| *last != GAP) {
            folded.push((at, GAP));
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_hidden_whole_and_cut() {
        let key = Some("sk-secret-0123456789");
        assert_eq!(
            scrub("bad key sk-secret-0123456789!", key, &[]),
            "bad key [key]!"
        );
        assert_eq!(scrub("bad key sk-secret-01…", key, &[]), "bad key [key]");
        assert_eq!(scrub("no key given", None, &[]), "no key given");
        for piece in ["sk-secret-01234", "RET-0123456789", "secret-01234567"] {
            let said = format!("({piece}) is wrong");
            assert_eq!(scrub(&said, key, &[]), "([key]) is wrong");
        }
        assert_eq!(scrub("sk-secret is short", key, &[]), "sk-secret is short");
    }

    #[test]
    fn a_longer_quote_of_the_prompt_is_hidden_and_a_word_is_not() {
        let prompt = "Extract. Patient Åse Müller, born 1961-04-02, complains of headaches.";
        let said = "flagged: “Patient Åse Müller, born 1961-04-02” in the Patient record";
        assert_eq!(
            scrub(said, None, &[prompt]),
            "flagged: “[quote]” in the Patient record"
        );
        assert_eq!(
            scrub("short: headaches", None, &[prompt]),
            "short: headaches"
        );
        assert_eq!(
            scrub(
                "ünïcödé only, and nothing from the other text",
                None,
                &[prompt]
            )
            .chars()
            .count(),
            45
        );
    }

    #[test]
    fn a_quote_is_hidden_whatever_became_of_its_line_ends_and_marks() {
        let prompt = "Name: Åse Müller\nBorn: 1961-04-02\n\tWard: \"B\"\nPain: 7";
        for said in [
            "no: Name: Åse Müller Born: 1961-04-02 Ward: \"B\" Pain: 7!",
            r#"no: Name: Åse Müller\nBorn: 1961-04-02\n\tWard: \"B\"\nPain: 7!"#,
            r#"no: Name: Åse Müller\\nBorn: 1961-04-02\\n\\tWard: \\\"B\\\"\\nPain: 7!"#,
        ] {
            assert_eq!(scrub(said, None, &[prompt]), "no: [quote]!", "{said}");
        }
    }
}
