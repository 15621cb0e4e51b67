use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(instructions = "a")]
#[extract(instructions = "b", context = u8, context = u8)]
struct Invoice {
    total: u32,
    paid: u32,
}

fn main() {}
