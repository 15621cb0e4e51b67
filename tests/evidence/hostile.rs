//! Documents and quotations made to be searched for ever. That these tests end
//! is what they show.

use typed_extract::__private::evidence::{Effort, Index};

const LARGE: usize = 1 << 20;
const SOME: usize = 1 << 17;

/// Looks many quotations up under one effort, as for one reply.
fn search(document: &str, quotes: &[String]) -> Vec<(usize, bool)> {
    let index = Index::new(document);
    let bytes: usize = quotes.iter().map(String::len).sum();
    let mut effort = Effort::for_bytes(document.len() + bytes);
    quotes
        .iter()
        .map(|quote| index.find(document, quote, &mut effort))
        .map(|places| (places.all.len(), places.more))
        .collect()
}

#[test]
fn one_letter_a_million_times() {
    let document = "a".repeat(LARGE);
    let found = search(
        &document,
        &["a".repeat(100_000), "a".into(), document.clone()],
    );
    assert_eq!(found, [(0, false), (0, false), (1, false)]);
}

#[test]
fn one_word_all_over() {
    let document = "a ".repeat(LARGE / 2);
    let quotes: Vec<String> = (1..20).map(|count| "a ".repeat(count * 2500)).collect();
    for (found, more) in search(&document, &quotes) {
        assert!(more, "{found} places and no more");
    }
}

#[test]
fn nothing_but_marks() {
    for unit in ["\u{301}", "\u{316}\u{301}", "e\u{301}\u{316}", "\u{1161}"] {
        let document = unit.repeat(LARGE / unit.len());
        let quote = unit.repeat(50_000);
        let found = search(&document, &[quote, "e".into(), document.clone()]);
        assert_eq!(found[2].0, 1, "{unit:?}");
    }
}

#[test]
fn signs_digits_and_line_ends_only() {
    for unit in [
        "-",
        "1-",
        "1,",
        "1.",
        ".",
        "\u{ad}",
        "\u{ad}\n",
        "a-\n",
        "\u{200b}",
        "\u{2060} ",
        "\n",
        "1\u{a0}",
        "( ",
        "完",
        "ﬁ",
        "“",
    ] {
        let document = unit.repeat(SOME / unit.len());
        let quotes: Vec<String> = (1..10).map(|count| unit.repeat(count * 1000)).collect();
        let _ = search(&document, &quotes);
    }
}

#[test]
fn long_beginnings_that_come_to_nothing() {
    let document = format!("{}b ", "a ".repeat(1000)).repeat(500);
    let quote = "a ".repeat(1001);
    let found = search(&document, &vec![quote; 50]);
    assert!(found.iter().all(|(places, more)| *places == 0 || *more));
}
