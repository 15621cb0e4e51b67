use serde::Deserialize;
use typed_extract::{Cited, Extract};

#[derive(Deserialize, Extract)]
struct Invoice {
    #[extract(leaf, verbatim)]
    number: String,
    #[extract(leaf)]
    total: Option<Cited<u32>>,
    #[extract(shown_as("open"))]
    status: String,
    #[extract(date_order = european)]
    issued: Cited<String>,
    #[extract(date_order)]
    due: Cited<String>,
}

#[derive(Deserialize, Extract)]
enum Status {
    #[extract(shown_as)]
    Paid,
    #[extract(shown_as("open"))]
    Open(u32),
}

fn main() {}
