use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Invoice {
    #[extract(laef)]
    total: u32,
}

fn main() {}
