//! Named rules: attributes and blocks, their order, places and contexts.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::json;
use typed_extract::__private::inspect;
use typed_extract::rule::{RuleKind, Violation};
use typed_extract::{Extract, FieldPath, rules};

use crate::support::{described, probed, walked, walked_with};

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(
    amount_is_product(amount_cents, quantity, unit_cents),
    "the amount is the quantity times the unit price",
    check = *amount_cents == i64::from(*quantity) * *unit_cents,
))]
struct Line {
    quantity: u32,
    unit_cents: i64,
    #[serde(rename = "amountCents")]
    amount_cents: i64,
}

#[derive(Debug, Deserialize, Extract)]
#[extract(
    rule(
        due_after_issue(due_date, issue_date),
        "the due date is not before the issue date",
        check = due_date.as_ref().is_none_or(|due| due >= issue_date),
    ),
    check(short(lines), "invoices are short", check = lines.len() < 3)
)]
struct Invoice {
    issue_date: String,
    due_date: Option<String>,
    currency: Currency,
    lines: Vec<Line>,
    total_cents: i64,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "snake_case")]
enum Currency {
    Eur,
    Usd,
}

#[rules]
impl Invoice {
    /// The line amounts add up
    /// to the total.
    ///
    /// What is not said to the model.
    fn total_adds_up(total_cents: &i64, lines: &[Line]) -> Result<(), String> {
        let sum: i64 = lines.iter().map(|line| line.amount_cents).sum();
        if sum == *total_cents {
            Ok(())
        } else {
            Err(format!("the lines add up to {sum}"))
        }
    }

    /// Each price stands once.
    fn prices_differ(lines: &[Line]) -> Vec<Violation> {
        let mut seen = HashSet::new();
        let twice = lines
            .iter()
            .enumerate()
            .filter(|(_, line)| !seen.insert(line.unit_cents));
        let place = |at| FieldPath::root().key("lines").index(at).key("unit_cents");
        twice
            .map(|(at, _)| Violation::new("twice").at(place(at)))
            .collect()
    }

    /// Something is on the invoice.
    fn not_empty(&self) -> bool {
        !self.lines.is_empty() || matches!(self.currency, Currency::Usd)
    }
}

fn reply() -> serde_json::Value {
    json!({
        "issue_date": "2026-03-02", "due_date": "2026-03-06", "currency": "eur",
        "lines": [{"quantity": 2, "unit_cents": 150, "amountCents": 300}],
        "total_cents": 300,
    })
}

#[test]
fn a_right_reply_breaks_nothing() {
    assert!(walked::<Invoice>(&reply()).is_empty());
}

#[test]
fn attributes_come_before_the_block_and_fields_have_wire_names() {
    let names: Vec<&str> = Invoice::rules()
        .iter()
        .map(typed_extract::rule::Rule::name)
        .collect();
    let expected = [
        "due_after_issue",
        "short",
        "total_adds_up",
        "prices_differ",
        "not_empty",
    ];
    assert_eq!(names, expected);
    assert_eq!(Invoice::rules()[1].kind(), RuleKind::Check);
    assert_eq!(
        Invoice::rules()[2].sentence(),
        "The line amounts add up to the total."
    );
    assert!(Invoice::rules()[4].fields().is_empty());
    assert_eq!(
        Line::rules()[0].fields(),
        ["amountCents", "quantity", "unit_cents"]
    );
}

#[test]
fn a_rule_is_a_plain_function() {
    assert!(Invoice::due_after_issue(&Some("1".into()), &"2".into()).is_err());
    assert!(Invoice::due_after_issue(&None, &"2".into()).is_ok());
    let message = Invoice::short(&Vec::new());
    assert!(message.is_ok());
    assert!(Invoice::total_adds_up(&0, &[]).is_ok());
}

#[test]
fn failures_stand_at_the_first_field_or_where_the_rule_says() {
    let mut reply = reply();
    reply["due_date"] = json!("2026-03-01");
    reply["total_cents"] = json!(1);
    let line = reply["lines"][0].clone();
    reply["lines"] = json!([line, {"quantity": 3, "unit_cents": 150, "amountCents": 1}]);
    let expected = [
        "due_date: due_after_issue",
        "total_cents: total_adds_up",
        "lines[1].unit_cents: prices_differ",
        "lines[1].amountCents: amount_is_product",
    ];
    assert_eq!(walked::<Invoice>(&reply), expected);
}

#[test]
fn a_check_only_warns() {
    let mut reply = reply();
    let line = |cents: i64| json!({"quantity": 1, "unit_cents": cents, "amountCents": cents});
    reply["lines"] = json!([line(100), line(150), line(50)]);
    let invoice: Invoice = serde_json::from_value(reply).unwrap();
    let (failures, warnings) = inspect::walked(&invoice, &());
    assert!(failures.is_empty());
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].rule(), Some("short"));
}

#[test]
fn a_rule_runs_as_soon_as_its_own_fields_bind() {
    let mut reply = reply();
    reply["currency"] = json!("pounds");
    reply["total_cents"] = json!(999);
    assert_eq!(
        probed::<Invoice>(&reply),
        ["currency: bind.unknown", "total_cents: total_adds_up"]
    );
    reply["lines"][0]["quantity"] = json!("two");
    // Neither the sum nor the product can be judged without the line.
    let expected = ["currency: bind.unknown", "lines[0].quantity: bind.type"];
    assert_eq!(probed::<Invoice>(&reply), expected);
}

#[test]
fn an_absent_optional_counts_and_a_missing_field_is_told_and_does_not() {
    let mut reply = reply();
    reply["currency"] = json!("pounds");
    reply.as_object_mut().unwrap().remove("due_date");
    reply.as_object_mut().unwrap().remove("total_cents");
    let expected = ["currency: bind.unknown", "total_cents: bind.required"];
    assert_eq!(probed::<Invoice>(&reply), expected);
}

#[test]
fn the_prompt_lists_every_rule_with_its_place() {
    let rules = described::<Invoice>();
    assert_eq!(rules.len(), 6);
    assert_eq!(
        rules[5],
        "lines[]|amount_is_product(amountCents, quantity, unit_cents)|the amount is the quantity times the unit price"
    );
}

struct Ledger {
    limit: i64,
}

#[derive(Deserialize, Extract)]
#[extract(context = Ledger)]
#[extract(policy(within(amount, context), "within the limit", check = *amount <= context.limit))]
struct Payment {
    customer: String,
    amount: i64,
}

#[rules]
impl Payment {
    /// The customer is known.
    #[policy]
    fn known(context: &Ledger, customer: &str) -> bool {
        context.limit > 0 && customer.starts_with("c-")
    }

    /// The whole is small.
    #[check]
    fn small(&self, context: &Ledger) -> bool {
        self.amount < context.limit / 10
    }
}

#[derive(Deserialize, Extract)]
#[extract(context = Ledger)]
struct Batch {
    payments: Vec<Payment>,
}

#[test]
fn policies_read_the_context_at_any_depth() {
    let reply =
        json!({"payments": [{"customer": "x", "amount": 9}, {"customer": "c-1", "amount": 1}]});
    let found = walked_with::<Batch>(&reply, &Ledger { limit: 5 });
    assert_eq!(
        found,
        ["payments[0].amount: within", "payments[0].customer: known"]
    );
    assert_eq!(Payment::rules()[1].kind(), RuleKind::Policy);
    assert_eq!(Payment::rules()[1].fields(), ["customer"]);
    assert!(Payment::within(&6, &Ledger { limit: 5 }).is_err());
}
