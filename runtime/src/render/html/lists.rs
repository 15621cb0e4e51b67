//! Fields, failures and warnings, with links to their places.

use std::fmt::{self, Write};

use super::super::entry::{Entry, Kind, Source};
use super::document::class;
use super::escape::{Block, Inline};
use super::names::{entry_id, place_id};
use crate::evidence::Citation;
use crate::evidence::TextNormalization;
use crate::failure::Failure;
use crate::path::FieldPath;

/// Writes the entries of one kind; nothing where there are none.
pub(super) fn write(
    out: &mut impl Write,
    entries: &[Entry<'_>],
    kind: Kind,
    heading: &str,
) -> fmt::Result {
    let mut entries = entries.iter().filter(|entry| entry.kind == kind).peekable();
    if entries.peek().is_none() {
        return Ok(());
    }
    write!(
        out,
        "<h2>{heading}</h2>\n<ul class=\"entries {}\">\n",
        class(kind)
    )?;
    for entry in entries {
        write!(out, "<li id=\"{}\">", entry_id(entry))?;
        head(out, entry)?;
        match entry.source {
            Source::Citation(citation) => cited(out, citation)?,
            Source::Failure(failure) => {
                explained(out, failure)?;
                places(out, entry)?;
            }
        }
        out.write_str("</li>\n")?;
    }
    out.write_str("</ul>\n")
}

fn head(out: &mut impl Write, entry: &Entry<'_>) -> fmt::Result {
    write!(out, "<span class=\"n\">{}</span> ", entry_id(entry))?;
    let path = entry.path().to_string();
    let path = Inline(&path);
    if entry.spans.is_empty() {
        write!(out, "<b class=\"path\">{path}</b>")
    } else {
        let place = place_id(entry, 0);
        write!(out, "<a class=\"path\" href=\"#{place}\">{path}</a>")
    }
}

fn cited(out: &mut impl Write, citation: &Citation) -> fmt::Result {
    if let Some(value) = citation.value() {
        write!(out, " <code>{}</code>", Inline(value))?;
    }
    write!(out, "<blockquote>{}</blockquote>", Block(citation.quote()))?;
    if let Some(source) = citation.source() {
        write!(out, "<p>in {}</p>", Block(source))?;
    }
    let (chars, bytes) = (citation.char_span(), citation.span());
    write!(
        out,
        "<p class=\"small\">characters {}\u{2013}{}, bytes {}\u{2013}{}",
        chars.start, chars.end, bytes.start, bytes.end
    )?;
    let steps: Vec<&str> = citation
        .normalizations()
        .map(TextNormalization::as_str)
        .collect();
    if !steps.is_empty() {
        write!(out, "; set aside: {}", steps.join(", "))?;
    }
    out.write_str("</p>")
}

/// What a failure says after its place.
pub(super) fn explained(out: &mut impl Write, failure: &Failure) -> fmt::Result {
    write!(out, " <code>{}</code>", failure.code())?;
    if let Some(found) = failure.found() {
        write!(out, "<p>found <code>{}</code></p>", Inline(found))?;
    }
    write!(out, "<p>{}</p>", Inline(failure.message()))?;
    let Some(rule) = failure.rule() else {
        return Ok(());
    };
    write!(out, "<p class=\"small\">rule {}", Inline(rule))?;
    if !failure.related().is_empty() {
        let related: Vec<String> = failure.related().iter().map(FieldPath::to_string).collect();
        write!(out, ", with {}", Inline(&related.join(", ")))?;
    }
    out.write_str("</p>")
}

fn places(out: &mut impl Write, entry: &Entry<'_>) -> fmt::Result {
    if entry.spans.is_empty() {
        return out.write_str("<p class=\"small\">no known place in the document</p>");
    }
    if entry.spans.len() == 1 {
        return Ok(());
    }
    out.write_str("<p class=\"small\">in the document:")?;
    for place in 0..entry.spans.len() {
        let id = place_id(entry, place);
        write!(out, " <a href=\"#{id}\">place {}</a>", place + 1)?;
    }
    out.write_str("</p>")
}
