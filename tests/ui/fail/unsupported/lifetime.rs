use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Invoice<'a> {
    number: &'a str,
}

fn main() {}
