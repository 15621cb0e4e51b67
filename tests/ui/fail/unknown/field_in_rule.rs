use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(rule(sum(totl, paid), "the sum", check = true))]
struct Invoice {
    total: u32,
    paid: u32,
}

fn main() {}
