//! What differs between one reply and the next, word by word.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Words of both replies together beyond which they are not compared: two long
/// texts with nothing in common would take too long.
const COMPARED: usize = 8000;

/// The parts of two texts, in bytes, that the other does not have. White space
/// between words counts for nothing. Nothing is marked in texts that are too
/// long to compare.
pub(super) fn differences(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (old_words, new_words) = (words(old), words(new));
    if old_words.len() + new_words.len() > COMPARED {
        return (Vec::new(), Vec::new());
    }
    let texts = |text: &'_ str, words: &[Range<usize>]| -> Vec<String> {
        let word = |span: &Range<usize>| text.get(span.clone()).unwrap_or_default().to_owned();
        words.iter().map(word).collect()
    };
    let (old, new) = (texts(old, &old_words), texts(new, &new_words));
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    for step in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (tag, from, to) = step.as_tag_tuple();
        if tag != DiffTag::Equal {
            gone.extend(joined(&old_words, from));
            come.extend(joined(&new_words, to));
        }
    }
    (gone, come)
}

/// From the first of some words to the end of the last.
fn joined(words: &[Range<usize>], places: Range<usize>) -> Option<Range<usize>> {
    let words = words.get(places)?;
    Some(words.first()?.start..words.last()?.end)
}

/// Runs of letters and digits, and every other character that is not white
/// space.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        let letter = c.is_alphanumeric();
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(word) if letter && open => word.end = end,
            _ if c.is_whitespace() => {}
            _ => words.push(at..end),
        }
        open = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_marked() {
        let (old, new) = (r#"{"a":"Zürich 8", "b":1}"#, r#"{"a": "Zürich 9","b":1}"#);
        let (gone, come) = differences(old, new);
        let parts = |text: &'static str, spans: Vec<Range<usize>>| -> Vec<&str> {
            spans.into_iter().map(|span| &text[span]).collect()
        };
        assert_eq!(parts(old, gone), ["8"]);
        assert_eq!(parts(new, come), ["9"]);
    }

    #[test]
    fn equal_texts_differ_nowhere_and_long_ones_are_left_alone() {
        assert_eq!(differences("{ \"a\": 1 }", "{\"a\":1}"), (vec![], vec![]));
        let long = "a ".repeat(COMPARED);
        assert_eq!(differences(&long, "b"), (vec![], vec![]));
    }
}
