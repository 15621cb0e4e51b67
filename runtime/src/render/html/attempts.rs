//! The attempts side by side.

use std::fmt::{self, Write};
use std::ops::Range;

use super::super::report::{Report, became, duration, tokens};
use super::difference::differences;
use super::escape::{Block, Inline};
use super::lists::explained;
use crate::record::Attempt;

pub(super) fn write(out: &mut impl Write, report: &Report<'_>) -> fmt::Result {
    let attempts = report.record.attempts();
    if attempts.is_empty() {
        return Ok(());
    }
    out.write_str("<section>\n<h2>Attempts</h2>\n")?;
    if attempts.len() > 1 {
        out.write_str(
            "<p class=\"small\">In the replies, <del>what the next one changes</del> and \
             <ins>what is new in this one</ins> are marked.</p>\n",
        )?;
    }
    out.write_str("<div class=\"attempts\">\n")?;
    let marks = changes(attempts);
    for (at, (attempt, changed)) in attempts.iter().zip(&marks).enumerate() {
        write!(out, "<article>\n<h3>Attempt {}</h3>\n", at + 1)?;
        summary(out, attempt)?;
        reply(out, attempt, changed)?;
        if report.tells(attempt) {
            told_above(out, attempt)?;
        } else {
            failures(out, attempt)?;
        }
        steps(out, attempt)?;
        out.write_str("</article>\n")?;
    }
    out.write_str("</div>\n</section>\n")
}

/// What of one reply the next changes, and what is new in it.
#[derive(Debug, Default)]
struct Changed {
    gone: Vec<Range<usize>>,
    come: Vec<Range<usize>>,
}

fn text(attempt: &Attempt) -> Option<&str> {
    attempt.reply().map(crate::model::Reply::text)
}

fn changes(attempts: &[Attempt]) -> Vec<Changed> {
    let mut changed = Vec::new();
    let mut earlier: Option<(Changed, &str)> = None;
    for attempt in attempts {
        let new = text(attempt).unwrap_or_default();
        let mut here = Changed::default();
        if let Some((mut before, old)) = earlier.take() {
            if text(attempt).is_some() {
                (before.gone, here.come) = differences(old, new);
            }
            changed.push(before);
        }
        earlier = Some((here, new));
    }
    changed.extend(earlier.map(|(last, _)| last));
    changed
}

fn summary(out: &mut impl Write, attempt: &Attempt) -> fmt::Result {
    let mut parts = vec![became(attempt)];
    parts.extend(attempt.usage().copied().and_then(tokens));
    parts.extend(duration(attempt.latency()));
    let model = attempt.reply().and_then(crate::model::Reply::model);
    parts.extend(model.map(|model| format!("answered by {model}")));
    parts.extend(attempt.request_id().map(|id| format!("request {id}")));
    writeln!(out, "<p class=\"small\">{}</p>", Inline(&parts.join("; ")))?;
    match attempt.error() {
        Some(error) => writeln!(out, "<p>{}</p>", Inline(&error.to_string())),
        None => Ok(()),
    }
}

fn reply(out: &mut impl Write, attempt: &Attempt, changed: &Changed) -> fmt::Result {
    let Some(text) = text(attempt) else {
        return Ok(());
    };
    out.write_str("<pre class=\"reply\">\n")?;
    let ends = |spans: &[Range<usize>]| -> Vec<usize> {
        spans
            .iter()
            .flat_map(|span| [span.start, span.end])
            .collect()
    };
    let mut cuts = [
        ends(&changed.gone),
        ends(&changed.come),
        vec![0, text.len()],
    ]
    .concat();
    cuts.sort_unstable();
    cuts.dedup();
    let (mut gone, mut come) = (Cover::of(&changed.gone), Cover::of(&changed.come));
    for (from, to) in cuts.iter().zip(cuts.iter().skip(1)) {
        let piece = Block(text.get(*from..*to).unwrap_or_default());
        match (gone.covers(*from), come.covers(*from)) {
            (false, false) => write!(out, "{piece}")?,
            (true, false) => write!(out, "<del>{piece}</del>")?,
            (false, true) => write!(out, "<ins>{piece}</ins>")?,
            (true, true) => write!(out, "<ins><del>{piece}</del></ins>")?,
        }
    }
    out.write_str("</pre>\n")
}

/// Spans in order, asked for bytes in order.
struct Cover<'s>(std::iter::Peekable<std::slice::Iter<'s, Range<usize>>>);

impl<'s> Cover<'s> {
    fn of(spans: &'s [Range<usize>]) -> Self {
        Self(spans.iter().peekable())
    }

    fn covers(&mut self, byte: usize) -> bool {
        while self.0.next_if(|span| span.end <= byte).is_some() {}
        self.0.peek().is_some_and(|span| span.contains(&byte))
    }
}

/// The failures that stand at the top of the page, as links to them.
fn told_above(out: &mut impl Write, attempt: &Attempt) -> fmt::Result {
    out.write_str("<ul class=\"entries failed\">\n")?;
    for (at, failure) in attempt.failures().iter().enumerate() {
        let (id, path) = (at + 1, failure.path().to_string());
        let path = Inline(&path);
        let code = failure.code();
        writeln!(
            out,
            "<li><a class=\"path\" href=\"#f{id}\">{path}</a> <code>{code}</code></li>"
        )?;
    }
    out.write_str("</ul>\n")
}

fn failures(out: &mut impl Write, attempt: &Attempt) -> fmt::Result {
    if attempt.failures().is_empty() {
        return Ok(());
    }
    out.write_str("<ul class=\"entries failed\">\n")?;
    for failure in attempt.failures() {
        let path = failure.path().to_string();
        write!(out, "<li><b class=\"path\">{}</b>", Inline(&path))?;
        explained(out, failure)?;
        out.write_str("</li>\n")?;
    }
    let omitted = attempt.failures().omitted();
    if omitted > 0 {
        writeln!(out, "<li>and {omitted} more that are not spelled out</li>")?;
    }
    out.write_str("</ul>\n")
}

fn steps(out: &mut impl Write, attempt: &Attempt) -> fmt::Result {
    let normalized = attempt.normalizations().iter().map(ToString::to_string);
    list(out, "Normalized", normalized.collect())?;
    let restored = attempt.restored().iter().map(ToString::to_string);
    list(
        out,
        "Put back, since nothing was wrong with it",
        restored.collect(),
    )
}

fn list(out: &mut impl Write, heading: &str, lines: Vec<String>) -> fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    write!(out, "<h4>{heading}</h4>\n<ul>\n")?;
    for line in lines {
        writeln!(out, "<li>{}</li>", Inline(&line))?;
    }
    out.write_str("</ul>\n")
}
