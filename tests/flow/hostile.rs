//! Replies made to hurt: a clear error, at once, in little memory.

use serde::Deserialize;
use typed_extract::{Extract, Normalize, extract, validate};

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Note {
    text: String,
}

fn code(reply: &str) -> String {
    let failures = validate::<Note>(reply).map(|_| ()).unwrap_err();
    assert!(
        failures
            .iter()
            .all(|failure| failure.to_string().len() < 1_000),
        "short messages"
    );
    failures[0].code().to_string()
}

#[test]
fn ten_megabytes_of_brackets_are_too_deep() {
    assert_eq!(code(&"[".repeat(10 << 20)), "parse.depth");
    assert_eq!(code(&"{\"a\":".repeat(2 << 20)), "parse.depth");
}

#[test]
fn a_depth_of_a_hundred_thousand_is_too_deep() {
    let reply = format!(
        "{{\"text\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(code(&reply), "parse.depth");
}

#[test]
fn a_string_of_ten_megabytes_is_read() {
    let reply = format!("{{\"text\": \"{}\"}}", "x".repeat(10 << 20));
    assert_eq!(validate::<Note>(&reply).unwrap().text.len(), 10 << 20);
    let wrong = format!("{{\"note\": \"{}\"}}", "x".repeat(10 << 20));
    assert_eq!(code(&wrong), "schema.required");
}

#[test]
fn a_million_keys_are_too_many() {
    let members: Vec<String> = (0..1_000_000)
        .map(|at| format!("\"k{at}\": {at}"))
        .collect();
    assert_eq!(code(&format!("{{{}}}", members.join(", "))), "parse.size");
}

#[test]
fn a_hundred_thousand_unknown_keys_are_told_in_bounds() {
    let members: Vec<String> = (0..100_000).map(|at| format!("\"k{at}\": {at}")).collect();
    let failures = validate::<Note>(&format!("{{{}}}", members.join(", "))).unwrap_err();
    assert!(failures.len() <= 1_000, "{}", failures.len());
    assert!(
        failures.to_string().contains("more"),
        "that there are more is said"
    );
}

#[test]
fn a_reply_over_the_limit_is_refused_unread() {
    assert_eq!(code(&" ".repeat((16 << 20) + 1)), "parse.size");
}

#[test]
fn prose_made_to_be_searched_for_ever_ends() {
    let lenient = extract::<Note>()
        .normalize(Normalize::default().surrounding_prose(true))
        .document("d");
    for text in [
        "{",
        "[",
        "{\"",
        "{\"a\": [",
        "[1, [",
        "{\"a\": \"",
        "x{} y",
        "[{",
    ] {
        let reply = format!("Here: {}", text.repeat(300_000));
        assert!(lenient.validate(&reply).is_err());
    }
}

#[test]
fn a_long_number_is_refused_and_not_quoted_in_full() {
    let reply = format!("{{\"text\": {}}}", "9".repeat(100_000));
    assert_eq!(code(&reply), "parse.number_range");
}
