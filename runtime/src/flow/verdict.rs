//! The only place where a value becomes an accepted one.

use crate::failure::{Failure, Failures};
use crate::schema::Schema;

use crate::schema::order;

/// A value that every layer has passed. Nothing outside this file can make one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Accepted<T>(T);

impl<T> Accepted<T> {
    pub(crate) fn value(&self) -> &T {
        &self.0
    }

    pub(crate) fn into_value(self) -> T {
        self.0
    }
}

/// Accepts `value` if it is there and nothing speaks against it; `omitted`
/// counts what is not spelled out.
pub(super) fn decide<T>(
    value: Option<T>,
    mut failures: Vec<Failure>,
    omitted: usize,
    schema: &Schema,
) -> Result<Accepted<T>, Failures> {
    match value {
        Some(value) if failures.is_empty() && omitted == 0 => Ok(Accepted(value)),
        _ => {
            order::sort(&mut failures, &schema.value);
            let failures = Failures::new(failures).with_omitted(omitted);
            Err(failures.declared_by(|key| schema.names(key)))
        }
    }
}
