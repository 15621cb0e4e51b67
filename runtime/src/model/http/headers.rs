//! Response headers without an HTTP crate's types.

use std::fmt;

/// Header names and values of a response; names are compared without case.
///
/// `Debug` prints how many there are: a host can echo a key in any of them.
///
/// ```
/// use typed_extract::model::http::Headers;
///
/// let headers = Headers::from_iter([("X-Request-Id", "req_1")]);
/// assert_eq!(headers.get("x-request-id"), Some("req_1"));
/// assert_eq!(headers.get("retry-after"), None);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// The first value under this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// All names and values, in the order they came.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Headers")
            .field("count", &self.0.len())
            .finish_non_exhaustive()
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self(
            pairs
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }
}
