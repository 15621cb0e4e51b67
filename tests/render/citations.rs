//! Every citation of a reply is listed with its place.

use serde::Deserialize;
use typed_extract::citation::TextNormalization;
use typed_extract::{Cited, Extract, extract};

use crate::support::{DOCUMENT, Lease, accepted, rejected, reply, right, run};

#[test]
fn each_field_has_its_passage_in_bytes_and_in_characters() {
    let lease = accepted(DOCUMENT, &right());
    let [tenant, rent] = lease.citations() else {
        panic!("two fields cite: {:?}", lease.citations());
    };
    assert_eq!(tenant.path().to_string(), "tenant");
    assert_eq!(&DOCUMENT[tenant.span()], "A. Brun");
    assert_eq!(rent.path().to_string(), "rent");
    assert_eq!(&DOCUMENT[rent.span()], "CHF 1,850.00");
    assert_eq!(
        (rent.quote(), rent.text()),
        ("CHF 1,850.00", "CHF 1,850.00")
    );
    assert_eq!(Some(rent.span()), lease.value().rent.span());
    assert_eq!(Some(rent.char_span()), lease.value().rent.char_span());
    assert_eq!(rent.char_span().start, rent.span().start - 1, "for the ü");
    assert_eq!(
        (tenant.value(), rent.value()),
        (Some("\"A. Brun\""), Some("1850"))
    );
    assert_eq!(rent.normalizations().count(), 0);
}

#[test]
fn what_was_set_aside_is_told() {
    let document = DOCUMENT.replace("CHF 1,850.00", "CHF\n1,850.00");
    let lease = accepted(&document, &right());
    let rent = &lease.citations()[1];
    assert_eq!(rent.text(), "CHF\n1,850.00");
    let steps: Vec<_> = rent.normalizations().collect();
    assert_eq!(steps, [TextNormalization::Whitespace]);
}

#[test]
fn a_wrapped_root_is_seen_without_its_wrapper() {
    #[derive(Deserialize, Extract)]
    #[allow(dead_code)]
    struct Fruit {
        count: Cited<u32>,
    }
    let document = "Apples 12, pears 7.";
    let text = r#"{"value": [
        {"count": {"quote": "Apples 12", "value": 12}},
        {"count": {"quote": "pears 7", "value": 7}}
    ]}"#;
    let counts = extract::<Vec<Fruit>>()
        .document(document)
        .validate(text)
        .unwrap();
    let places: Vec<_> = counts
        .citations()
        .iter()
        .map(|one| (one.path().pointer(), one.span()))
        .collect();
    assert_eq!(
        places,
        [
            ("/0/count".to_owned(), 0..9),
            ("/1/count".to_owned(), 11..18)
        ]
    );
}

#[test]
fn wire_names_are_told() {
    #[derive(Deserialize, Extract)]
    #[serde(rename_all = "camelCase")]
    #[allow(dead_code)]
    struct Flat {
        net_rent: Cited<u32>,
    }
    let flat = extract::<Flat>()
        .document("It costs 900.")
        .validate(r#"{"netRent": {"quote": "costs 900", "value": 900}}"#)
        .unwrap();
    assert_eq!(flat.citations()[0].path().pointer(), "/netRent");
}

#[test]
fn a_type_that_cites_nothing_has_none() {
    #[derive(Deserialize, Extract)]
    #[allow(dead_code)]
    struct Plain {
        count: u32,
    }
    let plain = extract::<Plain>()
        .document("12")
        .validate(r#"{"count": 12}"#);
    assert!(plain.unwrap().citations().is_empty());
}

#[tokio::test]
async fn each_attempt_keeps_what_it_placed() {
    let wrong = reply("B. Nobody", "CHF 1,850.00", 1850, 3);
    let lease = run::<Lease>(DOCUMENT, &[wrong, right()]).await.unwrap();
    let paths = |at: usize| -> Vec<String> {
        let citations = lease.record().attempts()[at].citations();
        citations.iter().map(|one| one.path().to_string()).collect()
    };
    assert_eq!(paths(0), ["rent"]);
    assert_eq!(paths(1), ["tenant", "rent"]);
}

#[tokio::test]
async fn a_failed_quotation_keeps_the_places_that_are_known() {
    let unsupported = reply("A. Brun", "CHF 1,850.00", 2000, 3);
    let error = rejected(DOCUMENT, &[unsupported]).await;
    let [failure] = &error.failures()[..] else {
        panic!("{error}");
    };
    assert_eq!(failure.code(), "support.unsupported");
    assert_eq!(failure.spans().len(), 1);
    assert_eq!(&DOCUMENT[failure.spans()[0].clone()], "CHF 1,850.00");

    let twice = format!("{DOCUMENT}Deposit: CHF 1,850.00\n");
    let error = rejected(&twice, &[right()]).await;
    let spans = error.failures()[0].spans();
    assert_eq!(error.failures()[0].code(), "support.ambiguous");
    assert_eq!(spans.len(), 2);
    assert!(
        spans
            .iter()
            .all(|span| &twice[span.clone()] == "CHF 1,850.00")
    );

    let absent = reply("A. Brun", "EUR 7", 7, 3);
    let error = rejected(DOCUMENT, &[absent]).await;
    assert_eq!(error.failures()[0].code(), "support.not_found");
    assert!(error.failures()[0].spans().is_empty());
}

#[test]
fn debug_shows_places_and_no_text() {
    let lease = accepted(DOCUMENT, &right());
    let debug = format!("{:?}{:?}", lease.citations(), lease.record());
    assert!(debug.contains("rent"), "{debug}");
    assert!(!debug.contains("1,850"), "{debug}");
    assert!(!debug.contains("Brun"), "{debug}");
}
