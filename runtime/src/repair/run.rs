//! The loop: ask, judge, accept or ask again.

use std::collections::VecDeque;
use std::pin::pin;
use std::task::Poll;
use std::time::Instant;

use futures_timer::Delay;
use tracing::Instrument as _;

use super::budget::{Budget, Exhausted, Spent};
use super::drift::Baseline;
use super::feed::{Answer, Feed};
use super::message::Message;
use super::party::{Party, passes_on};
use super::record::{Attempt, PassedOver, Record};
use super::trace;
use super::verify::Verify;
use crate::error::{Error, ErrorKind};
use crate::failure::{Code, Failure, Failures, Layer};
use crate::flow::tape::Tape;
use crate::flow::{Accepted, Flow, Judgement};
use crate::model::{Delta, Finish, ModelError, ModelErrorKind, Reply, Request};
use crate::path::Path;

/// One run: who is asked, who judges, what may be spent.
pub(crate) struct Run<'a, T, C: ?Sized, V> {
    pub(crate) flow: Flow<'a, T, C>,
    pub(crate) message: Message<'a>,
    /// Who is asked; the first in order until no answer comes, then the next for the rest of the
    /// run.
    pub(crate) party: Party<'a>,
    pub(crate) fallbacks: VecDeque<Party<'a>>,
    pub(crate) max_output_tokens: Option<u32>,
    pub(crate) budget: Budget,
    pub(crate) truncation_cap: Option<u32>,
    pub(crate) verify: &'a V,
    pub(crate) record: Record,
    pub(crate) log_replies: bool,
    /// Where the replies go while they arrive, if somebody watches.
    pub(crate) feed: Option<Feed>,
}

/// What an accepted run gives back.
pub(crate) struct Done<T> {
    pub(crate) accepted: Accepted<T>,
    pub(crate) warnings: Vec<Failure>,
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
            if let Err(why) = state.spent.allows(self.budget) {
                return Err(self.exhausted(why));
            }
            let (request, asked) = self.ask(&state, deadline).await;
            let reply = match asked.reply {
                Ok(reply) => reply,
                Err(error) => {
                    state.spent.settle(&request, "", error.usage());
                    if !self.asks_again(&state, &error) {
                        return Err(self.unanswered(error, asked.attempt));
                    }
                    self.note(asked.attempt.unanswered(error));
                    continue;
                }
            };
            state.spent.settle(&request, reply.text(), reply.usage());
            if let Some(stop) = stopped(reply.finish()) {
                let attempt = asked.attempt.failed(reply, stop.failures());
                self.note(attempt);
                if self.raise_cap(&mut state, stop.kind) {
                    continue;
                }
                return Err(self.fail(stop.kind, stop.reason));
            }
            let judged = match self.judge(&reply, state.baseline.as_ref(), deadline).await {
                Ok(judged) => judged,
                Err(late) => {
                    let attempt = asked.attempt.failed(reply, Failures::default());
                    self.note(attempt);
                    return Err(self
                        .fail(ErrorKind::Deadline, late.to_string())
                        .with_source(late));
                }
            };
            let repeated = state.last_reply.as_deref() == Some(reply.text());
            let attempt = asked.attempt.judged(reply, &judged);
            self.note(attempt);
            match judged.verdict {
                Ok(accepted) => {
                    let warnings = judged.warnings;
                    return Ok(Done {
                        accepted,
                        warnings,
                        record: self.record,
                    });
                }
                Err(_) if repeated => {
                    return Err(
                        self.fail(ErrorKind::Rejected, "the model gave the same reply twice")
                    );
                }
                Err(failures) => state.repair(&self, &failures, judged.baseline),
            }
        }
    }

    fn next_request(&self, state: &State, deadline: Option<Instant>) -> Request {
        let prompt = match &state.repairs {
            None => self.message.extraction(),
            Some((shown, failures)) => self.message.repair(shown, failures),
        };
        let mut request = Request::new(prompt);
        if let Some(schema) = &self.party.schema {
            request = request.with_wire_schema(schema.clone());
        }
        if let Some(tokens) = state.raised_cap.or(self.max_output_tokens) {
            request = request.with_max_output_tokens(tokens);
        }
        match deadline {
            Some(deadline) => request.with_deadline(deadline),
            None => request,
        }
    }

    /// One attempt: asks until somebody answers or nobody is left to be asked.
    async fn ask(&mut self, state: &State, deadline: Option<Instant>) -> (Request, Asked) {
        let number = self.record.attempts.len() + 1;
        let feed = self.feed.take();
        let mut answer = feed.as_ref().map(|feed| feed.attempt(number));
        let asked = loop {
            let request = self.next_request(state, deadline);
            let asked = self.ask_party(&request, number, answer.as_mut()).await;
            match asked.reply {
                Err(error) if passes_on(&error) && !self.fallbacks.is_empty() => {
                    self.pass_over(error);
                    if let Some(answer) = &mut answer {
                        answer.take(Delta::Restart);
                    }
                }
                _ => break (request, asked),
            }
        };
        self.feed = feed;
        asked
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
            attempt: Pending { latency, span },
        }
    }

    /// Turns to the next model for the rest of the run.
    fn pass_over(&mut self, error: ModelError) {
        let model = self.party.model.id().to_owned();
        self.record.passed_over.push(PassedOver { model, error });
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
        baseline: Option<&Baseline>,
        deadline: Option<Instant>,
    ) -> Result<Judged<T>, ModelError> {
        let mut judged = self.judge_text(reply.text(), baseline);
        if V::ASKS
            && let Ok(accepted) = &judged.verdict
        {
            let asked = async { Ok(self.verify.verify(accepted.value()).await) };
            // The reply is there, and its cost is known.
            let violations = within(deadline, asked)
                .await
                .map_err(|late| late.with_maybe_billed(false))?;
            let failures: Vec<Failure> = violations.into_iter().map(refused).collect();
            if !failures.is_empty() {
                judged.verdict = Err(Failures::new(failures));
            }
        }
        Ok(judged)
    }

    fn judge_text(&self, text: &str, baseline: Option<&Baseline>) -> Judged<T> {
        let read = self.flow.read(text, |tape, steps| {
            let Some(earlier) = baseline else {
                let judgement = self.flow.check(tape, steps);
                // Nothing is repaired where nothing is wrong, so no copy is kept.
                let may_fail = V::ASKS || judgement.verdict.is_err();
                let baseline = may_fail.then(|| tape.root().raw().to_owned());
                return Judged::new(judgement, baseline);
            };
            let earlier_tape = Tape::parse(&earlier.text, self.flow.limits);
            let merge =
                earlier_tape.map(|tape_before| earlier.merge(tape_before.root(), tape.root()));
            let Ok(merge) = merge else {
                return Judged::new(self.flow.check(tape, steps), None);
            };
            let merged = merge.edits.apply(tape.root());
            let judgement = match Tape::parse(&merged, self.flow.limits) {
                Ok(tape) => self.flow.check(&tape, steps),
                Err(_) => self.flow.check(tape, steps),
            };
            let lost = !merge.regressions.is_empty();
            let baseline = (!lost).then_some(merged);
            let mut judged = Judged::new(judgement, baseline);
            judged.restored = merge
                .restored
                .into_iter()
                .map(|path| self.flow.seen(path))
                .collect();
            judged.regress(
                merge
                    .regressions
                    .into_iter()
                    .map(|failure| failure.map_paths(|path| self.flow.seen(path))),
            );
            judged
        });
        read.unwrap_or_else(|unread| Judged::new(unread.into(), None))
    }

    fn note(&mut self, attempt: Attempt) {
        self.record.attempts.push(attempt);
    }

    /// Whether the same is asked anew: the model answered, and its provider would not give the
    /// answer out.
    fn asks_again(&self, state: &State, error: &ModelError) -> bool {
        error.kind() == ModelErrorKind::InvalidOutput && state.spent.allows(self.budget).is_ok()
    }

    /// Whether the run goes on with a higher output cap, once.
    fn raise_cap(&self, state: &mut State, kind: ErrorKind) -> bool {
        let current = self.max_output_tokens.unwrap_or(0);
        let higher = self.truncation_cap.filter(|cap| *cap > current);
        // Without an attempt left the run ends because the reply was cut, not
        // because it failed a check.
        let last = state.spent.allows(self.budget) == Err(Exhausted::Attempts);
        if kind != ErrorKind::Truncated || state.raised_cap.is_some() || higher.is_none() || last {
            return false;
        }
        state.raised_cap = higher;
        true
    }

    fn exhausted(self, why: Exhausted) -> Error {
        match why {
            Exhausted::Attempts => {
                let count = self.record.attempts.len();
                let reason = format!("no reply passed in {count} attempts");
                self.fail(ErrorKind::Rejected, reason)
            }
            Exhausted::Tokens {
                spent,
                expected,
                limit,
            } => self.fail(
                ErrorKind::Budget,
                format!(
                    "{spent} tokens are spent and the next request is expected to use {expected} \
                     more; the limit is {limit}"
                ),
            ),
        }
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
    /// What the next request is to mend: the reply to show, and its failures.
    repairs: Option<(String, Failures)>,
    last_reply: Option<String>,
    baseline: Option<Baseline>,
    spent: Spent,
    raised_cap: Option<u32>,
}

impl State {
    /// Prepares the next request: the last reply, its failures, and what must
    /// stay.
    fn repair<T, C: ?Sized, V>(
        &mut self,
        run: &Run<'_, T, C, V>,
        failures: &Failures,
        baseline: Option<String>,
    ) {
        let last = run
            .record
            .attempts
            .last()
            .and_then(|attempt| attempt.reply.as_ref());
        let raw = last
            .map(|reply| reply.text().to_owned())
            .unwrap_or_default();
        let shown = baseline.clone().unwrap_or_else(|| raw.clone());
        self.repairs = Some((shown, failures.clone()));
        if let Some(text) = baseline {
            self.baseline = Some(Baseline::new(text, failures, |path| run.flow.own(path)));
        }
        self.last_reply = Some(raw);
    }
}

/// A request that was sent.
struct Asked {
    reply: Result<Reply, ModelError>,
    attempt: Pending,
}

/// An attempt whose end is not known yet.
struct Pending {
    latency: std::time::Duration,
    span: tracing::Span,
}

impl Pending {
    fn attempt(self) -> Attempt {
        Attempt {
            reply: None,
            error: None,
            failures: Failures::default(),
            normalizations: Vec::new(),
            restored: Vec::new(),
            latency: self.latency,
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

    fn judged<T>(self, reply: Reply, judged: &Judged<T>) -> Attempt {
        let failures = judged.verdict.as_ref().err().cloned().unwrap_or_default();
        let normalizations = judged.normalizations.clone();
        let restored = judged.restored.clone();
        Attempt {
            normalizations,
            restored,
            ..self.failed(reply, failures)
        }
    }
}

/// A judgement, and what of it the next attempt builds on.
struct Judged<T> {
    verdict: Result<Accepted<T>, Failures>,
    warnings: Vec<Failure>,
    normalizations: Vec<crate::flow::Normalization>,
    restored: Vec<Path>,
    /// The text that the next reply is compared with.
    baseline: Option<String>,
}

impl<T> Judged<T> {
    fn new(judgement: Judgement<T>, baseline: Option<String>) -> Self {
        Self {
            verdict: judgement.verdict,
            warnings: judgement.warnings,
            normalizations: judgement.normalizations,
            restored: Vec::new(),
            baseline,
        }
    }

    /// A reply that lost what was right is not accepted, whatever else it is.
    fn regress(&mut self, regressions: impl Iterator<Item = Failure>) {
        let mut failures: Vec<Failure> = regressions.collect();
        if failures.is_empty() {
            return;
        }
        if let Err(known) = &self.verdict {
            failures.extend(known.iter().cloned());
        }
        self.verdict = Err(Failures::new(failures));
    }
}

/// A reply that did not end by itself.
struct Stop {
    kind: ErrorKind,
    code: &'static str,
    reason: String,
}

impl Stop {
    fn failures(&self) -> Failures {
        let code = Code::new(self.code);
        Failures::new(vec![Failure::new(
            Layer::Finish,
            code,
            Path::root(),
            self.reason.as_str(),
        )])
    }
}

/// Why a reply with this finish reason is never parsed; `None` if it ended by
/// itself.
fn stopped(finish: &Finish) -> Option<Stop> {
    let stop = |kind, code, reason: &str| {
        Some(Stop {
            kind,
            code,
            reason: reason.to_owned(),
        })
    };
    match finish {
        Finish::Stop => None,
        Finish::Truncated => stop(
            ErrorKind::Truncated,
            "truncated",
            "the reply was cut off at its output limit; allow more output tokens",
        ),
        Finish::Refused { .. } => stop(
            ErrorKind::Refused,
            "refusal",
            "the model declined to answer",
        ),
        Finish::Filtered { .. } => stop(
            ErrorKind::Filtered,
            "content_filter",
            "a content filter ended the reply",
        ),
        Finish::Unknown(raw) => stop(
            ErrorKind::Unfinished,
            "finish.unknown",
            &format!("the reply ended for a reason that is not known to be a success: {raw:?}"),
        ),
    }
}

fn refused(violation: crate::rule::Violation) -> Failure {
    let (message, place) = violation.into_parts();
    let path = place.unwrap_or_default();
    Failure::new(Layer::Rule, Code::new("rule"), path, message).with_rule("verify")
}

/// An answer, if it comes before the deadline. One that was given up may be billed all the same.
async fn within<A>(
    deadline: Option<Instant>,
    answer: impl Future<Output = Result<A, ModelError>>,
) -> Result<A, ModelError> {
    let Some(deadline) = deadline else {
        return answer.await;
    };
    let late = || {
        ModelError::new(
            ModelErrorKind::Deadline,
            "the deadline of the run has passed",
        )
    };
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(late());
    }
    let mut answer = pin!(answer);
    let mut timer = pin!(Delay::new(left));
    std::future::poll_fn(|cx| {
        if let Poll::Ready(reply) = answer.as_mut().poll(cx) {
            return Poll::Ready(reply);
        }
        timer
            .as_mut()
            .poll(cx)
            .map(|()| Err(late().with_maybe_billed(true)))
    })
    .await
}
