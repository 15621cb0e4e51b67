use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(rule(small(total), "a", check = true))]
enum Kind {
    Invoice { total: u32 },
}

fn main() {}
