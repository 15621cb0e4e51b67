use serde::Deserialize;
use typed_extract::Extract;

struct Span {
    secs: u64,
}

#[derive(Deserialize, Extract)]
#[serde(remote = "Span")]
struct SpanCopy {
    secs: u64,
}

fn main() {}
