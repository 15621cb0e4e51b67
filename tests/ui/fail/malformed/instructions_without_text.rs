use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(instructions = 5)]
struct Invoice {
    total: u32,
    paid: u32,
}

fn main() {}
