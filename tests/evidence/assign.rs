//! Which of several places a citation means.

use std::ops::Range;

use typed_extract::__private::evidence::{Effort, Index, Lookup, Quotation, assign};
use typed_extract::FieldPath;

/// A path as `faults/0/what`.
fn path(written: &str) -> FieldPath {
    let steps = written.split('/');
    steps.fold(FieldPath::root(), |path, step| match step.parse() {
        Ok(index) => path.index(index),
        Err(_) => path.key(step.to_owned()),
    })
}

fn spans(document: &str, citations: &[(&str, &str)]) -> Vec<Option<Range<usize>>> {
    let index = Index::new(document);
    let mut effort = Effort::for_bytes(document.len());
    let mut quotes: Vec<&str> = citations.iter().map(|(_, quote)| *quote).collect();
    quotes.sort_unstable();
    quotes.dedup();
    let lookups: Vec<Lookup> = quotes
        .iter()
        .map(|quote| {
            let mut lookup = Lookup::default();
            lookup.add(0, index.find(document, quote, &mut effort));
            lookup
        })
        .collect();
    let paths: Vec<FieldPath> = citations.iter().map(|(at, _)| path(at)).collect();
    let asked: Vec<Quotation<'_>> = citations
        .iter()
        .zip(&paths)
        .map(|((_, quote), path)| Quotation {
            path,
            lookup: quotes.binary_search(quote).unwrap(),
        })
        .collect();
    let chosen = assign(&asked, &lookups);
    chosen
        .into_iter()
        .map(|spot| Some(spot?.place.span.clone()))
        .collect()
}

const PUMPS: &str = "Pump A: leak. Pump B: leak.";

#[test]
fn elements_of_a_list_take_one_place_each_in_order() {
    let cited = [("faults/0/what", "leak"), ("faults/1/what", "leak")];
    assert_eq!(spans(PUMPS, &cited), [Some(8..12), Some(22..26)]);
    let plain = [("faults/0", "leak"), ("faults/1", "leak")];
    assert_eq!(spans(PUMPS, &plain), [Some(8..12), Some(22..26)]);
}

#[test]
fn one_citation_of_two_places_is_ambiguous() {
    assert_eq!(spans(PUMPS, &[("what", "leak")]), [None]);
    assert_eq!(spans(PUMPS, &[("faults/0/what", "leak")]), [None]);
    let fields = [("a", "leak"), ("b", "leak")];
    assert_eq!(spans(PUMPS, &fields), [None, None]);
}

#[test]
fn neighbours_leave_one_place() {
    let document = "Pump A: leak. Pump B: rust. Pump C: leak. Pump D: leak.";
    let cited = [
        ("faults/0/pump", "Pump A"),
        ("faults/0/what", "leak"),
        ("faults/1/pump", "Pump B"),
        ("faults/2/pump", "Pump C"),
        ("faults/2/what", "leak"),
        ("faults/3/pump", "Pump D"),
    ];
    let found = spans(document, &cited);
    assert_eq!(found[1], Some(8..12));
    assert_eq!(found[4], Some(36..40));
}

#[test]
fn a_list_in_another_order_than_the_document_tells_nothing() {
    let cited = [
        ("faults/0/pump", "Pump B"),
        ("faults/0/what", "leak"),
        ("faults/1/pump", "Pump A"),
        ("faults/1/what", "leak"),
    ];
    let found = spans(PUMPS, &cited);
    assert_eq!((&found[1], &found[3]), (&None, &None));
}

#[test]
fn a_passage_between_its_siblings_is_theirs() {
    let document = "Seller: Ida, Berlin, 10115. Buyer: Max, Berlin, 10117.";
    let cited = [
        ("seller/name", "Ida"),
        ("seller/city", "Berlin"),
        ("seller/post", "10115"),
        ("buyer/name", "Max"),
        ("buyer/city", "Berlin"),
        ("buyer/post", "10117"),
    ];
    let found = spans(document, &cited);
    assert_eq!(
        (found[1].clone(), found[4].clone()),
        (Some(13..19), Some(40..46))
    );
}

#[test]
fn a_passage_inside_its_siblings_passage_is_theirs() {
    let document = "1 rope 4 pcs\n2 shackle 4 pcs\n3 cleat 4 pcs";
    let cited = [
        ("rows/0/all", "2 shackle 4 pcs"),
        ("rows/0/count", "4 pcs"),
        ("total", "4 pcs"),
    ];
    let found = spans(document, &cited);
    assert_eq!(found[1], Some(23..28));
    assert_eq!(found[2], None);
}

#[test]
fn a_passage_may_support_several() {
    let document = "All in EUR. A: 5. B: 7.";
    let cited = [("lines/0/currency", "EUR"), ("lines/1/currency", "EUR")];
    assert_eq!(spans(document, &cited), [Some(7..10), Some(7..10)]);
}

#[test]
fn another_spelling_is_another_place() {
    let document = "two\nkeys and two keys";
    assert_eq!(spans(document, &[("what", "two keys")]), [Some(13..21)]);
    let cited = [("all/0", "two keys"), ("all/1", "two keys")];
    assert_eq!(spans(document, &cited), [Some(0..8), Some(13..21)]);
}

#[test]
fn fewer_citations_than_places_are_ambiguous() {
    let document = "leak, leak, leak";
    let cited = [("all/0", "leak"), ("all/1", "leak")];
    assert_eq!(spans(document, &cited), [None, None]);
    let more = [
        ("all/0", "leak"),
        ("all/1", "leak"),
        ("all/2", "leak"),
        ("all/3", "leak"),
    ];
    assert_eq!(spans(document, &more), [None, None, None, None]);
}

#[test]
fn thousands_of_repeated_passages_are_placed() {
    let document = "row: yes. ".repeat(3000);
    let paths: Vec<String> = (0..3000).map(|index| format!("rows/{index}/ok")).collect();
    let cited: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "yes")).collect();
    let found = spans(&document, &cited);
    assert!(
        found
            .iter()
            .enumerate()
            .all(|(row, span)| *span == Some(row * 10 + 5..row * 10 + 8))
    );
}
