//! The closed list of lossless, unambiguous steps that may stand between a
//! reply and its value, each of them recorded.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use super::edit::{Edit, Edits, quote};
use super::tape::{Cursor, Kind, Limits, SyntaxError, Tape};
use crate::path::Path;
use crate::schema::Schema;

/// Which steps may be taken before a reply is judged.
///
/// By default: the fence around a reply that is exactly one fenced block, a
/// closed reasoning block before the answer, a top-level array of strings that
/// came as one comma-separated string, a JSON number where the digits of an
/// exact decimal are asked for as text, and other names that serde reads for a
/// key or a variant (`#[serde(alias = "..")]`). Each step taken is in the record.
/// Nothing else is ever changed.
///
/// ```
/// use typed_extract::Normalize;
///
/// let strict = Normalize::none();
/// let lenient = Normalize::default().surrounding_prose(true);
/// assert_ne!(strict, lenient);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each is one independent switch.
pub struct Normalize {
    code_fence: bool,
    reasoning_block: bool,
    delimited_strings: bool,
    decimal_numbers: bool,
    aliases: bool,
    surrounding_prose: bool,
    drop_unknown_keys: bool,
}

impl Default for Normalize {
    fn default() -> Self {
        Self {
            code_fence: true,
            reasoning_block: true,
            delimited_strings: true,
            decimal_numbers: true,
            aliases: true,
            ..Self::none()
        }
    }
}

impl Normalize {
    /// No step at all: the reply is judged as it came.
    pub fn none() -> Self {
        Self {
            code_fence: false,
            reasoning_block: false,
            delimited_strings: false,
            decimal_numbers: false,
            aliases: false,
            surrounding_prose: false,
            drop_unknown_keys: false,
        }
    }

    /// Whether a reply that is exactly one fenced block loses its fence.
    #[must_use]
    pub fn code_fence(mut self, yes: bool) -> Self {
        self.code_fence = yes;
        self
    }

    /// Whether a closed reasoning block before the answer is skipped.
    #[must_use]
    pub fn reasoning_block(mut self, yes: bool) -> Self {
        self.reasoning_block = yes;
        self
    }

    /// Whether a top-level array of strings may come as one string, its
    /// elements separated by commas. A string that is JSON itself, holds quoted
    /// parts or a comma between two digits, or is one part only, is left as it
    /// is.
    #[must_use]
    pub fn delimited_strings(mut self, yes: bool) -> Self {
        self.delimited_strings = yes;
        self
    }

    /// Whether a JSON number where an exact decimal is asked for as text is
    /// taken digit for digit: `1200.50` becomes `"1200.50"`. A number with an
    /// exponent is not.
    ///
    /// ```
    /// use typed_extract::Normalize;
    ///
    /// let strict = Normalize::default().decimal_numbers(false);
    /// assert_ne!(strict, Normalize::default());
    /// ```
    #[must_use]
    pub fn decimal_numbers(mut self, yes: bool) -> Self {
        self.decimal_numbers = yes;
        self
    }

    /// Whether another name that serde reads (`#[serde(alias = "..")]`) stands
    /// for a key or a variant. Where the name itself is there too, the reply
    /// fails.
    ///
    /// ```
    /// # use serde::Deserialize;
    /// # use typed_extract::{Extract, Normalize, extract};
    /// #[derive(Debug, Deserialize, Extract)]
    /// struct Named {
    ///     #[serde(alias = "title")]
    ///     name: String,
    /// }
    ///
    /// let reply = r#"{"title": "Ida"}"#;
    /// let judge = |normalize| {
    ///     let flow = extract::<Named>().normalize(normalize).document("a document");
    ///     flow.validate(reply)
    /// };
    /// assert_eq!(judge(Normalize::default()).unwrap().value().name, "Ida");
    /// assert!(judge(Normalize::default().aliases(false)).is_err());
    /// ```
    #[must_use]
    pub fn aliases(mut self, yes: bool) -> Self {
        self.aliases = yes;
        self
    }

    /// Whether the single JSON value in surrounding prose is taken for the
    /// answer. Two different values stay an error.
    #[must_use]
    pub fn surrounding_prose(mut self, yes: bool) -> Self {
        self.surrounding_prose = yes;
        self
    }

    /// Whether keys that the schema does not know are left out. A key that
    /// differs from a missing one only in case, underscores or hyphens is not:
    /// it was meant, so it is told.
    #[must_use]
    pub fn drop_unknown_keys(mut self, yes: bool) -> Self {
        self.drop_unknown_keys = yes;
        self
    }

    pub(crate) fn drops_unknown_keys(self) -> bool {
        self.drop_unknown_keys
    }

    pub(crate) fn reads_decimal_numbers(self) -> bool {
        self.decimal_numbers
    }

    pub(crate) fn reads_aliases(self) -> bool {
        self.aliases
    }

    pub(crate) fn unfences(self) -> bool {
        self.code_fence
    }

    pub(crate) fn skips_reasoning(self) -> bool {
        self.reasoning_block
    }

    pub(crate) fn takes_prose(self) -> bool {
        self.surrounding_prose
    }

    pub(crate) fn splits_strings(self) -> bool {
        self.delimited_strings
    }
}

/// A step that was taken before a reply was judged, or to find a quotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Normalization {
    name: Cow<'static, str>,
    path: Path,
    count: usize,
}

impl Normalization {
    pub(crate) fn new(name: impl Into<Cow<'static, str>>, path: Path) -> Self {
        let name = name.into();
        Self {
            name,
            path,
            count: 1,
        }
    }

    pub(crate) fn with_count(mut self, count: usize) -> Self {
        self.count = count;
        self
    }

    /// How many values it changed. This is 1, except where one reply took more
    /// than ten thousand steps: those beyond are counted by name, each name in one
    /// step at the root.
    ///
    /// ```
    /// # use serde::Deserialize;
    /// # use typed_extract::{Extract, extract};
    /// #[derive(Debug, Deserialize, Extract)]
    /// struct Named {
    ///     #[serde(alias = "title")]
    ///     name: String,
    /// }
    ///
    /// let flow = extract::<Named>().document("a document");
    /// let named = flow.validate(r#"{"title": "Ida"}"#).unwrap();
    /// let steps = named.record().attempts()[0].normalizations();
    /// assert_eq!(steps[0].count(), 1);
    /// ```
    pub fn count(&self) -> usize {
        self.count
    }

    /// The stable word for the step: `code_fence`, `reasoning_block`,
    /// `delimited_string`, `decimal_number`, `alias`, `surrounding_prose`,
    /// `duplicate_candidate` or `unknown_key`; where the schema on the wire was another than the type's,
    /// `null_for_absent`, `pairs_to_map`, `named_places`, `enum_case` or
    /// `root_wrapper`; for a quotation, what was set aside to find it, as
    /// [`TextNormalization`](crate::TextNormalization) names it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The place it changed; the root for steps around the whole value.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn map_path(mut self, map: impl Fn(Path) -> Path) -> Self {
        self.path = map(self.path);
        self
    }
}

impl fmt::Display for Normalization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count > 1 {
            return write!(f, "{} at {} more places", self.name, self.count);
        }
        if self.path.is_root() {
            return f.write_str(&self.name);
        }
        write!(f, "{} at {}", self.name, self.path)
    }
}

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
    if normalize.reasoning_block
        && let Some(after) = after_reasoning(rest)
    {
        rest = after;
        steps.push(Normalization::new("reasoning_block", Path::root()));
    }
    if normalize.code_fence
        && let Some(inner) = inside_fence(rest)
    {
        rest = inner;
        steps.push(Normalization::new("code_fence", Path::root()));
    }
    (!steps.is_empty()).then_some(Unwrapped { text: rest, steps })
}

pub(super) const REASONING: [(&str, &str); 3] = [
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
pub(super) fn is_language(c: char) -> bool {
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
    let mut steps = vec![Normalization::new("surrounding_prose", Path::root())];
    if *times > 1 {
        steps.push(Normalization::new("duplicate_candidate", Path::root()));
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
            Path::root().key(declared.to_string()),
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
