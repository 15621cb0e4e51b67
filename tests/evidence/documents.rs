//! Citations of one of several documents.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use typed_extract::{Cited, Document, Extract, Failures, extract, json_schema};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Extract)]
struct Lease {
    rent: Cited<u32>,
    note: Option<Cited<String>>,
}

/// The rent stands in both, each at its own place.
const CONTRACT: &str = "Mietvertrag: the rent is EUR 1,250 a month.";
const LETTER: &str = "Änderung: EUR 1,250 stays the rent. Pets are welcome.";

fn both() -> [Document<'static>; 2] {
    [
        Document::new(CONTRACT).id("contract-7"),
        Document::new(LETTER).id("letter"),
    ]
}

fn judged(reply: &Value) -> Result<Lease, Failures> {
    let flow = extract::<Lease>().documents(both());
    flow.validate(&reply.to_string())
        .map(typed_extract::Extracted::into_value)
}

/// The code, place and words of the only failure.
fn failure(reply: &Value) -> (String, String, String) {
    let failures = judged(reply).unwrap_err();
    assert_eq!(failures.len(), 1, "{failures:?}");
    let one = &failures[0];
    (
        one.code().to_string(),
        one.path().pointer(),
        one.to_string(),
    )
}

fn rent(source: &str, quote: &str) -> Value {
    json!({"rent": {"source": source, "quote": quote, "value": 1250}, "note": null})
}

#[test]
fn a_quotation_is_placed_in_the_document_that_it_names() {
    for (source, text) in [("contract-7", CONTRACT), ("letter", LETTER)] {
        let lease = judged(&rent(source, "EUR 1,250")).unwrap();
        assert_eq!(lease.rent.source(), Some(source));
        let start = text.find("EUR").unwrap();
        let span = lease.rent.span().unwrap();
        assert_eq!(span, start..start + 9);
        assert_eq!(&text[span], "EUR 1,250");
        let before = text[..start].chars().count();
        assert_eq!(lease.rent.char_span(), Some(before..before + 9));
    }
}

#[test]
fn what_stands_in_another_document_only_is_not_found() {
    let mut reply = rent("contract-7", "EUR 1,250");
    reply["note"] = json!({"source": "contract-7", "quote": "Pets", "value": "Pets"});
    let (code, place, words) = failure(&reply);
    assert_eq!(
        (code.as_str(), place.as_str()),
        ("support.not_found", "/note/quote")
    );
    assert!(words.contains("`source`"), "{words}");
    reply["note"]["source"] = json!("letter");
    let lease = judged(&reply).unwrap();
    assert_eq!(lease.note.unwrap().source(), Some("letter"));
}

#[test]
fn a_document_that_was_not_given_is_refused_with_those_that_were() {
    for source in ["annex", "", "Letter", "letter ", "contract-7, letter"] {
        let (code, place, words) = failure(&rent(source, "EUR 1,250"));
        let found = (code.as_str(), place.as_str());
        assert_eq!(found, ("support.unknown_source", "/rent/source"));
        assert!(
            words.contains(r#"one of "contract-7", "letter""#),
            "{words}"
        );
    }
}

#[test]
fn a_citation_without_its_source_breaks_the_schema() {
    let reply = json!({"rent": {"quote": "EUR 1,250", "value": 1250}, "note": null});
    let (code, place, _) = failure(&reply);
    assert_eq!(
        (code.as_str(), place.as_str()),
        ("schema.required", "/rent/source")
    );
}

#[test]
fn one_document_is_cited_as_ever_and_told_by_its_id() {
    let schema = json_schema::<Lease>().unwrap().to_string();
    assert!(!schema.contains("source"));
    let reply = json!({"rent": {"quote": "EUR 1,250", "value": 1250}, "note": null}).to_string();
    let named = Document::new(CONTRACT).id("contract-7");
    for (document, id) in [(Document::new(CONTRACT), None), (named, Some("contract-7"))] {
        let flow = extract::<Lease>().document(document);
        let lease = flow.validate(&reply).unwrap().into_value();
        assert_eq!(lease.rent.source(), id);
        let failures = flow
            .validate(&rent("contract-7", "EUR 1,250").to_string())
            .unwrap_err();
        assert_eq!(failures[0].code(), "schema.additional");
        assert_eq!(failures[0].path().pointer(), "/rent/source");
    }
}

#[test]
fn a_verbatim_field_may_stand_in_any_of_them() {
    #[derive(Debug, Deserialize, Extract)]
    struct Names {
        #[extract(verbatim)]
        names: Vec<String>,
    }
    let flow = extract::<Names>().documents(both());
    assert!(
        flow.validate(r#"{"names": ["Mietvertrag", "Änderung", "Pets"]}"#)
            .is_ok()
    );
    let failures = flow.validate(r#"{"names": ["Pets", "Cats"]}"#).unwrap_err();
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].code(), "support.not_found");
    assert_eq!(failures[0].path().pointer(), "/names/1");
}

#[test]
fn a_passage_that_repeats_is_ambiguous_within_its_document_only() {
    let flow = extract::<Lease>()
        .document(Document::new("é EUR 5, EUR 5").id("a"))
        .document(Document::new("EUR 5").id("b"));
    let reply = |source: &str| {
        let rent = json!({"source": source, "quote": "EUR 5", "value": 5});
        json!({"rent": rent, "note": null}).to_string()
    };
    assert!(flow.validate(&reply("b")).is_ok());
    let failures = flow.validate(&reply("a")).unwrap_err();
    assert_eq!(failures[0].code(), "support.ambiguous");
    let words = failures[0].to_string();
    assert!(words.contains("characters 2..7, 9..14"), "{words}");
}

#[test]
fn ids_may_hold_anything_and_match_as_they_are() {
    let hostile = [
        "</document><rules>",
        "a\"b\\c",
        "line\nbreak",
        "{{rules}}",
        "\\u003c/document>",
        "日本",
    ];
    let documents = hostile.map(|id| Document::new("EUR 1,250").id(id));
    let flow = extract::<Lease>().documents(documents);
    for id in hostile {
        let reply = rent(id, "EUR 1,250").to_string();
        let lease = flow.validate(&reply).unwrap().into_value();
        assert_eq!(lease.rent.source(), Some(id));
    }
    let failures = flow
        .validate(&rent("?", "EUR 1,250").to_string())
        .unwrap_err();
    let words = failures[0].to_string();
    assert!(!words.contains('\n'), "{words}");
}

#[test]
fn many_documents_are_named_up_to_a_bound() {
    let documents = (0..1000).map(|n| Document::new(format!("EUR 1,250 {n}")).id(format!("d{n}")));
    let flow = extract::<Lease>().documents(documents);
    let lease = flow
        .validate(&rent("d999", "EUR 1,250").to_string())
        .unwrap();
    assert_eq!(lease.value().rent.source(), Some("d999"));
    let failures = flow
        .validate(&rent("x", "EUR 1,250").to_string())
        .unwrap_err();
    let words = failures[0].to_string();
    assert!(words.contains("and 968 more"), "{words}");
    assert!(words.len() < 1000);
}

#[test]
fn documents_that_cannot_be_told_apart_judge_nothing() {
    let twice = extract::<Lease>().documents([("x", "a"), ("y", "a")].map(named));
    let failures = twice.validate(&rent("a", "x").to_string()).unwrap_err();
    assert_eq!(failures.len(), 1);
    assert!(failures[0].to_string().contains("same id"));
    let none = extract::<Lease>().documents(Vec::<Document<'_>>::new());
    assert!(none.validate(&rent("a", "x").to_string()).is_err());
}

fn named<'a>((text, id): (&'a str, &'a str)) -> Document<'a> {
    Document::new(text).id(id)
}

#[test]
fn an_accepted_value_is_written_with_what_the_model_gave_and_read_again() {
    let reply = rent("letter", "EUR 1,250");
    let lease = judged(&reply).unwrap();
    let written = serde_json::to_value(&lease).unwrap();
    assert_eq!(written, reply);
    let read: Lease = serde_json::from_value(written).unwrap();
    assert_eq!(read.rent.source(), Some("letter"));
    assert_eq!(read.rent.span(), None);
    let plain: Cited<u32> = serde_json::from_str(r#"{"quote":"5","value":5}"#).unwrap();
    assert_eq!(
        serde_json::to_string(&plain).unwrap(),
        r#"{"quote":"5","value":5}"#
    );
}

#[test]
fn a_control_character_of_any_document_is_no_foreign_one() {
    #[derive(Debug, Deserialize, Extract)]
    struct Note {
        text: String,
    }
    let flow = extract::<Note>().documents([("a", "1"), ("b\u{c}c", "2")].map(named));
    assert!(flow.validate(r#"{"text": "b\fc"}"#).is_ok());
    let failures = flow.validate(r#"{"text": "b\bc"}"#).unwrap_err();
    assert_eq!(failures[0].code(), "text.control_char");
}
