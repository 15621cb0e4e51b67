//! Nobody says how a value bound by a module is written.

use serde::{Deserialize, Deserializer};
use typed_extract::Extract;

struct Opaque;

mod opaque {
    use super::*;

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Opaque, D::Error> {
        u32::deserialize(from).map(|_| Opaque)
    }
}

#[derive(Deserialize, Extract)]
struct Holder {
    #[serde(with = "opaque")]
    field: Opaque,
}

fn main() {}
