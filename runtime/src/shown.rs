//! Text from outside as people are shown it: a reply's, a host's, a caller's.

/// `text` on one line of at most `most` characters, without anything that a
/// terminal or a log would obey: white space becomes a space, and characters
/// that are invisible or turn the writing around are spelled out.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut left = most;
    for character in text.chars() {
        let Some(fewer) = left.checked_sub(1) else {
            line.push('…');
            break;
        };
        left = fewer;
        match character {
            '\n' | '\r' | '\t' | '\u{85}' | '\u{2028}' | '\u{2029}' => line.push(' '),
            plain if is_plain(plain) => line.push(plain),
            odd => line.extend(odd.escape_unicode()),
        }
    }
    line
}

/// So many of something, `noun` being the word for one of it.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

fn is_plain(character: char) -> bool {
    let turns = matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
    let isolates = matches!(character, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{61c}');
    !character.is_control() && !turns && !isolates
}

#[cfg(test)]
mod tests {
    use super::{counted, line};

    #[test]
    fn one_is_no_plural() {
        let all = [0, 1, 2].map(|count| counted(count, "element"));
        assert_eq!(all, ["0 elements", "1 element", "2 elements"]);
    }

    #[test]
    fn what_a_terminal_obeys_is_spelled_out() {
        assert_eq!(
            line("a\u{1b}[31m\nb\u{202e}c", 80),
            "a\\u{1b}[31m b\\u{202e}c"
        );
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        assert_eq!(line("äöüß", 3), "äöü…");
        assert_eq!(line("äöü", 3), "äöü");
        assert!(line(&"\u{202e}".repeat(1 << 20), 100).len() < 1_000);
    }
}
