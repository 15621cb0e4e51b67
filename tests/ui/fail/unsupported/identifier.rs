use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[serde(field_identifier)]
enum Name {
    Total,
    Paid,
}

fn main() {}
