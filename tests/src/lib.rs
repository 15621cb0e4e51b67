//! What several test binaries share.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    missing_debug_implementations,
    reason = "a test that panics has failed, which is its purpose"
)]

pub mod server;

/// The guide for coding agents, whose examples must compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../.github/SKILL.md")]
pub struct Skill;
