use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(rule(sum(total), "a", holds = true))]
struct Invoice {
    total: u32,
    paid: u32,
}

fn main() {}
