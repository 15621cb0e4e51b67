//! What holds of every place that is found.

use proptest::prelude::*;
use typed_extract::__private::evidence::{Effort, Index, fold};
use typed_extract::citation::TextNormalization;

/// Text with all that is folded, and numbers.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zäß]{1,4}",
        "[0-9]{1,4}",
        "[ \n\t\u{a0}\u{202f}]{1,2}",
        "[-.,'’–“\"‑]",
        Just("-\n".to_owned()),
        Just("e\u{301}".to_owned()),
        Just("ﬁ".to_owned()),
        Just("完全".to_owned()),
        Just("한".to_owned()),
        Just("\u{ad}".to_owned()),
        Just("🚀".to_owned()),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// A hyphen and the end of its line, read in no way.
fn without_hyphens(text: &str) -> String {
    let folded = fold(text);
    folded.replace("- ", "").replace(['-', '\u{ad}'], "")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn a_place_holds_the_quotation(document in text(), quote in text()) {
        check(&document, &quote);
    }

    #[test]
    fn a_piece_of_the_document_is_found_where_it_stands_or_nowhere(
        document in text(), cut in any::<(prop::sample::Index, prop::sample::Index)>(),
    ) {
        let borders: Vec<usize> = document.char_indices().map(|(at, _)| at).chain([document.len()]).collect();
        let (one, other) = (*cut.0.get(&borders), *cut.1.get(&borders));
        let span = one.min(other)..one.max(other);
        check(&document, &document[span]);
    }

    #[test]
    fn a_quotation_in_a_text_of_its_own_is_found(quote in text()) {
        prop_assume!(quote.chars().any(char::is_alphanumeric));
        let quote = quote.trim();
        let document = format!("x; {quote} ;x");
        let mut effort = Effort::for_bytes(document.len());
        let places = Index::new(&document).find(&document, quote, &mut effort);
        let literal = places.all.iter().any(|place| document[place.span.clone()] == *quote);
        // What begins or ends with something invisible or clinging is found
        // without it, or not at all.
        let edge = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        if edge(quote.chars().next()) && edge(quote.chars().next_back()) {
            prop_assert!(literal, "{:?} in {:?}: {:?}", quote, document, places);
        }
    }
}

fn check(document: &str, quote: &str) {
    let mut effort = Effort::for_bytes(document.len() + quote.len());
    let places = Index::new(document).find(document, quote, &mut effort);
    for place in places.all {
        let there = &document[place.span.clone()];
        let steps: Vec<_> = place.folds.iter().map(TextNormalization::as_str).collect();
        if steps.is_empty() {
            assert_eq!(there, quote);
        } else if steps.contains(&"line_hyphen") {
            assert_eq!(without_hyphens(there), without_hyphens(quote));
        } else {
            assert_eq!(fold(there), fold(quote));
        }
    }
}
