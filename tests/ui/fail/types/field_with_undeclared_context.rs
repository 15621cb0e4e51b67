use serde::Deserialize;
use typed_extract::Extract;

struct Ledger;

#[derive(Deserialize, Extract)]
#[extract(context = Ledger)]
struct Payment {
    amount: u32,
}

#[derive(Deserialize, Extract)]
struct Batch {
    first: Payment,
}

fn main() {}
