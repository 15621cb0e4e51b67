//! One stage, many times, for an instruction counter to watch:
//! `instructions STAGE LINES TIMES`.

// A benchmark that cannot run fails at once.
#![allow(clippy::expect_used, clippy::panic, unreachable_pub, missing_docs)]

#[path = "workload.rs"]
mod workload;

use std::hint::black_box;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let [stage, lines, times] = arguments.as_slice() else {
        // `cargo bench` and `cargo test` start every target; without a stage
        // there is nothing to count.
        return;
    };
    let reply = workload::reply(lines.parse().expect("a number of lines"));
    let times: usize = times.parse().expect("a number of times");
    let schema = typed_extract::json_schema::<workload::Invoice>().expect("a schema");
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("a validator");
    for _ in 0..times {
        let invoice = match stage.as_str() {
            "bare" => workload::bare(black_box(reply)),
            "flow" => workload::flow(black_box(reply)),
            "value" => workload::value_pipeline(&validator, black_box(reply)),
            other => panic!("no stage {other}"),
        };
        assert!(black_box(invoice).is_some(), "the reply is right");
    }
}
