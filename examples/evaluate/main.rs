//! How far a model is to be trusted with the checks of this crate around it: documents with the
//! right answers, asked with citations and rules.
//!
//! ```text
//! cargo run --release --example evaluate -- URL NAME [plain] [compact]
//! ```
//!
//! A document may have several right answers, none (then only a rejection is right), or the answer
//! that it holds no purchase.

use std::error::Error;
use std::time::Instant;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use typed_extract::model::FormatCapability;
use typed_extract::model::openai_compatible::ChatCompletions;
use typed_extract::prompt::SchemaNotation;
use typed_extract::record::Record;
use typed_extract::{Cited, Extract, Provider, extract, rules};

/// A purchase, an order or a refund, as one document tells it.
#[derive(Debug, Serialize, Deserialize, Extract)]
struct Purchase {
    /// The company that sold the goods, as the document names it.
    vendor: Cited<String>,
    /// When the document was issued; null if it does not say.
    date: Option<Cited<NaiveDate>>,
    /// The total amount, before anything already paid.
    total: Option<Cited<Decimal>>,
    currency: Option<Cited<Currency>>,
    /// The customer's purchase order number; null if there is none.
    po_number: Option<Cited<String>>,
    /// What was bought, a line each.
    items: Vec<Item>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Extract)]
struct Item {
    /// The goods, in the words of the document, without quantity and price.
    #[extract(verbatim)]
    description: String,
    quantity: u32,
    /// The price of one.
    unit_price: Decimal,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Extract)]
#[serde(rename_all = "UPPERCASE")]
enum Currency {
    #[extract(shown_as("$"))]
    Usd,
    #[extract(shown_as("€"))]
    Eur,
    #[extract(shown_as("£", "pounds sterling"))]
    Gbp,
    #[extract(shown_as("¥"))]
    Jpy,
}

#[rules]
impl Purchase {
    /// The passage of an order number calls it one.
    fn order_number_is_named(po_number: &Option<Cited<String>>) -> bool {
        po_number.as_ref().is_none_or(|number| {
            let quote = number.quote().to_lowercase();
            let mut words = quote.split(|c: char| !c.is_alphanumeric());
            words.any(|word| matches!(word, "po" | "order"))
        })
    }

    /// A day of payment is no day of issue.
    fn issued_not_due(date: &Option<Cited<NaiveDate>>) -> bool {
        date.as_ref()
            .is_none_or(|date| !date.quote().to_lowercase().contains("due"))
    }

    /// Every item costs something.
    fn items_cost_something(items: &[Item]) -> bool {
        items.iter().all(|item| item.unit_price > Decimal::ZERO)
    }

    /// Quantities times unit prices add up to the total; items without a total are no purchase.
    fn adds_up(total: &Option<Cited<Decimal>>, items: &[Item]) -> Result<(), String> {
        let sum: Decimal = items
            .iter()
            .map(|item| Decimal::from(item.quantity) * item.unit_price)
            .sum();
        match total {
            Some(total) if *total.value() != sum => Err(format!("the items add up to {sum}")),
            None if !items.is_empty() => Err("items without a total are an offer".to_owned()),
            _ => Ok(()),
        }
    }
}

/// What right answers look like: small models learn from them what a passage is, and that null is
/// an answer.
fn examples() -> [(&'static str, Option<Purchase>); 3] {
    let full = Purchase {
        vendor: Cited::new("Bay Chandlery".to_owned(), "from Bay Chandlery"),
        date: NaiveDate::from_ymd_opt(2024, 5, 7).map(|date| Cited::new(date, "Issued 7 May 2024")),
        total: Some(Cited::new(Decimal::new(1200, 2), "Total due: €12.00")),
        currency: Some(Cited::new(Currency::Eur, "Total due: €12.00")),
        po_number: Some(Cited::new("K-9".to_owned(), "your order K-9")),
        items: vec![item("Anchor rope", 3, 400)],
    };
    let bare = Purchase {
        vendor: Cited::new("Mill Street Kiosk".to_owned(), "Mill Street Kiosk"),
        date: None,
        total: Some(Cited::new(Decimal::new(700, 2), "Sum 7.00")),
        currency: None,
        po_number: None,
        items: vec![item("Postcard", 2, 150), item("City map", 1, 400)],
    };
    [
        (
            "Invoice 12 from Bay Chandlery\nIssued 7 May 2024, your order K-9\n\
             3 x Anchor rope @ €4.00\nTotal due: €12.00",
            Some(full),
        ),
        (
            "Mill Street Kiosk\nTill 4, receipt 2210\n2 Postcard 1.50\n1 City map 4.00\nSum 7.00",
            Some(bare),
        ),
        (
            "Dear Anna, see you on Sunday at the harbour. Bring the map!",
            None,
        ),
    ]
}

fn item(description: &str, quantity: u32, cents: i64) -> Item {
    Item {
        description: description.to_owned(),
        quantity,
        unit_price: Decimal::new(cents, 2),
    }
}

#[derive(Deserialize)]
struct Document {
    name: String,
    text: String,
    right: Vec<Option<Answer>>,
}

/// A right answer, without the passages.
#[derive(Debug, Deserialize)]
struct Answer {
    vendor: String,
    date: Option<NaiveDate>,
    total: Option<Decimal>,
    currency: Option<Currency>,
    po_number: Option<String>,
    items: Vec<Item>,
}

impl From<Purchase> for Answer {
    fn from(found: Purchase) -> Self {
        Self {
            vendor: found.vendor.into_value(),
            date: found.date.map(Cited::into_value),
            total: found.total.map(Cited::into_value),
            currency: found.currency.map(Cited::into_value),
            po_number: found.po_number.map(Cited::into_value),
            items: found.items,
        }
    }
}

/// Descriptions stand in the document word for word, so a longer one than asked for is right too.
fn agree(found: Option<&Answer>, right: Option<&Answer>) -> bool {
    let (Some(found), Some(right)) = (found, right) else {
        return found.is_none() && right.is_none();
    };
    let same_items = found.items.len() == right.items.len()
        && found.items.iter().zip(&right.items).all(|(found, right)| {
            found.description.contains(&right.description)
                && (found.quantity, found.unit_price) == (right.quantity, right.unit_price)
        });
    let all_but_items = |answer: &Answer| {
        (
            answer.vendor.clone(),
            answer.date,
            answer.total,
            answer.currency,
            answer.po_number.clone(),
        )
    };
    same_items && all_but_items(found) == all_but_items(right)
}

#[derive(Default)]
struct Tally {
    right: u32,
    false_accepts: u32,
    rightly_rejected: u32,
    rejected: u32,
    calls: usize,
    tokens: u64,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(url), Some(name)) = (words.next(), words.next()) else {
        println!("usage: evaluate URL NAME [plain] [compact]");
        return Ok(());
    };
    let (mut capability, mut notation) = (FormatCapability::JsonSchema, SchemaNotation::JsonSchema);
    for word in words {
        match word.as_str() {
            "plain" => capability = FormatCapability::Text,
            "compact" => notation = SchemaNotation::Compact,
            other => return Err(format!("no option {other}").into()),
        }
    }
    let model = ChatCompletions::on(Provider::LlamaCpp, name)
        .base_url(url)
        .capability(capability)
        .temperature(0.0)
        .max_output_tokens(700)
        .build()?;
    let examples = examples();
    let documents: Vec<Document> = serde_json::from_str(include_str!("documents.json"))?;
    let mut tally = Tally::default();
    for document in &documents {
        let begun = Instant::now();
        let mut run = extract::<Option<Purchase>>()
            .model(&model)
            .schema_notation(notation);
        for (shown, answer) in &examples {
            run = run.example(*shown, answer);
        }
        let run = run.document(document.text.as_str());
        let result = run.run().await;
        let verdict = match result {
            Ok(done) => {
                tally.spend(done.record());
                tally.accepted(document, done.into_value().map(Answer::from).as_ref())
            }
            Err(error) => {
                tally.spend(error.record());
                tally.rejected(document, &error)
            }
        };
        println!(
            "{} ({:.0} s): {verdict}",
            document.name,
            begun.elapsed().as_secs_f64()
        );
    }
    println!(
        "\n{} documents: {} right, {} rejected as they should be, {} rejected though answerable, \
         {} false accepts; {} calls, {} tokens",
        documents.len(),
        tally.right,
        tally.rightly_rejected,
        tally.rejected,
        tally.false_accepts,
        tally.calls,
        tally.tokens
    );
    Ok(())
}

impl Tally {
    fn spend(&mut self, record: &Record) {
        self.calls += record.attempts().len();
        self.tokens += record.usage().total_tokens().unwrap_or_default();
    }

    fn accepted(&mut self, document: &Document, found: Option<&Answer>) -> String {
        if document
            .right
            .iter()
            .any(|right| agree(found, right.as_ref()))
        {
            self.right += 1;
            return "right".to_owned();
        }
        self.false_accepts += 1;
        format!("FALSE ACCEPT of {found:?}")
    }

    fn rejected(&mut self, document: &Document, error: &typed_extract::Error) -> String {
        let kind = error.kind();
        let why: Vec<_> = error.failures().iter().map(ToString::to_string).collect();
        if document.right.is_empty() {
            self.rightly_rejected += 1;
        } else {
            self.rejected += 1;
        }
        format!("{kind:?}: {}", why.join(" | "))
    }
}
