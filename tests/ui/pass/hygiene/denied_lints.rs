//! Expanded code stands in crates that deny much.
#![deny(warnings, missing_debug_implementations, unreachable_pub)]
#![deny(unused_qualifications, rust_2018_idioms, clippy::all, clippy::pedantic)]
#![forbid(unsafe_code, missing_docs)]

use serde::Deserialize;
use typed_extract::{Extract, rules};

/// An invoice.
#[derive(Debug, Deserialize, Extract)]
#[extract(rule(paid(total, paid), "it is paid", check = total == paid))]
pub struct Invoice {
    /// In cents.
    #[validate(range(exclusive_min = 0))]
    pub total: u32,
    /// In cents.
    pub paid: u32,
    lines: Vec<Line>,
}

#[derive(Debug, Deserialize, Extract)]
struct Line(String, Kind);

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind")]
enum Kind {
    Goods { weight: u32 },
    Service,
}

#[rules]
impl Invoice {
    /// Something is on it.
    fn not_empty(lines: &[Line]) -> bool {
        !lines.is_empty()
    }
}

fn main() {
    let _ = Invoice::rules();
}
