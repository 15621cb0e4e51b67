//! The success path of the flow, reply text in and struct out, beside the bare
//! typed parse and the plain `Value` pipeline on the same bytes.

// A benchmark that cannot run fails at once.
#![allow(clippy::expect_used, clippy::panic, unreachable_pub, missing_docs)]

mod workload;

use divan::{Bencher, black_box};
use typed_extract::model::FormatCapability;
use typed_extract::{Reply, Request, extract, model_fn};

fn main() {
    divan::main();
}

const LINES: [usize; 4] = [2, 8, 100, 1000];

#[divan::bench(args = LINES)]
fn bare(bencher: Bencher<'_, '_>, lines: usize) {
    let reply = workload::reply(lines);
    bencher.bench(|| workload::bare(black_box(reply)).expect("right"));
}

#[divan::bench(args = LINES)]
fn flow(bencher: Bencher<'_, '_>, lines: usize) {
    let reply = workload::reply(lines);
    bencher.bench(|| workload::flow(black_box(reply)).expect("right"));
}

#[divan::bench(args = LINES)]
fn value_pipeline(bencher: Bencher<'_, '_>, lines: usize) {
    let reply = workload::reply(lines);
    let schema = typed_extract::json_schema::<workload::Invoice>().expect("a schema");
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("a validator");
    bencher.bench(|| workload::value_pipeline(&validator, black_box(reply)).expect("right"));
}

/// A whole call, with a model inside the process.
#[divan::bench(args = LINES)]
fn whole_call(bencher: Bencher<'_, '_>, lines: usize) {
    let reply = workload::reply(lines);
    let model = model_fn(
        "in-process",
        FormatCapability::JsonSchema,
        move |_: Request| std::future::ready(Ok(Reply::new(reply))),
    );
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    bencher.bench_local(|| {
        let call = extract::<workload::Invoice>()
            .model(&model)
            .document(black_box(reply));
        runtime.block_on(call.into_future()).expect("right")
    });
}
