//! What a schema costs in the prompt, in each notation: bytes, and tokens at
//! four bytes each.
//!
//! With a folder as its argument it also writes every schema there, for a real
//! tokenizer: `cargo bench --bench prompt_cost -- schemas`.

#![allow(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    dead_code,
    unreachable_pub
)]

#[path = "workload.rs"]
mod workload;

use std::path::Path;

use serde::Deserialize;
use typed_extract::prompt::SchemaNotation;
use typed_extract::testing::Script;
use typed_extract::{Cited, Extract, extract};

/// What was ordered, by whom and for when.
#[derive(Deserialize, Extract)]
struct Order {
    /// The number printed on the order.
    #[validate(length(min = 1, max = 20))]
    number: String,
    /// Who pays, as the order names them.
    customer: Cited<String>,
    /// What is paid in all, in cents.
    total: Cited<Option<u32>>,
    shipping: Shipping,
    #[validate(length(min = 1))]
    items: Vec<Item>,
}

/// How it travels.
#[derive(Deserialize, Extract)]
#[serde(tag = "by", rename_all = "snake_case")]
enum Shipping {
    /// It is fetched at the shop.
    Pickup { shop: String },
    /// A carrier brings it.
    Carrier { name: String, days: Option<u8> },
}

/// A line of the order.
#[derive(Deserialize, Extract)]
struct Item {
    sku: String,
    quantity: u16,
    /// What it costs without tax.
    price: Option<f64>,
}

/// A part and what it is made of.
#[derive(Deserialize, Extract)]
struct Part {
    name: String,
    parts: Vec<Part>,
}

/// One field only: the heading counts most here.
#[derive(Deserialize, Extract)]
struct Count {
    count: u32,
}

fn main() {
    let folder = std::env::args().skip(1).find(|one| !one.starts_with('-'));
    let folder = folder.as_deref().map(Path::new);
    println!("{:10} {:>14} {:>14}  share", "", "JSON Schema", "compact");
    measure::<workload::Invoice>("invoice", folder);
    measure::<Order>("order", folder);
    measure::<Part>("part", folder);
    measure::<Count>("count", folder);
}

fn measure<T: Extract<Context = ()> + Send + Sync>(name: &str, folder: Option<&Path>) {
    let json = shown::<T>(SchemaNotation::JsonSchema);
    let compact = shown::<T>(SchemaNotation::Compact);
    let cost = |text: &str| format!("{} B, {} t", text.len(), text.len().div_ceil(4));
    let share = compact.len() * 100 / json.len();
    println!(
        "{name:10} {:>14} {:>14}  {share} %",
        cost(&json),
        cost(&compact)
    );
    for (notation, text) in [("json", json), ("compact", compact)] {
        if let Some(folder) = folder {
            std::fs::write(folder.join(format!("{name}.{notation}.txt")), text).unwrap();
        }
    }
}

/// The schema as the prompt shows it.
fn shown<T: Extract<Context = ()> + Send + Sync>(notation: SchemaNotation) -> String {
    let model = Script::new([""]);
    let run = extract::<T>().schema_notation(notation).attempts(1);
    let run = run.model(&model).document("d").run();
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let _ = runtime.unwrap().block_on(run);
    let sent = model.requests();
    let prompt = sent[0].prompt();
    let (_, after) = prompt.split_once("<schema>").unwrap();
    after.split_once("</schema>").unwrap().0.to_owned()
}
