//! A record without what document and replies say.

use std::collections::HashSet;

use super::{Attempt, Patch, Record, SkippedModel};
use crate::failure::{Failure, Failures};
use crate::model::{FinishReason, ModelError, Reply};
use crate::normalization::Normalization;
use crate::path::FieldPath;
use crate::schema::property_names;

pub(super) fn redacted(record: &Record) -> Record {
    if record.redacted {
        return record.clone();
    }
    let mut origin = record.origin.clone();
    let schema = origin.schema.kept().unwrap_or_default();
    let names = Names(serde_json::from_str(schema).map_or_else(|_| HashSet::new(), property_names));
    for text in [&mut origin.document, &mut origin.schema, &mut origin.rules] {
        *text = text.removed();
    }
    let passed = record.skipped_models.iter().map(|passed| SkippedModel {
        error: unsaid(&passed.error),
        ..passed.clone()
    });
    Record {
        attempts: record
            .attempts
            .iter()
            .map(|one| names.attempt(one))
            .collect(),
        skipped_models: passed.collect(),
        warnings: (record.warnings.iter())
            .map(|one| names.failure(one))
            .collect(),
        origin,
        redacted: true,
        elapsed: record.elapsed,
        accepted: record.accepted,
        crate_version: record.crate_version.clone(),
    }
}

/// The wire names of the type; other keys are the reply's own.
struct Names(HashSet<String>);

impl Names {
    fn attempt(&self, attempt: &Attempt) -> Attempt {
        let failures = attempt.failures.iter().map(|one| self.failure(one));
        let steps = attempt.normalizations.iter().cloned();
        let length = |reply: &Reply| reply.text().len();
        Attempt {
            reply: attempt.reply.as_ref().map(unread),
            reply_bytes: attempt.reply.as_ref().map(length),
            error: attempt.error.as_ref().map(unsaid),
            failures: Failures::new(failures.collect()).with_omitted(attempt.failures.omitted()),
            normalizations: steps
                .map(|step: Normalization| step.map_path(|path| self.path(&path)))
                .collect(),
            citations: attempt
                .citations
                .iter()
                .map(|one| one.redacted(self.path(one.path())))
                .collect(),
            restored: attempt
                .restored
                .iter()
                .map(|path| self.path(path))
                .collect(),
            patch: attempt.patch.as_ref().map(|patch| Patch {
                places: patch.places.iter().map(|path| self.path(path)).collect(),
                wire: patch.wire.clone(),
                applied: patch.applied,
                merged: None,
            }),
            latency: attempt.latency,
            spent: attempt.spent,
        }
    }

    fn failure(&self, failure: &Failure) -> Failure {
        let related = failure.related().iter().map(|path| self.path(path));
        let place = self.path(failure.path());
        let redacted = Failure::new(failure.layer(), failure.code().clone(), place, "");
        let redacted = redacted
            .with_related(related.collect())
            .with_spans(failure.spans().to_vec());
        match failure.rule() {
            Some(rule) => redacted.with_rule(rule.to_owned()),
            None => redacted,
        }
    }

    fn path(&self, path: &FieldPath) -> FieldPath {
        path.masked(|key| self.0.contains(key))
    }
}

/// A reply without its text.
fn unread(reply: &Reply) -> Reply {
    reply.without_text(match reply.finish() {
        FinishReason::Refused { .. } => FinishReason::Refused { message: None },
        FinishReason::Filtered { .. } => FinishReason::Filtered { reason: None },
        known => known.clone(),
    })
}

/// An error without its message.
fn unsaid(error: &ModelError) -> ModelError {
    error.without_message()
}
