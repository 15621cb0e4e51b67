//! All that expanded code may name. Nothing here is part of the public API: it
//! may change with any release.

pub use crate::extract_trait::{Extract, Hints, listed};
pub use crate::flow::tape::{BindError, Cursor, Kind};
pub use crate::node::{
    AnyFields, ContextIs, Declared, Describe, Members, NoRules, Node, Sink, Walk, as_context,
    by_key, by_tag, by_tag_beside, custom_check, require_group,
};
pub use crate::path::At;
pub use crate::rule::{Field, Rule, RuleInfo, RuleKind};
pub use schemars;
pub use serde;
pub use validator;
