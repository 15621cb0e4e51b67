use serde::Deserialize;
use typed_extract::{Extract, rules};

#[derive(Deserialize, Extract)]
struct Page<T> {
    items: Vec<T>,
}

#[rules]
impl<T: PartialEq> Page<T> {
    /// The first item is not the last.
    fn ends_differ(items: &[T]) -> bool {
        items.first() != items.last()
    }
}

#[rules]
impl Page<u32> {
    /// Something is there.
    fn not_empty(items: &[u32]) -> bool {
        !items.is_empty()
    }
}

fn main() {}
