//! The functions that an extraction begins with.

use std::sync::Arc;

use serde_json::Value;

use super::builder::Extractor;
use super::fault::{uncarried, unusable, unusable_failures};
use crate::error::Error;
use crate::failure::Failures;
use crate::flow::{Accepted, Flow, Plan};
use crate::model::SchemaDialect;
use crate::node::Extract;
use crate::normalization::Normalize;
use crate::schema::WireSchema;

/// Begins the extraction of a `T`.
///
/// Add a model and a document, then await it for the value, or
/// [`run`](Extractor::run) for the value with its account.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), typed_extract::Error> {
/// use serde::Deserialize;
/// use typed_extract::testing::Script;
/// use typed_extract::{Extract, extract};
///
/// #[derive(Deserialize, Extract)]
/// struct Total {
///     cents: u32,
/// }
///
/// let model = Script::new([r#"{"cents": 450}"#]);
/// let total: Total = extract::<Total>().model(&model).document("Total: 4.50").await?;
/// assert_eq!(total.cents, 450);
/// # Ok(())
/// # }
/// ```
pub fn extract<'a, T: Extract>() -> Extractor<'a, T> {
    Extractor::new(Plan::<T, T::Context>::of())
}

/// Begins an extraction under a JSON Schema known only at run time. The root
/// must be an object; the value comes back as [`serde_json::Value`].
///
/// # Errors
///
/// [`ErrorKind::Schema`](crate::ErrorKind::Schema) where the schema cannot be used: the message names the
/// place in it. A keyword or format that would not be checked is such an error,
/// and so is a slip such as `minLenght`.
///
/// # What is read
///
/// - JSON Schema 2020-12, and the drafts 04, 06 and 07 under their `$schema`.
/// - The number formats of schemars and `OpenAPI` (`int32`, `uint8`, `double` …),
///   each as the bounds of its type.
/// - Keywords that check nothing (`discriminator`, `example`, `xml`,
///   `contentEncoding`, and such as nobody knows) with
///   [`lenient_schema`](Extractor::lenient_schema); without it, a run or a
///   validation is the error.
///
/// `1.0` is no integer here: what a type would refuse is refused. An object that
/// says nothing of further keys takes them, at home as in JSON Schema; a wire that
/// must close its objects asks for the named keys alone.
///
/// ```
/// use serde_json::json;
/// use typed_extract::extract_value;
///
/// let schema = json!({
///     "type": "object",
///     "properties": {"name": {"type": "string"}},
///     "required": ["name"],
///     "additionalProperties": false
/// });
/// let flow = extract_value(schema)?.document("Ida is 40");
/// assert!(flow.validate(r#"{"name": "Ida"}"#).is_ok());
/// assert!(flow.validate(r#"{"name": 40}"#).is_err());
/// # Ok::<(), typed_extract::Error>(())
/// ```
pub fn extract_value<'a>(schema: Value) -> Result<Extractor<'a, Value>, Error> {
    let plan = Plan::given(schema).map_err(|fault| unusable(&fault))?;
    Ok(Extractor::new(Ok(Arc::new(plan))))
}

/// Checks the text of a reply and binds it, without a model or a document.
///
/// # Errors
///
/// Everything that is wrong with the reply.
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::{Extract, validate};
///
/// #[derive(Debug, Deserialize, Extract)]
/// struct Count {
///     count: u32,
/// }
///
/// assert_eq!(validate::<Count>(r#"{"count": 2}"#).unwrap().count, 2);
/// let failures = validate::<Count>(r#"{"count": "two"}"#).unwrap_err();
/// assert_eq!(failures[0].code(), "schema.type");
/// assert_eq!(failures[0].path().pointer(), "/count");
/// ```
pub fn validate<T: Extract<Context = ()>>(reply: &str) -> Result<T, Failures> {
    let plan = Plan::<T, ()>::of().map_err(|fault| unusable_failures(&fault))?;
    let flow = Flow::new(&plan, &(), Normalize::default());
    flow.judge(reply).verdict.map(Accepted::into_value)
}

/// The JSON Schema that replies for a `T` are checked against: the 2020-12
/// dialect, with its wrapper if the root of `T` is no object. Models are asked for
/// the same, with every key required that may be null.
///
/// # Errors
///
/// [`ErrorKind::Schema`](crate::ErrorKind::Schema) where the type's schema cannot be used.
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::{Extract, json_schema};
///
/// #[derive(Deserialize, Extract)]
/// struct Count {
///     /// How many there are.
///     count: u8,
/// }
///
/// let schema = json_schema::<Count>()?;
/// assert_eq!(schema["properties"]["count"]["maximum"], 255);
/// assert_eq!(schema["properties"]["count"]["description"], "How many there are.");
/// assert_eq!(schema["additionalProperties"], false);
/// # Ok::<(), typed_extract::Error>(())
/// ```
pub fn json_schema<T: Extract>() -> Result<Value, Error> {
    let plan = Plan::<T, T::Context>::of().map_err(|fault| unusable(&fault))?;
    Ok(Value::clone(&plan.schema.value))
}

/// The JSON Schema that a provider's wire carries for a `T`, in its dialect: the
/// same that an extraction sends to a model of that
/// [`dialect`](crate::Model::dialect).
///
/// # Errors
///
/// [`ErrorKind::Schema`](crate::ErrorKind::Schema) where the type's schema cannot be used, or where the
/// dialect cannot express it: then the failure has the code
/// `schema_build.unsupported` and the place that a reply would have.
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::{Extract, Provider, wire_schema};
///
/// #[derive(Deserialize, Extract)]
/// struct Part {
///     name: String,
///     parts: Vec<Part>,
/// }
///
/// assert!(wire_schema::<Part>(Provider::OpenAi).is_ok());
/// let error = wire_schema::<Part>(Provider::Anthropic).unwrap_err();
/// assert_eq!(error.failures()[0].path().pointer(), "/parts");
/// ```
pub fn wire_schema<T: Extract>(to: impl Into<SchemaDialect>) -> Result<WireSchema, Error> {
    let to = to.into();
    let plan = Plan::<T, T::Context>::of().map_err(|fault| unusable(&fault))?;
    let wire = plan.wire(to).map_err(|why| uncarried(&plan, why))?;
    Ok(WireSchema::new(to, wire))
}
