use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Invoice {
    #[validate(range)]
    total: u32,
    #[validate(length(message = "a"), contains, regex, custom, must_match)]
    note: String,
}

fn main() {}
