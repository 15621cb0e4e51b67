//! A rule runs as soon as its own fields are valid, whatever is wrong elsewhere,
//! and every bind error is found.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Deserialize;
use typed_extract::{Extract, rules, validate};

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "camelCase")]
#[extract(rule(
    amount_is_product(amount, quantity, unit_price),
    "the amount is the quantity times the unit price",
    check = *amount == Decimal::from(*quantity) * unit_price,
))]
struct Line {
    quantity: u32,
    unit_price: Decimal,
    amount: Decimal,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "camelCase")]
struct Order {
    issued: NaiveDate,
    due: Option<NaiveDate>,
    #[validate(length(min = 1), nested)]
    lines: Vec<Line>,
    extras: BTreeMap<String, Line>,
    total: Decimal,
    #[serde(default = "one")]
    #[validate(range(min = 1, exclusive_max = 10))]
    copies: u8,
    #[validate(email)]
    contact: Option<String>,
    #[validate(must_match(other = "total"))]
    total_again: Decimal,
}

fn one() -> u8 {
    1
}

#[rules]
impl Order {
    /// The line amounts add up to the total.
    fn adds_up(total: &Decimal, lines: &[Line]) -> bool {
        lines.iter().map(|line| line.amount).sum::<Decimal>() == *total
    }

    /// The due date is not before the issue date.
    fn due_after_issued(due: &Option<NaiveDate>, issued: &NaiveDate) -> bool {
        due.is_none_or(|due| due >= *issued)
    }

    /// A single copy has a contact.
    fn single_copy(copies: &u8, contact: &Option<String>) -> bool {
        *copies != 1 || contact.is_some()
    }
}

fn told(reply: &serde_json::Value) -> Vec<String> {
    let failures = validate::<Order>(&reply.to_string()).unwrap_err();
    let line = |failure: &typed_extract::Failure| match failure.rule() {
        Some(rule) => format!("{} {rule}", failure.path()),
        None => format!("{} {}", failure.path(), failure.code()),
    };
    failures.iter().map(line).collect()
}

fn right() -> serde_json::Value {
    serde_json::json!({
        "issued": "2026-03-02", "due": "2026-03-06",
        "lines": [{"quantity": 2, "unitPrice": "1.50", "amount": "3.00"}],
        "extras": {"gift wrap": {"quantity": 1, "unitPrice": "2", "amount": "2"}},
        "total": "3.00", "copies": 2, "contact": "ida@example.org", "totalAgain": "3.00",
    })
}

#[test]
fn the_right_reply_is_accepted() {
    assert!(validate::<Order>(&right().to_string()).is_ok());
}

#[test]
fn rules_of_every_level_run_beside_faults_of_every_layer() {
    let mut reply = right();
    reply["issued"] = "2 March".into();
    reply["lines"][0]["quantity"] = 3.into();
    reply["extras"]["gift wrap"]["amount"] = "9".into();
    reply["total"] = "4.00".into();
    reply["copies"] = 10.into();
    reply["contact"] = "nobody".into();
    assert_eq!(
        told(&reply),
        [
            "issued schema.format",
            "lines[0].amount amount_is_product",
            "extras[\"gift wrap\"].amount amount_is_product",
            "total adds_up",
            "copies schema.range",
            "contact schema.format",
            "totalAgain must_match",
        ]
    );
}

#[test]
fn what_the_type_cannot_hold_is_found_everywhere_at_once() {
    let mut reply = right();
    // Forty digits have the form of a decimal and are too many for one.
    let long = "1".repeat(40);
    reply["lines"][0]["unitPrice"] = long.clone().into();
    reply["extras"]["gift wrap"]["amount"] = long.clone().into();
    reply["due"] = "2026-03-01".into();
    assert_eq!(
        told(&reply),
        [
            "due due_after_issued",
            "lines[0].unitPrice schema.range",
            "extras[\"gift wrap\"].amount schema.range",
        ]
    );
}

#[test]
fn an_absent_key_counts_as_its_default_for_rules() {
    let mut reply = right();
    let object = reply.as_object_mut().unwrap();
    object.remove("copies");
    object.remove("contact");
    object.insert("issued".into(), "2 March".into());
    assert_eq!(told(&reply), ["issued schema.format", "copies single_copy"]);
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code)]
enum Payment {
    Card {
        #[validate(length(equal = 4))]
        last4: String,
        line: Line,
    },
    Bank(Account),
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(iban_form(iban), "an IBAN begins with its country", check = iban.starts_with("NO")))]
struct Account {
    iban: String,
    #[serde(rename = "paidOn")]
    paid_on: NaiveDate,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Receipt {
    payments: Vec<Payment>,
}

#[test]
fn rules_run_inside_tagged_enums_with_the_paths_of_the_wire() {
    let reply = serde_json::json!({"payments": [
        {"kind": "bank", "iban": "SE1", "paidOn": "soon"},
        {"kind": "card", "last4": "123", "line": {"quantity": 1, "unitPrice": "2", "amount": "3"}},
        {"kind": "bank", "iban": "SE1", "paidOn": "2026-03-02"},
    ]});
    let failures = validate::<Receipt>(&reply.to_string()).unwrap_err();
    let places: Vec<String> = failures
        .iter()
        .map(|failure| failure.path().to_string())
        .collect();
    assert_eq!(
        places,
        [
            "payments[0].paidOn",
            "payments[0].iban",
            "payments[1].last4",
            "payments[1].line.amount",
            "payments[2].iban"
        ]
        .map(str::to_owned)
        .into_iter()
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect::<Vec<_>>()
    );
}
