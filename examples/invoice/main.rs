//! From an invoice's text to a struct that a ledger can take.
//!
//! ```text
//! cargo run --example invoice
//!     replays exchanges with a real model, recorded through this program
//! cargo run --example invoice -- --model URL --name NAME [path/to/document.txt]
//!     asks any OpenAI-compatible server
//! cargo run --example invoice -- --model URL --name NAME --record FILE
//!     does that and writes the exchanges down
//! ```

mod arguments;
mod report;

use std::error::Error;

use arguments::Arguments;
use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Deserialize;
use typed_extract::model::FormatCapability;
use typed_extract::model::openai_compatible::{ChatCompletions, ChatCompletionsBuilder};
use typed_extract::testing::{Cassette, Scrubber};
use typed_extract::{Extract, Extracted, Model, extract, rules};

/// An invoice as its issuer printed it.
#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)] // Printed through `Debug`.
#[extract(rule(
    due_after_issue(due_date, issue_date),
    "the due date is not before the issue date",
    check = due_date.is_none_or(|due| due >= *issue_date),
))]
struct Invoice {
    /// The name of the company that issued the invoice.
    vendor: String,
    /// The number printed on the invoice.
    number: String,
    /// The date printed on the invoice.
    issue_date: NaiveDate,
    /// The last day of payment.
    due_date: Option<NaiveDate>,
    currency: Currency,
    #[validate(length(min = 1))]
    lines: Vec<Line>,
    total: Decimal,
}

/// One line of an invoice.
#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
#[extract(rule(
    amount_is_product(amount, quantity, unit_price),
    "the amount is the quantity times the unit price",
    check = *amount == Decimal::from(*quantity) * unit_price,
))]
struct Line {
    description: String,
    quantity: u32,
    unit_price: Decimal,
    amount: Decimal,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "UPPERCASE")]
enum Currency {
    Eur,
    Usd,
    Nok,
}

#[rules]
impl Invoice {
    /// The line amounts add up to the total.
    fn total_adds_up(total: &Decimal, lines: &[Line]) -> Result<(), String> {
        let sum: Decimal = lines.iter().map(|line| line.amount).sum();
        if sum == *total {
            Ok(())
        } else {
            Err(format!("the lines add up to {sum}"))
        }
    }
}

const DOCUMENT: &str = include_str!("document.txt");
const RECORDING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/invoice/recording.json");
/// Where the recording was made: a llama.cpp server on the same machine.
const RECORDED: (&str, &str) = ("http://127.0.0.1:8080/v1", "qwen2.5-coder-1.5b-instruct");

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::read(std::env::args().skip(1))?;
    let document = match &arguments.document {
        Some(path) => std::fs::read_to_string(path)?,
        None => DOCUMENT.to_owned(),
    };
    report::document(&document);
    let Some(place) = arguments.server() else {
        let cassette = Cassette::replay(RECORDING, Scrubber::new())?;
        report::recorded(RECORDED.1, &cassette);
        return run(&server(RECORDED).transport(cassette).build()?, &document).await;
    };
    let mut server = server(place);
    if let Ok(key) = std::env::var("OPENAI_API_KEY") {
        server = server.api_key(key);
    }
    let Some(file) = &arguments.record else {
        return run(&server.build()?, &document).await;
    };
    let cassette = Cassette::record(Scrubber::new());
    let outcome = run(&server.transport(cassette.clone()).build()?, &document).await;
    cassette.save(file)?;
    outcome
}

/// A model that is told the shape in the prompt alone.
fn server((url, name): (&str, &str)) -> ChatCompletionsBuilder {
    ChatCompletions::builder(url, name).capability(FormatCapability::Text)
}

async fn run(model: &dyn Model, document: &str) -> Result<(), Box<dyn Error>> {
    match extract::<Invoice>()
        .model(model)
        .document(document)
        .run()
        .await
    {
        Ok(done) => {
            report::attempts(done.record());
            accepted(&done);
            Ok(())
        }
        Err(error) => {
            report::attempts(error.record());
            Err(error.into())
        }
    }
}

fn accepted(done: &Extracted<Invoice>) {
    println!("Accepted:\n{:#?}\n", done.value());
    report::cost(done.record());
}
