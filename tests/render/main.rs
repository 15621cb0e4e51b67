//! Runs as people read them: what is marked, what is listed, and that no text
//! can steer what shows it.

// A test fails by panicking.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod citations;
mod html;
mod support;
mod terminal;
