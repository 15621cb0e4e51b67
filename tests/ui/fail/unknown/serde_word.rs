use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Invoice {
    #[serde(renam = "sum")]
    total: u32,
}

fn main() {}
