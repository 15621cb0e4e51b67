use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Extract, extract};

#[derive(Deserialize, Extract)]
struct Count {
    count: u32,
}

async fn run(model: Script) {
    let _ = extract::<Count>().model(&model).await;
}

fn main() {}
