//! The behaviour that users rely on by name, one module a theme.

mod context_policy;
mod dynamic_schema;
mod repair_guard;
mod roots;
mod seed_invoice;
mod strict_reply;
