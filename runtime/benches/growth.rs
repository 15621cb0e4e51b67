//! One reply that is wrong in `SIZE` places, judged once, for an instruction counter or a clock to
//! watch: `growth KIND SIZE`.

// A benchmark that cannot run fails at once.
#![allow(clippy::expect_used, clippy::panic, unreachable_pub, missing_docs)]

#[path = "hostile.rs"]
mod hostile;

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    match arguments.as_slice() {
        [list] if list == "kinds" => println!("{}", hostile::KINDS.join("\n")),
        [kind, size] => {
            let reply = hostile::reply(kind, size.parse().expect("a size"));
            // Schemas and plans are made once and are not the reply's.
            hostile::judge(kind, &hostile::reply(kind, 1));
            let before = MEMORY.current_usage();
            MEMORY.reset_peak_usage();
            let start = std::time::Instant::now();
            let told = hostile::judge(kind, &reply);
            let time = start.elapsed();
            let peak = MEMORY.peak_usage().saturating_sub(before);
            let tenths = 10 * peak / reply.len();
            println!(
                "{kind} {size}: {} bytes, {told} told, {time:?}, memory {}.{} times",
                reply.len(),
                tenths / 10,
                tenths % 10
            );
        }
        // `cargo bench` and `cargo test` start every target; without a kind there is nothing to
        // judge.
        _ => {}
    }
}
