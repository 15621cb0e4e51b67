use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Invoice {
    #[validate(length(min = 1))]
    total: u32,
}

fn main() {}
