//! A model whose settings stand in environment variables.

use super::{Api, HttpModel, HttpModelBuilder, environment::missing};
use crate::model::ModelError;

/// Under which names a provider's settings are usually found.
pub(crate) struct Variables {
    pub(crate) model: &'static str,
    pub(crate) key: &'static str,
    pub(crate) base_url: Option<&'static str>,
}

impl Variables {
    /// Begins a model with what is set. A server under another base URL than the provider's own
    /// may need no key.
    pub(crate) fn begin<A: Api>(
        &self,
        usual_base: &str,
        options: A::Options,
        read: impl Fn(&str) -> Option<String>,
    ) -> Result<HttpModelBuilder<A>, ModelError> {
        let model = read(self.model).ok_or_else(|| missing(self.model))?;
        let url = self.base_url.and_then(&read);
        let key = read(self.key);
        if url.is_none() && key.is_none() {
            return Err(missing(self.key));
        }
        let builder =
            HttpModel::begin(url.unwrap_or_else(|| usual_base.to_owned()), model, options);
        Ok(match key {
            Some(key) => builder.api_key(key),
            None => builder,
        })
    }
}
