//! A reply judged beside what was right before it.

use std::time::Instant;

use super::deadline::with_deadline;
use super::guard::Baseline;
use super::patch::{Refused, Round};
use super::run::Run;
use super::state::State;
use super::verify::{Verify, verified};
use crate::failure::{Failure, Failures};
use crate::flow::{Judgement, Reading, Unread};
use crate::model::{ModelError, Reply};
use crate::path::FieldPath;
use crate::schema::dialect::Wire;

impl<T, C: ?Sized, V: Verify<T>> Run<'_, T, C, V> {
    /// A judged reply, merged with what was right before.
    pub(super) async fn judge(
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
            && let Ok(accepted) = &judged.judgement.verdict
        {
            let asked = async { Ok(verified(self.verify, accepted.value()).await) };
            // The reply is there, and its cost is known.
            let failures = with_deadline(deadline, asked)
                .await
                .map_err(|late| late.with_maybe_billed(false))?;
            if !failures.is_empty() {
                let schema = &self.flow.plan.schema;
                let failures = Failures::new(failures);
                let failures = failures.map_paths(|path| schema.to_reply_path(path));
                judged.judgement.verdict = Err(failures);
            }
        }
        if reply.only_reasoned() {
            judged.judgement.verdict = judged.judgement.verdict.map_err(Failures::name_reasoning);
        }
        // Regressions, patches and verifications have places of their own.
        judged.judgement.verdict = judged
            .judgement
            .verdict
            .map_err(|failures| self.flow.named(failures));
        Ok(judged)
    }

    fn judge_text(&self, text: &str, baseline: Option<&Baseline>) -> Judged<T> {
        let judged = self.flow.read(text).and_then(|reading| {
            let reading = self.flow.settled(reading);
            match baseline {
                None => Ok(self.judge_first(reading)),
                Some(earlier) => self.judge_beside(earlier, reading),
            }
        });
        judged.unwrap_or_else(|unread| Judged::new(self.flow.unread(unread), None))
    }

    fn judge_first(&self, reading: Reading<'_>) -> Judged<T> {
        let judgement = self.flow.check(&reading.tape, reading.steps);
        // Nothing is repaired where nothing is wrong, so no copy is kept.
        let may_fail = V::ASKS || judgement.verdict.is_err();
        let baseline = may_fail.then(|| reading.tape.root().raw().to_owned());
        Judged::new(judgement, baseline)
    }

    /// What becomes of a new reply beside an earlier one: that is put back in it which the model
    /// changed without need.
    fn judge_beside(&self, earlier: &Baseline, reading: Reading<'_>) -> Result<Judged<T>, Unread> {
        let before = self.flow.reread(&earlier.text)?;
        let schema = &self.flow.plan.schema.value;
        let root = reading.tape.root();
        let comparison = earlier.compare(before.root(), root, schema);
        let merged = comparison.edits.apply(root);
        let steps = reading.steps;
        // With values put back it can still pass a limit; then it is not judged without them.
        let tape = match self.flow.reread(&merged) {
            Ok(tape) => tape,
            Err(unread) => return Err(Unread { steps, ..unread }),
        };
        let judgement = self.flow.check(&tape, steps);
        let lost = !comparison.regressions.is_empty();
        let mut judged = Judged::new(judgement, (!lost).then_some(merged));
        judged.restored = comparison.restored;
        judged.regress(comparison.regressions, comparison.omitted);
        Ok(judged)
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
}

/// A judgement, and what the next attempt builds on.
pub(super) struct Judged<T> {
    pub(super) judgement: Judgement<T>,
    /// What was put back.
    pub(super) restored: Vec<FieldPath>,
    /// The text that the next reply is compared with.
    pub(super) baseline: Option<String>,
    /// Whether it is a patch that was not applied.
    pub(super) refused: bool,
    /// Whether it is a patch that gave what was there before.
    pub(super) changed_nothing: bool,
}

impl<T> Judged<T> {
    fn new(judgement: Judgement<T>, baseline: Option<String>) -> Self {
        Self {
            judgement,
            restored: Vec::new(),
            baseline,
            refused: false,
            changed_nothing: false,
        }
    }

    fn refused(refused: Refused) -> Self {
        let judgement = Judgement::failed(refused.failures, refused.steps);
        Self {
            refused: true,
            ..Self::new(judgement, None)
        }
    }

    /// A reply that lost what was right is not accepted, whatever else it is.
    fn regress(&mut self, mut failures: Vec<Failure>, mut omitted: usize) {
        if failures.is_empty() {
            return;
        }
        if let Err(known) = &self.judgement.verdict {
            failures.extend(known.iter().cloned());
            omitted += known.omitted();
        }
        self.judgement.verdict = Err(Failures::new(failures).with_omitted(omitted));
    }
}
