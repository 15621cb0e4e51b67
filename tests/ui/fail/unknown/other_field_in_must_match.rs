use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Invoice {
    #[validate(must_match(other = piad))]
    total: u32,
    paid: u32,
}

fn main() {}
