//! A root is sent between threads.

use std::rc::Rc;

use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Holder {
    field: Rc<str>,
}

fn main() {}
