//! Failures that users of tools like this one reported, as data: each case is
//! run through the flow or the whole loop and compared in full with the outcome
//! that a strict but helpful library owes.

// A test fails by panicking.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    unreachable_pub
)]

mod data;
mod dialects;
mod dynamic;
mod evidence;
mod generators;
mod patches;
mod prompts;
mod reach;
mod streaming;
mod transport;
mod typed;
