use serde::Deserialize;
use typed_extract::{Extract, rules};

#[derive(Deserialize, Extract)]
struct Invoice {
    total: u32,
    paid: u32,
}

#[rules]
impl Invoice {
    /// The total is small.
    fn small(total: &u32, context: &u32) -> bool {
        total < context
    }
}

fn main() {}
