use typed_extract::rules;

struct Invoice {
    total: u32,
}

#[rules]
impl Invoice {
    /// The total is there.
    fn there(total: &u32) -> bool {
        *total > 0
    }
}

fn main() {}
