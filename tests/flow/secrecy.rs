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
fn failures_quote_what_stands_at_their_own_places_and_debug_quotes_nothing() {
    let failures = validate::<Patient>(REPLY).unwrap_err();
    assert!(!format!("{failures:?} {:?}", failures[0]).contains("secret"));
    for shown in [failures.to_string(), failures[0].to_string()] {
        assert!(
            shown.contains("forty-secret") && !shown.contains("Ida"),
            "{shown}"
        );
    }
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Ledger {
    accounts: std::collections::BTreeMap<String, u8>,
    owner: Option<Owner>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Owner {
    #[extract(leaf)]
    name: String,
}

#[typed_extract::rules]
impl Ledger {
    /// No account is in debt.
    fn no_debt(
        accounts: &std::collections::BTreeMap<String, u8>,
    ) -> Vec<typed_extract::rule::Violation> {
        let named = |name: &String| {
            typed_extract::FieldPath::root()
                .key("accounts")
                .key(name.clone())
        };
        let broken = accounts.iter().filter(|(_, balance)| **balance == 9);
        broken
            .map(|(name, _)| typed_extract::rule::Violation::new("in debt").at(named(name)))
            .collect()
    }
}

/// What an error, its `Debug` output and that of what it carries show.
async fn shown(reply: &str) -> String {
    let model = Script::new([reply]);
    let run = extract::<Ledger>().model(&model).attempts(1).document("d");
    let error = run.await.unwrap_err();
    let (record, failures) = (error.record(), error.failures());
    format!(
        "{error} {error:?} {record:?} {failures:?} {:?}",
        record.attempts()
    )
}

#[tokio::test]
async fn keys_that_the_schema_does_not_name_are_in_no_error_and_no_debug_output() {
    for reply in [
        r#"{"accounts": {"secret": "x"}}"#,
        r#"{"accounts": {"secret": 9}}"#,
        r#"{"accounts": {}, "secret": 1}"#,
        r#"{"accounts": {}, "owner": {"name": "n", "secret": 1}}"#,
        r#"{"accounts": {"secret": 1, "secret": 2}}"#,
        r#"{"accounts": "secret"}"#,
        r#"{"accounts": {}, "owner": {"name": 5, "secret": {"secret": 1}}} secret"#,
    ] {
        let shown = shown(reply).await;
        assert!(!shown.contains("secret"), "{reply}: {shown}");
    }
    let told = shown(r#"{"accounts": {"secret": 9}}"#).await;
    assert!(told.contains("accounts[\"*\"] (rule no_debt)"), "{told}");
}

#[test]
fn what_a_failure_shows_is_bounded_and_on_one_line() {
    let key = r"k\u001b[31m\u202e".repeat(100_000);
    for reply in [
        format!(r#"{{"accounts": {{"{key}": "x"}}}}"#),
        format!(r#"{{"accounts": {{}}, "{key}": 1}}"#),
        format!(r#"{{"accounts": "{key}"}}"#),
        "{\"accounts\": [\u{202e}".to_owned(),
    ] {
        let failures = validate::<Ledger>(&reply).unwrap_err();
        for shown in [
            failures.to_string(),
            failures[0].to_string(),
            format!("{failures:?}"),
        ] {
            assert!(shown.chars().count() < 3_000, "{}", shown.len());
            let odd = |c: char| c.is_control() || c == '\u{202e}';
            assert!(!shown.contains(odd), "{shown}");
        }
    }
}

#[test]
fn an_accepted_value_is_not_in_the_debug_output_of_its_account() {
    let done = extract::<Patient>()
        .document("Ida Holm is 40")
        .validate(r#"{"name": "Ida Holm", "age": 40}"#)
        .unwrap();
    assert!(!format!("{done:?}").contains("Ida"));
}
