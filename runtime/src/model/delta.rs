//! A piece of an answer that is still being written.

use std::fmt;

/// What [`Model::stream`](super::Model::stream) hands on while a model writes.
///
/// The texts since the last [`Restart`](Delta::Restart), put together, are the text of the final
/// [`Reply`](super::Reply). `Debug` prints a text's length and never the text.
///
/// ```
/// use typed_extract::model::Delta;
///
/// let mut so_far = String::new();
/// for delta in [Delta::Text("{\"cou"), Delta::Restart, Delta::Text("{\"count\""), Delta::Text(":2}")] {
///     match delta {
///         Delta::Text(text) => so_far.push_str(text),
///         Delta::Restart => so_far.clear(),
///         _ => {}
///     }
/// }
/// assert_eq!(so_far, r#"{"count":2}"#);
/// assert!(!format!("{:?}", Delta::Text("{\"count\"")).contains("count"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delta<'a> {
    /// The next piece of the answer's text, cut anywhere between two characters.
    Text(&'a str),
    /// What came so far is void, and the answer begins anew: the request was sent again, or another
    /// model took over.
    Restart,
}

impl fmt::Debug for Delta<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.debug_struct("Text").field("bytes", &text.len()).finish(),
            Self::Restart => f.write_str("Restart"),
        }
    }
}
