//! Which branch of a union is explained, and where each failure stands.

use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::{Extract, Failures, extract_value, validate};

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "art", rename_all = "lowercase")]
#[allow(dead_code)]
enum Device {
    Valve { dn: u32, state: Option<State> },
    Pump { size: u32 },
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
enum State {
    Open,
    Shut,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
enum Wrapped {
    Valve { dn: u32 },
    Pump { size: u32 },
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "t", content = "c")]
#[allow(dead_code)]
enum Adjacent {
    Valve { dn: u32 },
    Pump { size: u32 },
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Plant {
    device: Device,
    wrapped: Option<Wrapped>,
    adjacent: Option<Adjacent>,
}

fn places(failures: &Failures) -> Vec<String> {
    let line = |one: &typed_extract::Failure| format!("{} {}", one.path().pointer(), one.code());
    failures.iter().map(line).collect()
}

fn told(reply: &Value) -> Vec<String> {
    places(
        &validate::<Plant>(&reply.to_string())
            .map(|_| ())
            .unwrap_err(),
    )
}

#[test]
fn a_tag_decides_the_branch_whatever_else_is_wrong_in_it() {
    let mut all = told(&json!({"device": {"art": "valve", "size": 5}}));
    all.sort();
    assert_eq!(
        all,
        [
            "/device/dn schema.required",
            "/device/size schema.additional"
        ]
    );
    let state = told(&json!({"device": {"art": "valve", "dn": 5, "state": "ajar"}}));
    assert_eq!(state, ["/device/state schema.enum"]);
    let mut wrapped =
        told(&json!({"device": {"art": "pump", "size": 1}, "wrapped": {"Valve": {"size": 5}}}));
    wrapped.sort();
    assert_eq!(
        wrapped,
        [
            "/wrapped/Valve/dn schema.required",
            "/wrapped/Valve/size schema.additional"
        ]
    );
    let adjacent = told(
        &json!({"device": {"art": "pump", "size": 1}, "adjacent": {"t": "Pump", "c": {"size": "x"}}}),
    );
    assert_eq!(adjacent, ["/adjacent/c/size schema.type"]);
}

#[test]
fn a_tag_that_no_branch_has_is_told_with_those_that_are_there() {
    let failures = validate::<Plant>(r#"{"device": {"art": "tank", "size": 5}}"#).unwrap_err();
    assert_eq!(places(&failures), ["/device/art schema.enum"]);
    assert_eq!(failures[0].message(), r#"must be one of "pump", "valve""#);
}

#[test]
fn of_an_untagged_union_the_nearest_branch_is_told() {
    let schema = json!({"type": "object", "properties": {"party": {"anyOf": [
        {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"], "additionalProperties": false},
        {"type": "object", "properties": {"name": {"type": "string"}, "vat": {"type": "string"}, "city": {"type": "string"}},
            "required": ["name", "vat", "city"], "additionalProperties": false},
    ]}}, "required": ["party"], "additionalProperties": false});
    let flow = extract_value(schema).unwrap().document("d");
    let told = |reply: Value| places(&flow.validate(&reply.to_string()).unwrap_err());
    assert_eq!(
        told(json!({"party": {"name": "a", "vat": "b"}})),
        ["/party/city schema.required"]
    );
    assert_eq!(
        told(json!({"party": {"name": 5}})),
        ["/party/name schema.type"]
    );
    assert_eq!(told(json!({"party": 5})), ["/party schema.type"]);
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Nested {
    lines: Vec<Line>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Line {
    amount: f64,
}

#[test]
fn a_missing_key_and_what_does_not_parse_keep_their_place() {
    let failures =
        validate::<Nested>(r#"{"lines": [{"amount": 1}, {"amount": 2}, {}]}"#).unwrap_err();
    assert_eq!(places(&failures), ["/lines/2/amount schema.required"]);
    for (text, code) in [
        ("1e400", "parse.number_range"),
        ("NaN", "parse.non_json_number"),
    ] {
        let reply = format!(r#"{{"lines": [{{"amount": 1}}, {{"amount": {text}}}]}}"#);
        let failures = validate::<Nested>(&reply).unwrap_err();
        assert_eq!(failures[0].code(), code, "{text}");
        assert!(
            failures[0].path().pointer().starts_with("/lines/1"),
            "{text}: {failures}"
        );
    }
    let rooted = validate::<Vec<Line>>(r#"{"value": [{"amount": 1e400}]}"#).unwrap_err();
    assert_eq!(rooted[0].path().pointer(), "/0/amount");
    let schema = json!({"type": "object", "additionalProperties": {"type": "object",
        "properties": {"a": {"type": "integer"}}, "required": ["a"]}});
    let flow = extract_value(schema).unwrap().document("d");
    assert_eq!(
        places(&flow.validate(r#"{"k": {}}"#).unwrap_err()),
        ["/k/a schema.required"]
    );
}
