//! The lines of the document around what is marked.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::super::entry::{Entry, Kind, Mark, Source, marks};
use super::super::glyph;
use super::Sheet;
use super::ink::Tone;
use super::rows::{Row, row_of, rows};
use super::wrap::wrap;
use crate::evidence::Citation;
use crate::evidence::TextNormalization;

/// Rows shown before and after a marked one.
const AROUND: usize = 1;

/// Rows of a long passage that are shown at its beginning and at its end.
const ENDS: usize = 3;

/// The shown rows by number, each with the marks under it.
type Shown<'m> = BTreeMap<usize, Vec<&'m Mark<'m>>>;

/// Writes the excerpt; nothing where nothing is marked.
pub(super) fn write(
    sheet: &mut Sheet<'_, '_>,
    document: &str,
    entries: &[Entry<'_>],
) -> fmt::Result {
    let marks = marks(entries);
    if marks.is_empty() {
        return Ok(());
    }
    sheet.heading("document")?;
    let last = document.lines().count().to_string().len();
    let excerpt = Excerpt {
        document,
        rows: rows(document, sheet.width.saturating_sub(last + 3).max(1)),
        gutter: last,
    };
    excerpt.write(sheet, &marks)
}

struct Excerpt<'d> {
    document: &'d str,
    rows: Vec<Row>,
    /// Columns of the widest line number.
    gutter: usize,
}

impl Excerpt<'_> {
    fn write(&self, sheet: &mut Sheet<'_, '_>, marks: &[Mark<'_>]) -> fmt::Result {
        let mut next = 0;
        for (number, marks) in self.shown(marks) {
            if number > next {
                let dots = format!("{:>width$}", "...", width = self.gutter.max(3));
                writeln!(sheet.out, "{}", sheet.ink.paint(Tone::Faint, &dots))?;
            }
            next = number + 1;
            let Some(row) = self.rows.get(number) else {
                continue;
            };
            self.row(sheet, row)?;
            for mark in marks {
                self.mark(sheet, row, number, mark)?;
            }
        }
        Ok(())
    }

    fn shown<'m>(&self, marks: &'m [Mark<'m>]) -> Shown<'m> {
        let mut shown = Shown::new();
        for mark in marks {
            let (first, last) = self.ends(mark);
            for row in first.saturating_sub(AROUND)..=last.saturating_add(AROUND) {
                let inner = row >= first + ENDS && row + ENDS <= last;
                if inner || row >= self.rows.len() {
                    continue;
                }
                let under = shown.entry(row).or_default();
                if (first..=last).contains(&row) {
                    under.push(mark);
                }
            }
        }
        shown
    }

    /// The first and the last row of a passage.
    fn ends(&self, mark: &Mark<'_>) -> (usize, usize) {
        let last = mark.end.saturating_sub(1).max(mark.start);
        (row_of(&self.rows, mark.start), row_of(&self.rows, last))
    }

    fn row(&self, sheet: &mut Sheet<'_, '_>, row: &Row) -> fmt::Result {
        let number = if row.first {
            row.line.to_string()
        } else {
            String::new()
        };
        let text = self.document.get(row.span.clone()).unwrap_or_default();
        self.gutter(sheet, &number)?;
        writeln!(sheet.out, " {}", glyph::shown(text).trim_end())
    }

    fn gutter(&self, sheet: &mut Sheet<'_, '_>, number: &str) -> fmt::Result {
        let gutter = format!("{number:>width$} |", width = self.gutter);
        write!(sheet.out, "{}", sheet.ink.paint(Tone::Faint, &gutter))
    }

    fn mark(
        &self,
        sheet: &mut Sheet<'_, '_>,
        row: &Row,
        number: usize,
        mark: &Mark<'_>,
    ) -> fmt::Result {
        let start = mark.start.clamp(row.span.start, row.span.end);
        let end = mark.end.clamp(start, row.span.end);
        let columns = |from, to| glyph::width(self.document.get(from..to).unwrap_or_default());
        let (before, long) = (columns(row.span.start, start), columns(start, end).max(1));
        let sign = match mark.entry.kind {
            Kind::Cited => "^",
            Kind::Failure => "!",
            Kind::Warning => "~",
        };
        let line = format!("{}{}", " ".repeat(before), sign.repeat(long));
        let tone = Tone::of(mark.entry.kind);
        self.gutter(sheet, "")?;
        write!(sheet.out, " {}", sheet.ink.paint(tone, &line))?;
        let (_, last) = self.ends(mark);
        if number == last {
            self.label(sheet, mark, before + long)
        } else {
            writeln!(sheet.out)
        }
    }

    /// Beside the marks where it fits, and below them where it does not.
    fn label(&self, sheet: &mut Sheet<'_, '_>, mark: &Mark<'_>, used: usize) -> fmt::Result {
        let tone = Tone::of(mark.entry.kind);
        let label = label(mark);
        let room = sheet.width.saturating_sub(self.gutter + 3);
        let shown = glyph::shown(&label);
        if used + 1 + glyph::width(&shown) <= room {
            return writeln!(sheet.out, " {}", sheet.ink.paint(tone, &shown));
        }
        writeln!(sheet.out)?;
        for line in wrap(&label, room.saturating_sub(2).max(1)) {
            self.gutter(sheet, "")?;
            writeln!(sheet.out, "   {}", sheet.ink.paint(tone, &line))?;
        }
        Ok(())
    }
}

fn label(mark: &Mark<'_>) -> String {
    let places = mark.entry.spans.len();
    match mark.entry.source {
        Source::Citation(citation) => cited(citation),
        Source::Failure(failure) if mark.place > 0 => {
            let place = mark.place + 1;
            format!(
                "{} [{}], place {place} of {places}",
                failure.path(),
                failure.code()
            )
        }
        Source::Failure(failure) => format!("{failure} [{}]", failure.code()),
    }
}

fn cited(citation: &Citation) -> String {
    let mut label = citation.path().to_string();
    // A verbatim text is its own value.
    let value = citation
        .value()
        .filter(|value| value.trim_matches('"') != citation.quote());
    if let Some(value) = value {
        label.push_str(" = ");
        label.push_str(value);
    }
    let steps: Vec<&str> = citation
        .normalizations()
        .map(TextNormalization::as_str)
        .collect();
    if !steps.is_empty() {
        let _ = write!(label, " (set aside: {})", steps.join(", "));
    }
    label
}
