//! What the test that `#[extract(portable(..))]` writes does.

use std::fmt;

use super::wire_schema;
use crate::model::Provider;
use crate::node::extract_trait::Extract;

/// The providers whose dialects cannot carry a type's schema, and why. Its
/// `Debug` is what a failed test shows.
pub struct Unportable(Vec<String>);

impl fmt::Debug for Unportable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the schema is not portable")?;
        self.0.iter().try_for_each(|line| write!(f, "\n- {line}"))
    }
}

/// Whether all of these providers can carry the schema of `T`.
pub fn portable<T: Extract>(providers: &[&str]) -> Result<(), Unportable> {
    let refused = |name: &&str| match name.parse::<Provider>() {
        Err(unknown) => Some(unknown.to_string()),
        Ok(provider) => {
            let error = wire_schema::<T>(provider).err()?;
            Some(format!("{provider}: {error}"))
        }
    };
    let refused: Vec<String> = providers.iter().filter_map(refused).collect();
    if refused.is_empty() {
        Ok(())
    } else {
        Err(Unportable(refused))
    }
}
