use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(portable)]
struct Invoice {
    total: u32,
}

#[derive(Deserialize, Extract)]
#[extract(portable())]
struct Line {
    amount: u32,
}

fn main() {}
