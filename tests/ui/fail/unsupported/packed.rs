use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[repr(packed)]
struct Invoice {
    total: u32,
    paid: u32,
}

fn main() {}
