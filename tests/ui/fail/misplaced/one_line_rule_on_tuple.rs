use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(rule(small(total), "a", check = true))]
struct Pair(u32, u32);

fn main() {}
