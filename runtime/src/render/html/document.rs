//! The document, cut at every place where a mark begins or ends.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::super::entry::{Entry, Kind, Mark, marks};
use super::escape::{Block, Inline};
use super::names::{entry_id, place_id};

/// Marks that one piece of text names. A reply may cite one passage without
/// end.
const NAMED: usize = 16;

/// Writes the text with its marks. Marks may overlap, so each piece between two
/// cuts is an element of its own and names all marks that cover it.
pub(super) fn write(out: &mut impl Write, document: &str, entries: &[Entry<'_>]) -> fmt::Result {
    let marks = marks(entries);
    let mut cuts: BTreeSet<usize> = marks.iter().flat_map(|one| [one.start, one.end]).collect();
    cuts.extend([0, document.len()]);
    let mut cuts = cuts.into_iter().peekable();
    let mut waiting = marks.iter().peekable();
    let mut covering: Vec<&Mark<'_>> = Vec::new();
    // A line break right after the tag would be dropped.
    out.write_str("<pre class=\"text\">\n")?;
    while let Some(from) = cuts.next() {
        covering.retain(|mark| mark.end > from);
        while let Some(mark) = waiting.next_if(|mark| mark.start <= from) {
            anchor(out, mark)?;
            covering.push(mark);
        }
        let to = cuts.peek().copied().unwrap_or(from);
        piece(out, document.get(from..to).unwrap_or_default(), &covering)?;
    }
    out.write_str("</pre>\n")
}

/// Where a mark begins: the target of the links to it, and the way back. Its
/// number is drawn, so that it is not copied with the text.
fn anchor(out: &mut impl Write, mark: &Mark<'_>) -> fmt::Result {
    write!(
        out,
        "<a class=\"ref {}\" id=\"{}\" href=\"#{}\" title=\"{}\" data-n=\"{}\"></a>",
        class(mark.entry.kind),
        place_id(mark.entry, mark.place),
        entry_id(mark.entry),
        Inline(&mark.entry.path().to_string()),
        entry_id(mark.entry),
    )
}

fn piece(out: &mut impl Write, text: &str, covering: &[&Mark<'_>]) -> fmt::Result {
    if covering.is_empty() || text.is_empty() {
        return write!(out, "{}", Block(text));
    }
    let mut kinds: Vec<&str> = covering.iter().map(|mark| class(mark.entry.kind)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    write!(out, "<mark class=\"{}", kinds.join(" "))?;
    for mark in covering.iter().take(NAMED) {
        write!(out, " m-{}", place_id(mark.entry, mark.place))?;
    }
    out.write_str("\" title=\"")?;
    for (at, mark) in covering.iter().take(NAMED).enumerate() {
        out.write_str(if at == 0 { "" } else { ", " })?;
        write!(out, "{}", Inline(&mark.entry.path().to_string()))?;
    }
    if covering.len() > NAMED {
        write!(out, " and {} more", covering.len() - NAMED)?;
    }
    write!(out, "\">{}</mark>", Block(text))
}

pub(super) fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Cited => "cited",
        Kind::Failure => "failed",
        Kind::Warning => "warned",
    }
}

/// The rules by which all pieces of a mark stand out when a link leads to it.
pub(super) fn write_targets(out: &mut impl Write, entries: &[Entry<'_>]) -> fmt::Result {
    for mark in marks(entries) {
        let id = place_id(mark.entry, mark.place);
        writeln!(
            out,
            "#{id}:target~.m-{id}{{outline:2px solid var(--target)}}"
        )?;
    }
    Ok(())
}
