//! What the modules share.

use serde::Deserialize;
use typed_extract::testing::PartialReply;
use typed_extract::{Extract, Normalize, Partial};

/// A type that is not wrapped and splits no strings, so that partials show any reply as it is.
#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
pub struct Anything {
    unused: Option<u8>,
}

pub fn arrived(text: &str) -> Partial<Anything> {
    arrived_under(Normalize::default(), text)
}

pub fn arrived_under(normalize: Normalize, text: &str) -> Partial<Anything> {
    let mut reply = PartialReply::with_normalize(normalize).unwrap();
    reply.push(text);
    reply.partial()
}
