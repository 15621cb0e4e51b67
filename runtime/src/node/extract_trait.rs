//! What makes a type extractable.

use schemars::JsonSchema;

use crate::node::{Declared, Node};
use crate::rule::{Rule, RuleInfo};

/// A type that can be extracted: it has a JSON Schema, named rules and an entry
/// point. Derive it for structs and enums.
///
/// Texts, numbers, dates and the like are extractable as they are, and so are lists,
/// sets, maps, arrays, tuples, `Option`, `Box` and `Arc` of extractable types. In a
/// tuple all places read the same context.
///
/// ```
/// use typed_extract::validate;
///
/// let (name, age): (String, u8) = validate(r#"{"value": ["Ida", 40]}"#).unwrap();
/// assert_eq!((name.as_str(), age), ("Ida", 40));
/// ```
pub trait Extract: Node<Self::Context> + JsonSchema + Send {
    /// What the rules of the type read beside its fields: the type named by
    /// `#[extract(context = ..)]`, else `()`.
    type Context: ?Sized + 'static;

    /// The named rules of the type itself, in declared order: first those
    /// written as attributes, then those of its `#[rules]` block.
    fn rules() -> Vec<Rule>
    where
        Self: Sized;

    /// What the type says about its own extraction.
    #[doc(hidden)]
    fn hints() -> Hints {
        Hints::default()
    }
}

/// What a type says about its own extraction.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints {
    /// Standing instructions for the prompt.
    pub instructions: Option<&'static str>,
    /// Wire names of the top-level fields in which commas are data.
    pub keep_delimiters: &'static [&'static str],
}

/// The rules that the macros wrote down for `T`.
#[doc(hidden)]
pub fn listed<T: Declared>(block: &'static [RuleInfo]) -> Vec<Rule> {
    let all = T::RULES.iter().chain(block);
    all.map(|info| Rule::new(info, T::FIELDS)).collect()
}
