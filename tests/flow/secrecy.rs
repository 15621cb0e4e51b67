//! What the document and the reply say stays out of errors and `Debug` output.

use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Extract, extract, validate};

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Patient {
    name: String,
    age: u8,
}

const REPLY: &str = r#"{"name": "Ida Holm", "age": "forty-secret"}"#;

#[tokio::test]
async fn an_error_names_places_and_codes_only() {
    let model = Script::new([REPLY]);
    let error = extract::<Patient>()
        .model(&model)
        .attempts(1)
        .document("Ida Holm, forty-secret")
        .await
        .unwrap_err();
    let shown = format!(
        "{error} {error:?} {:?} {:?}",
        error.record(),
        error.failures()
    );
    let requests = format!("{:?}", model.requests());
    for text in [shown, requests] {
        assert!(!text.contains("Ida") && !text.contains("secret"), "{text}");
    }
    assert!(error.to_string().contains("age (schema.type)"), "{error}");
}

#[test]
fn failures_are_quiet_until_one_is_asked() {
    let failures = validate::<Patient>(REPLY).unwrap_err();
    assert!(!format!("{failures} {failures:?}").contains("secret"));
    assert!(
        failures[0].to_string().contains("secret"),
        "the line for the model quotes it"
    );
}

#[test]
fn an_accepted_value_is_not_in_the_debug_output_of_its_account() {
    let done = extract::<Patient>()
        .document("Ida Holm is 40")
        .validate(r#"{"name": "Ida Holm", "age": 40}"#)
        .unwrap();
    assert!(!format!("{done:?}").contains("Ida"));
}
