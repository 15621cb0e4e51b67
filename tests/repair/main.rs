//! Whole runs of the repair loop on scripted models, one module a theme.

// A test fails by panicking.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    unreachable_pub
)]

mod budget;
mod documents;
mod ends;
mod fallback;
mod fingerprint;
mod guard;
mod inventions;
mod notation;
mod panics;
mod patch;
mod prompts;
mod record;
mod setup;
mod stored;
mod support;
mod traces;
mod verify;
