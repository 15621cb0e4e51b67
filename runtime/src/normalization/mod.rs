//! The steps between a reply and its value: those that a caller allows, and those that were taken.
//! [`flow::normalize`](crate::flow) and the schema's readings take them.

mod options;
mod step;
mod steps;

pub use options::Normalize;
pub use step::Normalization;
pub(crate) use steps::{SPELLED_OUT, Steps};
