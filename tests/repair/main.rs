//! Whole runs of the repair loop on scripted models, one module a theme.

mod drift;
mod ends;
mod prompts;
mod record;
mod setup;
mod support;
mod traces;
mod verify;
