//! All that expanded code may name. Nothing here is part of the public API: it
//! may change with any release.

pub use core::option::Option::{self, None, Some};
pub use core::result::Result::{self, Err, Ok};
pub use std::string::String;

pub use crate::evidence::support::{DateOrder, ShownAs};
pub use crate::extract::{portable::Unportable, portable::portable};
pub use crate::json::{BindError, Cursor, Kind, Members, Rest};
pub use crate::node::verbatim::Verbatim;
pub use crate::node::{
    ByFunction, ByItself, Content, ContextIs, DateTimeText, Declared, Describe, FieldSchema,
    Findings, HandWritten, Marked, NoFieldSchema, NoRules, Node, ReadForeign, ReadNode, Required,
    SchemaOf, SchemaSource, Sink, Source, Tagging, Variants, Walk, claims_enum, claims_rest,
    require_group,
};
pub use crate::node::{checks::Check, checks::Place};
pub use crate::node::{extract_trait::Extract, extract_trait::Hints, extract_trait::listed};
pub use crate::path::At;
pub use crate::rule::{Field, Rule, RuleError, RuleInfo, RuleKind};
pub use crate::schema::shared::shared;
pub use schemars;
pub use serde;
pub use validator;

/// What schemars names a schema with.
pub type Text = std::borrow::Cow<'static, str>;

/// What a type lists its rules in.
pub type Rules = Vec<Rule>;

/// The lookup of quotations without a flow around it; for tests and benchmarks.
pub mod evidence {
    use crate::evidence::folded;
    pub use crate::evidence::*;

    /// A text with every difference of presentation undone, the hyphens at the
    /// ends of lines aside.
    pub fn fold(text: &str) -> String {
        folded(text)
    }
}

pub mod checks {
    pub use crate::node::checks::*;
}

/// Keeps the lifetime of a view that has no fields.
pub type Marker<'a> = std::marker::PhantomData<&'a ()>;

pub const MARKER: Marker<'static> = std::marker::PhantomData;

/// What a one-line rule returns.
pub fn hold(holds: bool, sentence: &'static str) -> Result<(), RuleError> {
    if holds {
        Ok(())
    } else {
        Err(RuleError::new(sentence))
    }
}

/// Looks at what the macros made of a type without a flow around it; for tests
/// of the macros.
pub mod inspect {
    use super::{At, Describe, Extract, Findings, Node, Rule, Walk};
    use crate::failure::Failure;
    use crate::json::{Limits, Tape};
    use crate::model::SchemaDialect;
    use crate::node::{DescribedRule, Types};
    use crate::schema::dialect::Wire;
    use serde_json::Value;
    use std::sync::Arc;

    /// The failures and warnings of a walk over a bound value.
    pub fn walked<T: Extract>(value: &T, context: &T::Context) -> (Vec<Failure>, Vec<Failure>) {
        let mut findings = Findings::default();
        let (_, types) = listed::<T>();
        value.walk(
            &At::ROOT,
            &mut Walk::new(context, &mut findings, None, &types),
        );
        (findings.failures, findings.warnings)
    }

    /// The failures of a reply, bound as far as it can be; none where it is no
    /// JSON value.
    pub fn probed<T: Extract>(reply: &str, context: &T::Context) -> Vec<Failure> {
        let mut findings = Findings::default();
        let (_, types) = listed::<T>();
        let mut walk = Walk::new(context, &mut findings, None, &types);
        if let Ok(tape) = Tape::parse(reply, Limits::default()) {
            let _ = walk.probe::<T>(tape.root(), &At::ROOT);
        }
        findings.failures
    }

    /// The rules for the prompt, each with its place.
    pub fn described<T: Extract>() -> Vec<(String, Rule)> {
        let (rules, _) = listed::<T>();
        rules.into_iter().map(|one| (one.place, one.rule)).collect()
    }

    fn listed<T: Extract>() -> (Vec<DescribedRule>, Types) {
        let mut described = Describe::default();
        <T as Node<T::Context>>::describe(&mut described);
        described.into_types()
    }

    /// What the wire of a dialect carries of a schema that is given as a value;
    /// or the place and the keyword that it cannot carry.
    pub fn wire(schema: &Value, dialect: SchemaDialect) -> Result<Wired, (String, String)> {
        let asked = Arc::new(schema.clone());
        let wire = crate::schema::dialect::wire(&asked, schema, dialect);
        wire.map(Wired)
            .map_err(|why| (why.path.pointer(), why.keyword))
    }

    /// A schema of the wire.
    #[derive(Debug)]
    pub struct Wired(Wire);

    impl Wired {
        pub fn schema(&self) -> &Value {
            &self.0.schema
        }

        pub fn dropped(&self) -> Vec<String> {
            self.0.dropped.iter().map(ToString::to_string).collect()
        }

        /// A reply as the schema before it was rewritten asks for it.
        pub fn undone(&self, reply: &str) -> String {
            let undone = self.0.shapes.as_ref().and_then(|shapes| {
                let tape = Tape::parse(reply, Limits::default()).ok()?;
                crate::schema::dialect::undo::undo(shapes, tape.root())
            });
            undone.map_or_else(|| reply.to_owned(), |(text, _)| text)
        }
    }
}
