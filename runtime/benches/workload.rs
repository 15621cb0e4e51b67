//! The invoice that every figure is taken on: the same struct, the same rules
//! and the same bytes for the flow and for the bare typed parse.

use serde::Deserialize;
use typed_extract::{Extract, rules};

pub const SIZES: [(usize, &str); 4] = [
    (2, include_str!("replies/reply_2.json")),
    (8, include_str!("replies/reply_8.json")),
    (100, include_str!("replies/reply_100.json")),
    (1000, include_str!("replies/reply_1000.json")),
];

pub fn reply(lines: usize) -> &'static str {
    SIZES
        .iter()
        .find(|(size, _)| *size == lines)
        .map_or("", |(_, reply)| reply)
}

#[derive(Debug, Deserialize, Extract)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
pub struct Invoice {
    number: String,
    vendor: Vendor,
    #[schemars(extend("format" = "date"))]
    issue_date: String,
    #[schemars(extend("format" = "date"))]
    due_date: Option<String>,
    currency: Currency,
    lines: Vec<Line>,
    subtotal: f64,
    tax: f64,
    total: f64,
    notes: Option<String>,
    tags: Vec<String>,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
pub struct Vendor {
    name: String,
    address: String,
    vat_id: Option<String>,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "UPPERCASE")]
pub enum Currency {
    Eur,
    Usd,
    Gbp,
    Jpy,
    Chf,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
pub struct Line {
    sku: String,
    description: String,
    quantity: i64,
    unit_price: f64,
    amount: f64,
}

#[rules]
impl Invoice {
    /// The due date is not before the issue date.
    fn due_after_issue(due_date: &Option<String>, issue_date: &str) -> bool {
        due_date.as_deref().is_none_or(|due| due >= issue_date)
    }

    /// Every quantity is more than zero.
    fn quantities(lines: &[Line]) -> bool {
        lines.iter().all(|line| line.quantity > 0)
    }

    /// The amounts and the tax add up to the total, to the cent.
    fn adds_up(total: &f64, lines: &[Line], tax: &f64) -> bool {
        let sum: f64 = lines.iter().map(|line| line.amount).sum();
        (sum + tax - total).abs() < 0.005
    }
}

/// The limit: serde's typed parse and the three rules by hand.
pub fn bare(reply: &str) -> Option<Invoice> {
    let invoice: Invoice = serde_json::from_str(reply).ok()?;
    let holds = Invoice::due_after_issue(&invoice.due_date, &invoice.issue_date)
        && Invoice::quantities(&invoice.lines)
        && Invoice::adds_up(&invoice.total, &invoice.lines, &invoice.tax);
    holds.then_some(invoice)
}

/// The plain pipeline: parse to a value, validate it, bind it, the three rules.
pub fn value_pipeline(validator: &jsonschema::Validator, reply: &str) -> Option<Invoice> {
    let value: serde_json::Value = serde_json::from_str(reply).ok()?;
    if !validator.is_valid(&value) {
        return None;
    }
    let invoice: Invoice = serde_json::from_value(value).ok()?;
    let holds = Invoice::due_after_issue(&invoice.due_date, &invoice.issue_date)
        && Invoice::quantities(&invoice.lines)
        && Invoice::adds_up(&invoice.total, &invoice.lines, &invoice.tax);
    holds.then_some(invoice)
}

/// The product.
pub fn flow(reply: &str) -> Option<Invoice> {
    typed_extract::validate(reply).ok()
}
