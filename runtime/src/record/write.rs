//! A record as JSON.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::json::{
    AttemptJson, CitationJson, CostJson, ErrorJson, FailureJson, FinishJson, FinishWord,
    KeywordJson, NormalizationJson, PatchJson, PathJson, RecordJson, ReplyJson, SkippedModelJson,
    TextJson, TotalJson, UsageJson, VERSION, WireJson,
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
        record_json(self).serialize(serializer)
    }
}

fn record_json(record: &Record) -> RecordJson<'_> {
    let origin = &record.origin;
    let spent = record.cost();
    RecordJson {
        version: VERSION,
        redacted: record.redacted,
        crate_version: record.crate_version().into(),
        prompt_version: record.prompt_version().into(),
        model: record.model().map(Cow::from),
        document: text_json(&origin.document),
        schema_dialect: record.schema_dialect().into(),
        schema: text_json(&origin.schema),
        rules: text_json(&origin.rules),
        notes: origin.notes.iter().map(keyword_json).collect(),
        wire: origin.wire.as_ref().map(wire_json),
        skipped_models: record
            .skipped_models
            .iter()
            .map(skipped_model_json)
            .collect(),
        attempts: (record.attempts.iter().map(attempt_json)).collect(),
        accepted: record.accepted,
        warnings: record.warnings.iter().map(failure_json).collect(),
        spent: TotalJson {
            input_tokens: spent.input,
            output_tokens: spent.output,
            estimated: spent.estimated,
            money: spent.money,
            currency: record.currency().map(Cow::from),
            elapsed_ms: milliseconds(spent.elapsed),
        },
    }
}

fn text_json(held: &TextOrHash) -> TextJson<'_> {
    TextJson {
        sha256: held.hash().into(),
        bytes: held.bytes(),
        text: held.kept().map(Cow::from),
    }
}

fn keyword_json(dropped: &DroppedKeyword) -> KeywordJson<'_> {
    KeywordJson {
        pointer: dropped.pointer().into(),
        keyword: dropped.keyword().into(),
    }
}

fn wire_json(dialect: &WireSchema) -> WireJson<'_> {
    WireJson {
        dialect: dialect.dialect().as_str().into(),
        dropped: dialect.dropped().iter().map(keyword_json).collect(),
    }
}

fn skipped_model_json(skipped: &SkippedModel) -> SkippedModelJson<'_> {
    SkippedModelJson {
        model: skipped.model().into(),
        error: error_json(&skipped.error),
        spent: cost_json(&skipped.spent),
    }
}

fn attempt_json(attempt: &Attempt) -> AttemptJson<'_> {
    AttemptJson {
        reply: attempt
            .reply()
            .map(|reply| reply_json(reply, attempt.reply_bytes)),
        error: attempt.error().map(error_json),
        latency_ms: milliseconds(attempt.latency),
        spent: cost_json(&attempt.spent),
        failures: attempt.failures.iter().map(failure_json).collect(),
        omitted_failures: attempt.failures.omitted(),
        normalizations: attempt
            .normalizations
            .iter()
            .map(normalization_json)
            .collect(),
        citations: attempt.citations.iter().map(citation_json).collect(),
        restored: attempt.restored.iter().map(path_json).collect(),
        patch: attempt.patch.as_ref().map(patch_json),
    }
}

fn citation_json(citation: &Citation) -> CitationJson<'_> {
    CitationJson {
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

fn patch_json(patch: &Patch) -> PatchJson<'_> {
    PatchJson {
        places: patch.places.iter().map(path_json).collect(),
        wire: patch.wire.as_ref().map(wire_json),
        applied: patch.applied,
        merged: patch.merged().map(Cow::from),
    }
}

/// `removed` is the length of a text that is not there any more.
fn reply_json(reply: &Reply, removed: Option<usize>) -> ReplyJson<'_> {
    ReplyJson {
        text: removed.is_none().then(|| reply.text().into()),
        bytes: removed.unwrap_or(reply.text().len()),
        finish: finish_json(reply.finish()),
        model: reply.model().map(Cow::from),
        request_id: reply.request_id().map(Cow::from),
        usage: reply.usage().map(usage_json),
    }
}

fn finish_json(finish: &FinishReason) -> FinishJson<'_> {
    let (reason, detail) = match finish {
        FinishReason::Stop => (FinishWord::Stop, None),
        FinishReason::Truncated => (FinishWord::Truncated, None),
        FinishReason::Refused { message } => (FinishWord::Refused, message.as_deref()),
        FinishReason::Filtered { reason } => (FinishWord::Filtered, reason.as_deref()),
        FinishReason::Unknown(word) => (FinishWord::Unknown, Some(word.as_str())),
    };
    FinishJson {
        reason,
        detail: detail.map(Cow::from),
    }
}

fn error_json(error: &ModelError) -> ErrorJson<'_> {
    ErrorJson {
        kind: error.kind(),
        message: stated(error.message()),
        status: error.status(),
        code: error.code().map(Cow::from),
        request_id: error.request_id().map(Cow::from),
        retry_after_ms: error.retry_after().map(milliseconds),
        retryable: error.is_retryable(),
        maybe_billed: error.maybe_billed(),
        usage: error.usage().map(usage_json),
    }
}

fn usage_json(usage: &Usage) -> UsageJson {
    UsageJson {
        input: usage.input_tokens(),
        cached_input: usage.cached_input_tokens(),
        cache_write: usage.cache_write_tokens(),
        output: usage.output_tokens(),
        reasoning: usage.reasoning_tokens(),
    }
}

fn cost_json(spent: &Cost) -> CostJson {
    CostJson {
        input_tokens: spent.input,
        output_tokens: spent.output,
        estimated: spent.estimated,
        money: spent.money,
    }
}

fn failure_json(failure: &Failure) -> FailureJson<'_> {
    FailureJson {
        layer: failure.layer(),
        code: failure.code().as_str().into(),
        pointer: failure.path().pointer().into(),
        path: failure.path().to_string().into(),
        rule: failure.rule().map(Cow::from),
        related: failure.related().iter().map(path_json).collect(),
        message: stated(failure.message()),
        found: failure.found().map(Cow::from),
        spans: failure.spans().to_vec(),
    }
}

/// A message, where there is one.
fn stated(message: &str) -> Option<Cow<'_, str>> {
    (!message.is_empty()).then(|| message.into())
}

fn normalization_json(step: &Normalization) -> NormalizationJson<'_> {
    NormalizationJson {
        name: step.name().into(),
        pointer: step.path().pointer().into(),
        path: step.path().to_string().into(),
        count: step.count(),
    }
}

fn path_json(path: &FieldPath) -> PathJson<'_> {
    PathJson {
        pointer: path.pointer().into(),
        path: path.to_string().into(),
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
