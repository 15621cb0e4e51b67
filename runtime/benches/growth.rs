//! One reply that is wrong in `SIZE` places, judged once, for an instruction counter or a clock to
//! watch: `growth KIND SIZE`.

// A benchmark that cannot run fails at once.
#![allow(clippy::expect_used, clippy::panic, unreachable_pub, missing_docs)]

#[path = "hostile.rs"]
mod hostile;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    match arguments.as_slice() {
        [list] if list == "kinds" => println!("{}", hostile::KINDS.join("\n")),
        [kind, size] => {
            let reply = hostile::reply(kind, size.parse().expect("a size"));
            let start = std::time::Instant::now();
            let told = hostile::judge(kind, &reply);
            println!(
                "{kind} {size}: {} bytes, {told} told, {:?}",
                reply.len(),
                start.elapsed()
            );
        }
        // `cargo bench` and `cargo test` start every target; without a kind there is nothing to
        // judge.
        _ => {}
    }
}
