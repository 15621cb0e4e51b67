use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(instructions = "a")]
#[extract(instructions = "b", no_schema, no_schema)]
struct Invoice {
    total: u32,
    paid: u32,
}

fn main() {}
