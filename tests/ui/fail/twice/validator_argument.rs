use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Invoice {
    #[validate(range(min = 1, min = 2))]
    total: u32,
}

fn main() {}
