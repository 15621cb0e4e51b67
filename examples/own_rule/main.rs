//! Rules of your own: plain functions over fields, authority checked against
//! what the caller knows, and warnings.

use std::collections::HashSet;

use serde::Deserialize;
use typed_extract::record::Attempt;
use typed_extract::rule::Violation;
use typed_extract::testing::Script;
use typed_extract::{Error, Extract, FieldPath, extract, rules};

/// What the application knows and the document does not.
struct Ledger {
    customers: HashSet<&'static str>,
    limit_cents: i64,
}

/// A payment order.
#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)] // Printed through `Debug`.
#[extract(context = Ledger)]
#[extract(policy(
    within_limit(amount_cents, context),
    "the amount is within the caller's limit",
    check = *amount_cents <= context.limit_cents,
))]
#[extract(check(round(amount_cents), "amounts are usually whole euros", check = amount_cents % 100 == 0))]
struct Payment {
    customer: String,
    amount_cents: i64,
    references: Vec<String>,
}

#[rules]
impl Payment {
    /// The customer is one of the caller's customers.
    #[policy]
    fn customer_is_known(customer: &str, context: &Ledger) -> Result<(), String> {
        if context.customers.contains(customer) {
            return Ok(());
        }
        Err(format!("{customer} is not a customer"))
    }

    /// No reference stands twice.
    fn references_differ(references: &[String]) -> Vec<Violation> {
        let mut seen = HashSet::new();
        let references = references.iter().enumerate();
        let twice = references.filter(|(_, reference)| !seen.insert(*reference));
        let place = |at| FieldPath::root().key("references").index(at);
        twice
            .map(|(at, _)| Violation::new("stands twice").at(place(at)))
            .collect()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let ledger = Ledger {
        customers: HashSet::from(["c-7"]),
        limit_cents: 5_000,
    };

    // A rule is a function, so it is tested as one.
    assert!(Payment::customer_is_known("c-7", &ledger).is_ok());
    assert_eq!(
        Payment::references_differ(&["r1".into(), "r1".into()]).len(),
        1
    );

    let model = Script::new([
        r#"{"customer": "c-9", "amount_cents": 9950, "references": ["r1", "r1"]}"#,
        r#"{"customer": "c-7", "amount_cents": 4950, "references": ["r1", "r2"]}"#,
    ]);
    let done = extract::<Payment>()
        .context(&ledger)
        .model(&model)
        .document("Pay customer c-7 49.50 EUR, references r1 and r2.")
        .run()
        .await?;
    let sent_back = done.record().attempts().iter().flat_map(Attempt::failures);
    for failure in sent_back {
        println!("sent back [{}]: {failure}", failure.layer());
    }
    for warning in done.warnings() {
        println!("warning: {warning}");
    }
    println!("accepted: {:?}", done.value());
    Ok(())
}
