//! A text that a record was made from, or what is left of it.

use std::fmt::Write as _;
use std::sync::Arc;

use sha2::{Digest, Sha256};

/// A text, or its hash and length where the text itself was removed.
#[derive(Clone)]
pub(crate) enum TextOrHash {
    Text(Arc<str>),
    Removed { hash: Arc<str>, bytes: usize },
}

impl TextOrHash {
    pub(crate) fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// The text, where it was kept.
    pub(crate) fn kept(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Removed { .. } => None,
        }
    }

    pub(crate) fn hash(&self) -> String {
        match self {
            Self::Text(text) => sha256(text),
            Self::Removed { hash, .. } => hash.to_string(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Removed { bytes, .. } => *bytes,
        }
    }

    pub(crate) fn removed(&self) -> Self {
        Self::Removed {
            hash: self.hash().into(),
            bytes: self.bytes(),
        }
    }
}

/// SHA-256 in lower-case hexadecimal.
pub(crate) fn sha256(text: &str) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}
