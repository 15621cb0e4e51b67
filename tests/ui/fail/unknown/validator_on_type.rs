use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[validate(range(min = 1))]
struct Invoice {
    total: u32,
    paid: u32,
}

fn main() {}
