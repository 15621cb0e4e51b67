//! Turn a document into a domain struct that an application can trust.
//!
//! [`extract`] asks a language model, checks its reply in plain deterministic
//! code, sends every failure back for repair, and returns the struct itself, or
//! an [`Error`] that carries every reply and all that was wrong with it.
//!
//! ```text
//! extract::<Invoice>() ─▶ ask a Model ─▶ judge the Reply ─▶ Extracted<Invoice>
//!                             ▲               │
//!                             └── repair ◀────┘ all Failures at once
//! ```
//!
//! The judgement is pure and needs no model: [`validate`]. Its layers, in the
//! order in which they run and each on whatever the earlier ones could save,
//! are [finish](FinishReason), [parse](Layer::Parse), [normalize](Normalize),
//! [schema](Layer::Schema), [bind](Layer::Bind), [rules](Layer::Rule),
//! [evidence](Layer::Support) and [policy](Layer::Policy). Every failure has its place, its code and what was
//! found; see [`Failure`].
//!
//! - [`Extract`](macro@Extract) and [`rules`] annotate a type.
//! - [`Cited`] is a value with the passage of the document that supports it; of
//!   several [`Document`]s, it names its own.
//! - [`extract`], [`extract_value`] and [`validate`] are the entry points;
//!   [`wire_schema`] shows the schema as a [`Provider`]'s wire carries it.
//! - [`Model`], [`model_fn`] and the adapters are who is asked;
//!   [`testing::Script`] answers from a list.
//! - [`Budget`], [`Normalize`], [`Repair`] and [`Prompts`] set what a run may
//!   do; [`SchemaNotation`] how its prompts show the schema.
//! - [`Extractor::stream`] shows progress as [`Partial`]s of the reply.
//! - [`Record`] is the account of a run, on success and on failure; it is stored as JSON, and
//!   `render` shows it to people, with each [`Citation`] in its place.
//! - [`fingerprint`](fingerprint()) identifies what a type asks for, and
//!   [`testing::assert_schema_unchanged`] guards it.
//!
//! # Features
//!
//! Adapters, over reqwest with rustls: `openai` and `xai` for their Responses,
//! `anthropic` for Messages, `gemini` for generateContent, Vertex AI included,
//! `ollama` for its own chat, `openai-compatible` for Chat Completions and the
//! many who speak it. `Provider::from_env` makes a model from its name.
//! `bytes`, `chrono`, `jiff`, `rust_decimal`, `time`, `url` and `uuid` make their
//! types field types. `render` shows runs on a terminal and as HTML. None is on
//! by default.

#![warn(missing_docs)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod budget;
mod error;
mod evidence;
mod extract;
pub mod failure;
pub mod fingerprint;
mod flow;
mod json;
pub mod model;
#[allow(missing_docs)] // Reached by expanded code only.
mod node;
mod normalization;
mod partial;
mod path;
pub mod record;
#[cfg(feature = "render")]
pub mod render;
mod repair;
pub mod rule;
pub mod schema;
mod shown;
pub mod testing;

#[doc(hidden)]
#[allow(missing_docs)] // For expanded code only.
pub mod __private;

/// What documents say for the values of a reply, and how that is compared.
pub mod citation {
    pub use crate::evidence::document::Document;
    pub use crate::evidence::support::DateOrder;
    pub use crate::evidence::{Citation, TextNormalization};
    pub use crate::node::Cited;
}

/// What is sent to a model: the templates, and the notation of the schema in them.
pub mod prompt {
    pub use crate::repair::Prompts;
    pub use crate::schema::SchemaNotation;
}

/// A run while it goes on: its events, and a reply of which a part has arrived.
pub mod stream {
    pub use crate::extract::{Event, ExtractStream};
    pub use crate::partial::{Partial, Progress};
}

pub use budget::Budget;
pub use error::{Error, ErrorKind};
pub use evidence::document::Document;
pub use extract::{
    Event, Extracted, Extractor, extract, extract_value, json_schema, validate, wire_schema,
};
pub use failure::{Failure, Failures, Layer};
pub use model::{Model, ModelError, Provider, Reply, Request, Usage, model_fn};
pub use node::{Cited, Extract};
pub use normalization::Normalize;
pub use partial::Partial;
pub use path::FieldPath;
pub use repair::Repair;

/// Names that stood at the root before they stood in the modules by theme.
#[doc(hidden)]
mod earlier {
    #[cfg(feature = "anthropic")]
    pub use crate::model::anthropic;
    #[cfg(feature = "gemini")]
    pub use crate::model::gemini;
    #[cfg(feature = "ollama")]
    pub use crate::model::ollama;
    #[cfg(feature = "openai")]
    pub use crate::model::openai;
    #[cfg(feature = "openai-compatible")]
    pub use crate::model::openai_compatible;
    #[cfg(feature = "xai")]
    pub use crate::model::xai;
    #[cfg(feature = "_http")]
    pub use crate::model::{RetryPolicy, http};

    pub use crate::budget::{Price, Prices, SharedBudget};
    pub use crate::citation::{Citation, DateOrder, TextNormalization};
    pub use crate::extract::Target;
    pub use crate::failure::{FailureCode, Segment};
    pub use crate::fingerprint::{Fingerprint, fingerprint};
    pub use crate::model::{
        BoxFuture, Delta, FinishReason, FormatCapability, ModelErrorKind, ModelFn, ResponseSchema,
        SchemaDialect, UnknownProvider,
    };
    pub use crate::prompt::{Prompts, SchemaNotation};
    pub use crate::record::{
        Attempt, Cost, InvalidMoney, Money, Normalization, Patch, Record, SkippedModel,
    };
    pub use crate::rule::{Rule, RuleError, RuleKind, RuleOutcome, Violation};
    pub use crate::schema::{DroppedKeyword, WireSchema};
    pub use crate::stream::{ExtractStream, Progress};

    /// The earlier name of [`FinishReason`].
    #[deprecated(note = "named `model::FinishReason`")]
    pub type Finish = FinishReason;
}
#[doc(hidden)]
pub use earlier::*;

/// Derives [`Extract`](trait@Extract): the type's JSON Schema, its rules and its
/// entry point.
///
/// It works on structs, newtypes, tuples and enums in all of serde's
/// representations; `Deserialize` is the user's own derive, or comes with
/// `#[extract(deserialize)]`. Serde's, schemars' and validator's attributes are
/// honoured, doc comments become descriptions, and every place is told in wire
/// names.
///
/// On a type, `#[extract(..)]` takes
///
/// | word | what it says |
/// |---|---|
/// | `rule(name(field, ..), "sentence", check = expression)` | a rule in one line; `Type::name` is generated |
/// | `policy(..)`, `check(..)` | the same in its own layer; the same as a warning |
/// | `context = Type` | what parameters named `context` read |
/// | `instructions = "…"` | something for every prompt of the type |
/// | `deserialize` | `Deserialize` is derived too |
/// | `no_schema` | `JsonSchema` is the user's own |
/// | `portable(openai, anthropic, ..)` | a test is generated that fails where a named [`Provider`] cannot carry the schema, with the place and the keyword; the type stands in a module, not in a function |
/// | `crate = path` | where this crate is found |
///
/// and on a field
///
/// | word | what it says |
/// |---|---|
/// | `leaf` | the field's type holds no rules of its own |
/// | `keep_delimiters` | commas are data: one string is never split into the list |
/// | `verbatim` | the text itself stands in the document |
/// | `date_order = dmy` | in quoted dates of digits alone the day stands first; or `mdy`, `ymd` |
///
/// and on a variant without fields
///
/// | word | what it says |
/// |---|---|
/// | `shown_as("…", ..)` | what documents call it, for [`Cited`] values |
///
/// `#[validate(..)]` takes the checks of the validator crate, whether or not
/// `Validate` is derived.
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::{Extract, validate};
///
/// /// A period of a lease.
/// #[derive(Debug, Deserialize, Extract)]
/// #[extract(rule(ordered(from, to), "it begins before it ends", check = from < to))]
/// struct Period {
///     #[validate(range(min = 1900))]
///     from: u16,
///     to: u16,
/// }
///
/// assert!(validate::<Period>(r#"{"from": 2024, "to": 2026}"#).is_ok());
/// let failures = validate::<Period>(r#"{"from": 2026, "to": 2024}"#).unwrap_err();
/// assert_eq!(failures[0].rule(), Some("ordered"));
/// assert_eq!(failures[0].related()[0].to_string(), "to");
/// assert!(Period::ordered(&2026, &2024).is_err());
/// ```
pub use typed_extract_macros::Extract;

/// Makes rules of the functions of an inherent `impl` block.
///
/// A function's name is the rule's name, the first paragraph of its doc comment
/// the sentence that the model and people read, and its parameters, each a
/// reference, the fields it concerns: the first is where a failure is reported.
/// `&self` in their place reads the whole value; `context` reads what the caller
/// gave. It returns `bool`, `Result<(), impl Display>` or a list of
/// [`Violation`]s. `#[policy]` and `#[check]` set its kind.
///
/// A rule runs as soon as its own fields are valid. A function that is no rule
/// stands in another block; a check that awaits something is a
/// [`verify`](Extractor::verify).
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::{Extract, rules};
///
/// #[derive(Deserialize, Extract)]
/// struct Order {
///     items: Vec<u32>,
///     total: u32,
/// }
///
/// #[rules]
/// impl Order {
///     /// The items add up to the total.
///     fn adds_up(total: &u32, items: &[u32]) -> Result<(), String> {
///         let sum: u32 = items.iter().sum();
///         if sum == *total { Ok(()) } else { Err(format!("the items add up to {sum}")) }
///     }
/// }
///
/// assert!(Order::adds_up(&3, &[1, 2]).is_ok());
/// assert_eq!(Order::rules()[0].sentence(), "The items add up to the total.");
/// ```
pub use typed_extract_macros::rules;
