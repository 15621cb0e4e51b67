//! A tag stands inside an object.

use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[serde(tag = "kind")]
enum Kind {
    Number(u32),
    List(Vec<String>),
}

fn main() {}
