use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(portable(openai))]
struct Page<T> {
    items: Vec<T>,
}

fn main() {}
