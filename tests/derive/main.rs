//! What the macros make of a type, seen through the flow's own entry points.

mod rules;
mod support;
