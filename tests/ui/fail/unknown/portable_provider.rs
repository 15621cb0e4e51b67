use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(portable(openai, antropic))]
struct Invoice {
    total: u32,
}

fn main() {}
