//! The builder of an extraction.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::settings::{Fallback, Settings};
use super::states::{ByModel, NoContext, NoDocument, NoModel, Target, Text};
use crate::budget::Budget;
use crate::evidence::document::Document;
use crate::flow::Plan;
use crate::model::Model;
use crate::normalization::Normalize;
use crate::repair::verify::{NoVerify, Verifier};
use crate::repair::{Example, Prompts, Repair};
use crate::schema::{DroppedKeyword, SchemaFault, SchemaNotation, WRAPPER_KEY};

/// An extraction being set up: see [`extract`](crate::extract()).
///
/// Awaiting it gives the value or an [`Error`](crate::Error). It needs a
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
    pub(super) plan: Result<Arc<Plan<T, T::Context>>, SchemaFault>,
    pub(super) settings: Settings<'a>,
    pub(super) states: States<Cx, M, D, V>,
    value: PhantomData<fn() -> T>,
}

/// The parts that change the type of the extraction when they are given.
pub(super) struct States<Cx, M, D, V> {
    pub(super) context: Cx,
    pub(super) model: M,
    pub(super) document: D,
    pub(super) verify: V,
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
    pub fn schema_notes(&self) -> &[DroppedKeyword] {
        self.plan.as_ref().map_or(&[], |plan| &plan.schema.notes)
    }
}

impl<T: Target> Extractor<'_, T> {
    pub(super) fn new(plan: Result<Arc<Plan<T, T::Context>>, SchemaFault>) -> Self {
        let hints = plan.as_ref().map(|plan| plan.hints).unwrap_or_default();
        Self {
            plan,
            settings: Settings {
                instructions: hints.instructions.map(Cow::Borrowed).into_iter().collect(),
                ..Settings::default()
            },
            states: States {
                context: NoContext(PhantomData),
                model: NoModel,
                document: NoDocument,
                verify: NoVerify,
            },
            value: PhantomData,
        }
    }
}

impl<'a, T: Target, Cx, M, D, V> Extractor<'a, T, Cx, M, D, V> {
    /// The extraction with a part that changes its type.
    fn given<Cx2, M2, D2, V2>(
        self,
        change: impl FnOnce(States<Cx, M, D, V>) -> States<Cx2, M2, D2, V2>,
    ) -> Extractor<'a, T, Cx2, M2, D2, V2> {
        Extractor {
            plan: self.plan,
            settings: self.settings,
            states: change(self.states),
            value: PhantomData,
        }
    }

    /// The model to ask: one of the adapters, [`model_fn`](crate::model_fn)
    /// around the client an application has, or a reference to either.
    pub fn model<N: Model>(self, model: N) -> Extractor<'a, T, Cx, ByModel<N>, D, V> {
        self.given(|states| States {
            model: ByModel(model),
            context: states.context,
            document: states.document,
            verify: states.verify,
        })
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
        self.given(|states| {
            let mut document = states.document.into();
            document.0.extend(documents.into_iter().map(Into::into));
            States {
                document,
                context: states.context,
                model: states.model,
                verify: states.verify,
            }
        })
    }

    /// The value that rules with a parameter named `context` read.
    pub fn context<'c>(self, context: &'c T::Context) -> Extractor<'a, T, &'c T::Context, M, D, V> {
        self.given(|states| States {
            context,
            model: states.model,
            document: states.document,
            verify: states.verify,
        })
    }

    /// Asks the outside about a value that has passed every other check: the
    /// async closure returns what a rule returns, and what it finds joins the
    /// same repair.
    ///
    /// A run with a verification is awaited where it stands; to spawn it on
    /// another thread, spawn its [`run`](Self::run) future.
    pub fn verify<F, O>(self, verify: F) -> Extractor<'a, T, Cx, M, D, Verifier<F>>
    where
        F: AsyncFn(&T) -> O,
        O: crate::rule::RuleOutcome,
    {
        self.given(|states| States {
            verify: Verifier(verify),
            context: states.context,
            model: states.model,
            document: states.document,
        })
    }

    /// Another model, to be asked where the one before gives no answer: it cannot be reached, its
    /// retries are used up, it refuses the request. Call it again for a third. A refusal or a
    /// reply that fails its checks is an answer, and once the deadline has passed nobody is asked.
    ///
    /// The run stays with the model that answered; nothing of this uses an attempt. Each is given
    /// the schema in its own [dialect](Model::dialect), and the record lists the
    /// [models that were skipped](crate::Record::skipped_models), each with its error.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use typed_extract::testing::{Script, Scripted};
    /// use typed_extract::model::ModelErrorKind;
    /// use typed_extract::{Extract, ModelError, extract};
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
    ///     .run()
    ///     .await?;
    /// assert_eq!(total.value().cents, 450);
    /// let passed = &total.record().skipped_models()[0];
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
    pub fn retry_truncated_with(mut self, tokens: u32) -> Self {
        self.settings.retry_truncated_with = Some(tokens);
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
    ///     .run()
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
