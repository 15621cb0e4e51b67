//! A run that is accepted after a repair and one that is not, as a person reads
//! them: on the terminal, and as HTML files where a folder is given.

use std::path::PathBuf;

use chrono::NaiveDate;
use serde::Deserialize;
use typed_extract::testing::{Script, Scripted};
use typed_extract::{Cited, Error, Extract, Reply, Usage, extract, render};

const DOCUMENT: &str = include_str!("document.txt");
const FIRST: &str = include_str!("first_reply.json");
const SECOND: &str = include_str!("second_reply.json");

#[derive(Deserialize, Extract)]
#[extract(rule(
    deposit_is_limited(deposit, rent),
    "the deposit is at most three times the rent",
    check = *deposit.value() <= 3 * rent.value(),
))]
#[allow(dead_code)] // Read through the report.
struct Lease {
    #[extract(verbatim)]
    landlord: String,
    #[extract(verbatim)]
    tenants: Vec<String>,
    begins: Cited<NaiveDate>,
    /// Francs a month, without charges.
    rent: Cited<u32>,
    /// Francs a month.
    charges: Cited<u32>,
    deposit: Cited<u32>,
    /// Months.
    #[validate(range(min = 1, max = 12))]
    notice: u8,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let mut reports = Vec::new();

    let done = run([FIRST, SECOND]).await;
    let accepted = done.map_err(|error| format!("the second reply is right: {error}"))?;
    println!("{}", render::terminal(&accepted));
    reports.push(("accepted.html", render::html(&accepted)));

    if let Err(rejected) = run([FIRST, FIRST]).await {
        println!("{}", render::terminal(&rejected));
        reports.push(("rejected.html", render::html(&rejected)));
    }
    let Some(folder) = folder else {
        return Ok(());
    };
    for (name, report) in reports {
        let path = folder.join(name);
        std::fs::write(&path, report)?;
        println!("written: {}", path.display());
    }
    Ok(())
}

async fn run(replies: [&str; 2]) -> Result<typed_extract::Extracted<Lease>, Error> {
    let reply = |text| Reply::new(text).with_usage(Usage::new(1480, 170));
    let model = Script::new(replies.map(|text| Scripted::from(reply(text))));
    extract::<Lease>()
        .model(&model)
        .document(DOCUMENT)
        .run()
        .await
}
