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
//! are [finish](FinishReason), [parse](Layer::Parse), [normalise](Normalize),
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
//! - [`fingerprint`] identifies what a type asks for, and
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
#[doc = include_str!("../../README.md")]
struct Readme;

mod budget;
mod error;
mod evidence;
mod extract;
mod failure;
mod fingerprint;
mod flow;
mod json;
mod model;
#[allow(missing_docs)] // Reached by expanded code only.
mod node;
mod normalization;
mod partial;
mod path;
mod record;
#[cfg(feature = "render")]
pub mod render;
mod repair;
mod rule;
mod schema;
mod shown;
pub mod testing;

#[doc(hidden)]
#[allow(missing_docs)] // For expanded code only.
pub mod __private;

pub use budget::{Budget, Price, Prices, SharedBudget};
pub use error::{Error, ErrorKind};
pub use evidence::document::Document;
pub use evidence::support::DateOrder;
pub use evidence::{Citation, TextNormalization};
pub use extract::{
    Event, ExtractStream, Extracted, Extractor, Target, extract, extract_value, json_schema,
    validate, wire_schema,
};
pub use failure::{Failure, FailureCode, Failures, Layer};
pub use fingerprint::{Fingerprint, fingerprint};
#[cfg(feature = "anthropic")]
pub use model::anthropic;
#[cfg(feature = "gemini")]
pub use model::gemini;
#[cfg(feature = "_http")]
pub use model::http;
#[cfg(feature = "_http")]
pub use model::http::RetryPolicy;
#[cfg(feature = "ollama")]
pub use model::ollama;
#[cfg(feature = "openai")]
pub use model::openai;
#[cfg(feature = "openai-compatible")]
pub use model::openai_compatible;
#[cfg(feature = "xai")]
pub use model::xai;
pub use model::{
    BoxFuture, Delta, FinishReason, FormatCapability, Model, ModelError, ModelErrorKind, ModelFn,
    Provider, Reply, Request, ResponseSchema, SchemaDialect, UnknownProvider, Usage, model_fn,
};
/// The earlier name of [`FinishReason`].
#[deprecated(note = "named `FinishReason`")]
pub type Finish = FinishReason;
pub use node::{Cited, Extract};
pub use normalization::{Normalization, Normalize};
pub use partial::{Partial, Progress};
pub use path::{FieldPath, Segment};
pub use record::{Attempt, Cost, InvalidMoney, Money, Patch, Record, SkippedModel};
pub use repair::{Prompts, Repair};
pub use rule::{Rule, RuleError, RuleKind, RuleOutcome, Violation};
pub use schema::{DroppedKeyword, SchemaNotation, WireSchema};
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
