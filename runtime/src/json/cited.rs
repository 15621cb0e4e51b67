//! The names by which a citation asks the tape where in the reply it stands.

/// The name under which the tape knows a citation.
pub(crate) const CITED: &str = "$typed_extract::Cited";

/// The key under which the tape tells it. The schema lets no reply have it.
pub(crate) const CITED_NODE: &str = "$typed_extract::node";
