//! Quotations: where they stand, which of several places is meant, and whether
//! they carry what they are cited for.

// A test fails by panicking.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    unreachable_pub
)]

mod assign;
mod documents;
mod hostile;
mod locate;
mod property;
mod support;
