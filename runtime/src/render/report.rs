//! What is told of a run, whatever it is shown on.

use std::time::Duration;

use super::entry::{Entry, Kind};
use crate::error::{Error, ErrorKind};
use crate::failure::Failure;
use crate::model::Usage;
use crate::record::{Attempt, Record};

/// A run that ended.
#[derive(Debug)]
pub struct Report<'a> {
    pub(super) ending: Ending<'a>,
    pub(super) record: &'a Record,
    failures: &'a [Failure],
    pub(super) omitted: usize,
    warnings: &'a [Failure],
}

/// How it ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ending<'a> {
    Accepted,
    /// Of a record, which does not say why.
    NotAccepted,
    Failed {
        kind: ErrorKind,
        reason: &'a str,
    },
}

impl<'a> Report<'a> {
    /// What a record tells by itself, for instance one that was stored.
    pub(super) fn recorded(record: &'a Record) -> Self {
        let accepted = record.is_accepted();
        let ending = if accepted {
            Ending::Accepted
        } else {
            Ending::NotAccepted
        };
        let mut report = Self {
            ending,
            record,
            failures: &[],
            omitted: 0,
            warnings: record.warnings(),
        };
        if let Some(last) = report.last().filter(|_| !accepted) {
            report.failures = last.failures();
            report.omitted = last.failures().omitted();
        }
        report
    }

    pub(super) fn failed(error: &'a Error) -> Self {
        Self {
            ending: Ending::Failed {
                kind: error.kind(),
                reason: error.reason(),
            },
            record: error.record(),
            failures: error.failures(),
            omitted: error.failures().omitted(),
            warnings: &[],
        }
    }

    pub(super) fn document(&self) -> &'a str {
        self.record.document().unwrap_or_default()
    }

    /// The last attempt that had a reply.
    fn last(&self) -> Option<&'a Attempt> {
        let mut attempts = self.record.attempts().iter();
        attempts.rfind(|attempt| attempt.reply().is_some())
    }

    /// Whether the failures of this attempt are those of the run.
    pub(super) fn tells(&self, attempt: &Attempt) -> bool {
        let last = self.last().is_some_and(|last| std::ptr::eq(last, attempt));
        last && !self.failures.is_empty() && self.failures == &attempt.failures()[..]
    }

    /// Everything that has or could have a place in the document: citations,
    /// failures and warnings of the last reply.
    pub(super) fn entries(&self) -> Vec<Entry<'a>> {
        let citations = self.last().map_or(&[][..], Attempt::citations);
        // A span belongs to one document; of several none is marked, and all are listed.
        let several = self.record.prompt_version().ends_with("+documents");
        let document = if several { "" } else { self.document() };
        let cited = citations.iter().enumerate();
        let cited = cited.map(|(at, citation)| Entry::cited(at + 1, citation, document));
        let found = |kind: Kind, failures: &'a [Failure]| {
            let numbered = failures.iter().enumerate();
            numbered.map(move |(at, failure)| {
                Entry::failure(kind, at + 1, failure, citations, document)
            })
        };
        cited
            .chain(found(Kind::Failure, self.failures))
            .chain(found(Kind::Warning, self.warnings))
            .collect()
    }
}

impl Ending<'_> {
    /// One word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::NotAccepted => "not accepted",
            Self::Failed { kind, .. } => kind_word(kind),
        }
    }
}

fn kind_word(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Rejected => "rejected",
        ErrorKind::Truncated => "truncated",
        ErrorKind::Refused => "refused",
        ErrorKind::Filtered => "filtered",
        ErrorKind::Unfinished => "unfinished",
        ErrorKind::Budget => "over budget",
        ErrorKind::Deadline => "too late",
        ErrorKind::Model => "no answer",
        ErrorKind::Panicked => "panicked",
        ErrorKind::Schema => "unusable schema",
        ErrorKind::Config => "set up wrongly",
    }
}

/// What became of an attempt, in a few words.
pub(super) fn became(attempt: &Attempt) -> String {
    match (attempt.reply(), attempt.failures().len()) {
        (None, _) => "no reply".to_owned(),
        (Some(reply), 0) if reply.finish() == &crate::model::FinishReason::Stop => {
            "no failures".to_owned()
        }
        (Some(reply), 0) => reply.finish().as_str().to_owned(),
        (Some(_), count) => counted(count + attempt.failures().omitted(), "failure"),
    }
}

/// `1 failure`, `2 failures`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Tokens as far as they are known; nothing where none is.
pub(super) fn tokens(usage: Usage) -> Option<String> {
    let read = usage.input_tokens().map(|count| format!("{count} read"));
    let written = usage
        .output_tokens()
        .map(|count| format!("{count} written"));
    let known: Vec<String> = read.into_iter().chain(written).collect();
    (!known.is_empty()).then(|| format!("tokens: {}", known.join(", ")))
}

/// A duration for people; nothing where none was measured.
pub(super) fn duration(latency: Duration) -> Option<String> {
    match latency.as_millis() {
        0 => None,
        millis @ 1..1000 => Some(format!("{millis} ms")),
        _ => Some(format!("{:.1} s", latency.as_secs_f64())),
    }
}
