use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
struct Invoice {
    #[extract(keep_delimiters)]
    note: String,
}

#[derive(Deserialize, Extract)]
enum Kind {
    Notes {
        #[extract(keep_delimiters)]
        notes: Vec<String>,
    },
}

fn main() {}
