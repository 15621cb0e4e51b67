use serde::Deserialize;
use typed_extract::{Extract, extract};

#[derive(Deserialize, Extract)]
struct Count {
    count: u32,
}

async fn run() {
    let _ = extract::<Count>().document("two").await;
}

fn main() {}
