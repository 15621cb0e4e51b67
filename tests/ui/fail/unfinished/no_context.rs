use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Extract, extract};

struct Limits {
    most: u32,
}

#[derive(Deserialize, Extract)]
#[extract(context = Limits)]
#[extract(policy(allowed(count, context), "the count is allowed", check = *count <= context.most))]
struct Count {
    count: u32,
}

async fn run(model: Script) {
    let _ = extract::<Count>().model(&model).document("two").await;
}

fn main() {}
