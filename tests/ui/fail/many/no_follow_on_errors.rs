use serde::Deserialize;
use typed_extract::{Extract, rules};

#[derive(Deserialize, Extract)]
#[extract(rul)]
struct Invoice {
    total: u32,
    paid: u32,
}

#[rules]
impl Invoice {
    /// The total is paid.
    fn settled(total: &u32, paid: &u32) -> bool {
        total == paid
    }
}

#[derive(Deserialize, Extract)]
struct Batch {
    invoices: Vec<Invoice>,
}

fn needs<T: Extract>() {}

fn uses() {
    needs::<Batch>();
}

fn main() {}
