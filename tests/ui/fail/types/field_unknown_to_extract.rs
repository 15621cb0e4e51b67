use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, schemars::JsonSchema)]
struct Foreign(u32);

#[derive(Deserialize, Extract)]
struct Invoice {
    total: u32,
    due: Foreign,
}

fn main() {}
