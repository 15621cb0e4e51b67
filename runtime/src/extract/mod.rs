//! The entry points and the builder; no logic of their own.

pub(crate) mod portable;
mod stream;

pub use stream::{Event, Streaming};

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::Poll;

use serde::Serialize;
use serde_json::Value;

use crate::budget::Budget;
use crate::error::{Error, ErrorKind};
use crate::evidence::Citation;
use crate::evidence::{
    document::Document, document::empty_one, document::identity, document::wrong_ids,
};
use crate::failure::{Code, Failure, Failures, Layer};
use crate::flow::{Accepted, Flow, Plan};
use crate::json::Limits;
use crate::model::{FormatCapability, Model, Reply, SchemaDialect, WireSchema};
use crate::node::extract_trait::Extract;
use crate::normalization::Normalize;
use crate::partial;
use crate::path::Path;
use crate::record::{Attempt, Held, Origin, Record, Spent};
use crate::repair::verify::{NoVerify, Verifier, Verify};
use crate::repair::{Example, Feed, Message, Party, Prompts, Repair, Run, feed, schema_text};
use crate::schema::dialect::Unsupported;
use crate::schema::{Dialect, Dropped, SchemaFault, SchemaNotation, WRAPPER_KEY};

/// Begins the extraction of a `T`.
///
/// Add a model and a document, then await it for the value, or
/// [`detailed`](Extractor::detailed) for the value with its account.
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
/// [`ErrorKind::Schema`] where the schema cannot be used: the message names the
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
    let flow = Flow {
        plan: &plan,
        normalize: Normalize::default(),
        limits: Limits::default(),
        context: &(),
        documents: &[],
        wire: None,
        index: OnceLock::new(),
    };
    flow.judge(reply).verdict.map(Accepted::into_value)
}

/// The JSON Schema that replies for a `T` are checked against: the 2020-12
/// dialect, with its wrapper if the root of `T` is no object. Models are asked for
/// the same, with every key required that may be null.
///
/// # Errors
///
/// [`ErrorKind::Schema`] where the type's schema cannot be used.
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
/// [`dialect`](Model::dialect).
///
/// # Errors
///
/// [`ErrorKind::Schema`] where the type's schema cannot be used, or where the
/// dialect cannot express it: then the failure has the code
/// `schema_build.unsupported` and the place that a reply would have.
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::{Extract, Provider, dialect};
///
/// #[derive(Deserialize, Extract)]
/// struct Part {
///     name: String,
///     parts: Vec<Part>,
/// }
///
/// assert!(dialect::<Part>(Provider::OpenAi).is_ok());
/// let error = dialect::<Part>(Provider::Anthropic).unwrap_err();
/// assert_eq!(error.failures()[0].path().pointer(), "/parts");
/// ```
pub fn dialect<T: Extract>(to: impl Into<SchemaDialect>) -> Result<Dialect, Error> {
    let to = to.into();
    let plan = Plan::<T, T::Context>::of().map_err(|fault| unusable(&fault))?;
    let wire = plan.wire(to).map_err(|why| uncarried(&plan, why))?;
    Ok(Dialect::new(to, wire))
}

/// A model with what its wire carries of the schema, where it carries one.
fn party<'p, T, C: ?Sized>(plan: &'p Plan<T, C>, model: &'p dyn Model) -> Result<Party<'p>, Error> {
    let mut party = Party {
        model,
        schema: None,
        dialect: None,
        shapes: None,
    };
    if model.capability() == FormatCapability::JsonSchema {
        let wire = plan.wire(model.dialect());
        let wire = wire.map_err(|why| uncarried(plan, why))?;
        let name = plan.wire_name.clone();
        party.schema = Some(WireSchema::new(name, Arc::clone(&wire.schema)));
        party.dialect = Some(Dialect::new(model.dialect(), wire));
        party.shapes = wire.shapes.as_ref();
    }
    Ok(party)
}

/// A schema that a dialect cannot carry, at the place a reply would have.
fn uncarried<T, C: ?Sized>(plan: &Plan<T, C>, why: &Unsupported) -> Error {
    let code = Code::new("schema_build.unsupported");
    let path = plan.schema.seen(why.path.clone());
    let failure = Failure::new(Layer::Schema, code, path, why.to_string());
    let reason = format!("the schema cannot be sent: {failure}");
    Error::before_any_call(ErrorKind::Schema, reason).with_failures(Failures::new(vec![failure]))
}

pub(crate) fn unusable(fault: &SchemaFault) -> Error {
    Error::before_any_call(ErrorKind::Schema, unusable_words(fault))
}

fn unusable_words(fault: &SchemaFault) -> String {
    let place = if fault.place.is_empty() {
        "its root"
    } else {
        &fault.place
    };
    format!("the schema cannot be used, at {place}: {}", fault.message)
}

fn unusable_failures(fault: &SchemaFault) -> Failures {
    let code = Code::new("schema_build.unsupported");
    let words = unusable_words(fault);
    Failures::new(vec![Failure::new(Layer::Schema, code, Path::root(), words)])
}

/// What can be extracted: an [`Extract`] type, or a [`Value`] under a schema
/// known only at run time.
pub trait Target: Sized {
    /// What its rules read beside its fields.
    type Context: ?Sized + 'static;
}

impl<T: Extract> Target for T {
    type Context = <T as Extract>::Context;
}

impl Target for Value {
    type Context = ();
}

/// No model is chosen yet.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct NoModel;

/// No document is given yet.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct NoDocument;

/// No context is given.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct NoContext<C: ?Sized>(PhantomData<fn(&C)>);

/// The documents to extract from.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Text<'a>(Vec<Document<'a>>);

impl From<NoDocument> for Text<'_> {
    fn from(_: NoDocument) -> Self {
        Self(Vec::new())
    }
}

/// A model that was chosen.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this extraction has no model to ask",
    label = "call `.model(&model)` on it before awaiting",
    note = "`.validate(reply)` checks a reply without a model"
)]
pub trait ChosenModel: Send + Sync {
    fn chosen(&self) -> &dyn Model;
}

impl<M: Model> ChosenModel for ByModel<M> {
    fn chosen(&self) -> &dyn Model {
        &self.0
    }
}

/// A chosen model.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct ByModel<M>(M);

/// A document that was given.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this extraction has no document",
    label = "call `.document(text)` on it first"
)]
pub trait GivenDocument: Send + Sync {
    fn given(&self) -> &[Document<'_>];
}

impl GivenDocument for Text<'_> {
    fn given(&self) -> &[Document<'_>] {
        &self.0
    }
}

/// The context that a type's rules read, or none where they read none.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the rules of this type read a context of type `{C}`",
    label = "call `.context(&value)` on it first"
)]
pub trait GivenContext<C: ?Sized>: Send + Sync {
    fn context(&self) -> &C;
}

impl GivenContext<()> for NoContext<()> {
    fn context(&self) -> &() {
        &()
    }
}

impl<C: ?Sized + Sync> GivenContext<C> for &C {
    fn context(&self) -> &C {
        self
    }
}

/// An extraction being set up: see [`extract`].
///
/// Awaiting it gives the value or an [`Error`]. It needs a
/// [`model`](Self::model), a [`document`](Self::document) and, where the type's
/// rules read one, a [`context`](Self::context); without them it does not
/// compile.
#[must_use = "an extraction does nothing until it is awaited or asked to validate"]
pub struct Extractor<
    'a,
    T: Target,
    Cx = NoContext<<T as Target>::Context>,
    M = NoModel,
    D = NoDocument,
    V = NoVerify,
> {
    plan: Result<Arc<Plan<T, T::Context>>, SchemaFault>,
    settings: Settings<'a>,
    context: Cx,
    model: M,
    document: D,
    verify: V,
    value: PhantomData<fn() -> T>,
}

/// What can be set whatever the type.
#[derive(Debug, Clone, Default)]
struct Settings<'a> {
    normalize: Normalize,
    budget: Budget,
    prompts: Prompts,
    notation: SchemaNotation,
    instructions: Vec<Cow<'a, str>>,
    examples: Vec<Example<'a>>,
    /// An example that could not be written as JSON.
    unwritable: Option<String>,
    max_output_tokens: Option<u32>,
    truncation_cap: Option<u32>,
    repair: Repair,
    lenient_schema: bool,
    log_replies: bool,
    fallbacks: Vec<Fallback<'a>>,
}

/// A model to turn to.
#[derive(Clone)]
struct Fallback<'a>(Arc<dyn Model + 'a>);

impl fmt::Debug for Fallback<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fallback").field(&self.0.id()).finish()
    }
}

impl<T: Target, Cx, M, D, V> fmt::Debug for Extractor<'_, T, Cx, M, D, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extractor")
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}

impl<Cx, M, D, V> Extractor<'_, Value, Cx, M, D, V> {
    /// Takes what a schema says and nothing checks as notes: `discriminator`,
    /// `example`, `xml`, `externalDocs`, `contentEncoding`, `contentMediaType`,
    /// unknown keywords, and the formats `byte`, `binary` and `password`.
    /// `nullable` of `OpenAPI` 3.0 is read as what it means.
    /// [`schema_notes`](Self::schema_notes) lists them. Off by default.
    ///
    /// ```
    /// use serde_json::json;
    /// use typed_extract::extract_value;
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": {"name": {"type": "string", "example": "Ida"}},
    ///     "required": ["name"]
    /// });
    /// let flow = extract_value(schema)?.lenient_schema(true);
    /// assert_eq!(flow.schema_notes()[0].to_string(), "example at /properties/name");
    /// assert!(flow.document("Ida").validate(r#"{"name": "Ida"}"#).is_ok());
    /// # Ok::<(), typed_extract::Error>(())
    /// ```
    #[must_use = "the setting is that of the extraction returned"]
    pub fn lenient_schema(mut self, lenient: bool) -> Self {
        self.settings.lenient_schema = lenient;
        self
    }

    /// What the schema says and nothing checks, in its order.
    pub fn schema_notes(&self) -> &[Dropped] {
        self.plan.as_ref().map_or(&[], |plan| &plan.schema.notes)
    }
}

impl<T: Target> Extractor<'_, T> {
    fn new(plan: Result<Arc<Plan<T, T::Context>>, SchemaFault>) -> Self {
        let hints = plan.as_ref().map(|plan| plan.hints).unwrap_or_default();
        Self {
            plan,
            settings: Settings {
                instructions: hints.instructions.map(Cow::Borrowed).into_iter().collect(),
                ..Settings::default()
            },
            context: NoContext(PhantomData),
            model: NoModel,
            document: NoDocument,
            verify: NoVerify,
            value: PhantomData,
        }
    }
}

impl<'a, T: Target, Cx, M, D, V> Extractor<'a, T, Cx, M, D, V> {
    /// The model to ask: one of the adapters, [`model_fn`](crate::model_fn)
    /// around the client an application has, or a reference to either.
    pub fn model<N: Model>(self, model: N) -> Extractor<'a, T, Cx, ByModel<N>, D, V> {
        let Self {
            plan,
            settings,
            context,
            document,
            verify,
            value,
            ..
        } = self;
        Extractor {
            plan,
            settings,
            context,
            model: ByModel(model),
            document,
            verify,
            value,
        }
    }

    /// The text to extract from. An empty one is refused when the run begins.
    ///
    /// Call it again for another; each of several has an
    /// [id](Document::id) of its own, and a [`Cited`](crate::Cited) value then
    /// names the one that it quotes.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use typed_extract::{Cited, Document, Extract, extract};
    ///
    /// #[derive(Debug, Deserialize, Extract)]
    /// struct Lease {
    ///     rent: Cited<u32>,
    /// }
    ///
    /// let flow = extract::<Lease>()
    ///     .document(Document::new("The rent is EUR 1,250.").id("contract-7"))
    ///     .document(Document::new("From May on it is EUR 1,300.").id("letter"));
    /// let reply = r#"{"rent": {"source": "letter", "quote": "EUR 1,300", "value": 1300}}"#;
    /// let lease = flow.validate(reply)?.into_value();
    /// assert_eq!(lease.rent.source(), Some("letter"));
    /// assert_eq!(lease.rent.span(), Some(18..27));
    ///
    /// let wrong = r#"{"rent": {"source": "annex", "quote": "EUR 1,300", "value": 1300}}"#;
    /// let failures = flow.validate(wrong).unwrap_err();
    /// assert_eq!(failures[0].code(), "support.unknown_source");
    /// # Ok::<(), typed_extract::Failures>(())
    /// ```
    pub fn document(self, document: impl Into<Document<'a>>) -> Extractor<'a, T, Cx, M, Text<'a>, V>
    where
        D: Into<Text<'a>>,
    {
        self.documents([document])
    }

    /// The same for each of several.
    pub fn documents<I>(self, documents: I) -> Extractor<'a, T, Cx, M, Text<'a>, V>
    where
        I: IntoIterator,
        I::Item: Into<Document<'a>>,
        D: Into<Text<'a>>,
    {
        let Self {
            plan,
            settings,
            context,
            model,
            document,
            verify,
            value,
        } = self;
        let mut all = document.into();
        all.0.extend(documents.into_iter().map(Into::into));
        Extractor {
            plan,
            settings,
            context,
            model,
            document: all,
            verify,
            value,
        }
    }

    /// The value that rules with a parameter named `context` read.
    pub fn context<'c>(self, context: &'c T::Context) -> Extractor<'a, T, &'c T::Context, M, D, V> {
        let Self {
            plan,
            settings,
            model,
            document,
            verify,
            value,
            ..
        } = self;
        Extractor {
            plan,
            settings,
            context,
            model,
            document,
            verify,
            value,
        }
    }

    /// Asks the outside about a value that has passed every other check: the
    /// async closure returns what a rule returns, and what it finds joins the
    /// same repair.
    ///
    /// A run with a verification is awaited where it stands; to spawn it on
    /// another thread, spawn its [`detailed`](Self::detailed) future.
    pub fn verify<F, O>(self, verify: F) -> Extractor<'a, T, Cx, M, D, Verifier<F>>
    where
        F: AsyncFn(&T) -> O,
        O: crate::rule::Outcome,
    {
        let Self {
            plan,
            settings,
            context,
            model,
            document,
            value,
            ..
        } = self;
        Extractor {
            plan,
            settings,
            context,
            model,
            document,
            verify: Verifier(verify),
            value,
        }
    }

    /// Another model, to be asked where the one before gives no answer: it cannot be reached, its
    /// retries are used up, it refuses the request. Call it again for a third. A refusal or a
    /// reply that fails its checks is an answer, and once the deadline has passed nobody is asked.
    ///
    /// The run stays with the model that answered; nothing of this uses an attempt. Each is given
    /// the schema in its own [dialect](Model::dialect), and the record tells who was
    /// [passed over](Record::passed_over) and why.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use typed_extract::testing::{Script, Scripted};
    /// use typed_extract::{Extract, ModelError, ModelErrorKind, extract};
    ///
    /// #[derive(Deserialize, Extract)]
    /// struct Total {
    ///     cents: u32,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), typed_extract::Error> {
    /// let busy = Script::new([ModelError::new(ModelErrorKind::Overloaded, "try later")]);
    /// let other = Script::new([r#"{"cents": 450}"#]);
    /// let total = extract::<Total>()
    ///     .model(&busy)
    ///     .fallback(&other)
    ///     .document("Total: 4.50")
    ///     .detailed()
    ///     .await?;
    /// assert_eq!(total.value().cents, 450);
    /// let passed = &total.record().passed_over()[0];
    /// assert_eq!(passed.error().kind(), ModelErrorKind::Overloaded);
    /// # Ok(())
    /// # }
    /// ```
    pub fn fallback(mut self, model: impl Model + 'a) -> Self {
        self.settings.fallbacks.push(Fallback(Arc::new(model)));
        self
    }

    /// At most this many requests, the first included; 3 where nothing is said.
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.settings.budget.attempts = attempts;
        self
    }

    /// What the run may spend. It replaces an earlier
    /// [`attempts`](Self::attempts).
    pub fn budget(mut self, budget: Budget) -> Self {
        self.settings.budget = budget;
        self
    }

    /// Which steps may be taken before a reply is judged.
    pub fn normalize(mut self, normalize: Normalize) -> Self {
        self.settings.normalize = normalize;
        self
    }

    /// Says something about this extraction in the prompt, after the type's own
    /// instructions.
    pub fn instructions(mut self, text: impl Into<Cow<'a, str>>) -> Self {
        self.settings.instructions.push(text.into());
        self
    }

    /// Shows the model a document and its right answer. One that the type's own
    /// flow does not accept is refused when the run begins. Where the run has
    /// several documents, the example's has an [id](Document::id) too, and its
    /// citations [name it](crate::Cited::with_source).
    pub fn example(mut self, document: impl Into<Document<'a>>, value: &T) -> Self
    where
        T: Serialize,
    {
        match self.written(value) {
            Ok(answer) => {
                let document = document.into();
                self.settings.examples.push(Example { document, answer });
            }
            Err(error) => self.settings.unwritable = Some(error.to_string()),
        }
        self
    }

    fn written(&self, value: &T) -> Result<String, serde_json::Error>
    where
        T: Serialize,
    {
        let text = serde_json::to_string(value)?;
        let wrapped = self.plan.as_ref().is_ok_and(|plan| plan.schema.wrapped);
        Ok(if wrapped {
            format!("{{\"{WRAPPER_KEY}\":{text}}}")
        } else {
            text
        })
    }

    /// Prompts of the caller's own in place of the built-in ones.
    pub fn prompts(mut self, prompts: Prompts) -> Self {
        self.settings.prompts = prompts;
        self
    }

    /// How the prompts show the schema, repairs included. What goes over the wire
    /// and what replies are checked against stays the same.
    pub fn schema_notation(mut self, notation: SchemaNotation) -> Self {
        self.settings.notation = notation;
        self
    }

    /// At most this many tokens of output for each reply.
    pub fn max_output_tokens(mut self, tokens: u32) -> Self {
        self.settings.max_output_tokens = Some(tokens);
        self
    }

    /// Asks once more with this output limit, in tokens, where a reply was cut
    /// off. Without it a cut reply ends the run.
    pub fn truncation_cap(mut self, tokens: u32) -> Self {
        self.settings.truncation_cap = Some(tokens);
        self
    }

    /// What a repair asks for again: the whole reply, unless set.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use typed_extract::testing::Script;
    /// use typed_extract::{Extract, Repair, extract};
    ///
    /// #[derive(Deserialize, Extract)]
    /// struct Order {
    ///     customer: String,
    ///     #[validate(range(min = 1))]
    ///     boxes: u32,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), typed_extract::Error> {
    /// let model = Script::new([r#"{"customer": "Ida Holm", "boxes": 0}"#, r#"{"/boxes": 12}"#]);
    /// let order = extract::<Order>()
    ///     .model(&model)
    ///     .document("Ida Holm takes a dozen boxes")
    ///     .repair(Repair::Patch)
    ///     .detailed()
    ///     .await?;
    /// assert_eq!((order.value().customer.as_str(), order.value().boxes), ("Ida Holm", 12));
    /// let patch = order.record().attempts()[1].patch().unwrap();
    /// assert_eq!(patch.merged(), Some(r#"{"customer": "Ida Holm", "boxes": 12}"#));
    /// # Ok(())
    /// # }
    /// ```
    pub fn repair(mut self, repair: Repair) -> Self {
        self.settings.repair = repair;
        self
    }

    /// Whether the text of replies is traced, at debug level. Replies say what
    /// the document says; they are left out unless asked for.
    pub fn log_replies(mut self, yes: bool) -> Self {
        self.settings.log_replies = yes;
        self
    }
}

impl<T: Target, Cx, M, D, V> Extractor<'_, T, Cx, M, D, V>
where
    Cx: GivenContext<T::Context>,
    D: GivenDocument,
{
    fn flow<'f>(&'f self, plan: &'f Plan<T, T::Context>) -> Flow<'f, T, T::Context> {
        Flow {
            plan,
            normalize: self.settings.normalize,
            limits: Limits::default(),
            context: self.context.context(),
            documents: self.document.given(),
            wire: None,
            index: OnceLock::new(),
        }
    }

    /// The plan that the documents ask for: of several, citations name theirs.
    fn plan(&self) -> Result<Arc<Plan<T, T::Context>>, SchemaFault> {
        let plan = self.plan.clone()?;
        let unchecked = plan
            .schema
            .unchecked()
            .filter(|_| !self.settings.lenient_schema);
        if let Some(fault) = unchecked {
            return Err(fault);
        }
        match plan.sourced {
            Some(sourced) if self.document.given().len() > 1 => sourced(),
            _ => Ok(plan),
        }
    }

    fn origin(&self, plan: &Plan<T, T::Context>) -> Origin {
        let (settings, documents) = (&self.settings, self.document.given());
        Origin {
            model: None,
            wire: None,
            prompt_version: settings
                .prompts
                .version(settings.notation, documents.len())
                .into(),
            schema: Held::text(plan.schema.text.clone()),
            rules: Held::text(plan.rules.clone()),
            notes: plan.schema.notes.clone(),
            document: Held::text(identity(documents)),
            currency: settings.budget.currency(),
        }
    }

    /// What is set up wrongly, before anything is sent.
    fn check(&self, plan: &Plan<T, T::Context>) -> Result<(), Error> {
        if self.settings.budget.attempts == 0 {
            return Err(Error::config(
                "zero attempts allow no request; allow at least one with `.attempts(1)`",
            ));
        }
        let documents = self.document.given();
        if let Some(reason) = wrong_ids(documents).or_else(|| empty_one(documents)) {
            return Err(Error::config(reason));
        }
        if let Some(error) = &self.settings.unwritable {
            return Err(Error::config(format!(
                "an example cannot be written as JSON: {error}"
            )));
        }
        self.check_examples(plan)
    }

    fn check_examples(&self, plan: &Plan<T, T::Context>) -> Result<(), Error> {
        for (at, example) in self.settings.examples.iter().enumerate() {
            let flow = Flow {
                documents: std::slice::from_ref(&example.document),
                normalize: Normalize::none(),
                ..self.flow(plan)
            };
            if let Err(failures) = flow.judge(&example.answer).verdict {
                let reason = format!("example {} does not pass the type's own checks", at + 1);
                return Err(Error::config(reason).with_failures(failures));
            }
        }
        Ok(())
    }
}

// The bounds stand on the methods: the compiler then says which one is missing
// and how to go on.
impl<T: Target, Cx, M, D, V> Extractor<'_, T, Cx, M, D, V> {
    /// Checks a reply that the caller already has, without a model.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the reply.
    pub fn validate(&self, reply: &str) -> Result<Extracted<T>, Failures>
    where
        Cx: GivenContext<T::Context>,
        D: GivenDocument,
    {
        let plan = &self.plan().map_err(|fault| unusable_failures(&fault))?;
        if let Some(reason) = wrong_ids(self.document.given()) {
            let code = Code::new("support.unsupported");
            let failure = Failure::new(Layer::Support, code, Path::root(), reason);
            return Err(Failures::new(vec![failure]));
        }
        let judgement = self.flow(plan).judge(reply);
        let accepted = judgement.verdict?;
        let attempt = Attempt {
            reply: Some(Reply::new(reply)),
            error: None,
            failures: Failures::default(),
            normalizations: judgement.normalizations,
            citations: judgement.citations,
            restored: Vec::new(),
            patch: None,
            latency: std::time::Duration::ZERO,
            spent: Spent::NOTHING,
            reply_bytes: None,
        };
        let mut record = Record::new(self.origin(plan));
        record.attempts.push(attempt);
        record.accepted = true;
        record.warnings = judgement.warnings;
        Ok(Extracted { accepted, record })
    }

    /// Runs the extraction and gives the value with its account.
    ///
    /// # Errors
    ///
    /// An [`Error`] of any kind; it carries the same account.
    pub async fn detailed(self) -> Result<Extracted<T>, Error>
    where
        Cx: GivenContext<T::Context>,
        M: ChosenModel,
        D: GivenDocument,
        V: Verify<T>,
    {
        self.run(None).await
    }

    /// Runs the extraction and shows what arrives while it does: each request as it is sent, the
    /// reply so far, and at the end what [`detailed`](Self::detailed) gives, through the same
    /// checks and repairs.
    ///
    /// Only [`Event::Done`] holds data. A [`Partial`](crate::Partial) is
    /// unchecked and may be corrected by a repair; a model that cannot stream shows its reply at
    /// once, when it is whole. A repair by [patch](Repair::Patch) shows none: what arrives is not
    /// the value.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use typed_extract::testing::{Script, Scripted};
    /// use typed_extract::{Event, Extract, extract};
    ///
    /// #[derive(Deserialize, Extract)]
    /// struct Note {
    ///     title: String,
    ///     pages: u32,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), typed_extract::Error> {
    /// let model = Script::new([Scripted::streamed([r#"{"title": "Min"#, r#"utes", "pages": 3}"#])]);
    /// let mut stream = extract::<Note>().model(&model).document("Minutes, p. 1-3").stream();
    ///
    /// let mut titles = Vec::new();
    /// while let Some(event) = stream.next().await {
    ///     match event {
    ///         Event::Partial(note) => {
    ///             titles.extend(note.get("title").as_str().map(str::to_owned));
    ///         }
    ///         Event::Done(result) => {
    ///             let note = (*result)?.into_value();
    ///             assert_eq!((note.title.as_str(), note.pages), ("Minutes", 3));
    ///         }
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(titles, ["Min", "Minutes"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Where only the result is wanted after a while, [`finish`](Streaming::finish) gives it:
    ///
    /// ```
    /// # use serde::Deserialize;
    /// # use typed_extract::testing::Script;
    /// # use typed_extract::{Event, Extract, extract};
    /// # #[derive(Deserialize, Extract)]
    /// # struct Note { title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), typed_extract::Error> {
    /// # let model = Script::new([r#"{"title": "Minutes"}"#]);
    /// let stream = extract::<Note>().model(&model).document("Minutes").stream();
    /// let note = stream.finish().await?.into_value();
    /// assert_eq!(note.title, "Minutes");
    /// # Ok(())
    /// # }
    /// ```
    pub fn stream(self) -> Streaming<T, impl Future<Output = Result<Extracted<T>, Error>>>
    where
        Cx: GivenContext<T::Context>,
        M: ChosenModel,
        D: GivenDocument,
        V: Verify<T>,
    {
        let (feed, watch) = feed(self.partial_settings());
        Streaming::new(self.run(Some(feed)), watch)
    }

    /// How partials are read; of no matter where the schema cannot be used, since nothing is sent.
    fn partial_settings(&self) -> partial::Settings
    where
        Cx: GivenContext<T::Context>,
        D: GivenDocument,
    {
        let normalize = self.settings.normalize;
        let plan = self.plan().ok();
        plan.map(|plan| partial::Settings::new(&plan.schema, plan.hints.keep_delimiters, normalize))
            .unwrap_or_default()
    }

    async fn run(self, feed: Option<Feed>) -> Result<Extracted<T>, Error>
    where
        Cx: GivenContext<T::Context>,
        M: ChosenModel,
        D: GivenDocument,
        V: Verify<T>,
    {
        let plan = &self.plan().map_err(|fault| unusable(&fault))?;
        self.check(plan)?;
        let settings = &self.settings;
        let fallbacks = settings.fallbacks.iter();
        let run = Run {
            flow: self.flow(plan),
            message: Message {
                prompts: &settings.prompts,
                schema: &plan.schema.asked,
                schema_text: schema_text(&plan.schema, settings.notation),
                rules: &plan.rules,
                instructions: &settings.instructions,
                examples: &settings.examples,
                documents: self.document.given(),
                restate: false,
            },
            party: party(plan, self.model.chosen())?,
            fallbacks: fallbacks
                .map(|fallback| party(plan, &*fallback.0))
                .collect::<Result<_, _>>()?,
            max_output_tokens: settings.max_output_tokens,
            budget: settings.budget.clone(),
            begun: std::time::Instant::now(),
            truncation_cap: settings.truncation_cap,
            repair: settings.repair,
            verify: &self.verify,
            record: Record::new(self.origin(plan)),
            log_replies: settings.log_replies,
            feed,
        };
        let done = run.run().await?;
        Ok(Extracted {
            accepted: done.accepted,
            record: done.record,
        })
    }
}

type Sendable<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;
type Local<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + 'a>>;

impl<'a, T, M, C> IntoFuture for Extractor<'a, T, &'a C, ByModel<M>, Text<'a>, NoVerify>
where
    T: Target<Context = C> + Send + Sync + 'a,
    C: ?Sized + Sync + 'static,
    M: Model + 'a,
{
    type Output = Result<T, Error>;
    type IntoFuture = Sendable<'a, T>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.detailed().await.map(Extracted::into_value) })
    }
}

impl<'a, T, M> IntoFuture for Extractor<'a, T, NoContext<()>, ByModel<M>, Text<'a>, NoVerify>
where
    T: Target<Context = ()> + Send + Sync + 'a,
    M: Model + 'a,
{
    type Output = Result<T, Error>;
    type IntoFuture = Sendable<'a, T>;

    fn into_future(self) -> Self::IntoFuture {
        self.context(&()).into_future()
    }
}

impl<'a, T, M, C, F> IntoFuture for Extractor<'a, T, &'a C, ByModel<M>, Text<'a>, Verifier<F>>
where
    T: Target<Context = C> + 'a,
    C: ?Sized + Sync + 'static,
    M: Model + 'a,
    Verifier<F>: Verify<T>,
    F: 'a,
{
    type Output = Result<T, Error>;
    type IntoFuture = Local<'a, T>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.detailed().await.map(Extracted::into_value) })
    }
}

impl<'a, T, M, F> IntoFuture for Extractor<'a, T, NoContext<()>, ByModel<M>, Text<'a>, Verifier<F>>
where
    T: Target<Context = ()> + 'a,
    M: Model + 'a,
    Verifier<F>: Verify<T>,
    F: 'a,
{
    type Output = Result<T, Error>;
    type IntoFuture = Local<'a, T>;

    fn into_future(self) -> Self::IntoFuture {
        self.context(&()).into_future()
    }
}

/// Nothing implements it, so that what asks for it is an error that says how to
/// go on. Without the implementations of [`Future`] below the compiler
/// would only say that an unfinished extraction is not a future.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this extraction has no model to ask",
    label = "call `.model(&model)` on it before awaiting",
    note = "`.validate(reply)` checks a reply without a model"
)]
pub trait ModelBeforeAwait<T> {}

/// As [`ModelBeforeAwait`], for the document.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this extraction has no document",
    label = "call `.document(text)` on it before awaiting"
)]
pub trait DocumentBeforeAwait<T> {}

#[doc(hidden)]
impl<T: Target, Cx, D, V> Future for Extractor<'_, T, Cx, NoModel, D, V>
where
    NoModel: ModelBeforeAwait<T>,
{
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, _: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        Poll::Pending
    }
}

#[doc(hidden)]
impl<T: Target, Cx, M, V> Future for Extractor<'_, T, Cx, ByModel<M>, NoDocument, V>
where
    NoDocument: DocumentBeforeAwait<T>,
{
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, _: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        Poll::Pending
    }
}

/// As [`ModelBeforeAwait`], for the context.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the rules of this type read a context of type `{C}`",
    label = "call `.context(&value)` on it before awaiting"
)]
pub trait ContextBeforeAwait<C: ?Sized> {}

#[doc(hidden)]
impl<T, C, M, V> Future for Extractor<'_, T, NoContext<C>, ByModel<M>, Text<'_>, V>
where
    T: Target<Context = C>,
    C: ?Sized + 'static,
    NoContext<C>: ContextBeforeAwait<C>,
{
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, _: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        Poll::Pending
    }
}

/// A value that every check has passed, with its account.
pub struct Extracted<T> {
    accepted: Accepted<T>,
    record: Record,
}

impl<T> Extracted<T> {
    /// The value.
    pub fn value(&self) -> &T {
        self.accepted.value()
    }

    /// The value alone.
    pub fn into_value(self) -> T {
        self.accepted.into_value()
    }

    /// The checks that the value breaks; they warn and do not reject.
    pub fn warnings(&self) -> &[Failure] {
        self.record.warnings()
    }

    /// The citations and verbatim texts of the value, each with its place in the
    /// document, in the order of the value. Empty for a type that has none.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use typed_extract::{Cited, Extract, extract};
    ///
    /// #[derive(Deserialize, Extract)]
    /// struct Lease {
    ///     #[extract(verbatim)]
    ///     tenant: String,
    ///     rent: Cited<u32>,
    /// }
    ///
    /// let document = "A. Brun pays EUR 1,250.00 a month.";
    /// let reply = r#"{"tenant": "A. Brun", "rent": {"quote": "EUR 1,250.00", "value": 1250}}"#;
    /// let lease = extract::<Lease>().document(document).validate(reply)?;
    /// let places: Vec<_> = lease
    ///     .citations()
    ///     .iter()
    ///     .map(|one| (one.path().to_string(), one.span()))
    ///     .collect();
    /// assert_eq!(places, [("tenant".to_owned(), 0..7), ("rent".to_owned(), 13..25)]);
    /// # Ok::<(), typed_extract::Failures>(())
    /// ```
    pub fn citations(&self) -> &[Citation] {
        let last = self.record.attempts.last();
        last.map_or(&[], Attempt::citations)
    }

    /// What happened on the way.
    pub fn record(&self) -> &Record {
        &self.record
    }
}

impl<T> fmt::Debug for Extracted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extracted")
            .field("warnings", &self.warnings())
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}
