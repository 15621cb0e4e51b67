//! Replies that arrive in pieces: what is shown of them on the way, and how a run ends that shows
//! it.

// A test fails by panicking.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    unreachable_pub
)]

mod growth;
mod reading;
mod run;
mod support;
