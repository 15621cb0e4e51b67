//! A run on a terminal.

mod excerpt;
mod ink;
mod rows;
mod wrap;

use std::fmt;

use super::Reportable;
use super::entry::{Entry, Kind, Source};
use super::report::{Ending, Report, became, counted, duration, tokens};
use crate::evidence::Citation;
use crate::record::Attempt;
use ink::{Ink, Tone};
use wrap::wrap;

/// Columns where nothing else is asked for.
const WIDTH: usize = 100;

/// Narrower than this, nothing can be read.
const NARROWEST: usize = 20;

/// A run as a terminal shows it: how it ended, the lines of the document around
/// each citation and each failure that has a known place, the failures that
/// have none, and the attempts.
///
/// It is for people and may change; programs read the
/// [record](crate::Record).
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::{Cited, Extract, extract, render};
///
/// #[derive(Deserialize, Extract)]
/// struct Lease {
///     rent: Cited<u32>,
/// }
///
/// let document = "Lease of a flat\nThe rent is EUR 1,250.00 a month.\n";
/// let reply = r#"{"rent": {"quote": "EUR 1,250.00", "value": 1250}}"#;
/// let lease = extract::<Lease>().document(document).validate(reply)?;
/// assert_eq!(
///     render::terminal(&lease).color(false).to_string(),
///     "\
/// accepted after 1 attempt
///
/// document
/// 1 | Lease of a flat
/// 2 | The rent is EUR 1,250.00 a month.
///   |             ^^^^^^^^^^^^ rent = 1250
///
/// attempts
/// 1: no failures
/// "
/// );
/// # Ok::<(), typed_extract::Failures>(())
/// ```
#[derive(Debug)]
pub struct Terminal<'a> {
    report: Report<'a>,
    color: Option<bool>,
    width: usize,
}

/// Shows a run on a terminal: `println!("{}", render::terminal(&error))`.
///
/// It shows parts of the document and of the replies.
pub fn terminal(outcome: &impl Reportable) -> Terminal<'_> {
    Terminal {
        report: outcome.report(),
        color: None,
        width: WIDTH,
    }
}

impl Terminal<'_> {
    /// Whether it has colours. Unless this is set, it has where standard output
    /// is a terminal and `NO_COLOR` is not set.
    #[must_use]
    pub fn color(mut self, yes: bool) -> Self {
        self.color = Some(yes);
        self
    }

    /// The columns it may take, 100 unless this is set; at least 20.
    #[must_use]
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(NARROWEST);
        self
    }
}

impl fmt::Display for Terminal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asked = self.color.map(|on| Ink { on });
        let mut sheet = Sheet {
            out: f,
            ink: asked.unwrap_or_else(Ink::of_stdout),
            width: self.width,
        };
        let entries = self.report.entries();
        sheet.headline(&self.report)?;
        excerpt::write(&mut sheet, self.report.document(), &entries)?;
        sheet.unplaced(&entries, Kind::Cited, "citations of several documents")?;
        sheet.unplaced(&entries, Kind::Failure, "failures without a known place")?;
        if self.report.omitted > 0 {
            let more = counted(self.report.omitted, "more failure");
            writeln!(sheet.out, "{more} not spelled out")?;
        }
        sheet.unplaced(&entries, Kind::Warning, "warnings without a known place")?;
        sheet.attempts(&self.report)
    }
}

/// A citation in a line of its own, where its document is not shown around it.
fn passage(citation: &Citation) -> String {
    let value = citation.value().unwrap_or("text");
    let source = citation.source().unwrap_or("document");
    format!(
        "{} = {value}: {source}, {:?}",
        citation.path(),
        citation.text()
    )
}

/// What is written on.
struct Sheet<'s, 'f> {
    out: &'s mut fmt::Formatter<'f>,
    ink: Ink,
    width: usize,
}

impl Sheet<'_, '_> {
    fn heading(&mut self, text: &str) -> fmt::Result {
        writeln!(self.out, "\n{}", self.ink.paint(Tone::Heading, text))
    }

    fn paragraph(&mut self, indent: usize, tone: Option<Tone>, text: &str) -> fmt::Result {
        for line in wrap(text, self.width.saturating_sub(indent).max(1)) {
            write!(self.out, "{:indent$}", "")?;
            match tone {
                Some(tone) => writeln!(self.out, "{}", self.ink.paint(tone, &line))?,
                None => writeln!(self.out, "{line}")?,
            }
        }
        Ok(())
    }

    fn headline(&mut self, report: &Report<'_>) -> fmt::Result {
        let record = report.record;
        let attempts = counted(record.attempts().len(), "attempt");
        let mut parts = vec![format!("{} after {attempts}", report.ending.word())];
        parts.extend(record.model().map(str::to_owned));
        if !record.attempts().is_empty() {
            parts.extend(tokens(record.usage()));
        }
        let tone = match report.ending {
            Ending::Accepted => Tone::Good,
            Ending::NotAccepted | Ending::Failed { .. } => Tone::Bad,
        };
        self.paragraph(0, Some(tone), &parts.join("; "))?;
        match report.ending {
            Ending::Accepted | Ending::NotAccepted => Ok(()),
            Ending::Failed { reason, .. } => self.paragraph(0, None, reason),
        }
    }

    fn unplaced(&mut self, entries: &[Entry<'_>], kind: Kind, heading: &str) -> fmt::Result {
        let of_kind = |entry: &&Entry<'_>| entry.kind == kind && entry.spans.is_empty();
        let mut entries = entries.iter().filter(of_kind).peekable();
        if entries.peek().is_some() {
            self.heading(heading)?;
        }
        for entry in entries {
            let line = match entry.source {
                Source::Failure(failure) => format!("{failure} [{}]", failure.code()),
                Source::Citation(citation) => passage(citation),
            };
            self.paragraph(0, Some(Tone::of(kind)), &line)?;
        }
        Ok(())
    }

    fn attempts(&mut self, report: &Report<'_>) -> fmt::Result {
        let record = report.record;
        if record.attempts().is_empty() && record.skipped_models().is_empty() {
            return Ok(());
        }
        self.heading("attempts")?;
        for passed in record.skipped_models() {
            let line = format!("passed over {}: {}", passed.model(), passed.error());
            self.paragraph(0, None, &line)?;
        }
        for (at, attempt) in record.attempts().iter().enumerate() {
            self.attempt(at + 1, attempt)?;
        }
        Ok(())
    }

    fn attempt(&mut self, number: usize, attempt: &Attempt) -> fmt::Result {
        let mut parts = vec![format!("{number}: {}", became(attempt))];
        parts.extend(attempt.usage().copied().and_then(tokens));
        parts.extend(duration(attempt.latency()));
        self.paragraph(0, None, &parts.join("; "))?;
        if let Some(error) = attempt.error() {
            self.paragraph(3, None, &error.to_string())?;
        }
        for failure in attempt.failures() {
            let mut line = format!("{} [{}", failure.path(), failure.code());
            if let Some(rule) = failure.rule() {
                line.push(' ');
                line.push_str(rule);
            }
            line.push(']');
            self.paragraph(3, None, &line)?;
        }
        for step in attempt.normalizations() {
            self.paragraph(3, None, &format!("normalized: {step}"))?;
        }
        for place in attempt.restored() {
            self.paragraph(3, None, &format!("put back: {place}"))?;
        }
        Ok(())
    }
}
