//! What the macros make of a type, seen through the flow's own entry points.
// Types of these tests are read by walks only.
#![allow(dead_code)]

mod deserialize;
mod enums;
mod generics;
mod hygiene;
mod paths;
mod rules;
mod schema;
mod support;
mod validate;
