//! Which places are asked for, and what becomes of them.

use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::testing::Script;
use typed_extract::{Extract, Repair, extract, extract_value, rules};

use super::{Order, RIGHT, offered, order, with};
use crate::support::found;

#[tokio::test]
async fn the_failing_places_alone_are_asked_for_and_set() {
    let wrong = with("NOK", "kroner").replace(r#""quantity": 2"#, r#""quantity": 0"#);
    let model = Script::new([
        wrong.as_str(),
        r#"{"/currency": "NOK", "/lines/1/quantity": 2}"#,
    ]);
    let done = order(&model).await.unwrap();
    assert_eq!(done.value(), &serde_json::from_str::<Order>(RIGHT).unwrap());
    let attempts = done.record().attempts();
    assert!(attempts[0].patch().is_none());
    assert_eq!(offered(&attempts[1]), ["/currency", "/lines/1/quantity"]);
    assert!(attempts[1].restored().is_empty());
    assert!(attempts[1].failures().is_empty());
    assert_eq!(attempts[1].patch().unwrap().merged(), Some(RIGHT));
}

#[tokio::test]
async fn the_reported_field_of_a_rule_must_be_given_and_the_related_may_be() {
    let wrong = with(r#""total": 42"#, r#""total": 43"#);
    let lines =
        r#"[{"sku": "a", "quantity": 1, "amount": 31}, {"sku": "b", "quantity": 2, "amount": 12}]"#;
    let patches = [
        r#"{"/total": 42}"#.to_owned(),
        format!(r#"{{"/total": 43, "/lines": {lines}}}"#),
    ];
    for patch in patches {
        let model = Script::new([wrong.clone(), patch]);
        let done = order(&model).await.unwrap();
        assert_eq!(offered(&done.record().attempts()[1]), ["/total", "/lines"]);
        let schema = model.requests()[1].wire_schema().unwrap().schema().clone();
        assert_eq!(schema["required"], json!(["/total"]));
        let keys = schema["properties"].as_object().unwrap().keys();
        assert_eq!(keys.collect::<Vec<_>>(), ["/total", "/lines"]);
    }
}

#[tokio::test]
async fn a_missing_key_is_added_at_its_place() {
    let wrong = with(r#""currency": "NOK", "#, "").replace(r#", "amount": 12"#, "");
    let patch = r#"{"/currency": "NOK", "/lines/1/amount": 12}"#;
    let done = order(&Script::new([wrong.as_str(), patch])).await.unwrap();
    assert_eq!(done.value(), &serde_json::from_str::<Order>(RIGHT).unwrap());
}

#[tokio::test]
async fn a_place_that_may_be_null_may_be_null_in_a_patch() {
    let wrong = with(r#""due": null"#, r#""due": 5"#);
    let model = Script::new([wrong.as_str(), r#"{"/due": null}"#]);
    let done = order(&model).await.unwrap();
    assert_eq!(done.value().due, None);
    let schema = model.requests()[1].wire_schema().unwrap().schema().clone();
    let due = &schema["properties"]["/due"];
    assert_eq!(due["type"], json!(["string", "null"]));
    assert_eq!(schema["required"], json!(["/due"]));
}

#[tokio::test]
async fn an_unknown_key_is_left_out_and_recorded() {
    let wrong = with(r#""sku": "b""#, r#""sku": "b", "colour": "red""#).replace("NOK", "N");
    let model = Script::new([wrong.as_str(), r#"{"/currency": "NOK"}"#]);
    let done = order(&model).await.unwrap();
    let attempt = &done.record().attempts()[1];
    let steps = attempt.normalizations();
    assert_eq!(steps.len(), 1);
    assert_eq!(steps[0].name(), "unknown_key");
    assert_eq!(steps[0].path().pointer(), "/lines/1/colour");
    assert!(
        !attempt
            .patch()
            .unwrap()
            .merged()
            .unwrap()
            .contains("colour")
    );
    assert!(model.requests()[1].prompt().contains(r#""colour": "red""#));
}

#[tokio::test]
async fn a_key_under_a_wrong_name_can_go_where_it_belongs() {
    let wrong = with(r#""due": null"#, r#""due_on": "1 May""#);
    let model = Script::new([wrong.as_str(), r#"{"/due": "1 May"}"#]);
    let done = order(&model).await.unwrap();
    assert_eq!(offered(&done.record().attempts()[1]), ["/due"]);
    assert_eq!(done.value().due.as_deref(), Some("1 May"));
}

#[tokio::test]
async fn an_unknown_key_alone_is_for_a_whole_reply_to_mend() {
    let wrong = with(r#""total": 42"#, r#""total": 42, "tip": 1"#);
    let model = Script::new([wrong.as_str(), RIGHT]);
    let done = order(&model).await.unwrap();
    assert!(done.record().attempts()[1].patch().is_none());
    assert!(model.requests()[1].prompt().contains("Keep every field"));
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(
    adds_up(parts, total),
    "the parts add up to the total",
    check = parts.iter().map(|part| part.size).sum::<i64>() == *total,
))]
struct Parted {
    parts: Vec<Part>,
    total: i64,
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(positive(size), "a size is more than zero", check = *size > 0))]
struct Part {
    size: i64,
}

#[tokio::test]
async fn what_lies_in_a_place_that_must_be_given_is_not_asked_for_twice() {
    let model = Script::new([
        r#"{"parts": [{"size": 4}, {"size": -2}], "total": 6}"#,
        r#"{"/parts": [{"size": 4}, {"size": 2}]}"#,
    ]);
    let done = extract::<Parted>()
        .model(&model)
        .document("d")
        .repair(Repair::Patch)
        .run()
        .await
        .unwrap();
    let attempts = done.record().attempts();
    let failing = [
        ("rule", "/parts".to_owned()),
        ("rule", "/parts/1/size".to_owned()),
    ];
    assert_eq!(found(attempts[0].failures()), failing);
    assert_eq!(offered(&attempts[1]), ["/parts", "/total"]);
    assert_eq!((done.value().parts[1].size, done.value().total), (2, 6));
}

#[derive(Debug, Deserialize, Extract)]
struct Tagged {
    payment: Payment,
    #[serde(default)]
    notes: Vec<Note>,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Payment {
    Card {
        #[validate(length(min = 4, max = 4))]
        last_digits: String,
    },
    Transfer {
        iban: String,
        #[validate(range(min = 1))]
        days: u32,
    },
}

/// A note and the notes on it.
#[derive(Debug, Deserialize, Extract)]
struct Note {
    #[validate(length(min = 1))]
    text: String,
    notes: Vec<Note>,
}

async fn tagged(replies: [&str; 2]) -> (Tagged, Vec<String>, Value) {
    let model = Script::new(replies);
    let done = extract::<Tagged>()
        .model(&model)
        .document("d")
        .repair(Repair::Patch)
        .run()
        .await
        .unwrap();
    let schema = model.requests()[1].wire_schema().unwrap().schema().clone();
    let places = offered(&done.record().attempts()[1]);
    (done.into_value(), places, schema)
}

#[tokio::test]
async fn a_place_in_a_union_has_the_schema_of_the_branch_that_was_meant() {
    let (value, places, schema) = tagged([
        r#"{"payment": {"kind": "transfer", "iban": "NO1", "days": 0}}"#,
        r#"{"/payment/days": 30}"#,
    ])
    .await;
    assert_eq!(places, ["/payment/days"]);
    assert_eq!(schema["properties"]["/payment/days"]["minimum"], 1);
    let iban = "NO1".to_owned();
    assert_eq!(value.payment, Payment::Transfer { iban, days: 30 });
}

#[tokio::test]
async fn a_union_of_an_unknown_branch_is_asked_for_whole() {
    let (value, places, _) = tagged([
        r#"{"payment": {"kind": "cheque", "last_digits": "1234"}}"#,
        r#"{"/payment": {"kind": "card", "last_digits": "1234"}}"#,
    ])
    .await;
    assert_eq!(places, ["/payment"]);
    let last_digits = "1234".to_owned();
    assert_eq!(value.payment, Payment::Card { last_digits });
}

#[tokio::test]
async fn definitions_that_a_place_refers_to_are_carried_along() {
    let (value, places, schema) = tagged([
        r#"{"payment": {"kind": "card", "last_digits": "1234"}, "notes": [{"text": "a", "notes": "none"}]}"#,
        r#"{"/notes/0/notes": [{"text": "b", "notes": []}]}"#,
    ])
    .await;
    assert_eq!(places, ["/notes/0/notes"]);
    assert!(schema["$defs"]["Note"].is_object(), "{schema}");
    assert_eq!(value.notes[0].notes[0].text, "b");
}

#[tokio::test]
async fn references_of_any_form_are_carried_along() {
    let schema = json!({
        "type": "object",
        "properties": {
            "from": {"type": "string", "minLength": 2},
            "to": {"$ref": "#/properties/from"},
            "below": {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
            "odd/key~": {"type": "integer"},
        },
        "required": ["from", "to", "below", "odd/key~"],
        "additionalProperties": false,
    });
    let model = Script::new([
        r#"{"from": "Oslo", "to": "B", "below": 1, "odd/key~": "x"}"#,
        r#"{"/to": "Bergen", "/below": null, "/odd~1key~0": 3}"#,
    ]);
    let done = extract_value(schema)
        .unwrap()
        .model(&model)
        .document("d")
        .repair(Repair::Patch)
        .run()
        .await
        .unwrap();
    let right = json!({"from": "Oslo", "to": "Bergen", "below": null, "odd/key~": 3});
    assert_eq!(done.value(), &right);
    let wire = model.requests()[1].wire_schema().unwrap().schema().clone();
    assert_eq!(wire["$defs"].as_object().unwrap().len(), 2, "{wire}");
}

#[tokio::test]
async fn a_wrapped_root_has_the_pointers_that_its_failures_have() {
    let model = Script::new([
        r#"{"value": [{"sku": "a", "quantity": 1, "amount": 1}, {"sku": "b", "quantity": 0, "amount": 1}]}"#,
        r#"{"/1/quantity": 3}"#,
    ]);
    let done = extract::<Vec<super::Line>>()
        .model(&model)
        .document("d")
        .repair(Repair::Patch)
        .run()
        .await
        .unwrap();
    assert_eq!(done.value()[1].quantity, 3);
    assert_eq!(offered(&done.record().attempts()[1]), ["/1/quantity"]);
}

#[derive(Debug, Deserialize, Extract)]
struct Listed {
    #[validate(length(min = 1))]
    tags: Vec<String>,
    #[validate(length(min = 1))]
    #[extract(keep_delimiters)]
    titles: Vec<String>,
}

#[tokio::test]
async fn one_string_stands_for_a_list_in_a_patch_as_in_a_reply() {
    let model = Script::new([
        r#"{"tags": [], "titles": []}"#,
        r#"{"/tags": "a, b", "/titles": "Oslo, by night"}"#,
        r#"{"/tags": "a, b", "/titles": ["Oslo, by night"]}"#,
    ]);
    let done = extract::<Listed>()
        .model(&model)
        .document("d")
        .repair(Repair::Patch)
        .run()
        .await
        .unwrap();
    assert_eq!(done.value().tags, ["a", "b"]);
    assert_eq!(done.value().titles, ["Oslo, by night"]);
    let attempts = done.record().attempts();
    let refused = found(attempts[1].failures())[0].clone();
    assert_eq!(refused, ("repair.patch.value", "/titles".to_owned()));
    let step = &attempts[2].normalizations()[0];
    assert_eq!(step.name(), "delimited_string");
    assert_eq!(step.path().pointer(), "/tags");
}

#[derive(Debug, Deserialize, Extract)]
struct Period {
    from: u32,
    to: u32,
}

#[rules]
impl Period {
    /// It begins before it ends.
    fn ordered(&self) -> bool {
        self.from < self.to
    }
}

#[tokio::test]
async fn a_failure_of_the_whole_is_for_a_whole_reply_to_mend() {
    let model = Script::new([r#"{"from": 2, "to": 1}"#, r#"{"from": 1, "to": 2}"#]);
    let done = extract::<Period>()
        .model(&model)
        .document("d")
        .repair(Repair::Patch)
        .run()
        .await
        .unwrap();
    assert!(done.record().attempts()[1].patch().is_none());
    assert_eq!(
        found(done.record().attempts()[0].failures()),
        [("rule", String::new())]
    );
}

#[tokio::test]
async fn a_reply_that_cannot_be_read_is_asked_for_whole_and_then_patched() {
    let wrong = with("NOK", "kroner");
    let model = Script::new(["no JSON", wrong.as_str(), r#"{"/currency": "NOK"}"#]);
    let done = order(&model).await.unwrap();
    let patched: Vec<bool> = done
        .record()
        .attempts()
        .iter()
        .map(|attempt| attempt.patch().is_some())
        .collect();
    assert_eq!(patched, [false, false, true]);
}

#[tokio::test]
async fn auto_patches_where_the_failing_places_are_the_smaller_part() {
    let small = with("NOK", "kroner");
    let large = with(r#""total": 42"#, r#""total": 43"#);
    for (wrong, right, patched) in [
        (small, r#"{"/currency": "NOK"}"#, true),
        (large, RIGHT, false),
    ] {
        let done = extract::<Order>()
            .model(Script::new([wrong.as_str(), right]))
            .document("d")
            .repair(Repair::Auto)
            .run()
            .await
            .unwrap();
        assert_eq!(done.record().attempts()[1].patch().is_some(), patched);
    }
}

#[tokio::test]
async fn the_whole_reply_is_asked_for_where_nothing_is_said() {
    let wrong = with("NOK", "kroner");
    let model = Script::new([wrong.as_str(), RIGHT]);
    let run = extract::<Order>().model(&model).document("d").run();
    assert!(run.await.unwrap().record().attempts()[1].patch().is_none());
}
