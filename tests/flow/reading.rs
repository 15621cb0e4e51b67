//! What is read without loss though it is written otherwise, and what is not.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveTime, Utc};
use rust_decimal::Decimal;
use serde::Deserialize;
use typed_extract::{Cited, Extract, Failures, Normalize, extract, json_schema};

type Steps = Vec<String>;

fn read<T: Extract<Context = ()>>(reply: &str) -> Result<(T, Steps), Failures> {
    under(reply, Normalize::default())
}

fn under<T: Extract<Context = ()>>(
    reply: &str,
    normalize: Normalize,
) -> Result<(T, Steps), Failures> {
    let flow = extract::<T>()
        .normalize(normalize)
        .document("It is 12.50 in all.");
    let done = flow.validate(reply)?;
    let attempts = done.record().attempts();
    let steps = attempts[0].normalizations().iter();
    let steps = steps.map(ToString::to_string).collect();
    Ok((done.into_value(), steps))
}

/// Place and message of each failure.
fn told<T: Extract<Context = ()>>(reply: &str) -> Vec<(String, String)> {
    let failures = read::<T>(reply).map(|_| ()).unwrap_err();
    let line = |one: &typed_extract::Failure| (one.path().pointer(), one.message().to_owned());
    failures.iter().map(line).collect()
}

#[derive(Debug, Deserialize, Extract)]
struct Line {
    amount: Decimal,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Paid {
    Cash { sum: Decimal },
    Card { sum: Option<Decimal>, last4: String },
}

#[derive(Debug, Deserialize, Extract)]
struct Bill {
    total: Decimal,
    tax: Option<Decimal>,
    lines: Vec<Line>,
    by_rate: BTreeMap<String, Decimal>,
    paid: Paid,
    cited: Option<Cited<Decimal>>,
}

#[test]
fn numbers_are_decimals_digit_for_digit_at_any_depth() {
    let reply = r#"{"total": 1200.50, "tax": -0.10, "lines": [{"amount": 1}, {"amount": "2.0"}],
        "by_rate": {"a/b": 7.700}, "paid": {"kind": "card", "sum": 3.30, "last4": "0071"},
        "cited": {"quote": "12.50", "value": 12.50}}"#;
    let (bill, steps) = read::<Bill>(reply).unwrap();
    assert_eq!(bill.total.to_string(), "1200.50");
    assert_eq!(bill.tax.unwrap().to_string(), "-0.10");
    assert_eq!(bill.lines[0].amount.to_string(), "1");
    assert_eq!(bill.lines[1].amount.to_string(), "2.0");
    assert_eq!(bill.by_rate["a/b"].to_string(), "7.700");
    assert!(
        matches!(&bill.paid, Paid::Card { sum: Some(sum), last4 } if sum.to_string() == "3.30" && last4 == "0071")
    );
    assert_eq!(bill.cited.unwrap().value().to_string(), "12.50");
    assert_eq!(
        steps,
        [
            "decimal_number at total",
            "decimal_number at tax",
            "decimal_number at lines[0].amount",
            "decimal_number at by_rate[\"a/b\"]",
            "decimal_number at paid.sum",
            "decimal_number at cited.value",
        ]
    );
    assert!(matches!(bill.paid, Paid::Card { .. }));
    let cash = r#"{"total": 1, "lines": [], "by_rate": {}, "paid": {"kind": "cash", "sum": 2}}"#;
    assert!(
        matches!(read::<Bill>(cash).unwrap().0.paid, Paid::Cash { sum } if sum == Decimal::TWO)
    );
}

#[test]
fn every_number_of_a_long_list_is_read() {
    let lines = vec![r#"{"amount": 0.10}"#; 10_000].join(", ");
    let (lines, steps) = read::<Vec<Line>>(&format!("{{\"value\": [{lines}]}}")).unwrap();
    assert!(lines.iter().all(|line| line.amount.to_string() == "0.10"));
    assert_eq!(steps.len(), 10_000);
    assert_eq!(steps[9_999], "decimal_number at [9999].amount");
}

#[test]
fn a_number_that_is_no_plain_decimal_is_none() {
    for number in [
        "1e5",
        "1E2",
        "1.5e-3",
        "1e400",
        "true",
        "0.12345678901234567890123456789",
    ] {
        let reply = format!("{{\"amount\": {number}}}");
        assert!(read::<Line>(&reply).is_err(), "{number}");
    }
    let strict = Normalize::default().decimal_numbers(false);
    assert!(under::<Line>(r#"{"amount": 1}"#, strict).is_err());
    assert!(under::<Line>(r#"{"amount": 1}"#, Normalize::none()).is_err());
}

#[test]
fn a_decimal_keeps_every_digit_or_fails_at_its_place() {
    for text in [
        "0.12345678901234567890123456789",
        "7922816251426433759354395033.55",
        "79228162514264337593543950336",
        "1.00000000000000000000000000000",
    ] {
        let failures = told::<Line>(&format!("{{\"amount\": \"{text}\"}}"));
        assert_eq!(failures[0].0, "/amount", "{text}");
        assert!(failures[0].1.contains("28"), "{text}: {failures:?}");
    }
    for text in [
        "79228162514264337593543950335",
        "0.1234567890123456789012345678",
        "1.50",
    ] {
        let (line, _) = read::<Line>(&format!("{{\"amount\": \"{text}\"}}")).unwrap();
        assert_eq!(line.amount.to_string(), text);
    }
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Moment {
    at: DateTime<Utc>,
    time: Option<NaiveTime>,
}

#[test]
fn a_time_keeps_every_digit_or_fails() {
    assert!(read::<Moment>(r#"{"at": "2026-03-02T10:00:00.123456789Z"}"#).is_ok());
    let failures = told::<Moment>(
        r#"{"at": "2026-03-02T10:00:00.1234567891Z", "time": "10:00:00.1234567891"}"#,
    );
    let places: Vec<_> = failures.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, ["/at", "/time"]);
    assert!(
        failures.iter().all(|(_, message)| message.contains("nine")),
        "{failures:?}"
    );
    let wrong = told::<Moment>(r#"{"at": "yesterday"}"#);
    assert!(wrong[0].1.contains("RFC 3339"), "{wrong:?}");
}

#[derive(Debug, Deserialize, Extract)]
struct Tags {
    tags: Vec<String>,
}

#[test]
fn only_a_delimited_list_is_split() {
    for text in [
        r#"[\"x\",\"y\"]"#,
        "[]",
        "{}",
        "['x', 'y']",
        r#"{\"a\":1,\"b\":2}"#,
        r#"\"a\", \"b\""#,
        "1,234.50",
        "1,234",
        "12,5",
        "about 1,234 units, more",
        "N/A",
        "none",
        "",
        " , ",
        "5",
    ] {
        assert!(
            read::<Tags>(&format!("{{\"tags\": \"{text}\"}}")).is_err(),
            "{text}"
        );
    }
    for (text, parts) in [("worker_1, worker_2", 2), ("a,b,,", 2), ("1, 2, 3", 3)] {
        let (tags, steps) = read::<Tags>(&format!("{{\"tags\": \"{text}\"}}")).unwrap();
        assert_eq!(
            (tags.tags.len(), steps.as_slice()),
            (parts, ["delimited_string at tags".to_owned()].as_slice())
        );
    }
}

#[derive(Debug, Deserialize, Extract)]
struct Job {
    #[serde(alias = "jobTitle", alias = "position")]
    title: String,
}

#[derive(Debug, Deserialize, Extract)]
struct Contact {
    #[serde(alias = "mail")]
    email: String,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
enum Level {
    #[serde(alias = "junior")]
    Entry,
    Senior,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
enum External {
    #[serde(alias = "Firm")]
    Company {
        #[serde(alias = "vatId")]
        vat: String,
    },
    Person {
        name: String,
    },
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Internal {
    #[serde(alias = "c")]
    Card {
        #[serde(alias = "digits")]
        last4: String,
    },
    Cash {
        cents: u32,
    },
}

#[derive(Debug, Deserialize, Extract)]
struct History {
    name: String,
    #[serde(rename = "workHistory", alias = "jobs", default)]
    work: Vec<Job>,
    #[serde(flatten)]
    contact: Contact,
    level: Option<Level>,
    party: Option<External>,
    pay: Option<Internal>,
}

#[test]
fn an_alias_is_read_as_its_name_at_any_depth() {
    let reply = r#"{"name": "n", "jobs": [{"jobTitle": "a"}, {"position": "b"}], "mail": "m@x.org",
        "level": "junior", "party": {"Firm": {"vatId": "DE1"}}, "pay": {"kind": "c", "digits": "1"}}"#;
    let (history, mut steps) = read::<History>(reply).unwrap();
    assert_eq!(history.name, "n");
    assert_eq!(history.work[0].title, "a");
    assert_eq!(history.work[1].title, "b");
    assert_eq!(history.contact.email, "m@x.org");
    assert_eq!(history.level, Some(Level::Entry));
    assert!(matches!(history.party, Some(External::Company { vat }) if vat == "DE1"));
    assert!(matches!(history.pay, Some(Internal::Card { last4 }) if last4 == "1"));
    steps.sort();
    assert_eq!(
        steps,
        [
            "alias at jobs",
            "alias at jobs[0].jobTitle",
            "alias at jobs[1].position",
            "alias at level",
            "alias at mail",
            "alias at party.Firm",
            "alias at party.Firm.vatId",
            "alias at pay.digits",
            "alias at pay.kind",
        ]
    );
}

#[test]
fn no_schema_shows_an_alias() {
    let schema = json_schema::<History>().unwrap().to_string();
    for word in ["x-typed", "jobs", "\"mail", "junior", "Firm", "digits"] {
        assert!(!schema.contains(word), "{word} in {schema}");
    }
}

#[test]
fn a_name_and_its_alias_together_are_a_failure() {
    let failures = told::<Job>(r#"{"title": "a", "position": "b"}"#);
    assert_eq!(failures[0].0, "/position");
    assert!(failures[0].1.contains("`title`"), "{failures:?}");
    assert!(read::<Job>(r#"{"jobTitle": "a", "position": "b"}"#).is_err());
    let lenient = Normalize::default().drop_unknown_keys(true);
    assert!(under::<Job>(r#"{"title": "a", "position": "b"}"#, lenient).is_err());
}

#[derive(Debug, Deserialize, Extract)]
struct OpenJob {
    #[serde(alias = "jobTitle")]
    title: String,
    #[serde(alias = "years", default)]
    #[schemars(range(max = 50))]
    since: Option<u8>,
    #[serde(flatten)]
    more: BTreeMap<String, serde_json::Value>,
}

#[test]
fn an_alias_beside_keys_of_any_name_is_the_field_and_checked_as_it() {
    let (job, steps) = read::<OpenJob>(r#"{"title": "t", "years": 7, "extra": 1}"#).unwrap();
    assert_eq!((job.title.as_str(), job.since), ("t", Some(7)));
    assert_eq!(job.more.keys().collect::<Vec<_>>(), ["extra"]);
    assert_eq!(steps, ["alias at years"]);
    let over = told::<OpenJob>(r#"{"title": "t", "years": 51}"#);
    assert_eq!(over[0].0, "/since");
    let both = told::<OpenJob>(r#"{"title": "t", "jobTitle": "u"}"#);
    assert_eq!(both[0].0, "/jobTitle");
    assert!(both[0].1.contains("write `title` once"), "{both:?}");
    let strict = under::<OpenJob>(r#"{"title": "t", "years": 7}"#, Normalize::none());
    let failures = strict.map(|_| ()).unwrap_err();
    assert_eq!(failures.len(), 1, "{failures}");
    assert!(
        failures[0].message().contains("write `since`"),
        "{failures}"
    );
}

#[derive(Debug, Deserialize, Extract)]
struct FlatParty {
    id: u8,
    #[serde(flatten)]
    party: External,
}

#[test]
fn the_alias_of_a_flattened_variant_is_read() {
    let (flat, steps) = read::<FlatParty>(r#"{"id": 1, "Firm": {"vatId": "DE1"}}"#).unwrap();
    assert_eq!(flat.id, 1);
    assert!(matches!(flat.party, External::Company { vat } if vat == "DE1"));
    assert_eq!(steps, ["alias at Firm", "alias at Firm.vatId"]);
}

#[derive(Debug, PartialEq, Eq, Hash, Deserialize, Extract)]
enum Stage {
    #[serde(alias = "junior")]
    Entry,
    Senior,
}

#[derive(Debug, Deserialize, Extract)]
struct Stages {
    #[allow(dead_code)]
    by_stage: std::collections::HashMap<Stage, u8>,
}

#[test]
fn the_alias_of_a_key_is_told_the_names() {
    let failures = told::<Stages>(r#"{"by_stage": {"junior": 1}}"#);
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].0, "/by_stage/junior");
    let named = |name: &str| failures[0].1.contains(name);
    assert!(named("\"Entry\"") && named("\"Senior\""), "{failures:?}");
}

#[derive(Debug, Deserialize, Extract)]
struct TwoPlaces {
    #[schemars(regex(pattern = r"^[0-9]+\.[0-9]{2}$"))]
    amount: Decimal,
    #[serde(default)]
    cited: Option<Cited<Decimal>>,
}

#[test]
fn a_pattern_of_the_users_for_a_decimal_holds() {
    let (two, steps) = read::<TwoPlaces>(r#"{"amount": 12.50}"#).unwrap();
    assert_eq!((two.amount.to_string().as_str(), steps.len()), ("12.50", 1));
    assert!(two.cited.is_none());
    for amount in [r#""12.5""#, "12.5", r#""12""#] {
        let failures = told::<TwoPlaces>(&format!(r#"{{"amount": {amount}}}"#));
        assert_eq!(failures[0].0, "/amount", "{amount}");
    }
    let long = told::<TwoPlaces>(r#"{"amount": "123456789012345678901234567890.12"}"#);
    assert!(long[0].1.contains("28"), "{long:?}");
    let schema = json_schema::<TwoPlaces>().unwrap().to_string();
    assert!(
        schema.contains("{2}") && !schema.contains("x-typed"),
        "{schema}"
    );
}

#[test]
fn where_an_alias_is_not_read_the_name_is_told() {
    let failures = under::<Job>(r#"{"position": "b"}"#, Normalize::none())
        .map(|_| ())
        .unwrap_err();
    assert!(
        failures
            .iter()
            .any(|one| one.message().contains("write `title`")),
        "{failures:?}"
    );
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Due {
    due_date: String,
    paid_on: Option<String>,
}

#[test]
fn a_key_in_another_spelling_is_told_with_the_right_one() {
    for key in ["due_date", "DueDate", "due-date", "DUE_DATE"] {
        let failures = told::<Due>(&format!("{{\"{key}\": \"x\"}}"));
        let place = format!("/{key}");
        let told = failures
            .iter()
            .find(|(at, _)| *at == place)
            .expect("the key is told");
        assert!(told.1.contains("write `dueDate`"), "{told:?}");
    }
    let other = told::<Due>(r#"{"dueDate": "x", "extra": 1}"#);
    assert!(other[0].1.contains("leave it out"), "{other:?}");
    let lenient = Normalize::default().drop_unknown_keys(true);
    let (_, steps) = under::<Due>(r#"{"dueDate": "x", "extra": 1}"#, lenient).unwrap();
    assert_eq!(steps, ["unknown_key at extra"]);
    let meant = under::<Due>(r#"{"dueDate": "x", "paid_on": "y"}"#, lenient);
    assert!(meant.is_err(), "a value that was meant is not dropped");
}
