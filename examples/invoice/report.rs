//! What a reader sees of a run.

use std::time::Duration;

use typed_extract::record::{Attempt, Record};
use typed_extract::testing::Cassette;

pub(crate) fn document(text: &str) {
    println!("Document:");
    for line in text.lines() {
        println!("  | {line}");
    }
    println!();
}

pub(crate) fn recorded(model: &str, cassette: &Cassette) {
    let took: Duration = cassette.latencies().into_iter().sum();
    println!(
        "This replays a recording: {model} answered through a llama.cpp server and took {:.1} s.\n",
        took.as_secs_f64()
    );
}

pub(crate) fn attempts(record: &Record) {
    for (at, attempt) in record.attempts().iter().enumerate() {
        println!("Attempt {}: {}", at + 1, verdict(attempt));
        for step in attempt.normalizations() {
            println!("  taken off: {step}");
        }
        for failure in attempt.failures() {
            println!("  {failure}");
        }
        for place in attempt.restored() {
            println!("  put back, since nothing was wrong with it: {place}");
        }
        println!();
    }
}

fn verdict(attempt: &Attempt) -> String {
    match (attempt.reply(), attempt.failures().len()) {
        (None, _) => "no reply".to_owned(),
        (Some(_), 0) => "accepted".to_owned(),
        (Some(_), 1) => "1 failure".to_owned(),
        (Some(_), count) => format!("{count} failures"),
    }
}

pub(crate) fn cost(record: &Record) {
    let usage = record.usage();
    let count =
        |tokens: Option<u64>| tokens.map_or("unknown".to_owned(), |count| count.to_string());
    println!(
        "Cost: {} requests, {} tokens read, {} tokens written",
        record.attempts().len(),
        count(usage.input_tokens()),
        count(usage.output_tokens())
    );
}
