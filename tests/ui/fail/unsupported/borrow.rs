//! No field borrows from the reply.

use std::borrow::Cow;

use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Holder {
    #[serde(borrow)]
    field: Cow<'static, str>,
}

fn main() {}
