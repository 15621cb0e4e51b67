use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[extract(rul, crate = typed_extract)]
#[extract(rule(sum(totl), "a", check = true))]
struct Invoice {
    #[extract(laef)]
    #[validate(rang(min = 1), length)]
    total: u32,
    #[extract(keep_delimiters)]
    paid: u32,
}

fn main() {}
