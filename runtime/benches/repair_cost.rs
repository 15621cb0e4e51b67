//! What it costs to repair an invoice of 8 fields and 20 lines whose first reply has four faults:
//! calls made and bytes moved until it is accepted, by whole reply and by patch. The bodies are
//! those of Chat Completions, through the adapter itself; the answers are scripted.
//!
//! `cargo bench -p typed-extract --features openai-compatible --bench repair_cost`

// A benchmark that cannot run fails at once.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    unreachable_pub,
    missing_docs
)]

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::model::http::{Headers, HttpRequest, HttpResponse, Transport};
use typed_extract::model::openai_compatible::ChatCompletions;
use typed_extract::model::{BoxFuture, ModelErrorKind};
use typed_extract::{Extract, ModelError, Repair, extract, json_schema, rules};

/// An invoice as its issuer printed it.
#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code, reason = "what is measured is how it is asked for")]
struct Invoice {
    /// The number printed on the invoice.
    number: String,
    /// Who issued it.
    vendor: String,
    /// Who is to pay.
    customer: String,
    #[schemars(extend("format" = "date"))]
    issue_date: String,
    #[schemars(extend("format" = "date"))]
    due_date: Option<String>,
    currency: Currency,
    #[validate(length(min = 1))]
    lines: Vec<Line>,
    /// The sum that is printed at the end, in hundredths.
    total: i64,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "UPPERCASE")]
enum Currency {
    Eur,
    Usd,
    Gbp,
}

/// A line of the invoice.
#[derive(Debug, Deserialize, Extract)]
#[extract(rule(
    positive(quantity),
    "a quantity is more than zero",
    check = *quantity > 0
))]
#[allow(dead_code, reason = "what is measured is how it is asked for")]
struct Line {
    description: String,
    quantity: i64,
    /// In hundredths.
    amount: i64,
}

#[rules]
impl Invoice {
    /// The line amounts add up to the total.
    fn total_adds_up(total: &i64, lines: &[Line]) -> Result<(), String> {
        let sum: i64 = lines.iter().map(|line| line.amount).sum();
        if sum == *total {
            Ok(())
        } else {
            Err(format!("the lines add up to {sum}"))
        }
    }
}

const GOODS: [&str; 20] = [
    "Steel bolt M8",
    "Steel nut M8",
    "Washer 8 mm",
    "Hinge, brass",
    "Wood screw 4x40",
    "Angle bracket",
    "Door handle",
    "Pad lock 40 mm",
    "Chain 2 m",
    "Hook, large",
    "Wall plug 8 mm",
    "Drill bit 6 mm",
    "Sanding disc",
    "Paint brush",
    "Masking tape",
    "White primer 1 l",
    "Wood glue",
    "Work gloves",
    "Dust mask",
    "Delivery",
];

fn amount(line: usize) -> i64 {
    [480, 1260, 95, 2640][line % 4]
}

fn quantity(line: usize) -> i64 {
    [12, 4, 100, 2][line % 4]
}

fn total() -> i64 {
    (0..GOODS.len()).map(amount).sum()
}

fn document() -> String {
    let mut text = String::from(
        "INVOICE INV-2041\nNordwind Supplies GmbH\nHafenstrasse 12, Hamburg\nTo: Holm Joinery\n\
         Date: 2026-03-02  Due: 1 April 2026\nAll prices in US dollars\n\n",
    );
    for (line, goods) in GOODS.iter().enumerate() {
        let (whole, rest) = (amount(line) / 100, amount(line) % 100);
        let _ = writeln!(
            text,
            "{:>2} {goods:<18} {:>4} pcs {whole:>5}.{rest:02}",
            line + 1,
            quantity(line)
        );
    }
    let _ = writeln!(text, "Total {}.{:02} USD", total() / 100, total() % 100);
    text
}

/// The reply of the model, with what differs between a wrong and a right one.
fn reply(currency: &str, due: &str, fifth: i64, total: i64) -> String {
    let lines = GOODS.iter().enumerate().map(|(line, goods)| {
        let quantity = if line == 5 { fifth } else { quantity(line) };
        json!({"description": goods, "quantity": quantity, "amount": amount(line)})
    });
    json!({
        "number": "INV-2041",
        "vendor": "Nordwind Supplies GmbH",
        "customer": "Holm Joinery",
        "issue_date": "2026-03-02",
        "due_date": due,
        "currency": currency,
        "lines": lines.collect::<Vec<_>>(),
        "total": total,
    })
    .to_string()
}

/// Answers from a list and counts the bytes that pass.
#[derive(Clone)]
struct Counting(Arc<Mutex<Passed>>);

struct Passed {
    texts: VecDeque<String>,
    calls: Vec<Call>,
}

#[derive(Clone, Copy)]
struct Call {
    request: usize,
    response: usize,
    text: usize,
}

impl Transport for Counting {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        let mut passed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = passed.texts.pop_front().map(|text| {
            let body = completion(&text).to_string();
            passed.calls.push(Call {
                request: request.body().len(),
                response: body.len(),
                text: text.len(),
            });
            HttpResponse::new(200, Headers::default(), body.into_bytes())
        });
        let used_up = || ModelError::new(ModelErrorKind::Other, "the script is used up");
        Box::pin(std::future::ready(answer.ok_or_else(used_up)))
    }
}

fn completion(text: &str) -> Value {
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_772_000_000,
        "model": "m",
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": "stop",
        }],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 600, "total_tokens": 1600},
    })
}

async fn repaired(repair: Repair, texts: [String; 2]) -> Vec<Call> {
    let counting = Counting(Arc::new(Mutex::new(Passed {
        texts: texts.into(),
        calls: Vec::new(),
    })));
    let model = ChatCompletions::builder("http://localhost:8080/v1", "m")
        .transport(counting.clone())
        .build()
        .expect("a model");
    let document = document();
    let run = extract::<Invoice>().model(&model).document(document);
    let done = run.repair(repair).run().await.expect("an invoice");
    assert_eq!(done.record().attempts()[0].failures().len(), 4);
    assert_eq!(done.value().total, total());
    let passed = counting.0.lock().unwrap_or_else(PoisonError::into_inner);
    passed.calls.clone()
}

fn told(name: &str, calls: &[Call]) {
    let sum = |of: fn(&Call) -> usize| calls.iter().map(of).sum::<usize>();
    let (sent, got, text) = (
        sum(|call| call.request),
        sum(|call| call.response),
        sum(|call| call.text),
    );
    for (number, call) in calls.iter().enumerate() {
        println!(
            "  {name:<6} call {}  request {:>6}  response {:>6}  reply {:>6}",
            number + 1,
            call.request,
            call.response,
            call.text
        );
    }
    println!(
        "{name:<8} {:>5} {sent:>9} {got:>9} {text:>9} {:>12} {:>12}",
        calls.len(),
        sent + 4 * got,
        sent + 4 * text
    );
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let schema = json_schema::<Invoice>().expect("a schema").to_string();
    println!(
        "document {} bytes, schema {} bytes",
        document().len(),
        schema.len()
    );
    println!(
        "{:<8} {:>5} {:>9} {:>9} {:>9} {:>12} {:>12}",
        "repair", "calls", "sent", "received", "replies", "in+4*body", "in+4*reply"
    );
    let wrong = reply("usd", "1 April 2026", -4, total() + 100);
    let right = reply("USD", "2026-04-01", 4, total());
    let patch = json!({
        "/due_date": "2026-04-01",
        "/currency": "USD",
        "/lines/5/quantity": 4,
        "/total": total(),
    });
    runtime.block_on(async {
        let whole = repaired(Repair::Whole, [wrong.clone(), right]).await;
        told("whole", &whole);
        let patch = repaired(Repair::Patch, [wrong, patch.to_string()]).await;
        told("patch", &patch);
    });
}
