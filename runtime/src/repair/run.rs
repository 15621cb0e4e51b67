//! The loop: ask, judge, accept or ask again.

use std::collections::VecDeque;
use std::time::Instant;

use tracing::Instrument as _;

use super::attempt::{Asked, Pending, Sent};
use super::deadline::with_deadline;
use super::progress::{Answer, ProgressSender};
use super::state::{Ask, State};
use super::stop::stopped;
use super::strategy::Repair;
use super::trace;
use super::verify::Verify;
use crate::budget::{Budget, Exhausted};
use crate::error::{Error, ErrorKind};
use crate::failure::{Failure, Failures};
use crate::flow::{Accepted, Flow};
use crate::model::{Delta, ModelError, ModelErrorKind, Request};
use crate::record::{Attempt, Cost, Patch, Record, SkippedModel};
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
    pub(crate) candidate: Candidate<'a>,
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
    pub(crate) progress: Option<ProgressSender>,
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
        self.turn_to_candidate();
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
            let text = reply.text().to_owned();
            let attempt = asked.attempt.judged(reply, &judged, &self.flow.plan.schema);
            self.note(attempt);
            match judged.judgement.verdict {
                Ok(accepted) => {
                    self.record.accepted = true;
                    let schema = &self.flow.plan.schema;
                    let warnings = judged.judgement.warnings.into_iter();
                    let to_user = |path| schema.to_user_path(path);
                    self.record.warnings = warnings.map(|one| one.map_paths(to_user)).collect();
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
                Err(failures) if judged.refused => state.patch_again(text, failures),
                Err(failures) => state.repair(&self, text, failures, judged.baseline),
            }
        }
    }

    fn next_request(&self, state: &State, deadline: Option<Instant>) -> Sent {
        let mut wire = None;
        let mut schema = self.candidate.schema.clone();
        let prompt = match &state.repairs {
            None => self.message.extraction(),
            Some((Ask::Whole(shown), failures)) => self.message.repair(shown, failures),
            Some((Ask::Patch(round), failures)) => {
                wire = round.wire(&self.candidate);
                schema = wire.as_ref().map(|wire| round.wire_schema(wire));
                let schema = &self.flow.plan.schema;
                self.message.patch(round, wire.is_some(), failures, schema)
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
        let progress = self.progress.take();
        let answer = progress.as_ref().map(|progress| progress.attempt(number));
        // What arrives of a patch is not the value, so that nobody watches it.
        let mut answer = answer.filter(|_| state.round().is_none());
        let asked = loop {
            let mut sent = self.next_request(state, deadline);
            let model = self.candidate.model.id();
            let hold = (self.budget).reserve(&self.record, self.candidate.model, &sent.request)?;
            sent.request = hold.cap(sent.request);
            let mut asked = self
                .ask_candidate(&sent.request, number, answer.as_mut())
                .await;
            let cost = (self.budget).settle(hold, model, &sent.request, asked.reply.as_ref());
            asked.attempt.spent = cost;
            asked.attempt.patch = state.round().map(|round| Patch {
                places: {
                    let places = round.places().into_iter();
                    places
                        .map(|path| self.flow.plan.schema.to_user_path(path))
                        .collect()
                },
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
        self.progress = progress;
        Ok(asked)
    }

    async fn ask_candidate(
        &self,
        request: &Request,
        number: usize,
        answer: Option<&mut Answer<'_>>,
    ) -> Asked {
        let model = self.candidate.model;
        let span = trace::attempt(model.id(), number);
        let begun = Instant::now();
        let send = async {
            let Some(answer) = answer else {
                return model.generate(request).await;
            };
            let mut deltas = |delta: Delta<'_>| answer.take(delta);
            model.stream(request, &mut deltas).await
        };
        let reply = with_deadline(request.deadline(), send)
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
        WireSchema::new(self.candidate.model.dialect(), wire)
    }

    /// Turns to the next model for the rest of the run.
    fn pass_over(&mut self, error: ModelError, spent: Cost) {
        let model = self.candidate.model.id().to_owned();
        self.record.skipped_models.push(SkippedModel {
            model,
            error,
            spent,
        });
        if let Some(next) = self.fallbacks.pop_front() {
            self.candidate = next;
            self.turn_to_candidate();
        }
    }

    fn turn_to_candidate(&mut self) {
        self.message.restate = self.candidate.schema.is_none();
        self.flow.wire = self.candidate.shapes;
        self.record.origin.model = Some(self.candidate.model.id().into());
        self.record.origin.wire = self.candidate.dialect.clone();
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
