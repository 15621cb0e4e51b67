use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
enum Kind {
    #[extract(leaf)]
    Invoice(u32),
    #[validate(nested)]
    Receipt(u32),
}

fn main() {}
