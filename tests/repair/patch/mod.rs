//! Repair by patch: only the failing places are asked for, and only they can change.

mod asked;
mod hostile;
mod names;
mod places;

use serde::Deserialize;
use typed_extract::record::Attempt;
use typed_extract::testing::Script;
use typed_extract::{Error, Extract, Extracted, Repair, extract};

#[derive(Debug, Clone, PartialEq, Deserialize, Extract)]
struct Line {
    sku: String,
    #[validate(range(min = 1))]
    quantity: u32,
    amount: u32,
}

#[derive(Debug, Clone, PartialEq, Deserialize, Extract)]
#[extract(rule(
    adds_up(total, lines),
    "the line amounts add up to the total",
    check = lines.iter().map(|line| line.amount).sum::<u32>() == *total,
))]
struct Order {
    vendor: String,
    #[validate(length(min = 3, max = 3))]
    currency: String,
    due: Option<String>,
    #[validate(length(min = 1))]
    lines: Vec<Line>,
    total: u32,
}

const RIGHT: &str = r#"{"vendor": "Holm AS", "currency": "NOK", "due": null, "lines": [{"sku": "a", "quantity": 1, "amount": 30}, {"sku": "b", "quantity": 2, "amount": 12}], "total": 42}"#;

/// A right reply with one text in it exchanged.
fn with(old: &str, new: &str) -> String {
    assert!(RIGHT.contains(old), "{old}");
    RIGHT.replace(old, new)
}

async fn order(model: &Script) -> Result<Extracted<Order>, Error> {
    extract::<Order>()
        .model(model)
        .document("Holm AS: a 1 x 30, b 2 x 6, NOK 42")
        .repair(Repair::Patch)
        .run()
        .await
}

/// The places that an attempt asked for, as pointers.
fn offered(attempt: &Attempt) -> Vec<String> {
    let patch = attempt.patch().expect("a patch");
    let places = patch.places().iter();
    places.map(typed_extract::FieldPath::pointer).collect()
}
