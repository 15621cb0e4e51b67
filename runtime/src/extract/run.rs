//! From a builder to a run: what is set up wrongly is told before anything is sent.

use std::sync::Arc;

use super::builder::Extractor;
use super::extracted::Extracted;
use super::fault::{uncarried, unusable, unusable_failures};
use super::states::{ChosenModel, GivenContext, GivenDocument, Target};
use super::stream::ExtractStream;
use crate::error::Error;
use crate::evidence::document::{empty_one, identity, wrong_ids};
use crate::failure::{Failure, FailureCode, Failures, Layer};
use crate::flow::{Flow, Plan};
use crate::model::{FormatCapability, Model, Reply, ResponseSchema};
use crate::normalization::Normalize;
use crate::partial;
use crate::path::FieldPath;
use crate::record::{Attempt, Cost, Origin, Record, TextOrHash};
use crate::repair::verify::Verify;
use crate::repair::{Candidate, Message, ProgressSender, Run, progress, schema_text};
use crate::schema::{SchemaFault, WireSchema};

/// A model with what its wire carries of the schema, where it carries one.
fn candidate<'p, T, C: ?Sized>(
    plan: &'p Plan<T, C>,
    model: &'p dyn Model,
) -> Result<Candidate<'p>, Error> {
    let mut candidate = Candidate {
        model,
        schema: None,
        dialect: None,
        shapes: None,
    };
    if model.capability() == FormatCapability::JsonSchema {
        let wire = plan.wire(model.dialect());
        let wire = wire.map_err(|why| uncarried(plan, why))?;
        let name = plan.wire_name.clone();
        candidate.schema = Some(ResponseSchema::new(name, Arc::clone(&wire.schema)));
        candidate.dialect = Some(WireSchema::new(model.dialect(), wire));
        candidate.shapes = wire.shapes.as_ref();
    }
    Ok(candidate)
}

impl<T: Target, Cx, M, D, V> Extractor<'_, T, Cx, M, D, V>
where
    Cx: GivenContext<T::Context>,
    D: GivenDocument,
{
    fn flow<'f>(&'f self, plan: &'f Plan<T, T::Context>) -> Flow<'f, T, T::Context> {
        Flow::new(plan, self.states.context.context(), self.settings.normalize)
            .with_documents(self.states.document.given())
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
            Some(sourced) if self.states.document.given().len() > 1 => sourced(),
            _ => Ok(plan),
        }
    }

    fn origin(&self, plan: &Plan<T, T::Context>) -> Origin {
        let (settings, documents) = (&self.settings, self.states.document.given());
        Origin {
            model: None,
            wire: None,
            prompt_version: settings
                .prompts
                .version(settings.notation, documents.len())
                .into(),
            schema: TextOrHash::text(plan.schema.text.clone()),
            rules: TextOrHash::text(plan.rules.clone()),
            notes: plan.schema.notes.clone(),
            document: TextOrHash::text(identity(documents)),
            currency: settings.budget.currency(),
        }
    }

    fn message<'f>(&'f self, plan: &'f Plan<T, T::Context>) -> Message<'f> {
        let settings = &self.settings;
        Message {
            prompts: &settings.prompts,
            schema: &plan.schema.asked,
            schema_text: schema_text(&plan.schema, settings.notation),
            rules: &plan.rules,
            instructions: &settings.instructions,
            examples: &settings.examples,
            documents: self.states.document.given(),
            restate: false,
        }
    }

    /// What is set up wrongly, before anything is sent.
    fn check(&self, plan: &Plan<T, T::Context>) -> Result<(), Error> {
        if self.settings.budget.attempts == 0 {
            return Err(Error::config(
                "zero attempts allow no request; allow at least one with `.attempts(1)`",
            ));
        }
        let documents = self.states.document.given();
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
            let context = self.states.context.context();
            let flow = Flow::new(plan, context, Normalize::none())
                .with_documents(std::slice::from_ref(&example.document));
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
        if let Some(reason) = wrong_ids(self.states.document.given()) {
            let code = FailureCode::new("support.unsupported");
            let failure = Failure::new(Layer::Support, code, FieldPath::root(), reason);
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
            spent: Cost::NOTHING,
            reply_bytes: None,
        };
        let mut record = Record::new(self.origin(plan));
        record.attempts.push(attempt);
        record.accepted = true;
        record.warnings = judgement.warnings;
        Ok(Extracted { accepted, record })
    }

    /// The prompt of the first request, without a model and without sending anything.
    ///
    /// It is what a model gets that enforces the schema. For any other the required keys and
    /// their types in words are added at its end.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Schema`](crate::ErrorKind::Schema) where the type's schema cannot be used,
    /// [`ErrorKind::Config`](crate::ErrorKind::Config) where the extraction is set up wrongly.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use typed_extract::{Extract, extract};
    ///
    /// #[derive(Deserialize, Extract)]
    /// struct Note {
    ///     title: String,
    /// }
    ///
    /// let prompt = extract::<Note>().document("Minutes of 12 May").prompt()?;
    /// assert!(prompt.contains("Minutes of 12 May"));
    /// assert!(prompt.contains(r#""title""#));
    /// # Ok::<(), typed_extract::Error>(())
    /// ```
    pub fn prompt(&self) -> Result<String, Error>
    where
        Cx: GivenContext<T::Context>,
        D: GivenDocument,
    {
        let plan = &self.plan().map_err(|fault| unusable(&fault))?;
        self.check(plan)?;
        Ok(self.message(plan).extraction())
    }

    /// Runs the extraction and gives the value with its account.
    ///
    /// # Errors
    ///
    /// An [`Error`] of any kind; it carries the same account.
    pub async fn run(self) -> Result<Extracted<T>, Error>
    where
        Cx: GivenContext<T::Context>,
        M: ChosenModel,
        D: GivenDocument,
        V: Verify<T>,
    {
        self.start(None).await
    }

    /// The earlier name of [`run`](Self::run).
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    #[deprecated(note = "named `run`")]
    pub async fn detailed(self) -> Result<Extracted<T>, Error>
    where
        Cx: GivenContext<T::Context>,
        M: ChosenModel,
        D: GivenDocument,
        V: Verify<T>,
    {
        self.run().await
    }

    /// Runs the extraction and shows what arrives while it does: each request as it is sent, the
    /// reply so far, and at the end what [`run`](Self::run) gives, through the same
    /// checks and repairs.
    ///
    /// Only [`Event::Done`](crate::Event::Done) holds data. A [`Partial`](crate::Partial) is
    /// unchecked and may be corrected by a repair; a model that cannot stream shows its reply at
    /// once, when it is whole. A repair by [patch](crate::Repair::Patch) shows none: what arrives is not
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
    /// Where only the result is wanted after a while, [`finish`](ExtractStream::finish) gives it:
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
    pub fn stream(self) -> ExtractStream<T, impl Future<Output = Result<Extracted<T>, Error>>>
    where
        Cx: GivenContext<T::Context>,
        M: ChosenModel,
        D: GivenDocument,
        V: Verify<T>,
    {
        let (sender, receiver) = progress(self.partial_settings());
        ExtractStream::new(self.start(Some(sender)), receiver)
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

    async fn start(self, progress: Option<ProgressSender>) -> Result<Extracted<T>, Error>
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
            message: self.message(plan),
            candidate: candidate(plan, self.states.model.chosen())?,
            fallbacks: fallbacks
                .map(|fallback| candidate(plan, &*fallback.0))
                .collect::<Result<_, _>>()?,
            max_output_tokens: settings.max_output_tokens,
            budget: settings.budget.clone(),
            begun: std::time::Instant::now(),
            retry_truncated_with: settings.retry_truncated_with,
            repair: settings.repair,
            verify: &self.states.verify,
            record: Record::new(self.origin(plan)),
            log_replies: settings.log_replies,
            progress,
        };
        let done = run.run().await?;
        Ok(Extracted {
            accepted: done.accepted,
            record: done.record,
        })
    }
}
