//! The closed list of lossless, unambiguous steps that may stand between a
//! reply and its value, each of them recorded.

use serde_json::Value;

use crate::json::{Cursor, Kind, Limits, SyntaxError, Tape};
use crate::json::{edit::Edit, edit::Edits, edit::quote};
use crate::normalization::{Normalization, Normalize};
use crate::path::FieldPath;
use crate::schema::Schema;

/// The part of a reply that may be its value.
#[derive(Debug)]
pub(crate) struct Unwrapped<'t> {
    pub(crate) text: &'t str,
    pub(crate) steps: Vec<Normalization>,
}

/// Takes off what stands around the value, after the raw text did not parse.
pub(crate) fn unwrap(text: &str, normalize: Normalize) -> Option<Unwrapped<'_>> {
    let mut rest = text.trim();
    let mut steps = Vec::new();
    if normalize.skips_reasoning()
        && let Some(after) = after_reasoning(rest)
    {
        rest = after;
        steps.push(Normalization::new("reasoning_block", FieldPath::root()));
    }
    if normalize.unfences()
        && let Some(inner) = inside_fence(rest)
    {
        rest = inner;
        steps.push(Normalization::new("code_fence", FieldPath::root()));
    }
    (!steps.is_empty()).then_some(Unwrapped { text: rest, steps })
}

pub(crate) const REASONING: [(&str, &str); 3] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
];

fn after_reasoning(text: &str) -> Option<&str> {
    REASONING.iter().find_map(|(open, close)| {
        let (_, after) = text.strip_prefix(open)?.split_once(close)?;
        Some(after.trim())
    })
}

/// What stands between the fences of a text that is exactly one fenced block.
fn inside_fence(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("```")?.strip_suffix("```")?;
    let language = inner.find(|c: char| !is_language(c))?;
    Some(inner.get(language..)?.trim())
}

/// Whether a character may stand in the word behind an opening fence.
pub(crate) fn is_language(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_+-.".contains(c)
}

/// What a search for values in prose came to.
#[derive(Debug)]
pub(crate) enum Search<'t> {
    Nothing,
    /// One value, and how often it stood there.
    One(&'t str, usize),
    /// Different values: choosing would be a guess.
    Several,
}

/// How many bytes a search may read for each byte of the text.
const EFFORT: usize = 4;

/// How many places a search tries.
const TRIES: usize = 10_000;

/// Looks for whole JSON objects (or lists of them) in prose. Lists of plain
/// values are prose: `[1]` is a footnote more often than an answer.
pub(crate) fn search(text: &str, limits: Limits) -> Search<'_> {
    let mut at = 0;
    let mut effort = 0;
    let mut tries = 0;
    let mut found: Option<(&str, usize)> = None;
    while let Some(start) = next_opening(text, at) {
        let rest = text.get(start..).unwrap_or_default();
        tries += 1;
        match Tape::parse_prefix(rest, limits) {
            Ok((tape, end)) if is_answer(tape.root()) => {
                let value = rest.get(..end).unwrap_or_default();
                found = match found {
                    None => Some((value, 1)),
                    Some((first, times)) if same_value(first, value) => Some((first, times + 1)),
                    Some(_) => return Search::Several,
                };
                at = start + end;
            }
            Ok((_, end)) => at = start + end,
            Err(error) => {
                effort += error.offset;
                at = start + 1;
            }
        }
        if tries > TRIES || effort > text.len().saturating_mul(EFFORT) {
            return Search::Several;
        }
    }
    found.map_or(Search::Nothing, |(value, times)| Search::One(value, times))
}

fn next_opening(text: &str, from: usize) -> Option<usize> {
    Some(from + text.get(from..)?.find(['{', '['])?)
}

fn is_answer(root: Cursor<'_>) -> bool {
    match root.kind() {
        Kind::Object => true,
        Kind::Array => root
            .elements()
            .any(|element| element.kind() == Kind::Object),
        _ => false,
    }
}

fn same_value(one: &str, other: &str) -> bool {
    let read = |text| serde_json::from_str::<Value>(text).ok();
    one == other || read(one).is_some() && read(one) == read(other)
}

/// The answer in surrounding prose, where there is exactly one.
pub(crate) fn from_prose<'t>(found: &Search<'t>) -> Option<Unwrapped<'t>> {
    let Search::One(text, times) = found else {
        return None;
    };
    let mut steps = vec![Normalization::new("surrounding_prose", FieldPath::root())];
    if *times > 1 {
        steps.push(Normalization::new("duplicate_candidate", FieldPath::root()));
    }
    Some(Unwrapped { text, steps })
}

/// Turns top-level strings into the arrays of strings they were declared to be.
pub(crate) fn delimited_strings(
    schema: &Schema,
    keep: &[&str],
    root: Cursor<'_>,
) -> Option<(String, Vec<Normalization>)> {
    let mut edits = Edits::default();
    let mut steps = Vec::new();
    for declared in &schema.string_lists {
        let value = root
            .get(declared)
            .filter(|value| value.kind() == Kind::String);
        let Some(elements) = value
            .filter(|_| !keep.contains(&&**declared))
            .and_then(split)
        else {
            continue;
        };
        edits.set(value?, Edit::Replace(elements));
        steps.push(Normalization::new(
            "delimited_string",
            FieldPath::root().key(declared.to_string()),
        ));
    }
    (!edits.is_empty()).then(|| (edits.apply(root), steps))
}

/// The parts of a comma-separated string as a JSON array; nothing where it is no list or where the
/// commas may be data, so that the string fails as it is.
fn split(value: Cursor<'_>) -> Option<String> {
    let text = value.as_str()?;
    if !is_delimited(text.trim()) {
        return None;
    }
    let parts = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let elements: Vec<String> = parts.map(quote).collect();
    (!elements.is_empty()).then(|| format!("[{}]", elements.join(", ")))
}

/// Whether the commas of a text stand between parts: it has some, none of them inside a number or
/// a quotation, and is no list or object in a notation of its own.
fn is_delimited(text: &str) -> bool {
    let structured = text.starts_with(['[', '{', '(', '<']);
    let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
    let mut pieces = text.split(',').peekable();
    let mut grouped = false;
    while let Some(piece) = pieces.next() {
        let next = pieces.peek().and_then(|next| next.chars().next());
        grouped |= digit(piece.chars().next_back()) && digit(next);
    }
    let quoted = |part: &str| {
        part.trim()
            .starts_with(['"', '\'', '`', '“', '‘', '«', '„'])
    };
    text.contains(',') && !structured && !grouped && !text.split(',').any(quoted)
}

/// The failure code and words for a text that is no JSON value by itself.
pub(crate) fn misfit(
    text: &str,
    error: &SyntaxError,
    found: &Search<'_>,
) -> (&'static str, String) {
    let opens_value = text.trim_start().starts_with(['{', '[']);
    match found {
        Search::Several if !opens_value => (
            "parse.ambiguous",
            "the reply holds more than one JSON value; reply with one only".to_owned(),
        ),
        Search::One(..) if !opens_value => (
            "parse.syntax",
            "the reply has text around its JSON value; reply with the value only".to_owned(),
        ),
        _ => (error.code.word(), error.message.clone()),
    }
}
