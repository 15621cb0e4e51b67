use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(no_schema = true)]
struct Invoice {
    total: u32,
    paid: u32,
}

fn main() {}
