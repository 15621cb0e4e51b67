//! A reply that arrives by hand.

use std::fmt;
use std::marker::PhantomData;

use crate::error::Error;
use crate::flow::Plan;
use crate::node::extract_trait::Extract;
use crate::normalization::Normalize;
use crate::partial::{Partial, Settings, Writer};

/// The text of a reply in pieces, for tests of code that shows a [`Partial`].
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::testing::PartialReply;
/// use typed_extract::{Extract, Partial};
///
/// #[derive(Deserialize, Extract)]
/// struct Note {
///     title: String,
/// }
///
/// fn heading(note: &Partial<Note>) -> String {
///     note.get("title").as_str().unwrap_or("…").to_owned()
/// }
///
/// let mut reply = PartialReply::<Note>::new()?;
/// assert_eq!(heading(&reply.partial()), "…");
/// reply.push("{\"title\": \"Minu");
/// let early = reply.partial();
/// reply.push("tes\"}");
/// assert_eq!(heading(&early), "Minu");
/// assert_eq!(heading(&reply.partial()), "Minutes");
/// # Ok::<(), typed_extract::Error>(())
/// ```
pub struct PartialReply<T> {
    writer: Writer,
    target: PhantomData<fn() -> T>,
}

impl<T: Extract> PartialReply<T> {
    /// A reply of which nothing has arrived, read as [`Normalize::default`] has it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Schema`](crate::ErrorKind::Schema) where the type's schema cannot be used.
    pub fn new() -> Result<Self, Error> {
        Self::with_normalize(Normalize::default())
    }

    /// The same for an extraction that takes other steps.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_normalize(normalize: Normalize) -> Result<Self, Error> {
        let plan = Plan::<T, T::Context>::of().map_err(|fault| crate::extract::unusable(&fault))?;
        let keep = plan.hints.keep_delimiters;
        Ok(Self {
            writer: Writer::new(Settings::new(&plan.schema, keep, normalize)),
            target: PhantomData,
        })
    }

    /// Lets the next piece arrive.
    pub fn push(&mut self, piece: &str) {
        self.writer.push(piece);
    }

    /// What has arrived.
    pub fn partial(&self) -> Partial<T> {
        Partial::new(self.writer.log(), self.writer.length())
    }
}

impl<T> fmt::Debug for PartialReply<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartialReply")
            .field("bytes", &self.writer.length())
            .finish_non_exhaustive()
    }
}
