use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(rule(small(total, context), "a", check = total < context))]
struct Invoice {
    total: u32,
    paid: u32,
}

fn main() {}
