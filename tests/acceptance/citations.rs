//! Citations: the accepted value knows where it stands.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use typed_extract::citation::TextNormalization;
use typed_extract::testing::Script;
use typed_extract::{
    Cited, Document, Extract, Failures, Layer, extract, json_schema, rules, validate,
};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Extract)]
struct Line {
    what: Cited<String>,
    amount: Cited<Decimal>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Extract)]
struct Invoice {
    number: Cited<String>,
    issued: Cited<NaiveDate>,
    due: Option<Cited<NaiveDate>>,
    lines: Vec<Line>,
    total: Cited<Decimal>,
    reverse_charge: Cited<bool>,
}

#[rules]
impl Invoice {
    /// The line amounts add up to the total.
    fn adds_up(total: &Cited<Decimal>, lines: &[Line]) -> bool {
        let sum: Decimal = lines.iter().map(|line| line.amount.value()).sum();
        sum == *total.value()
    }
}

const DOCUMENT: &str = "Invoice INV-7 of 3 March 2027\n\
    Pump   service  1'250.00\n\
    Café visit      50.00\n\
    Total CHF 1'300.00. VAT is owed by the recipient.";

fn reply() -> Value {
    json!({
        "number": {"quote": "INV-7", "value": "INV-7"},
        "issued": {"quote": "3 March 2027", "value": "2027-03-03"},
        "due": null,
        "lines": [
            {"what": {"quote": "Pump service", "value": "Pump service"},
             "amount": {"quote": "1'250.00", "value": "1250.00"}},
            {"what": {"quote": "Café visit", "value": "Café visit"},
             "amount": {"quote": "50.00", "value": "50"}},
        ],
        "total": {"quote": "Total CHF 1'300.00", "value": "1300.00"},
        "reverse_charge": {"quote": "VAT is owed by the recipient", "value": true},
    })
}

fn judge(reply: &Value) -> Result<Invoice, Failures> {
    let judged = extract::<Invoice>()
        .document(DOCUMENT)
        .validate(&reply.to_string());
    judged.map(typed_extract::Extracted::into_value)
}

/// Code, place and what is concerned of each failure.
fn told(failures: &Failures) -> Vec<(&str, String)> {
    let all = failures.iter();
    all.map(|one| (one.code().as_str(), one.path().to_string()))
        .collect()
}

#[test]
fn every_citation_knows_its_span() {
    let invoice = judge(&reply()).unwrap_or_else(|failures| panic!("{}", failures[0]));
    assert_eq!(invoice.number.value(), "INV-7");
    assert_eq!(invoice.number.span(), Some(8..13));
    assert_eq!(invoice.number.normalizations().count(), 0);
    let what = &invoice.lines[0].what;
    assert_eq!(what.text(), Some("Pump   service"));
    let steps: Vec<&str> = what
        .normalizations()
        .map(TextNormalization::as_str)
        .collect();
    assert_eq!(steps, ["whitespace"]);
    let total = &invoice.total;
    let (bytes, chars) = (total.span().unwrap(), total.char_span().unwrap());
    assert_eq!(&DOCUMENT[bytes.clone()], "Total CHF 1'300.00");
    assert_eq!((bytes.start, bytes.end), (chars.start + 1, chars.end + 1));
    assert_eq!(invoice.clone().total.into_value(), Decimal::new(130_000, 2));
}

#[test]
fn every_fault_is_told_at_once_with_the_rules() {
    let mut reply = reply();
    reply["number"]["quote"] = json!("INV-8");
    reply["issued"]["value"] = json!("2027-03-04");
    reply["due"] = json!({"quote": " ", "value": "2027-03-03"});
    reply["lines"][1]["amount"]["value"] = json!("60.00");
    let failures = judge(&reply).unwrap_err();
    assert_eq!(
        told(&failures),
        [
            ("support.not_found", "number.quote".to_owned()),
            ("support.unsupported", "issued.quote".to_owned()),
            ("support.too_weak", "due.quote".to_owned()),
            ("support.unsupported", "lines[1].amount.quote".to_owned()),
            ("rule", "total".to_owned()),
        ]
    );
    assert_eq!(failures[0].layer(), Layer::Support);
    assert_eq!(failures[0].layer().as_str(), "support");
    assert_eq!(failures[0].related()[0].to_string(), "number");
    assert_eq!(failures[0].found(), Some("\"INV-8\""));
    assert!(
        !failures[0].message().contains("null"),
        "a number is needed"
    );
    assert!(
        failures[2].message().contains("null"),
        "no due date is fine"
    );
}

#[test]
fn what_could_be_saved_of_a_broken_reply_is_held_against_the_document() {
    let mut reply = reply();
    reply["total"]["value"] = json!(true);
    reply["issued"]["quote"] = json!("4 March 2027");
    reply["number"]["value"] = json!(7);
    let failures = judge(&reply).unwrap_err();
    assert_eq!(
        told(&failures),
        [
            ("schema.type", "number.value".to_owned()),
            ("support.not_found", "issued.quote".to_owned()),
            ("schema.type", "total.value".to_owned()),
        ]
    );
}

#[test]
fn a_passage_that_stands_twice_is_ambiguous_with_its_places() {
    #[derive(Debug, Deserialize, Extract)]
    #[allow(dead_code)]
    struct One {
        fault: Cited<String>,
    }
    let reply = r#"{"fault": {"quote": "leak", "value": "leak"}}"#;
    let document = "é: Pump A: leak. Pump B: leak.";
    let failures = extract::<One>()
        .document(document)
        .validate(reply)
        .unwrap_err();
    assert_eq!(
        told(&failures),
        [("support.ambiguous", "fault.quote".to_owned())]
    );
    assert!(
        failures[0].message().contains("11..15, 25..29"),
        "{}",
        failures[0]
    );
}

#[test]
fn the_schema_asks_for_the_quotation_first() {
    let schema = json_schema::<Invoice>().unwrap();
    let number = &schema["properties"]["number"];
    let keys: Vec<&String> = number["properties"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["quote", "value"]);
    assert_eq!(number["additionalProperties"], false);
    assert_eq!(number["required"], json!(["quote", "value"]));
    assert_eq!(number["properties"]["value"]["type"], "string");
}

#[test]
fn without_a_document_nothing_is_proved() {
    let failures = validate::<Invoice>(&reply().to_string()).unwrap_err();
    assert!(
        failures
            .iter()
            .all(|one| one.code() == "support.unsupported")
    );
    assert_eq!(failures.len(), 8);
}

#[test]
fn serde_alone_reads_and_writes_citations_without_spans() {
    let invoice: Invoice = serde_json::from_value(reply()).unwrap();
    assert_eq!(invoice.number.span(), None);
    assert_eq!(invoice.number.text(), None);
    assert_eq!(invoice, judge(&reply()).unwrap());
    let mut written = reply();
    written["lines"][1]["amount"]["value"] = json!("50");
    assert_eq!(serde_json::to_value(&invoice).unwrap(), written);
    for wrong in [
        json!({"quote": "a"}),
        json!({"value": "a"}),
        json!({"quote": "a", "value": "a", "other": 1}),
        json!(["a", "a"]),
        json!("a"),
    ] {
        assert!(
            serde_json::from_value::<Cited<String>>(wrong.clone()).is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn citations_stand_in_maps_boxes_tuples_and_tagged_enums() {
    #[derive(Debug, Deserialize, Extract)]
    #[serde(tag = "kind")]
    enum Term {
        Rent { amount: Cited<u32> },
    }
    #[derive(Debug, Deserialize, Extract)]
    struct Rest {
        #[serde(rename = "Ort", alias = "place")]
        place: Cited<String>,
    }
    #[derive(Debug, Deserialize, Extract)]
    struct Lease {
        by_name: BTreeMap<String, Cited<u32>>,
        boxed: Box<Cited<Option<String>>>,
        pair: (Cited<u8>, Cited<String>),
        terms: Vec<Term>,
        rest: Rest,
        parties: Cited<Vec<String>>,
    }
    let document = "Rooms: 4. Keys: 2. Rent 1,250 in Bern; Ida and Max.";
    let mut reply = json!({
        "by_name": {"rooms": {"quote": "Rooms: 4", "value": 4}},
        "boxed": {"quote": "Bern", "value": "Bern"},
        "pair": [{"quote": "2", "value": 2}, {"quote": "Keys", "value": "Keys"}],
        "terms": [{"kind": "Rent", "amount": {"quote": "1,250", "value": 1250}}],
        "rest": {"Ort": {"quote": "in Bern", "value": "Bern"}},
        "parties": {"quote": "Ida and Max", "value": ["Ida", "Max"]},
    });
    let judge = |reply: &Value| {
        extract::<Lease>()
            .document(document)
            .validate(&reply.to_string())
    };
    let lease = judge(&reply)
        .unwrap_or_else(|failures| panic!("{}", failures[0]))
        .into_value();
    let Term::Rent { amount } = &lease.terms[0];
    assert_eq!(amount.span(), Some(24..29));
    assert_eq!(lease.by_name["rooms"].text(), Some("Rooms: 4"));
    assert_eq!(lease.rest.place.text(), Some("in Bern"));
    assert!(lease.boxed.span().is_some() && lease.pair.1.span().is_some());
    assert_eq!(lease.parties.value().len(), 2);
    reply["boxed"]["value"] = json!(null);
    reply["terms"][0]["amount"]["value"] = json!(1251);
    reply["pair"][0]["value"] = json!(4);
    reply["parties"]["value"] = json!(["Ida", "Eve"]);
    let failures = judge(&reply).unwrap_err();
    assert_eq!(
        told(&failures),
        [
            ("support.unsupported", "boxed.quote".to_owned()),
            ("support.unsupported", "pair[0].quote".to_owned()),
            ("support.unsupported", "terms[0].amount.quote".to_owned()),
            ("support.unsupported", "parties.quote".to_owned()),
        ]
    );
}

#[tokio::test]
async fn a_repair_may_change_a_citation_and_nothing_else() {
    let mut wrong = reply();
    wrong["total"]["quote"] = json!("Total CHF 1300.00");
    let mut right = reply();
    right["number"]["value"] = json!("Invoice");
    let model = Script::new([wrong.to_string(), right.to_string()]);
    let done = extract::<Invoice>()
        .model(&model)
        .document(DOCUMENT)
        .run()
        .await
        .unwrap();
    assert_eq!(done.value().number.value(), "INV-7");
    assert!(done.value().total.span().is_some());
    let requests = model.requests();
    let prompt = requests[1].prompt();
    assert!(prompt.contains("total.quote"));
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Extract)]
#[serde(rename_all = "snake_case")]
enum Status {
    #[extract(shown_as("paid", "settled"))]
    PaidInFull,
    Open,
}

#[derive(Debug, Deserialize, Extract)]
struct Statement {
    #[extract(verbatim)]
    holder: String,
    #[extract(verbatim)]
    #[serde(default)]
    aliases: Vec<String>,
    #[extract(verbatim)]
    note: Option<String>,
    status: Option<Cited<Status>>,
    #[extract(date_order = dmy)]
    on: Cited<NaiveDate>,
}

const STATEMENT: &str = "Account of Ida\u{a0}Lamb (Ida L.), settled on 03.04.2027.";

fn statement(reply: &Value) -> Result<Statement, Failures> {
    let judged = extract::<Statement>()
        .document(STATEMENT)
        .validate(&reply.to_string());
    judged.map(typed_extract::Extracted::into_value)
}

#[test]
fn verbatim_texts_and_shown_texts_and_declared_orders_hold() {
    let mut reply = json!({
        "holder": "Ida Lamb",
        "aliases": ["Ida L."],
        "note": null,
        "status": {"quote": "settled", "value": "paid_in_full"},
        "on": {"quote": "03.04.2027", "value": "2027-04-03"},
    });
    let held = statement(&reply).unwrap_or_else(|failures| panic!("{}", failures[0]));
    assert_eq!(
        (held.holder.as_str(), held.aliases.len(), held.note),
        ("Ida Lamb", 1, None)
    );
    assert_eq!(*held.status.unwrap().value(), Status::PaidInFull);
    assert!(held.on.span().is_some());
    reply["holder"] = json!("Ida Lam");
    reply["aliases"] = json!(["Ida L.", "Lambkin"]);
    reply["note"] = json!("late");
    reply["status"]["value"] = json!("open");
    reply["on"]["value"] = json!("2027-03-04");
    let expected = [
        ("support.not_found", "holder".to_owned()),
        ("support.not_found", "aliases[1]".to_owned()),
        ("support.not_found", "note".to_owned()),
        ("support.unsupported", "status.quote".to_owned()),
        ("support.unsupported", "on.quote".to_owned()),
    ];
    let failures = statement(&reply).unwrap_err();
    assert_eq!(told(&failures), expected);
    assert_eq!(failures[0].found(), Some("\"Ida Lam\""));
    assert!(failures[2].message().contains("null"), "{}", failures[2]);
    // The same where the reply is broken elsewhere.
    reply["on"] = json!({"quote": "03.04.2027", "value": "2027-04-03"});
    reply["status"]["value"] = json!("closed");
    let failures = statement(&reply).unwrap_err();
    let mut rest = expected[..3].to_vec();
    rest.push(("schema.enum", "status.value".to_owned()));
    assert_eq!(told(&failures), rest);
}

#[test]
fn the_record_says_what_was_set_aside_and_where() {
    let judged = extract::<Invoice>()
        .document(DOCUMENT)
        .validate(&reply().to_string())
        .unwrap();
    let steps: Vec<String> = judged.record().attempts()[0]
        .normalizations()
        .iter()
        .map(|step| format!("{}:{}", step.name(), step.path()))
        .collect();
    assert_eq!(steps, ["whitespace:lines[0].what.quote"]);
}

#[test]
fn a_quotation_cannot_be_made_to_be_read_for_ever() {
    #[derive(Debug, Deserialize, Extract)]
    #[allow(dead_code)]
    struct Many {
        all: Cited<Vec<u32>>,
    }
    let quote = format!("Start {}", "7 ".repeat(200_000));
    let document = format!("{quote}.");
    let reply = json!({"all": {"quote": quote.trim(), "value": vec![7; 100_000]}});
    let failures = extract::<Many>()
        .document(&document)
        .validate(&reply.to_string())
        .unwrap_err();
    assert_eq!(
        told(&failures),
        [("support.unsupported", "all.quote".to_owned())]
    );
}

#[test]
fn a_document_may_have_a_name_and_never_shows_its_text() {
    let document = Document::new(DOCUMENT).id("invoice-7");
    assert_eq!(document.name(), Some("invoice-7"));
    assert!(!format!("{document:?}").contains("INV-7"));
    let judged = extract::<Invoice>()
        .document(document)
        .validate(&reply().to_string());
    assert!(judged.is_ok());
}
