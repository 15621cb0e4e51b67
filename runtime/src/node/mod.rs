//! What the flow asks of a type: walk a bound value and run its rules, or, when
//! the reply is broken somewhere, bind and check the parts that are not.

pub(crate) mod checks;
pub(crate) mod cited;
mod describe;
pub(crate) mod extract_trait;
mod field_schema;
mod findings;
#[cfg(any(
    feature = "bytes",
    feature = "chrono",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "url",
    feature = "uuid"
))]
mod foreign;
pub(crate) mod panic;
mod pointers;
mod roots;
mod sink;
mod source;
mod std_types;
#[cfg(feature = "time")]
mod time_crate;
mod variants;
pub(crate) mod verbatim;
mod walk;

use schemars::{Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::evidence::support::ShownAs;
use crate::json::{Cursor, Members};
use crate::path::At;
use crate::rule::{Field, RuleInfo};
use crate::schema::is_nullable;

pub use cited::Cited;
pub use describe::Describe;
pub(crate) use describe::{DescribedRule, Types};
pub use extract_trait::Extract;
pub use field_schema::{
    ByFunction, ByItself, DateTimeText, FieldSchema, HandWritten, Marked, NoFieldSchema, Required,
    SchemaOf, SchemaSource,
};
pub use findings::Findings;
pub(crate) use findings::{Faults, PendingCitation};
pub use sink::Sink;
pub use source::{ReadForeign, ReadNode, Source};
pub use variants::{Content, Tagging, Variants, claims_enum, claims_rest};
pub use walk::Walk;
pub(crate) use walk::bind_failure;

/// A type that the flow can look into. Derived by
/// [`Extract`](macro@crate::Extract), implemented for the field types of std
/// and of the crates behind features.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of an `Extract` type",
    label = "not known to `Extract`",
    note = "derive `Extract` for `{Self}`, or mark the field `#[extract(leaf)]` if it holds no rules of its own",
    note = "if the rules of `{Self}` read a context, declare the same one here: `#[extract(context = ..)]`"
)]
pub trait Node<C: ?Sized>: DeserializeOwned + 'static {
    /// Whether a walk over a value of this type can find anything.
    const WALKS: bool = false;

    /// What documents show the variants of an enum as, by wire name.
    const SHOWN_AS: ShownAs = &[];

    /// Runs the rules of a bound value and of all below it.
    fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
        let _ = (at, cx);
    }

    /// Binds and walks what stands under a key, or what an absent key stands
    /// for.
    fn probe(found: Option<Cursor<'_>>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
        match found {
            Some(cursor) => cx.probe(cursor, at),
            None => Self::absent(),
        }
    }

    /// Binds each part of the value at `cursor`, checks what was bound, and puts
    /// it together; nothing where a part does not bind, which `cx` then knows.
    ///
    /// It reads the types that serde would lose something of, and what can be
    /// saved of a value that does not bind whole.
    fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
        let _ = (cursor, at, cx);
        None
    }

    /// As [`assemble`](Self::assemble), for a flattened field, whose keys stand
    /// among its parent's.
    fn assemble_flat(members: &Members<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
        let _ = (members, at, cx);
        None
    }

    /// Whether a flattened field of this type would take any of these members.
    fn claims(members: &Members<'_>) -> bool {
        let _ = members;
        false
    }

    /// The value that an absent key stands for.
    fn absent() -> Option<Self> {
        None
    }

    /// Lists the rules of this type and of all below it.
    fn describe(cx: &mut Describe) {
        let _ = cx;
    }

    /// The schema of the keys that a type adds to the object that it is flattened
    /// into, where it declares them.
    fn declared_keys(generator: &mut SchemaGenerator) -> Option<Schema> {
        let _ = generator;
        None
    }

    /// The schema of the group of keys that a flattened optional stands for:
    /// all of them or none.
    fn optional_group(generator: &mut SchemaGenerator) -> Option<Schema> {
        let _ = generator;
        None
    }
}

/// What the macros write down of a type beside [`Node`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has rules but does not derive `Extract`",
    label = "not an `Extract` type",
    note = "write `#[derive(Extract)]` on `{Self}`"
)]
pub trait Declared: Sized {
    /// References to the fields, each there or not.
    type Fields<'a>
    where
        Self: 'a;
    /// The context that the type's rules read; `()` where they read none.
    type Context: ?Sized;
    /// The fields in declared order.
    const FIELDS: &'static [Field];
    /// The rules written as attributes.
    const RULES: &'static [RuleInfo] = &[];
    /// The checks of `#[validate(..)]` that no schema keyword says.
    const CHECKS: &'static [RuleInfo] = &[];

    /// The fields of a whole value.
    fn view(&self) -> Self::Fields<'_>;

    /// Runs the rules and checks whose fields are there.
    fn run<'a>(
        fields: &Self::Fields<'a>,
        whole: Option<&'a Self>,
        context: &Self::Context,
        sink: &mut Sink<'_>,
    ) {
        let _ = (fields, whole, context, sink);
    }
}

/// Stands for the missing `#[rules]` block: an inherent function of the same
/// name is preferred over this one.
#[doc(hidden)]
pub trait NoRules: Declared + Sized {
    fn __extract_rules<'a>(
        fields: &Self::Fields<'a>,
        whole: Option<&'a Self>,
        context: &Self::Context,
        rules: &mut Sink<'_>,
    ) {
        let _ = (fields, whole, context, rules);
    }

    fn __extract_rule_infos() -> &'static [RuleInfo] {
        &[]
    }
}

impl<T: Declared> NoRules for T {}

/// Names the context type that a rule's parameter wants.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this rule reads a `{T}`, but its type declares the context `{Self}`",
    label = "not the declared context",
    note = "write `#[extract(context = {T})]` on the type"
)]
pub trait ContextIs<T: ?Sized> {
    fn as_context(&self) -> &T;
}

impl<T: ?Sized> ContextIs<T> for T {
    fn as_context(&self) -> &T {
        self
    }
}

/// Says in an object's schema that the keys of a flattened optional come
/// together: each of them asks for those that the group requires. A key that may
/// be null asks for nothing, since null says that there is none.
pub fn require_group(schema: &mut Schema, group: Option<&Schema>) {
    let Some(group) = group else { return };
    let words = |key: &str| group.get(key).cloned();
    let (Some(Value::Object(properties)), Some(Value::Array(required))) =
        (words("properties"), words("required"))
    else {
        return;
    };
    let dependent = schema
        .ensure_object()
        .entry("dependentRequired")
        .or_insert_with(|| Value::Object(serde_json::Map::new()));
    let Value::Object(dependent) = dependent else {
        return;
    };
    let asking = properties.into_iter().filter(|(_, one)| !is_nullable(one));
    for (key, _) in asking {
        let others = required.iter().filter(|one| **one != key).cloned();
        dependent.insert(key.clone(), others.collect());
    }
}
