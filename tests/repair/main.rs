//! Whole runs of the repair loop on scripted models, one module a theme.

// A test fails by panicking.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    unreachable_pub
)]

mod documents;
mod drift;
mod ends;
mod fallback;
mod notation;
mod prompts;
mod record;
mod setup;
mod support;
mod traces;
mod verify;
