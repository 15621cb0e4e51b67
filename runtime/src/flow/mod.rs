//! The judgement: a reply in, a verdict out. Pure and synchronous.

pub(crate) mod tape;
