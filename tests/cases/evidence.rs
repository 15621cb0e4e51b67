//! The cases about quotations, each through the whole flow.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use typed_extract::citation::TextNormalization;
use typed_extract::testing::Script;
use typed_extract::{Cited, Extract, Extracted, Failures, extract};

use super::data::{self, Case};

/// A reply of any shape: what stands in a list in its order, the rest by its
/// pointer.
#[derive(Debug, Deserialize, Extract)]
struct Reply {
    fields: BTreeMap<String, Cited<Value>>,
    list: Vec<Cited<Value>>,
}

fn judged(case: &Case, reply: &Value) -> Result<Extracted<Reply>, Failures> {
    let value: Value = serde_json::from_str(reply["text"].as_str().unwrap()).unwrap();
    let (mut fields, mut list) = (serde_json::Map::new(), Vec::new());
    for (pointer, quote) in reply["evidence"].as_object().unwrap() {
        let cited = json!({"quote": quote, "value": value.pointer(pointer).unwrap()});
        if pointer.contains(|c: char| c.is_ascii_digit()) {
            list.push(cited);
        } else {
            fields.insert(pointer.clone(), cited);
        }
    }
    let reply = json!({"fields": fields, "list": list}).to_string();
    let document = case.document.as_deref().unwrap();
    extract::<Reply>().document(document).validate(&reply)
}

/// The class in the words of the cases.
fn class(code: &str) -> String {
    code.replace("support.", "evidence.")
}

/// What the flow can record; pages and chunks are the caller's.
const RECORDED: [&str; 4] = ["whitespace", "nfc", "typography", "line_hyphen"];

fn check(case: &Case, reply: &Value) {
    let outcome = judged(case, reply);
    let expected = case.expected.evidence.as_ref().unwrap();
    if let Some(error) = &case.expected.error {
        let failures = outcome.unwrap_err();
        let classes: Vec<String> = failures
            .iter()
            .map(|one| class(one.code().as_str()))
            .collect();
        assert_eq!(classes, [error.class.as_str()], "{}", case.id);
        return;
    }
    let accepted =
        outcome.unwrap_or_else(|failures| panic!("{}: {failures}: {}", case.id, failures[0]));
    let value = accepted.into_value();
    let cited: Vec<&Cited<Value>> = value.fields.values().chain(&value.list).collect();
    assert_eq!(
        cited.len(),
        expected.as_object().unwrap().len(),
        "{}",
        case.id
    );
    for (cited, expected) in cited
        .into_iter()
        .zip(expected.as_object().unwrap().values())
    {
        assert_eq!(expected["quote"], cited.quote(), "{}", case.id);
        let (bytes, chars) = (cited.span().unwrap(), cited.char_span().unwrap());
        assert_eq!(
            expected["span_bytes"],
            json!([bytes.start, bytes.end]),
            "{}",
            case.id
        );
        assert_eq!(
            expected["span_chars"],
            json!([chars.start, chars.end]),
            "{}",
            case.id
        );
        assert_eq!(
            expected["source_text"],
            json!(cited.text().unwrap()),
            "{}",
            case.id
        );
        let document = case.document.as_deref().unwrap();
        assert_eq!(document.get(bytes), cited.text(), "{}", case.id);
        let mut recorded: Vec<&str> = cited
            .normalizations()
            .map(TextNormalization::as_str)
            .collect();
        let mut asked: Vec<&str> = expected["recorded"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .filter(|step| RECORDED.contains(step))
            .collect();
        recorded.sort_unstable();
        asked.sort_unstable();
        assert_eq!(recorded, asked, "{}", case.id);
        let exact = expected["status"] == "exact";
        assert_eq!(recorded.is_empty(), exact, "{}", case.id);
    }
}

#[test]
fn quotations_are_placed_or_refused() {
    for case in data::of_kind("G") {
        // The last reply is the one that the outcome is of; what stands before
        // it is a part of a document, judged by its own case.
        check(&case, case.replies.last().unwrap());
    }
}

#[test]
fn g21_a_quotation_that_ends_inside_a_number_is_refused() {
    let cases = data::of_kind("G");
    let case = cases.iter().find(|case| case.id == "G21").unwrap();
    let failures = judged(case, &case.replies[0]).unwrap_err();
    assert_eq!(failures[0].code(), "support.not_found");
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Extract)]
struct Fact {
    what: String,
    when: Option<Cited<NaiveDate>>,
}

#[tokio::test]
async fn d30_a_borrowed_date_becomes_null() {
    let case = data::one("D30");
    let replies = case.replies.iter().map(|reply| {
        let mut value: Value = serde_json::from_str(reply["text"].as_str().unwrap()).unwrap();
        if let Some(quote) = reply["evidence"].get("/when") {
            value["when"] = json!({"quote": quote, "value": value["when"]});
        }
        value.to_string()
    });
    let model = Script::new(replies.collect::<Vec<_>>());
    let document = case.document.as_deref().unwrap();
    let done = extract::<Fact>()
        .model(&model)
        .document(document)
        .run()
        .await
        .unwrap();
    let first = done.record().attempts()[0].failures();
    assert_eq!(first.len(), 1);
    assert_eq!(
        class(first[0].code().as_str()),
        case.expected.first_errors[0].class
    );
    assert_eq!(first[0].path().to_string(), "when.quote");
    assert!(first[0].message().contains("null"), "{}", first[0]);
    assert_eq!(Some(json!(done.value())), case.expected.value);
    assert_eq!(
        done.record().attempts().len(),
        case.expected.attempt.unwrap()
    );
}
