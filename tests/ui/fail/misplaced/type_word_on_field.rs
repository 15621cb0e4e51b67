use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Invoice {
    #[extract(context = u32)]
    total: u32,
}

fn main() {}
