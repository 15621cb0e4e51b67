//! The behaviour that users rely on by name, one module a theme.

// A test fails by panicking, and these stand as their users would write them.
#![allow(
    clippy::pedantic,
    clippy::needless_raw_string_hashes,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    unreachable_pub
)]

mod citations;
mod context_policy;
mod dynamic_schema;
mod faithful;
mod repair_guard;
mod repair_identity;
mod roots;
mod seed_invoice;
mod strict_reply;
