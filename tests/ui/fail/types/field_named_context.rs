use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(rule(small(context), "a", check = *context < 1))]
struct Invoice {
    context: u32,
}

fn main() {}
