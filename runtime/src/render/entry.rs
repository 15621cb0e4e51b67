//! What is said of one field, and where in the document it is marked.

use std::ops::Range;

use crate::evidence::Citation;
use crate::failure::Failure;
use crate::path::FieldPath;

/// A citation, a failure or a warning, with its known places.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) kind: Kind,
    /// Among those of its kind, from 1.
    pub(super) number: usize,
    pub(super) source: Source<'a>,
    /// Bytes of the document, on character boundaries.
    pub(super) spans: Vec<Range<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Cited,
    Failure,
    Warning,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Source<'a> {
    Citation(&'a Citation),
    Failure(&'a Failure),
}

impl<'a> Entry<'a> {
    pub(super) fn cited(number: usize, citation: &'a Citation, document: &str) -> Self {
        Self {
            kind: Kind::Cited,
            number,
            source: Source::Citation(citation),
            spans: within(document, [citation.span()]),
        }
    }

    /// A failure stands where its own quotation does, or where the field does
    /// that it concerns; where neither is known it has no place.
    pub(super) fn failure(
        kind: Kind,
        number: usize,
        failure: &'a Failure,
        citations: &[Citation],
        document: &str,
    ) -> Self {
        let spans = if failure.spans().is_empty() {
            let concerned = |one: &&Citation| one.path().contains(failure.path());
            let citations = citations.iter().filter(concerned);
            within(document, citations.map(Citation::span))
        } else {
            within(document, failure.spans().iter().cloned())
        };
        Self {
            kind,
            number,
            source: Source::Failure(failure),
            spans,
        }
    }

    pub(super) fn path(&self) -> &'a FieldPath {
        match self.source {
            Source::Citation(citation) => citation.path(),
            Source::Failure(failure) => failure.path(),
        }
    }
}

fn within(document: &str, spans: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let inside = |span: &Range<usize>| document.get(span.clone()).is_some();
    spans.into_iter().filter(inside).collect()
}

/// One place of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark<'e> {
    pub(super) entry: &'e Entry<'e>,
    /// Which of its places, from 0.
    pub(super) place: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// All places, in the order of the document; the longer one first where two
/// begin together.
pub(super) fn marks<'e>(entries: &'e [Entry<'e>]) -> Vec<Mark<'e>> {
    let places = entries.iter().flat_map(|entry| {
        let spans = entry.spans.iter().enumerate();
        spans.map(move |(place, span)| Mark {
            entry,
            place,
            start: span.start,
            end: span.end,
        })
    });
    let mut marks: Vec<Mark<'e>> = places.collect();
    marks.sort_by_key(|mark| (mark.start, std::cmp::Reverse(mark.end)));
    marks
}
