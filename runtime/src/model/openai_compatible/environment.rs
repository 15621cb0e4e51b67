//! Settings from environment variables.

use super::{ChatCompletions, ChatCompletionsBuilder};
use crate::model::{ModelError, ModelErrorKind};

const OPENAI: &str = "https://api.openai.com/v1";

/// The variable's value, unless it is unset or empty.
pub(super) fn read(name: &str) -> Option<String> {
    std::env::var(name)
        .ok()
        .filter(|value| !value.trim().is_empty())
}

/// A builder with what the variables say.
pub(super) fn builder(
    read: impl Fn(&str) -> Option<String>,
) -> Result<ChatCompletionsBuilder, ModelError> {
    let model = read("OPENAI_MODEL").ok_or_else(|| missing("OPENAI_MODEL"))?;
    let key = read("OPENAI_API_KEY");
    match (read("OPENAI_BASE_URL"), key) {
        (None, None) => Err(missing("OPENAI_API_KEY")),
        (url, None) => Ok(ChatCompletions::builder(
            url.unwrap_or_else(|| OPENAI.to_owned()),
            model,
        )),
        (url, Some(key)) => Ok(ChatCompletions::builder(
            url.unwrap_or_else(|| OPENAI.to_owned()),
            model,
        )
        .api_key(key)),
    }
}

pub(super) fn missing(name: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Config,
        format!("set the environment variable {name}; it is unset or empty"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    fn build(variables: &[(&str, &str)]) -> Result<ChatCompletions, ModelError> {
        let read = |name: &str| {
            variables
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        };
        builder(read)?.build()
    }

    #[test]
    fn a_missing_variable_is_named() {
        for (variables, name) in [
            (vec![], "OPENAI_MODEL"),
            (vec![("OPENAI_MODEL", "m")], "OPENAI_API_KEY"),
        ] {
            let error = build(&variables).unwrap_err();
            assert_eq!(error.kind(), ModelErrorKind::Config);
            assert!(error.to_string().contains(name), "{error}");
        }
    }

    #[test]
    fn another_base_url_needs_no_key() {
        let model = build(&[
            ("OPENAI_MODEL", "m"),
            ("OPENAI_BASE_URL", "http://localhost:1234/v1/"),
        ])
        .unwrap();
        assert_eq!(model.id(), "m");
        assert_eq!(model.url, "http://localhost:1234/v1/chat/completions");
    }
}
