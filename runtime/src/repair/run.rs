//! The loop: ask, judge, accept or ask again.

use std::collections::VecDeque;
use std::time::Instant;

use tracing::Instrument as _;

use super::feed::{Answer, Feed};
use super::guard::{Baseline, Comparison};
use super::patch::{Refused, Round};
use super::stop::stopped;
use super::strategy::Repair;
use super::trace;
use super::verify::{Verify, verified};
use super::within::within;
use crate::budget::{Budget, Exhausted};
use crate::error::{Error, ErrorKind};
use crate::failure::{Failure, FailureCode, Failures, Layer};
use crate::flow::{Accepted, Flow, Judgement, Unread};
use crate::json::Tape;
use crate::model::{Delta, ModelError, ModelErrorKind, Reply, Request};
use crate::normalization::Normalization;
use crate::path::FieldPath;
use crate::record::Cost;
use crate::record::{Attempt, Patch, Record, SkippedModel};
use crate::repair::prompt::message::Message;
use crate::repair::{candidate::Candidate, candidate::passes_on};
use crate::schema::WireSchema;
use crate::schema::dialect::Wire;

/// One run: who is asked, who judges, what may be spent.
pub(crate) struct Run<'a, T, C: ?Sized, V> {
    pub(crate) flow: Flow<'a, T, C>,
    pub(crate) message: Message<'a>,
    /// Who is asked; the first in order until no answer comes, then the next for the rest of the
    /// run.
    pub(crate) party: Candidate<'a>,
    pub(crate) fallbacks: VecDeque<Candidate<'a>>,
    pub(crate) max_output_tokens: Option<u32>,
    pub(crate) budget: Budget,
    pub(crate) begun: Instant,
    pub(crate) retry_truncated_with: Option<u32>,
    pub(crate) repair: Repair,
    pub(crate) verify: &'a V,
    pub(crate) record: Record,
    pub(crate) log_replies: bool,
    /// Where the replies go while they arrive, if somebody watches.
    pub(crate) feed: Option<Feed>,
}

/// What an accepted run gives back.
pub(crate) struct Done<T> {
    pub(crate) accepted: Accepted<T>,
    pub(crate) record: Record,
}

impl<T, C: ?Sized, V: Verify<T>> Run<'_, T, C, V> {
    /// Asks until a reply is accepted or the run may not go on.
    pub(crate) async fn run(mut self) -> Result<Done<T>, Error> {
        // A limit that no clock can hold is none.
        let deadline = self
            .budget
            .deadline
            .and_then(|limit| Instant::now().checked_add(limit));
        self.turn_to_party();
        let mut state = State::default();
        loop {
            if !self.budget.allows_attempt(&self.record) {
                return Err(self.out_of_attempts());
            }
            let (sent, asked) = match self.ask(&state, deadline).await {
                Ok(asked) => asked,
                Err(why) => return Err(self.fail(ErrorKind::Budget, why.to_string())),
            };
            let reply = match asked.reply {
                Ok(reply) => reply,
                Err(error) => {
                    if !self.asks_again(&error) {
                        return Err(self.unanswered(error, asked.attempt));
                    }
                    self.note(asked.attempt.unanswered(error));
                    continue;
                }
            };
            if let Some(stop) = stopped(reply.finish()) {
                let attempt = asked.attempt.failed(reply, stop.failures());
                self.note(attempt);
                if self.raise_cap(&mut state, stop.kind) {
                    continue;
                }
                return Err(self.fail(stop.kind, stop.reason));
            }
            let judged = match self
                .judge(&reply, &state, sent.wire.as_ref(), deadline)
                .await
            {
                Ok(judged) => judged,
                Err(late) => {
                    let attempt = asked.attempt.failed(reply, Failures::default());
                    self.note(attempt);
                    return Err(self
                        .fail(ErrorKind::Deadline, late.to_string())
                        .with_source(late));
                }
            };
            let repeated =
                judged.changed_nothing || state.last_reply.as_deref() == Some(reply.text());
            let attempt = asked.attempt.judged(reply, &judged);
            self.note(attempt);
            match judged.verdict {
                Ok(accepted) => {
                    self.record.accepted = true;
                    self.record.warnings = judged.warnings;
                    return Ok(Done {
                        accepted,
                        record: self.record,
                    });
                }
                Err(failures) if failures.iter().any(Failure::is_panic) => {
                    return Err(self.fail(ErrorKind::Panicked, panicked(&failures)));
                }
                Err(_) if repeated => {
                    return Err(
                        self.fail(ErrorKind::Rejected, "the model gave the same reply twice")
                    );
                }
                Err(failures) if judged.refused => state.patch_again(&self, failures),
                Err(failures) => state.repair(&self, &failures, judged.baseline),
            }
        }
    }

    fn next_request(&self, state: &State, deadline: Option<Instant>) -> Sent {
        let mut wire = None;
        let mut schema = self.party.schema.clone();
        let prompt = match &state.repairs {
            None => self.message.extraction(),
            Some((Ask::Whole(shown), failures)) => {
                let place = |failure: &Failure, path: &FieldPath| {
                    let path = self.flow.in_reply(failure, path);
                    path.to_string()
                };
                self.message.repair(shown, failures, place)
            }
            Some((Ask::Patch(round), failures)) => {
                wire = round.wire(&self.party);
                schema = wire.as_ref().map(|wire| round.wire_schema(wire));
                self.message.patch(round, wire.is_some(), failures)
            }
        };
        let mut request = Request::new(prompt);
        if let Some(schema) = schema {
            request = request.with_wire_schema(schema);
        }
        if let Some(tokens) = state.raised_cap.or(self.max_output_tokens) {
            request = request.with_max_output_tokens(tokens);
        }
        if let Some(deadline) = deadline {
            request = request.with_deadline(deadline);
        }
        Sent { request, wire }
    }

    /// One attempt: asks until somebody answers or nobody is left to be asked.
    async fn ask(
        &mut self,
        state: &State,
        deadline: Option<Instant>,
    ) -> Result<(Sent, Asked), Exhausted> {
        let number = self.record.attempts.len() + 1;
        let feed = self.feed.take();
        let answer = feed.as_ref().map(|feed| feed.attempt(number));
        // What arrives of a patch is not the value, so that nobody watches it.
        let mut answer = answer.filter(|_| state.round().is_none());
        let asked = loop {
            let mut sent = self.next_request(state, deadline);
            let model = self.party.model.id();
            let hold = (self.budget).reserve(&self.record, self.party.model, &sent.request)?;
            sent.request = hold.cap(sent.request);
            let mut asked = self.ask_party(&sent.request, number, answer.as_mut()).await;
            let cost = (self.budget).settle(hold, model, &sent.request, asked.reply.as_ref());
            asked.attempt.spent = cost;
            asked.attempt.patch = state.round().map(|round| Patch {
                places: round.places(),
                wire: sent.wire.as_ref().map(|wire| self.dialect(wire)),
                applied: false,
                merged: None,
            });
            match asked.reply {
                Err(error) if passes_on(&error) && !self.fallbacks.is_empty() => {
                    self.pass_over(error, cost);
                    if let Some(answer) = &mut answer {
                        answer.take(Delta::Restart);
                    }
                }
                _ => break (sent, asked),
            }
        };
        self.feed = feed;
        Ok(asked)
    }

    async fn ask_party(
        &self,
        request: &Request,
        number: usize,
        answer: Option<&mut Answer<'_>>,
    ) -> Asked {
        let model = self.party.model;
        let span = trace::attempt(model.id(), number);
        let begun = Instant::now();
        let send = async {
            let Some(answer) = answer else {
                return model.generate(request).await;
            };
            let mut deltas = |delta: Delta<'_>| answer.take(delta);
            model.stream(request, &mut deltas).await
        };
        let reply = within(request.deadline(), send)
            .instrument(span.clone())
            .await;
        let latency = begun.elapsed();
        trace::answered(&span, reply.as_ref(), latency, self.log_replies);
        Asked {
            reply,
            attempt: Pending {
                latency,
                span,
                spent: Cost::NOTHING,
                patch: None,
            },
        }
    }

    fn dialect(&self, wire: &Wire) -> WireSchema {
        WireSchema::new(self.party.model.dialect(), wire)
    }

    /// Turns to the next model for the rest of the run.
    fn pass_over(&mut self, error: ModelError, spent: Cost) {
        let model = self.party.model.id().to_owned();
        self.record.skipped_models.push(SkippedModel {
            model,
            error,
            spent,
        });
        if let Some(next) = self.fallbacks.pop_front() {
            self.party = next;
            self.turn_to_party();
        }
    }

    fn turn_to_party(&mut self) {
        self.message.restate = self.party.schema.is_none();
        self.flow.wire = self.party.shapes;
        self.record.origin.model = Some(self.party.model.id().into());
        self.record.origin.wire = self.party.dialect.clone();
    }

    /// A judged reply, merged with what was right before.
    async fn judge(
        &self,
        reply: &Reply,
        state: &State,
        wire: Option<&Wire>,
        deadline: Option<Instant>,
    ) -> Result<Judged<T>, ModelError> {
        let mut judged = match state.round() {
            Some(round) => self.judge_patch(reply.text(), round, wire),
            None => self.judge_text(reply.text(), state.baseline.as_ref()),
        };
        if V::ASKS
            && let Ok(accepted) = &judged.verdict
        {
            let asked = async { Ok(verified(self.verify, accepted.value()).await) };
            // The reply is there, and its cost is known.
            let failures = within(deadline, asked)
                .await
                .map_err(|late| late.with_maybe_billed(false))?;
            if !failures.is_empty() {
                judged.verdict = Err(Failures::new(failures));
            }
        }
        if reply.only_reasoned() {
            judged.verdict = judged.verdict.map_err(Failures::name_reasoning);
        }
        // Regressions, patches and verifications have places of their own.
        judged.verdict = judged.verdict.map_err(|failures| self.flow.named(failures));
        Ok(judged)
    }

    fn judge_text(&self, text: &str, baseline: Option<&Baseline>) -> Judged<T> {
        let read = self.flow.read(text, |tape, steps| {
            let judge = |tape: &Tape<'_>, steps| self.judge_tape(tape, steps, baseline);
            self.flow.known(tape, steps, judge)
        });
        read.unwrap_or_else(|unread| Judged::new(self.flow.unread(unread), None))
    }

    fn judge_tape(
        &self,
        tape: &Tape<'_>,
        steps: Vec<Normalization>,
        baseline: Option<&Baseline>,
    ) -> Judged<T> {
        let Some(earlier) = baseline else {
            let judgement = self.flow.check(tape, steps);
            // Nothing is repaired where nothing is wrong, so no copy is kept.
            let may_fail = V::ASKS || judgement.verdict.is_err();
            let baseline = may_fail.then(|| tape.root().raw().to_owned());
            return Judged::new(judgement, baseline);
        };
        match self.compared(earlier, tape) {
            Ok((merged, comparison)) => self.judge_merged(&merged, comparison, steps),
            Err(unread) => Judged::new(self.flow.unread(unread), None),
        }
    }

    /// What becomes of a new reply beside an earlier one, and its text with that put back which the
    /// model changed without need.
    fn compared(
        &self,
        earlier: &Baseline,
        tape: &Tape<'_>,
    ) -> Result<(String, Comparison), Unread> {
        let before = self.parsed(&earlier.text)?;
        let schema = &self.flow.plan.schema.value;
        let comparison = earlier.compare(before.root(), tape.root(), schema);
        let merged = comparison.edits.apply(tape.root());
        Ok((merged, comparison))
    }

    fn judge_merged(
        &self,
        merged: &str,
        comparison: Comparison,
        steps: Vec<Normalization>,
    ) -> Judged<T> {
        let tape = match self.parsed(merged) {
            Ok(tape) => tape,
            Err(unread) => {
                let unread = Unread { steps, ..unread };
                return Judged::new(self.flow.unread(unread), None);
            }
        };
        let judgement = self.flow.check(&tape, steps);
        let lost = !comparison.regressions.is_empty();
        let baseline = (!lost).then(|| merged.to_owned());
        let mut judged = Judged::new(judgement, baseline);
        let restored = comparison.restored.into_iter();
        judged.restored = restored.map(|path| self.flow.seen(path)).collect();
        let regressions = comparison.regressions.into_iter();
        let regressions = regressions.map(|failure| self.flow.seen_failure(failure));
        judged.regress(regressions.collect(), comparison.omitted);
        judged
    }

    /// The text of a reply that was read before. With values put back it can still pass a limit;
    /// then it is not judged without them.
    fn parsed<'t>(&self, text: &'t str) -> Result<Tape<'t>, Unread> {
        Tape::parse(text, self.flow.limits).map_err(|error| {
            let path = error.path.iter().cloned().collect();
            let code = FailureCode::new(error.code.word());
            let failure = Failure::new(Layer::Parse, code, path, error.message.clone());
            Unread {
                failure: Box::new(self.flow.seen_failure(failure)),
                steps: Vec::new(),
            }
        })
    }

    /// The last reply with a patch in it. Beside the patch nothing of it can have changed, so that
    /// there is nothing to put back.
    fn judge_patch(&self, text: &str, round: &Round, wire: Option<&Wire>) -> Judged<T> {
        let shapes = wire.and_then(|wire| wire.shapes.as_ref());
        match round.apply(&self.flow, shapes, text) {
            Ok(applied) => Judged {
                changed_nothing: !applied.changed,
                ..Judged::new(applied.judgement, Some(applied.text))
            },
            Err(refused) => Judged::refused(refused),
        }
    }

    fn note(&mut self, attempt: Attempt) {
        self.record.attempts.push(attempt);
        self.record.elapsed = self.begun.elapsed();
    }

    /// Whether the same is asked anew: the model answered, and its provider would not give the
    /// answer out.
    fn asks_again(&self, error: &ModelError) -> bool {
        error.kind() == ModelErrorKind::InvalidOutput
            && self.budget.allows_another_attempt(&self.record)
    }

    /// Whether the run goes on with a higher output cap, once.
    fn raise_cap(&self, state: &mut State, kind: ErrorKind) -> bool {
        let current = self.max_output_tokens.unwrap_or(0);
        let higher = self.retry_truncated_with.filter(|cap| *cap > current);
        // Without an attempt left the run ends because the reply was cut, not
        // because it failed a check.
        let last = !self.budget.allows_attempt(&self.record);
        if kind != ErrorKind::Truncated || state.raised_cap.is_some() || higher.is_none() || last {
            return false;
        }
        state.raised_cap = higher;
        true
    }

    fn out_of_attempts(self) -> Error {
        let count = self.record.attempts.len();
        self.fail(
            ErrorKind::Rejected,
            match count {
                1 => "the one reply did not pass".to_owned(),
                _ => format!("no reply passed in {count} attempts"),
            },
        )
    }

    fn unanswered(mut self, error: ModelError, attempt: Pending) -> Error {
        let kind = match error.kind() {
            ModelErrorKind::Deadline => ErrorKind::Deadline,
            _ => ErrorKind::Model,
        };
        // What the last reply failed on still tells a reviewer where it stood.
        let known = self.last_failures();
        self.note(attempt.unanswered(error.clone()));
        Error::new(kind, error.to_string(), known, self.record).with_source(error)
    }

    fn last_failures(&self) -> Failures {
        let mut latest = self.record.attempts.iter().rev();
        let last = latest.find(|attempt| attempt.reply.is_some());
        last.map(|attempt| attempt.failures.clone())
            .unwrap_or_default()
    }

    fn fail(self, kind: ErrorKind, reason: impl Into<String>) -> Error {
        let failures = self.last_failures();
        Error::new(kind, reason.into(), failures, self.record)
    }
}

/// What changes from attempt to attempt.
#[derive(Default)]
struct State {
    /// What the next request asks for, and the failures it is to mend.
    repairs: Option<(Ask, Failures)>,
    last_reply: Option<String>,
    baseline: Option<Baseline>,
    raised_cap: Option<u32>,
}

/// What a repair asks for.
enum Ask {
    /// The whole reply again; this was the last.
    Whole(String),
    Patch(Box<Round>),
}

impl State {
    /// The patch that is asked for, if one is.
    fn round(&self) -> Option<&Round> {
        match &self.repairs {
            Some((Ask::Patch(round), _)) => Some(round),
            _ => None,
        }
    }

    /// Asks for the same patch again: the last one was not applied.
    fn patch_again<T, C: ?Sized, V>(&mut self, run: &Run<'_, T, C, V>, failures: Failures) {
        self.last_reply = last_text(&run.record);
        if let Some((_, known)) = &mut self.repairs {
            *known = failures;
        }
    }

    /// Prepares the next request: the last reply, its failures, and what must
    /// stay.
    fn repair<T, C: ?Sized, V>(
        &mut self,
        run: &Run<'_, T, C, V>,
        failures: &Failures,
        baseline: Option<String>,
    ) {
        let raw = last_text(&run.record);
        let round = baseline
            .as_deref()
            .and_then(|text| Round::new(&run.flow, text, failures, run.repair));
        let ask = match round {
            Some(round) => Ask::Patch(Box::new(round)),
            None => Ask::Whole(baseline.clone().or(raw.clone()).unwrap_or_default()),
        };
        self.repairs = Some((ask, failures.clone()));
        if let Some(text) = baseline {
            self.baseline = Some(Baseline::new(text, failed_places(&run.flow, failures)));
        }
        self.last_reply = raw;
    }
}

/// A request, and for a patch what its wire carries.
struct Sent {
    request: Request,
    wire: Option<Wire>,
}

/// What came of a request.
struct Asked {
    reply: Result<Reply, ModelError>,
    attempt: Pending,
}

/// An attempt whose end is not known yet.
struct Pending {
    latency: std::time::Duration,
    span: tracing::Span,
    spent: Cost,
    patch: Option<Patch>,
}

impl Pending {
    fn attempt(self) -> Attempt {
        Attempt {
            reply: None,
            error: None,
            failures: Failures::default(),
            normalizations: Vec::new(),
            citations: Vec::new(),
            restored: Vec::new(),
            patch: self.patch,
            latency: self.latency,
            spent: self.spent,
            reply_bytes: None,
        }
    }

    fn unanswered(self, error: ModelError) -> Attempt {
        Attempt {
            error: Some(error),
            ..self.attempt()
        }
    }

    fn failed(self, reply: Reply, failures: Failures) -> Attempt {
        trace::judged(&self.span, &failures);
        Attempt {
            reply: Some(reply),
            failures,
            ..self.attempt()
        }
    }

    fn judged<T>(mut self, reply: Reply, judged: &Judged<T>) -> Attempt {
        if let Some(patch) = self.patch.as_mut().filter(|_| !judged.refused) {
            patch.applied = judged.baseline.is_some();
            patch.merged.clone_from(&judged.baseline);
        }
        let failures = judged.verdict.as_ref().err().cloned().unwrap_or_default();
        let normalizations = judged.normalizations.clone();
        let restored = judged.restored.clone();
        Attempt {
            normalizations,
            citations: judged.citations.clone(),
            restored,
            ..self.failed(reply, failures)
        }
    }
}

/// A judgement, and what of it the next attempt builds on.
struct Judged<T> {
    verdict: Result<Accepted<T>, Failures>,
    warnings: Vec<Failure>,
    normalizations: Vec<Normalization>,
    citations: Vec<crate::evidence::Citation>,
    restored: Vec<FieldPath>,
    /// The text that the next reply is compared with.
    baseline: Option<String>,
    /// Whether it is a patch that was not applied.
    refused: bool,
    /// Whether it is a patch that gave what was there before.
    changed_nothing: bool,
}

impl<T> Judged<T> {
    fn new(judgement: Judgement<T>, baseline: Option<String>) -> Self {
        Self {
            verdict: judgement.verdict,
            warnings: judgement.warnings,
            normalizations: judgement.normalizations,
            citations: judgement.citations,
            restored: Vec::new(),
            baseline,
            refused: false,
            changed_nothing: false,
        }
    }

    fn refused(refused: Refused) -> Self {
        let judgement = Judgement {
            verdict: Err(refused.failures),
            warnings: Vec::new(),
            normalizations: refused.steps,
            citations: Vec::new(),
        };
        Self {
            refused: true,
            ..Self::new(judgement, None)
        }
    }

    /// A reply that lost what was right is not accepted, whatever else it is.
    fn regress(&mut self, regressions: Vec<Failure>, mut omitted: usize) {
        let mut failures = regressions;
        if failures.is_empty() {
            return;
        }
        if let Err(known) = &self.verdict {
            failures.extend(known.iter().cloned());
            omitted += known.omitted();
        }
        self.verdict = Err(Failures::new(failures).with_omitted(omitted));
    }
}

/// All places that failures concern, as they stand in the reply; nothing where some failures are
/// not spelled out.
fn failed_places<T, C: ?Sized>(
    flow: &Flow<'_, T, C>,
    failures: &Failures,
) -> Option<Vec<FieldPath>> {
    let concerned = failures.iter().flat_map(|failure| {
        let paths = std::iter::once(failure.path()).chain(failure.related());
        paths.map(|path| flow.in_reply(failure, path))
    });
    (failures.omitted() == 0).then(|| concerned.collect())
}

/// The last reply as it came.
fn last_text(record: &Record) -> Option<String> {
    let reply = record.attempts.last()?.reply.as_ref()?;
    Some(reply.text().to_owned())
}

/// What panicked, by its name; the panic's own words may quote the reply and stand in the failure.
fn panicked(failures: &Failures) -> String {
    let name = failures
        .iter()
        .find(|one| one.is_panic())
        .and_then(Failure::rule);
    match name {
        Some(name) => format!("the rule {name} panicked while the reply was checked"),
        None => "the type's own code panicked while the reply was bound".to_owned(),
    }
}
