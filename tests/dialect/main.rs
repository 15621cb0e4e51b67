//! One schema, as each provider's dialect carries it, and replies read back.

// A test fails by panicking.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    unreachable_pub
)]

mod definitions;
mod generated;
mod keywords;
mod property;
mod refusals;
mod rewriting;
mod runs;
mod undoing;
