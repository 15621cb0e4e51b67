//! Every word of the attributes, once.

pub(crate) const EXTRACT: &str = "extract";
pub(crate) const VALIDATE: &str = "validate";

pub(crate) const RULE: &str = "rule";
pub(crate) const POLICY: &str = "policy";
pub(crate) const CHECK: &str = "check";
pub(crate) const CONTEXT: &str = "context";
pub(crate) const INSTRUCTIONS: &str = "instructions";
pub(crate) const DESERIALIZE: &str = "deserialize";
pub(crate) const NO_SCHEMA: &str = "no_schema";
pub(crate) const CRATE: &str = "crate";
pub(crate) const LEAF: &str = "leaf";
pub(crate) const KEEP_DELIMITERS: &str = "keep_delimiters";

/// What `#[extract(..)]` takes on a type.
pub(crate) const ON_TYPE: &str =
    "rule, policy, check, context, instructions, deserialize, no_schema, crate";
/// What `#[extract(..)]` takes on a field.
pub(crate) const ON_FIELD: &str = "leaf, keep_delimiters";
/// What `#[validate(..)]` takes on a field.
pub(crate) const VALIDATIONS: &str = "length, range, email, url, ip, ipv4, ipv6, contains, \
     does_not_contain, must_match, regex, required, non_control_character, custom, nested";
