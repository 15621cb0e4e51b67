use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(rul(sum(total), "sum", check = true), verbatim)]
struct Invoice {
    total: u32,
    paid: u32,
}

fn main() {}
