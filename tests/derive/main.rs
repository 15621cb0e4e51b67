//! What the macros make of a type, seen through the flow's own entry points.
// Types of these tests are read by walks only, and a test may panic.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing
)]

mod bound_by_functions;
mod deserialize;
mod enums;
mod field_types;
mod generics;
mod hygiene;
mod keys;
mod paths;
mod roots;
mod rules;
mod schema;
mod shapes;
mod support;
mod validate;
