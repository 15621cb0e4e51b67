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
    #[policy(total)]
    fn settled(total: &u32, paid: &u32) -> bool {
        total == paid
    }
}

fn main() {}
