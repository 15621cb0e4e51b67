//! Replies that are wrong in as many places as they can be, each judged in bounds.

#[path = "../../runtime/benches/hostile.rs"]
mod kinds;

use std::time::{Duration, Instant};

/// Generous for an unoptimised build on a busy machine: what grew with the square of its size took
/// minutes.
const LONG: Duration = Duration::from_secs(20);

#[test]
fn no_reply_is_judged_for_long() {
    for kind in kinds::KINDS {
        let size = if kind.ends_with("deep") { 59 } else { 30_000 };
        let reply = kinds::reply(kind, size);
        let start = Instant::now();
        let told = kinds::judge(kind, &reply);
        assert!(start.elapsed() < LONG, "{kind}: {:?}", start.elapsed());
        assert!(told > 0 || kind == "drop_unknown", "{kind} is refused");
    }
}

#[test]
fn every_fault_is_counted_and_a_bounded_number_told() {
    for (kind, most) in [
        ("types", 256),
        ("missing", 256),
        ("rules", 1_000),
        ("verbatim", 1_000),
    ] {
        assert_eq!(
            kinds::judge(kind, &kinds::reply(kind, 5_000)),
            5_000,
            "{kind}"
        );
        let told = kinds::spelled_out(kind, &kinds::reply(kind, 5_000));
        assert_eq!(told, most, "{kind}");
    }
}
