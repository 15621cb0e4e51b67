//! Replies that are wrong in as many places as they can be, each judged in bounds.

#[path = "../../runtime/benches/hostile.rs"]
mod kinds;

use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::record::Record;
use typed_extract::{Extract, Failures, extract, extract_value};

#[test]
fn every_kind_of_hostile_reply_is_judged() {
    for kind in kinds::KINDS {
        let size = if kind.ends_with("deep") { 59 } else { 30_000 };
        let told = kinds::judge(kind, &kinds::reply(kind, size));
        let right = ["drop_unknown", "warnings", "aliases", "untagged_right"].contains(&kind);
        assert_eq!(told == 0, right, "{kind}");
    }
}

#[test]
fn every_fault_is_counted_and_a_bounded_number_told() {
    for (kind, most) in [
        ("types", 256),
        ("missing", 256),
        ("branches", 256),
        ("rules", 1_000),
        ("verbatim", 1_000),
    ] {
        assert_eq!(
            kinds::judge(kind, &kinds::reply(kind, 5_000)),
            5_000,
            "{kind}"
        );
        let told = kinds::spelled_out(kind, &kinds::reply(kind, 5_000));
        assert_eq!(told, most, "{kind}");
    }
}

#[derive(Debug, Deserialize, Extract)]
#[extract(check(few(number), "the number is small", check = *number < 0))]
struct Entry {
    #[serde(alias = "no")]
    number: i64,
}

fn record_of(reply: &str) -> Record {
    let flow = extract::<Vec<Entry>>().document("a document");
    let accepted = flow.validate(reply).unwrap();
    assert!(accepted.value().iter().all(|entry| entry.number == 1));
    accepted.record().clone()
}

#[test]
fn citations_beyond_the_bound_are_no_citations() {
    let told = |size| {
        let reply = kinds::reply("verbatim", size);
        (
            kinds::judge("verbatim", &reply),
            kinds::spelled_out("verbatim", &reply),
        )
    };
    assert_eq!(told(10_000), (10_000, 1_000));
    assert_eq!(told(10_001), (10_001, 1_001));
}

#[test]
fn a_right_citation_that_is_not_looked_up_is_a_failure() {
    #[derive(Debug, Deserialize, Extract)]
    struct Words {
        #[extract(verbatim)]
        words: Vec<String>,
    }
    let reply = |count| format!(r#"{{"words":[{}]}}"#, vec![r#""word""#; count].join(","));
    let judged = |count| {
        extract::<Words>()
            .document("a word")
            .validate(&reply(count))
    };
    assert_eq!(judged(10_000).unwrap().value().words.len(), 10_000);
    let failures = judged(10_001).unwrap_err();
    assert_eq!(failures[0].code(), "support.too_many");
    assert!(failures[0].message().starts_with("has 10001 citations"));
}

fn entries(count: usize, entry: &str) -> String {
    format!("{{\"value\":[{}]}}", vec![entry; count].join(","))
}

#[test]
fn warnings_beyond_the_bound_are_counted() {
    let few = record_of(&entries(1_000, r#"{"number":1}"#));
    assert_eq!(few.warnings().len(), 1_000);
    assert!(few.warnings().iter().all(|one| one.rule() == Some("few")));

    let many = record_of(&entries(5_000, r#"{"number":1}"#));
    assert_eq!(many.warnings().len(), 1_001);
    let last = many.warnings().last().unwrap();
    assert_eq!(last.rule(), None);
    assert_eq!(
        last.message(),
        "4000 more warnings are counted and not told one by one"
    );
}

#[test]
fn steps_beyond_the_bound_are_counted_by_name() {
    let record = record_of(&entries(12_000, r#"{"no":1}"#));
    let steps = record.attempts()[0].normalizations();
    assert_eq!(steps.len(), 10_001);
    assert_eq!(steps[9_999].path().to_string(), "[9999].no");
    assert_eq!(
        steps
            .iter()
            .map(typed_extract::record::Normalization::count)
            .sum::<usize>(),
        12_000
    );
    assert_eq!(steps[10_000].to_string(), "alias at 2000 more places");

    let stored: Record = serde_json::from_value(serde_json::to_value(&record).unwrap()).unwrap();
    assert_eq!(stored.attempts()[0].normalizations(), steps);
}

fn failures(all: &Value, element: &str, count: usize) -> Failures {
    let flow = extract_value(json!({
        "type": "object",
        "properties": {"value": {"type": "array", "items": all}},
    }));
    let flow = flow.unwrap();
    let flow = flow.document("a document");
    flow.validate(&entries(count, element)).unwrap_err()
}

#[test]
fn a_message_names_a_bounded_number_of_values() {
    let listed = |count: usize| (0..count).map(|at| format!("v{at}")).collect::<Vec<_>>();
    let few = failures(&json!({"enum": listed(100)}), "\"none\"", 1);
    assert!(few[0].message().contains("\"v99\""));
    assert!(!few[0].message().contains("another"));

    let many = failures(&json!({"enum": listed(20_000)}), "\"none\"", 300);
    let message = many[0].message();
    assert!(message.len() < 2_000, "{} bytes", message.len());
    assert!(message.ends_with(", another that the schema lists"));
    assert_eq!(many.len() + many.omitted(), 300);
}

#[test]
fn all_messages_of_a_reply_are_bounded_together() {
    let long = vec!["x".repeat(10_000); 1];
    let failures = failures(&json!({"enum": [long[0], "y"]}), "\"none\"", 300);
    let bytes: usize = failures.iter().map(|one| one.message().len()).sum();
    assert!(bytes < 200_000, "{bytes} bytes");
    assert_eq!(failures.len() + failures.omitted(), 300);
}

#[test]
fn branches_are_looked_into_for_a_bounded_number_of_values() {
    let branch = |at| json!({"type": "object", "required": [format!("v{at}")]});
    let union = json!({"anyOf": (0..50).map(branch).collect::<Vec<_>>()});
    let failures = failures(&union, "{}", 200);
    assert_eq!(failures.len(), 200);
    assert!(
        failures[0].message().contains("are missing: "),
        "{}",
        failures[0]
    );
    let last = failures.last().unwrap();
    assert_eq!(last.message(), "fits none of the 50 allowed shapes");
}

#[test]
fn notes_of_a_schema_are_stored_and_older_records_have_none() {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string", "example": "Ida"}},
    });
    let flow = extract_value(schema).unwrap().lenient_schema(true);
    let accepted = flow.document("Ida").validate("{}").unwrap();
    let mut stored = serde_json::to_value(accepted.record()).unwrap();
    let read = |stored: &Value| serde_json::from_value::<Record>(stored.clone()).unwrap();
    let notes = read(&stored).schema_notes().to_vec();
    assert_eq!(notes, accepted.record().schema_notes());
    assert_eq!(notes[0].to_string(), "example at /properties/name");

    stored.as_object_mut().unwrap().remove("notes");
    assert!(read(&stored).schema_notes().is_empty());
}
