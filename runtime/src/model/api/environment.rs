//! Settings from environment variables.

use crate::model::ModelError;

/// The variable's value, unless it is unset or empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name)
        .ok()
        .filter(|value| !value.trim().is_empty())
}

/// Names the variable that has to be set.
pub(crate) fn missing(name: &str) -> ModelError {
    super::config(&format!(
        "set the environment variable {name}; it is unset or empty"
    ))
}

/// Reads from a list, for tests.
#[cfg(test)]
pub(crate) fn given<'a>(
    variables: &'a [(&'a str, &'a str)],
) -> impl Fn(&str) -> Option<String> + 'a {
    |name| {
        let mut variables = variables.iter();
        let found = variables.find(|(key, _)| *key == name);
        found.map(|(_, value)| (*value).to_owned())
    }
}
