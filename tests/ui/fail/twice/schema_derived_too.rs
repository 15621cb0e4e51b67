use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, schemars::JsonSchema, Extract)]
struct Invoice {
    total: u32,
    paid: u32,
}

fn main() {}
