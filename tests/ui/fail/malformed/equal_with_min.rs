use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Invoice {
    #[validate(length(equal = 2, min = 1))]
    note: String,
}

fn main() {}
