//! Sixty quotations looked up in documents of three sizes, the index included,
//! and as many more as the document is longer.

// A benchmark that cannot run fails at once.
#![allow(clippy::expect_used, clippy::panic, missing_docs)]

use std::fmt::Write as _;

use divan::{Bencher, black_box};
use serde::Deserialize;
use typed_extract::__private::evidence::{Effort, Index};
use typed_extract::{Cited, Extract, extract};

fn main() {
    divan::main();
}

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
const QUOTES: usize = 60;

const WORDS: [&str; 24] = [
    "the",
    "tenant",
    "shall",
    "pay",
    "rent",
    "of",
    "monthly",
    "in",
    "advance",
    "to",
    "lessor",
    "and",
    "Kündigung",
    "clause",
    "within",
    "days",
    "after",
    "notice",
    "“premises”",
    "no",
    "deposit",
    "VAT",
    "invoice",
    "total",
];

/// Prose with numbers, line ends, and a clause number that makes each sentence
/// one of a kind.
fn document(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 200);
    let mut state = 7_u64;
    let mut clause = 0;
    while text.len() < bytes {
        clause += 1;
        write!(text, "{clause}. ").expect("a string takes text");
        for place in 0..12 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let word = usize::try_from(state >> 33).expect("31 bits") % WORDS.len();
            text.push_str(WORDS.get(word).expect("a word"));
            text.push(if place == 5 { '\n' } else { ' ' });
        }
        writeln!(text, "EUR {}.50.", state >> 50).expect("a string takes text");
    }
    text
}

/// Sentences from all over the document, every second one as one line.
fn quotes(document: &str, count: usize) -> Vec<String> {
    let sentences: Vec<&str> = document
        .split(".\n")
        .filter(|one| !one.is_empty())
        .collect();
    (0..count)
        .map(|place| {
            let sentence = sentences
                .get(place * sentences.len() / count)
                .expect("a sentence");
            if place % 2 == 0 {
                (*sentence).to_owned()
            } else {
                sentence.replace('\n', " ")
            }
        })
        .collect()
}

/// How many quotations have exactly one place, which all must have.
fn locate(document: &str, quotes: &[String]) -> usize {
    let index = Index::new(document);
    let bytes: usize = quotes.iter().map(String::len).sum();
    let mut effort = Effort::for_bytes(document.len() + bytes);
    let found = quotes
        .iter()
        .map(|quote| index.find(document, quote, &mut effort));
    found.filter(|places| places.all.len() == 1).count()
}

#[divan::bench(args = SIZES)]
fn index(bencher: Bencher<'_, '_>, bytes: usize) {
    let document = document(bytes);
    bencher.bench(|| Index::new(black_box(&document)));
}

#[divan::bench(args = SIZES)]
fn sixty_quotations(bencher: Bencher<'_, '_>, bytes: usize) {
    let document = document(bytes);
    let quotes = quotes(&document, QUOTES);
    assert_eq!(locate(&document, &quotes), quotes.len());
    bencher.bench(|| locate(black_box(&document), black_box(&quotes)));
}

#[divan::bench(args = SIZES)]
fn sixty_for_each_10_kb(bencher: Bencher<'_, '_>, bytes: usize) {
    let document = document(bytes);
    let quotes = quotes(&document, QUOTES * bytes / 10_000);
    assert_eq!(locate(&document, &quotes), quotes.len());
    bencher.bench(|| locate(black_box(&document), black_box(&quotes)));
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Clauses {
    clauses: Vec<Clause>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Clause {
    text: Cited<String>,
    currency: Cited<String>,
}

/// A reply through the whole flow: one quotation of its own for each clause, and
/// one that repeats and is told apart by its neighbours.
#[divan::bench(args = SIZES)]
fn whole_flow(bencher: Bencher<'_, '_>, bytes: usize) {
    let document = document(bytes);
    let clauses: Vec<_> = quotes(&document, QUOTES * bytes / 20_000)
        .iter()
        .map(|quote| {
            serde_json::json!({
                "text": {"quote": quote, "value": quote},
                "currency": {"quote": "EUR", "value": "EUR"},
            })
        })
        .collect();
    let reply = serde_json::json!({"clauses": clauses}).to_string();
    let judged = || {
        let flow = extract::<Clauses>().document(black_box(&document));
        flow.validate(black_box(&reply)).is_ok()
    };
    assert!(judged(), "every quotation is placed");
    bencher.bench(judged);
}
