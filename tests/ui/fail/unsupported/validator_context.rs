use serde::Deserialize;
use typed_extract::Extract;

#[derive(Deserialize, Extract)]
#[validate(context = Ledger)]
struct Invoice {
    #[validate(custom(function = known, use_context))]
    card: String,
}

fn main() {}
