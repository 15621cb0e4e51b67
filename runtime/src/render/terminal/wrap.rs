//! Sentences over several lines.

use super::super::glyph::{self, Glyph};

/// The text as it is shown, in lines of at most `limit` columns. They break at
/// spaces, and within a word only where it is longer than a line.
pub(super) fn wrap(text: &str, limit: usize) -> Vec<String> {
    let shown = glyph::shown(text);
    let mut lines = Vec::new();
    let (mut line, mut used) = (String::new(), 0);
    for word in shown.split(' ') {
        if used > 0 && used + 1 + glyph::width(word) > limit {
            lines.push(std::mem::take(&mut line));
            used = 0;
        } else if used > 0 {
            line.push(' ');
            used += 1;
        }
        for c in word.chars() {
            let columns = Glyph::of(c).width();
            if used > 0 && used + columns > limit {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(c);
            used += columns;
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_break_at_spaces_and_inside_long_words_only() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh ij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("a\nb", 9), ["a\u{240a}b"]);
    }
}
