//! A record as JSON.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::document::{
    Amended, Charge, Counts, End, Ended, Keyword, Lost, Passed, Place, Quoted, Said, Source, Step,
    Stored, Total, Tried, VERSION, Wire, Wrong,
};
use super::{Attempt, Patch, Record, SkippedModel, TextOrHash};
use crate::evidence::Citation;
use crate::failure::Failure;
use crate::model::{FinishReason, ModelError, Reply, Usage};
use crate::normalization::Normalization;
use crate::path::FieldPath;
use crate::record::Cost;
use crate::schema::{DroppedKeyword, WireSchema};

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        document(self).serialize(serializer)
    }
}

fn document(record: &Record) -> Stored<'_> {
    let origin = &record.origin;
    let spent = record.cost();
    Stored {
        version: VERSION,
        redacted: record.redacted,
        crate_version: record.crate_version().into(),
        prompt_version: record.prompt_version().into(),
        model: record.model().map(Cow::from),
        document: source(&origin.document),
        schema_dialect: record.schema_dialect().into(),
        schema: source(&origin.schema),
        rules: source(&origin.rules),
        notes: origin.notes.iter().map(keyword).collect(),
        wire: origin.wire.as_ref().map(wire),
        skipped_models: record.skipped_models.iter().map(passed).collect(),
        attempts: (record.attempts.iter().map(tried)).collect(),
        accepted: record.accepted,
        warnings: record.warnings.iter().map(wrong).collect(),
        spent: Total {
            input_tokens: spent.input,
            output_tokens: spent.output,
            estimated: spent.estimated,
            money: spent.money,
            currency: record.currency().map(Cow::from),
            elapsed_ms: milliseconds(spent.elapsed),
        },
    }
}

fn source(held: &TextOrHash) -> Source<'_> {
    Source {
        sha256: held.hash().into(),
        bytes: held.bytes(),
        text: held.kept().map(Cow::from),
    }
}

fn keyword(dropped: &DroppedKeyword) -> Keyword<'_> {
    Keyword {
        pointer: dropped.pointer().into(),
        keyword: dropped.keyword().into(),
    }
}

fn wire(dialect: &WireSchema) -> Wire<'_> {
    Wire {
        dialect: dialect.dialect().as_str().into(),
        dropped: dialect.dropped().iter().map(keyword).collect(),
    }
}

fn passed(passed: &SkippedModel) -> Passed<'_> {
    Passed {
        model: passed.model().into(),
        error: lost(&passed.error),
        spent: charge(&passed.spent),
    }
}

fn tried(attempt: &Attempt) -> Tried<'_> {
    Tried {
        reply: attempt
            .reply()
            .map(|reply| said(reply, attempt.reply_bytes)),
        error: attempt.error().map(lost),
        latency_ms: milliseconds(attempt.latency),
        spent: charge(&attempt.spent),
        failures: attempt.failures.iter().map(wrong).collect(),
        omitted_failures: attempt.failures.omitted(),
        normalizations: attempt.normalizations.iter().map(step).collect(),
        citations: attempt.citations.iter().map(quoted).collect(),
        restored: attempt.restored.iter().map(place).collect(),
        patch: attempt.patch.as_ref().map(amended),
    }
}

fn quoted(citation: &Citation) -> Quoted<'_> {
    Quoted {
        pointer: citation.path().pointer().into(),
        path: citation.path().to_string().into(),
        source: citation.source().map(Cow::from),
        span: citation.span(),
        char_span: citation.char_span(),
        normalizations: (citation.normalizations())
            .map(|step| step.as_str().into())
            .collect(),
        value: citation.value().map(Cow::from),
        quote: stated(citation.quote()),
        text: stated(citation.text()),
    }
}

fn amended(patch: &Patch) -> Amended<'_> {
    Amended {
        places: patch.places.iter().map(place).collect(),
        wire: patch.wire.as_ref().map(wire),
        applied: patch.applied,
        merged: patch.merged().map(Cow::from),
    }
}

/// `removed` is the length of a text that is not there any more.
fn said(reply: &Reply, removed: Option<usize>) -> Said<'_> {
    Said {
        text: removed.is_none().then(|| reply.text().into()),
        bytes: removed.unwrap_or(reply.text().len()),
        finish: ended(reply.finish()),
        model: reply.model().map(Cow::from),
        request_id: reply.request_id().map(Cow::from),
        usage: reply.usage().map(counts),
    }
}

fn ended(finish: &FinishReason) -> Ended<'_> {
    let (reason, detail) = match finish {
        FinishReason::Stop => (End::Stop, None),
        FinishReason::Truncated => (End::Truncated, None),
        FinishReason::Refused { message } => (End::Refused, message.as_deref()),
        FinishReason::Filtered { reason } => (End::Filtered, reason.as_deref()),
        FinishReason::Unknown(word) => (End::Unknown, Some(word.as_str())),
    };
    Ended {
        reason,
        detail: detail.map(Cow::from),
    }
}

fn lost(error: &ModelError) -> Lost<'_> {
    Lost {
        kind: error.kind(),
        message: stated(error.message()),
        status: error.status(),
        code: error.code().map(Cow::from),
        request_id: error.request_id().map(Cow::from),
        retry_after_ms: error.retry_after().map(milliseconds),
        retryable: error.is_retryable(),
        maybe_billed: error.maybe_billed(),
        usage: error.usage().map(counts),
    }
}

fn counts(usage: &Usage) -> Counts {
    Counts {
        input: usage.input_tokens(),
        cached_input: usage.cached_input_tokens(),
        cache_write: usage.cache_write_tokens(),
        output: usage.output_tokens(),
        reasoning: usage.reasoning_tokens(),
    }
}

fn charge(spent: &Cost) -> Charge {
    Charge {
        input_tokens: spent.input,
        output_tokens: spent.output,
        estimated: spent.estimated,
        money: spent.money,
    }
}

fn wrong(failure: &Failure) -> Wrong<'_> {
    Wrong {
        layer: failure.layer(),
        code: failure.code().as_str().into(),
        pointer: failure.path().pointer().into(),
        path: failure.path().to_string().into(),
        rule: failure.rule().map(Cow::from),
        related: failure.related().iter().map(place).collect(),
        message: stated(failure.message()),
        found: failure.found().map(Cow::from),
        spans: failure.spans().to_vec(),
    }
}

/// A message, where there is one.
fn stated(message: &str) -> Option<Cow<'_, str>> {
    (!message.is_empty()).then(|| message.into())
}

fn step(step: &Normalization) -> Step<'_> {
    Step {
        name: step.name().into(),
        pointer: step.path().pointer().into(),
        path: step.path().to_string().into(),
        count: step.count(),
    }
}

fn place(path: &FieldPath) -> Place<'_> {
    Place {
        pointer: path.pointer().into(),
        path: path.to_string().into(),
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
