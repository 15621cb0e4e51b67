//! Spans and events of a run, under OpenTelemetry's names for generative
//! models (<https://opentelemetry.io/docs/specs/semconv/gen-ai/>).

use std::{borrow::Cow, time::Duration};

use tracing::Span;

use crate::failure::Failures;
use crate::model::{FinishReason, ModelError, Reply};
use crate::shown::line;

/// The longest word of a host in an event, in characters.
const WORD_CHARS: usize = 200;

/// The span of one attempt.
pub(super) fn attempt(model: &str, number: usize) -> Span {
    tracing::info_span!(
        "chat",
        gen_ai.operation.name = "chat",
        gen_ai.output.r#type = "json",
        gen_ai.request.model = model,
        gen_ai.response.id = tracing::field::Empty,
        gen_ai.response.finish_reasons = tracing::field::Empty,
        gen_ai.usage.input_tokens = tracing::field::Empty,
        gen_ai.usage.output_tokens = tracing::field::Empty,
        error.r#type = tracing::field::Empty,
        typed_extract.attempt = number,
    )
}

/// What came back, without a word of it unless `log_replies` asks for that.
pub(super) fn answered(
    span: &Span,
    reply: Result<&Reply, &ModelError>,
    latency: Duration,
    log_replies: bool,
) {
    let milliseconds = u64::try_from(latency.as_millis()).unwrap_or(u64::MAX);
    match reply {
        Ok(reply) => {
            record_reply(span, reply);
            tracing::debug!(parent: span, milliseconds, "the model replied");
            if log_replies {
                tracing::debug!(parent: span, reply = reply.text(), "the reply's text");
            }
        }
        Err(error) => {
            span.record("error.type", tracing::field::debug(error.kind()));
            tracing::warn!(parent: span, milliseconds, kind = ?error.kind(), status = error.status(), "no reply came");
        }
    }
}

fn record_reply(span: &Span, reply: &Reply) {
    span.record("gen_ai.response.finish_reasons", &*finish(reply.finish()));
    if let Some(id) = reply.request_id() {
        span.record("gen_ai.response.id", id);
    }
    let usage = reply.usage();
    if let Some(tokens) = usage.and_then(crate::model::Usage::input_tokens) {
        span.record("gen_ai.usage.input_tokens", tokens);
    }
    if let Some(tokens) = usage.and_then(crate::model::Usage::output_tokens) {
        span.record("gen_ai.usage.output_tokens", tokens);
    }
}

fn finish(finish: &FinishReason) -> Cow<'_, str> {
    let known = match finish {
        FinishReason::Stop => "stop",
        FinishReason::Truncated => "length",
        FinishReason::Refused { .. } => "refusal",
        FinishReason::Filtered { .. } => "content_filter",
        FinishReason::Unknown(raw) => return line(raw, WORD_CHARS).into(),
    };
    known.into()
}

/// Each failure of a reply: its code, place and rule, never its value.
pub(super) fn judged(span: &Span, failures: &Failures) {
    if let Some(first) = failures.first() {
        span.record("error.type", first.code().as_str());
    }
    for failure in failures {
        tracing::info!(
            parent: span,
            code = failure.code().as_str(),
            path = %failure.declared_path(),
            rule = failure.rule(),
            "the reply failed a check"
        );
    }
}
