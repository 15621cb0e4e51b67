//! A record from its JSON, with everything in it checked that its parts rely on.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error as _};

use super::document::{
    Amended, Charge, Counts, End, Ended, Keyword, Lost, Passed, Place, Quoted, Said, Source, Step,
    Stored, Tried, VERSION, Wire, Wrong,
};
use super::held::sha256;
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
        record(Stored::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// What is read, or why it cannot be.
type Read<T> = Result<T, String>;

fn record(document: Stored<'_>) -> Read<Record> {
    if document.version != VERSION {
        return Err(format!(
            "the record has version {} and this crate reads version {VERSION}; use the crate \
             version {} that wrote it",
            document.version, document.crate_version
        ));
    }
    let origin = Origin {
        model: document.model.map(|model| Arc::from(&*model)),
        wire: document.wire.as_ref().map(wire).transpose()?,
        prompt_version: fixed("a prompt version", &document.prompt_version)?,
        schema: held(document.schema)?,
        rules: held(document.rules)?,
        notes: document.notes.iter().map(keyword).collect(),
        document: held(document.document)?,
        currency: document.spent.currency.map(|name| Arc::from(&*name)),
    };
    Ok(Record {
        attempts: all(document.attempts, tried)?,
        skipped_models: all(document.skipped_models, |one| Ok(passed(one)))?,
        accepted: document.accepted,
        warnings: all(document.warnings, wrong)?,
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
fn held(source: Source<'_>) -> Read<TextOrHash> {
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

fn keyword(one: &Keyword<'_>) -> DroppedKeyword {
    DroppedKeyword::new(&one.pointer, &one.keyword)
}

fn wire(wire: &Wire<'_>) -> Read<WireSchema> {
    let dialect = SchemaDialect::named(&wire.dialect)
        .ok_or_else(|| format!("{:?} is not a dialect that is known", wire.dialect))?;
    Ok(WireSchema::told(
        dialect,
        wire.dropped.iter().map(keyword).collect(),
    ))
}

fn passed(passed: Passed<'_>) -> SkippedModel {
    SkippedModel {
        model: passed.model.into_owned(),
        error: lost(passed.error),
        spent: spent(&passed.spent),
    }
}

fn tried(tried: Tried<'_>) -> Read<Attempt> {
    let removed = |reply: &Said<'_>| reply.text.is_none().then_some(reply.bytes);
    let failures = Failures::new(all(tried.failures, wrong)?);
    Ok(Attempt {
        reply_bytes: tried.reply.as_ref().and_then(removed),
        reply: tried.reply.map(said).transpose()?,
        error: tried.error.map(lost),
        failures: failures.with_omitted(tried.omitted_failures),
        normalizations: all(tried.normalizations, |one| step(&one))?,
        citations: all(tried.citations, quoted)?,
        restored: all(tried.restored, |one| place(&one))?,
        patch: tried.patch.map(amended).transpose()?,
        latency: Duration::from_millis(tried.latency_ms),
        spent: spent(&tried.spent),
    })
}

fn quoted(quoted: Quoted<'_>) -> Read<Citation> {
    let place = Located {
        source: quoted.source.map(String::from),
        span: quoted.span,
        chars: quoted.char_span,
        text: quoted.text.unwrap_or_default().into(),
        folds: Folds::named(&quoted.normalizations)
            .ok_or("a normalisation of a citation is not known")?,
    };
    Ok(Citation::new(
        path(&quoted.pointer, &quoted.path)?,
        quoted.quote.unwrap_or_default().into_owned(),
        quoted.value.map(String::from),
        place,
    ))
}

fn amended(amended: Amended<'_>) -> Read<Patch> {
    Ok(Patch {
        places: all(amended.places, |one| place(&one))?,
        wire: amended.wire.as_ref().map(wire).transpose()?,
        applied: amended.applied,
        merged: amended.merged.map(String::from),
    })
}

fn said(said: Said<'_>) -> Read<Reply> {
    let text = said.text.as_deref().unwrap_or_default();
    let mut reply = Reply::new(text).with_finish(ended(said.finish)?);
    if let Some(model) = said.model.as_deref() {
        reply = reply.with_model(model);
    }
    if let Some(id) = said.request_id.as_deref() {
        reply = reply.with_request_id(id);
    }
    Ok(match said.usage {
        Some(counts) => reply.with_usage(usage(&counts)),
        None => reply,
    })
}

fn ended(ended: Ended<'_>) -> Read<FinishReason> {
    let detail = ended.detail.map(String::from);
    Ok(match ended.reason {
        End::Stop => FinishReason::Stop,
        End::Truncated => FinishReason::Truncated,
        End::Refused => FinishReason::Refused { message: detail },
        End::Filtered => FinishReason::Filtered { reason: detail },
        End::Unknown => {
            FinishReason::Unknown(detail.ok_or("an unknown finish has its word as detail")?)
        }
    })
}

fn lost(lost: Lost<'_>) -> ModelError {
    let mut error = ModelError::new(lost.kind, lost.message.unwrap_or_default())
        .with_retryable(lost.retryable)
        .with_maybe_billed(lost.maybe_billed);
    if let Some(status) = lost.status {
        error = error.with_status(status);
    }
    if let Some(code) = lost.code {
        error = error.with_code(code);
    }
    if let Some(id) = lost.request_id {
        error = error.with_request_id(id);
    }
    if let Some(delay) = lost.retry_after_ms {
        error = error.with_retry_after(Duration::from_millis(delay));
    }
    match lost.usage {
        Some(counts) => error.with_usage(usage(&counts)),
        None => error,
    }
}

fn usage(counts: &Counts) -> Usage {
    Usage {
        input: counts.input,
        output: counts.output,
        cached_input: counts.cached_input,
        cache_write: counts.cache_write,
        reasoning: counts.reasoning,
    }
}

fn spent(charge: &Charge) -> Cost {
    Cost {
        input: charge.input_tokens,
        output: charge.output_tokens,
        estimated: charge.estimated,
        money: charge.money,
        elapsed: Duration::ZERO,
    }
}

fn wrong(wrong: Wrong<'_>) -> Read<Failure> {
    let code = FailureCode::read(fixed("a code", &wrong.code)?);
    let at = path(&wrong.pointer, &wrong.path)?;
    let message = wrong.message.unwrap_or_default();
    let related = all(wrong.related, |one| place(&one))?;
    let failure = Failure::new(wrong.layer, code, at, message)
        .with_related(related)
        .with_found(wrong.found.map(String::from))
        .with_spans(wrong.spans);
    Ok(match wrong.rule {
        Some(rule) => failure.with_rule(rule.into_owned()),
        None => failure,
    })
}

fn step(step: &Step<'_>) -> Read<Normalization> {
    let name = fixed("a normalisation", &step.name)?;
    let read = Normalization::new(name, path(&step.pointer, &step.path)?);
    Ok(read.with_count(step.count))
}

fn place(one: &Place<'_>) -> Read<FieldPath> {
    path(&one.pointer, &one.path)
}

fn path(pointer: &str, shown: &str) -> Read<FieldPath> {
    FieldPath::from_pair(pointer, shown)
        .ok_or_else(|| format!("{pointer:?} and {shown:?} are not one place"))
}
