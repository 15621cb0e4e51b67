use serde::Deserialize;
use typed_extract::{Extract, rules};

#[derive(Deserialize, Extract)]
struct Invoice {
    total: u32,
    paid: u32,
}

#[rules]
impl Invoice {
    /// The total is paid.
    fn settled(totl: &u32, paid: &u32) -> bool {
        totl == paid
    }
}

fn main() {}
