//! The flow with strings: what it takes, what it says, and that nothing breaks
//! it.

// A test fails by panicking.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    unreachable_pub
)]

mod agreement;
mod asked;
mod bounded;
mod explained;
mod faithful;
mod foreign;
mod hostile;
mod lost;
mod partial;
mod property;
mod reading;
mod secrecy;
mod shapes;
