//! A reply that arrives in pieces: reading it with a snapshot after each piece, and the whole of a
//! streamed call with its final judgement.

// A benchmark that cannot run fails at once.
#![allow(clippy::expect_used, clippy::panic, unreachable_pub, missing_docs)]

#[allow(dead_code, reason = "each benchmark uses a part of it")]
mod workload;

use std::future::poll_fn;
use std::task::Poll;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use typed_extract::model::{BoxFuture, Delta, FormatCapability};
use typed_extract::testing::PartialReply;
use typed_extract::{Event, Model, ModelError, Reply, Request, extract};

fn main() {
    divan::main();
}

/// About 14 KB and 141 KB.
const LINES: [usize; 2] = [100, 1000];

/// Bytes of a piece.
const PIECES: [usize; 3] = [4, 16, 64];

/// The pieces of a reply, cut as they are asked for: a list of them would be read from memory that is
/// larger than the reply.
#[derive(Debug, Clone)]
struct Cut {
    rest: &'static str,
    size: usize,
}

impl Iterator for Cut {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let mut end = self.size.min(self.rest.len());
        while !self.rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!piece.is_empty()).then_some(piece)
    }
}

fn pieces(lines: usize, size: usize) -> Cut {
    Cut {
        rest: workload::reply(lines),
        size,
    }
}

fn bytes(lines: usize) -> BytesCount {
    BytesCount::of_str(workload::reply(lines))
}

/// A snapshot after each piece, and the last of them read, which scans the whole text.
#[divan::bench(args = LINES, consts = PIECES)]
fn snapshots<const SIZE: usize>(bencher: Bencher<'_, '_>, lines: usize) {
    let pieces = pieces(lines, SIZE);
    bencher.counter(bytes(lines)).bench_local(|| {
        let mut reply = PartialReply::<workload::Invoice>::new().expect("a schema");
        for piece in pieces.clone() {
            reply.push(black_box(piece));
            black_box(reply.partial());
        }
        assert!(reply.partial().get("").is_closed(), "the reply is whole");
    });
}

/// The same with one place read in every snapshot.
#[divan::bench(args = LINES, consts = PIECES)]
fn snapshots_read<const SIZE: usize>(bencher: Bencher<'_, '_>, lines: usize) {
    let pieces = pieces(lines, SIZE);
    bencher.counter(bytes(lines)).bench_local(|| {
        let mut reply = PartialReply::<workload::Invoice>::new().expect("a schema");
        for piece in pieces.clone() {
            reply.push(black_box(piece));
            black_box(reply.partial().get("lines"));
        }
    });
}

/// The final judgement alone.
#[divan::bench(args = LINES)]
fn judgement(bencher: Bencher<'_, '_>, lines: usize) {
    let reply = workload::reply(lines);
    bencher
        .counter(bytes(lines))
        .bench(|| workload::flow(black_box(reply)).expect("right"));
}

/// Hands the pieces of one reply on, each at a poll of its own.
struct Pieces {
    pieces: Cut,
    reply: Reply,
}

impl Model for Pieces {
    fn id(&self) -> &'static str {
        "pieces"
    }

    fn capability(&self) -> FormatCapability {
        FormatCapability::JsonSchema
    }

    fn generate<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(std::future::ready(Ok(self.reply.clone())))
    }

    fn stream<'a>(
        &'a self,
        _: &'a Request,
        deltas: &'a mut (dyn FnMut(Delta<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let mut left = self.pieces.clone();
        Box::pin(poll_fn(move |cx| match left.next() {
            Some(piece) => {
                deltas(Delta::Text(piece));
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            None => Poll::Ready(Ok(self.reply.clone())),
        }))
    }
}

/// A whole call: every piece an event with its snapshot, the text scanned, the reply judged.
#[divan::bench(args = LINES, consts = PIECES)]
fn whole_call<const SIZE: usize>(bencher: Bencher<'_, '_>, lines: usize) {
    let model = Pieces {
        pieces: pieces(lines, SIZE),
        reply: Reply::new(workload::reply(lines)),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    bencher.counter(bytes(lines)).bench_local(|| {
        runtime.block_on(async {
            let call = extract::<workload::Invoice>().model(&model);
            let mut stream = call.document("an invoice").stream();
            let mut last = None;
            while let Some(event) = stream.next().await {
                match event {
                    Event::Partial(partial) => last = Some(black_box(partial)),
                    Event::Done(result) => drop((*result).expect("right")),
                    _ => {}
                }
            }
            assert!(
                last.expect("a partial").get("").is_closed(),
                "the reply is whole"
            );
        });
    });
}
