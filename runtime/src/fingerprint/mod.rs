//! What a type asks of a value, as one hash and as data that is compared later.

mod compare;
mod stored;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use compare::Changes;
pub(crate) use stored::{Outcome, check};

use crate::error::Error;
use crate::extract::json_schema;
use crate::node::extract_trait::Extract;
use crate::node::{Describe, DescribedRule};
use crate::record::sha256;
use crate::rule::RuleKind;

/// The hash of a type's schema and rules: see [`fingerprint`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// SHA-256 in lower-case hexadecimal.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The fingerprint of a type: what identifies its schema and its rules in records,
/// caches and stored values.
///
/// It is the same over runs and machines, and another as soon as the
/// [schema](crate::json_schema()) changes in anything, the order of fields and their
/// descriptions included, or a rule of the type or of a type inside it changes its
/// name, sentence, kind, fields or place. What a rule computes is not seen. It is the
/// SHA-256 of `schema` and `rules` as the file of
/// [`testing::assert_schema_unchanged`](crate::testing::assert_schema_unchanged) holds
/// them, written as one JSON object without spaces. To be told
/// of a change in a test, and whether stored values survive it, use that function.
///
/// # Errors
///
/// [`ErrorKind::Schema`](crate::ErrorKind::Schema) where the type's schema cannot be
/// used.
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::{Extract, fingerprint};
///
/// #[derive(Deserialize, Extract)]
/// struct Count {
///     count: u32,
/// }
///
/// #[derive(Deserialize, Extract)]
/// #[extract(rule(even(count), "the count is even", check = count % 2 == 0))]
/// struct Even {
///     count: u32,
/// }
///
/// assert_eq!(fingerprint::<Count>()?.as_str().len(), 64);
/// assert_ne!(fingerprint::<Count>()?, fingerprint::<Even>()?);
/// # Ok::<(), typed_extract::Error>(())
/// ```
pub fn fingerprint<T: Extract>() -> Result<Fingerprint, Error> {
    Ok(Demands::of::<T>()?.fingerprint())
}

/// What a type asks of a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Demands {
    pub(crate) schema: Value,
    pub(crate) rules: Vec<NamedRule>,
}

impl Demands {
    pub(crate) fn of<T: Extract>() -> Result<Self, Error> {
        let mut described = Describe::default();
        T::describe(&mut described);
        Ok(Self {
            schema: json_schema::<T>()?,
            rules: described.rules.iter().map(NamedRule::new).collect(),
        })
    }

    pub(crate) fn fingerprint(&self) -> Fingerprint {
        // A value of maps with text keys is always written.
        Fingerprint(sha256(&serde_json::to_string(self).unwrap_or_default()))
    }
}

/// A rule as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedRule {
    pub(crate) name: String,
    /// Where its type stands, such as `lines[]`; empty for the root.
    pub(crate) place: String,
    pub(crate) kind: RuleKind,
    pub(crate) sentence: String,
    pub(crate) fields: Vec<String>,
}

impl NamedRule {
    fn new(described: &DescribedRule) -> Self {
        let rule = &described.rule;
        Self {
            name: rule.name().to_owned(),
            place: described.place.clone(),
            kind: rule.kind(),
            sentence: rule.sentence().to_owned(),
            fields: rule
                .fields()
                .iter()
                .map(|&field| field.to_owned())
                .collect(),
        }
    }
}
