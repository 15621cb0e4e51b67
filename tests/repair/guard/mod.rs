//! What had no error comes back, known by what it holds, and no two replies are mixed.

mod hostile;
mod keys;
mod lists;
mod nested;
mod property;
mod roots;
mod shapes;
mod variants;

use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Error, Extract, Extracted, extract};

#[derive(Debug, Clone, PartialEq, Deserialize, Extract)]
struct Line {
    sku: String,
    #[validate(range(min = 1))]
    quantity: u32,
}

/// What a run makes of these replies.
async fn run<T: Extract<Context = ()>>(replies: &[&str]) -> Result<Extracted<T>, Error> {
    let model = Script::new(replies.iter().copied());
    extract::<T>().model(&model).document("d").run().await
}

/// What the second of two replies is accepted as; a third would be the same again.
async fn repaired<T: Extract<Context = ()>>(first: &str, second: &str) -> Option<T> {
    let done = run(&[first, second, second]).await;
    done.ok().map(Extracted::into_value)
}
