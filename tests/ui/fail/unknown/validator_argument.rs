use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Invoice {
    #[validate(range(minimum = 1))]
    total: u32,
}

fn main() {}
