//! Whatever the reply, the flow does not panic, and what it accepts holds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::Deserialize;
use typed_extract::{Extract, Normalize, extract, rules};

#[derive(Debug, Deserialize, Extract)]
struct Line {
    #[validate(length(min = 1, max = 20))]
    label: String,
    #[validate(range(min = 1))]
    quantity: u32,
}

#[derive(Debug, Deserialize, Extract)]
struct Order {
    tags: Vec<String>,
    lines: Vec<Line>,
    count: u64,
    note: Option<String>,
    either: Option<Either>,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind")]
enum Either {
    Number { value: f64 },
    Text { value: String },
}

#[rules]
impl Order {
    /// The quantities add up to the count.
    fn adds_up(count: &u64, lines: &[Line]) -> bool {
        lines.iter().map(|line| u64::from(line.quantity)).sum::<u64>() == *count
    }
}

fn holds(order: &Order) -> bool {
    let sound = |line: &Line| (1..=20).contains(&line.label.chars().count()) && line.quantity >= 1;
    order.lines.iter().all(sound) && Order::adds_up(&order.count, &order.lines)
}

fuzz_target!(|reply: &str| {
    let lenient = Normalize::default().surrounding_prose(true).drop_unknown_keys(true);
    for normalize in [Normalize::none(), Normalize::default(), lenient] {
        let flow = extract::<Order>().normalize(normalize).document("a document");
        match flow.validate(reply) {
            Ok(done) => assert!(holds(done.value())),
            Err(failures) => assert!(!failures.is_empty()),
        }
    }
});
