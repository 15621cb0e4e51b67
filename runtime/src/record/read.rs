//! A record from its JSON, with everything in it checked that its parts rely on.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error as _};

use super::json::{
    AttemptJson, CitationJson, CostJson, ErrorJson, FailureJson, FinishJson, FinishWord,
    KeywordJson, NormalizationJson, PatchJson, PathJson, RecordJson, ReplyJson, SkippedModelJson,
    TextJson, UsageJson, VERSION, WireJson,
};
use super::text_or_hash::sha256;
use super::word::word;
use super::{Attempt, Origin, Patch, Record, SkippedModel, TextOrHash};
use crate::evidence::Citation;
use crate::evidence::Folds;
use crate::evidence::Located;
use crate::failure::{Failure, FailureCode, Failures};
use crate::model::{FinishReason, ModelError, Reply, SchemaDialect, Usage};
use crate::normalization::Normalization;
use crate::path::FieldPath;
use crate::record::Cost;
use crate::schema::{DroppedKeyword, WireSchema};

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        to_record(RecordJson::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// What is read, or why it cannot be.
type Read<T> = Result<T, String>;

fn to_record(document: RecordJson<'_>) -> Read<Record> {
    if document.version != VERSION {
        return Err(format!(
            "the record has version {} and this crate reads version {VERSION}; use the crate \
             version {} that wrote it",
            document.version, document.crate_version
        ));
    }
    let origin = Origin {
        model: document.model.map(|model| Arc::from(&*model)),
        wire: document.wire.as_ref().map(to_wire).transpose()?,
        prompt_version: fixed("a prompt version", &document.prompt_version)?,
        schema: to_text(document.schema)?,
        rules: to_text(document.rules)?,
        notes: document.notes.iter().map(to_keyword).collect(),
        document: to_text(document.document)?,
        currency: document.spent.currency.map(|name| Arc::from(&*name)),
    };
    Ok(Record {
        attempts: all(document.attempts, to_attempt)?,
        skipped_models: all(document.skipped_models, |one| Ok(to_skipped_model(one)))?,
        accepted: document.accepted,
        warnings: all(document.warnings, to_failure)?,
        elapsed: Duration::from_millis(document.spent.elapsed_ms),
        crate_version: fixed("a crate version", &document.crate_version)?,
        redacted: document.redacted,
        origin,
    })
}

fn all<A, B>(list: Vec<A>, read: impl Fn(A) -> Read<B>) -> Read<Vec<B>> {
    list.into_iter().map(read).collect()
}

fn fixed(what: &str, text: &str) -> Read<Cow<'static, str>> {
    word(text).ok_or_else(|| format!("{what} is a short word of letters, digits and \"_.-+\""))
}

/// A text is what its hash and length say it is.
fn to_text(source: TextJson<'_>) -> Read<TextOrHash> {
    let Some(text) = source.text else {
        return Ok(TextOrHash::Removed {
            hash: Arc::from(&*source.sha256),
            bytes: source.bytes,
        });
    };
    if sha256(&text) != source.sha256 || text.len() != source.bytes {
        return Err("a text of the record is not the one that was hashed".to_owned());
    }
    Ok(TextOrHash::text(&*text))
}

fn to_keyword(one: &KeywordJson<'_>) -> DroppedKeyword {
    DroppedKeyword::new(&one.pointer, &one.keyword)
}

fn to_wire(wire: &WireJson<'_>) -> Read<WireSchema> {
    let dialect = SchemaDialect::named(&wire.dialect)
        .ok_or_else(|| format!("{:?} is not a dialect that is known", wire.dialect))?;
    Ok(WireSchema::told(
        dialect,
        wire.dropped.iter().map(to_keyword).collect(),
    ))
}

fn to_skipped_model(json: SkippedModelJson<'_>) -> SkippedModel {
    SkippedModel {
        model: json.model.into_owned(),
        error: to_error(json.error),
        spent: to_cost(&json.spent),
    }
}

fn to_attempt(json: AttemptJson<'_>) -> Read<Attempt> {
    let removed = |reply: &ReplyJson<'_>| reply.text.is_none().then_some(reply.bytes);
    let failures = Failures::new(all(json.failures, to_failure)?);
    Ok(Attempt {
        reply_bytes: json.reply.as_ref().and_then(removed),
        reply: json.reply.map(to_reply).transpose()?,
        error: json.error.map(to_error),
        failures: failures.with_omitted(json.omitted_failures),
        normalizations: all(json.normalizations, |one| to_normalization(&one))?,
        citations: all(json.citations, to_citation)?,
        restored: all(json.restored, |one| to_path(&one))?,
        patch: json.patch.map(to_patch).transpose()?,
        latency: Duration::from_millis(json.latency_ms),
        spent: to_cost(&json.spent),
    })
}

fn to_citation(json: CitationJson<'_>) -> Read<Citation> {
    let place = Located {
        source: json.source.map(String::from),
        span: json.span,
        chars: json.char_span,
        text: json.text.unwrap_or_default().into(),
        folds: Folds::named(&json.normalizations)
            .ok_or("a normalization of a citation is not known")?,
    };
    Ok(Citation::new(
        path(&json.pointer, &json.path)?,
        json.quote.unwrap_or_default().into_owned(),
        json.value.map(String::from),
        place,
    ))
}

fn to_patch(json: PatchJson<'_>) -> Read<Patch> {
    Ok(Patch {
        places: all(json.places, |one| to_path(&one))?,
        wire: json.wire.as_ref().map(to_wire).transpose()?,
        applied: json.applied,
        merged: json.merged.map(String::from),
    })
}

fn to_reply(json: ReplyJson<'_>) -> Read<Reply> {
    let text = json.text.as_deref().unwrap_or_default();
    let mut reply = Reply::new(text).with_finish(to_finish(json.finish)?);
    if let Some(model) = json.model.as_deref() {
        reply = reply.with_model(model);
    }
    if let Some(id) = json.request_id.as_deref() {
        reply = reply.with_request_id(id);
    }
    Ok(match json.usage {
        Some(counts) => reply.with_usage(to_usage(&counts)),
        None => reply,
    })
}

fn to_finish(json: FinishJson<'_>) -> Read<FinishReason> {
    let detail = json.detail.map(String::from);
    Ok(match json.reason {
        FinishWord::Stop => FinishReason::Stop,
        FinishWord::Truncated => FinishReason::Truncated,
        FinishWord::Refused => FinishReason::Refused { message: detail },
        FinishWord::Filtered => FinishReason::Filtered { reason: detail },
        FinishWord::Unknown => {
            FinishReason::Unknown(detail.ok_or("an unknown finish has its word as detail")?)
        }
    })
}

fn to_error(json: ErrorJson<'_>) -> ModelError {
    let mut error = ModelError::new(json.kind, json.message.unwrap_or_default())
        .with_retryable(json.retryable)
        .with_maybe_billed(json.maybe_billed);
    if let Some(status) = json.status {
        error = error.with_status(status);
    }
    if let Some(code) = json.code {
        error = error.with_code(code);
    }
    if let Some(id) = json.request_id {
        error = error.with_request_id(id);
    }
    if let Some(delay) = json.retry_after_ms {
        error = error.with_retry_after(Duration::from_millis(delay));
    }
    match json.usage {
        Some(counts) => error.with_usage(to_usage(&counts)),
        None => error,
    }
}

fn to_usage(counts: &UsageJson) -> Usage {
    Usage {
        input: counts.input,
        output: counts.output,
        cached_input: counts.cached_input,
        cache_write: counts.cache_write,
        reasoning: counts.reasoning,
    }
}

fn to_cost(charge: &CostJson) -> Cost {
    Cost {
        input: charge.input_tokens,
        output: charge.output_tokens,
        estimated: charge.estimated,
        money: charge.money,
        elapsed: Duration::ZERO,
    }
}

fn to_failure(json: FailureJson<'_>) -> Read<Failure> {
    let code = FailureCode::read(fixed("a code", &json.code)?);
    let at = path(&json.pointer, &json.path)?;
    let message = json.message.unwrap_or_default();
    let related = all(json.related, |one| to_path(&one))?;
    let failure = Failure::new(json.layer, code, at, message)
        .with_related(related)
        .with_found(json.found.map(String::from))
        .with_spans(json.spans);
    Ok(match json.rule {
        Some(rule) => failure.with_rule(rule.into_owned()),
        None => failure,
    })
}

fn to_normalization(step: &NormalizationJson<'_>) -> Read<Normalization> {
    let name = fixed("a normalization", &step.name)?;
    let read = Normalization::new(name, path(&step.pointer, &step.path)?);
    Ok(read.with_count(step.count))
}

fn to_path(one: &PathJson<'_>) -> Read<FieldPath> {
    path(&one.pointer, &one.path)
}

fn path(pointer: &str, shown: &str) -> Read<FieldPath> {
    FieldPath::from_pair(pointer, shown)
        .ok_or_else(|| format!("{pointer:?} and {shown:?} are not one place"))
}
