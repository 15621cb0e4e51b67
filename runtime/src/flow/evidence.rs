//! The layer between rules and policies: quotations stand in the document, or in
//! the one of several that they name, and carry their values.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::OnceLock;

use serde_json::Value;

use crate::evidence::Citation;
use crate::evidence::Located;
use crate::evidence::document::Document;
use crate::evidence::support::{Declared, Meaning, Passage, Scalar, Support, judge};
use crate::evidence::{self, Effort, Folds, Index, Lookup, Spot, assign, says_something};
use crate::failure::{Failure, FailureCode, Layer};
use crate::json::{Cursor, Kind};
use crate::node::PendingCitation;
use crate::normalization::Steps;
use crate::path::FieldPath;
use crate::schema::order;
use crate::schema::{DECIMAL, exact, forms};

/// How many places a failure spells out.
const TOLD: usize = 32;

/// What the citations of one reply are held against.
#[derive(Debug)]
pub(super) struct Evidence<'e> {
    pub(super) documents: &'e [Document<'e>],
    pub(super) index: &'e OnceLock<Vec<Index>>,
    pub(super) schema: &'e Value,
}

/// A citation in the reply, with its value where it could be resolved.
pub(super) struct Cited<'c> {
    pub(super) cite: PendingCitation,
    /// The citation itself.
    pub(super) cursor: Option<Cursor<'c>>,
}

/// What the document says of a reply's citations.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) failures: Vec<Failure>,
    /// What was set aside to find the others.
    pub(super) steps: Steps,
    /// Where those stand.
    pub(super) citations: Vec<Citation>,
    /// How many more failures there are.
    pub(super) omitted: usize,
}

/// How many failures of one reply are spelled out.
const SPELLED_OUT: usize = 1_000;

impl Checked {
    /// Adds a failure, if there is room to spell it out.
    fn failed(&mut self, make: impl FnOnce() -> Failure) {
        if self.failures.len() < SPELLED_OUT {
            self.failures.push(make());
        } else {
            self.omitted += 1;
        }
    }

    /// What was set aside to find a quotation.
    fn record(&mut self, one: &Cited<'_>, folds: Folds) {
        let path = &one.cite.path;
        for step in folds.iter() {
            self.steps.add(step.as_str(), || match one.cite.place {
                Some(_) => path.clone().key("quote"),
                None => path.clone(),
            });
        }
    }

    fn found(&mut self, one: &Cited<'_>, place: Located) {
        self.record(one, place.folds);
        if let Some(told) = &one.cite.place {
            let _ = told.set(place.clone());
        }
        let PendingCitation { path, quote, .. } = &one.cite;
        let value = match one.cite.place {
            Some(_) => one.cursor.and_then(|cursor| cursor.get("value")),
            None => one.cursor,
        };
        let value = value.and_then(Cursor::shown);
        let citation = Citation::new(path.clone(), quote.clone(), value, place);
        self.citations.push(citation);
    }
}

impl Evidence<'_> {
    /// Tells every citation where it stands, and what is wrong with the others.
    pub(super) fn check(&self, cited: &[Cited<'_>]) -> Checked {
        let mut checked = Checked::default();
        if cited.is_empty() {
            return checked;
        }
        if self.documents.is_empty() {
            let missing = |one| self.failure(one, "support.unsupported", NO_DOCUMENT.to_owned());
            for one in cited {
                checked.failed(|| missing(one));
            }
            return checked;
        }
        let ids = ids(self.documents);
        let (lookups, numbers) = self.look_up(cited, &ids);
        let citations: Vec<evidence::Quotation<'_>> = cited
            .iter()
            .zip(&numbers)
            .map(|(one, lookup)| evidence::Quotation {
                path: &one.cite.path,
                lookup: *lookup,
            })
            .collect();
        let mut chosen = assign(&citations, &lookups);
        settle_verbatim(cited, &numbers, &lookups, &mut chosen);
        let mut court = Court {
            documents: self.documents,
            ids,
            characters: characters(self.documents, &lookups, &chosen),
            effort: judging_effort(cited),
        };
        for ((one, number), spot) in cited.iter().zip(numbers).zip(chosen) {
            let Some(lookup) = lookups.get(number) else {
                continue;
            };
            let found = match &one.cite.place {
                None => self.stands(one, spot, &court),
                Some(_) => self.supports(one, lookup, spot, &mut court),
            };
            match found {
                Ok(place) => checked.found(one, place),
                Err(failure) => checked.failed(|| *failure),
            }
        }
        checked
    }

    /// Looks each quotation up once in each place where it may stand; the second
    /// list says which lookup is whose.
    fn look_up(&self, cited: &[Cited<'_>], ids: &Ids<'_>) -> (Vec<Lookup>, Vec<usize>) {
        let index = || self.documents.iter().map(|one| Index::new(one.text()));
        let indexes = self.index.get_or_init(|| index().collect());
        let mut known: HashMap<(&str, Scope), usize> = HashMap::new();
        let mut wanted: Vec<(&str, Scope)> = Vec::new();
        let numbers = cited.iter().map(|one| {
            let key = (one.cite.quote.as_str(), scope(one, ids));
            *known.entry(key).or_insert_with(|| {
                wanted.push(key);
                wanted.len() - 1
            })
        });
        let numbers = numbers.collect();
        let texts = self.documents.iter().map(|one| one.text().len());
        let lengths = wanted.iter().map(|(quote, _)| quote.len());
        let quoted = lengths.sum::<usize>().saturating_mul(indexes.len());
        let mut effort = Effort::for_bytes(texts.sum::<usize>().saturating_add(quoted));
        let lookups = wanted.iter().map(|(quote, scope)| {
            let mut lookup = Lookup::default();
            for (number, (document, index)) in self.documents.iter().zip(indexes).enumerate() {
                if scope.holds(number) {
                    lookup.add(number, index.find(document.text(), quote, &mut effort));
                }
            }
            lookup
        });
        (lookups.collect(), numbers)
    }

    /// A citation of a document that was not given.
    fn unknown_source(&self, one: &Cited<'_>) -> Failure {
        let ids = self.documents.iter().filter_map(Document::name).take(TOLD);
        let told: Vec<String> = ids.map(|id| Value::from(id).to_string()).collect();
        let more = self.documents.len().saturating_sub(TOLD);
        let mut message = match told.as_slice() {
            [] => "names a document, and none that is given has an id; give it one with \
                   `Document::new(text).id(..)`"
                .to_owned(),
            told => format!(
                "is no document that was given; name the one that is quoted, one of {}",
                told.join(", ")
            ),
        };
        if more > 0 {
            let _ = write!(message, " and {more} more");
        }
        self.failure_at(one, "source", "support.unknown_source", message)
    }

    /// A verbatim field: its text stands in the document, anywhere.
    fn stands(
        &self,
        one: &Cited<'_>,
        spot: Option<&Spot>,
        court: &Court<'_>,
    ) -> Result<Located, Box<Failure>> {
        let place = spot.and_then(|spot| court.place(spot));
        let place = place.map(|(spot, document)| court.located(spot, document));
        place.ok_or_else(|| {
            let message = "does not stand in the document; copy it exactly as it stands there";
            Box::new(self.failure(one, "support.not_found", message.to_owned()))
        })
    }

    /// A citation: its quotation has one place and carries the value.
    fn supports(
        &self,
        one: &Cited<'_>,
        lookup: &Lookup,
        spot: Option<&Spot>,
        court: &mut Court<'_>,
    ) -> Result<Located, Box<Failure>> {
        let failure =
            |code, message: &str| Err(Box::new(self.failure(one, code, message.to_owned())));
        if !says_something(&one.cite.quote) {
            return failure(
                "support.too_weak",
                "quotes nothing; copy the words that state the value from the document",
            );
        }
        let Some((spot, document)) = spot.and_then(|spot| court.place(spot)) else {
            return Err(Box::new(match scope(one, &court.ids) {
                Scope::None => self.unknown_source(one),
                _ => self.unplaced(one, lookup, court),
            }));
        };
        let span = spot.place.span.clone();
        let passage = Passage::new(document.text(), span.clone());
        if let Some(message) = self.unsupported(one, &passage, &mut court.effort) {
            return failure("support.unsupported", message)
                .map_err(|failure| Box::new(failure.with_spans(court.told(vec![span]))));
        }
        Ok(court.located(spot, document))
    }

    fn unplaced(&self, one: &Cited<'_>, lookup: &Lookup, court: &Court<'_>) -> Failure {
        if lookup.spots.is_empty() && !lookup.more {
            let message = if one.cite.source.is_some() {
                "does not stand in the document that `source` names; copy the words that state \
                 the value exactly as they stand there, without leaving any out, or name the \
                 document where they stand"
            } else {
                "does not stand in the document; copy the words that state the value exactly as \
                 they stand there, without leaving any out"
            };
            return self.failure(one, "support.not_found", message.to_owned());
        }
        let mut places: Vec<String> = told(lookup)
            .map(|spot| {
                let characters = |at| court.characters.before(spot.document, at);
                let span = &spot.place.span;
                format!("{}..{}", characters(span.start), characters(span.end))
            })
            .collect();
        if lookup.more || lookup.spots.len() > TOLD {
            places.push("more".to_owned());
        }
        let message = format!(
            "stands in the document more than once (characters {}); quote more of the text around \
             it, so that it stands there once",
            places.join(", ")
        );
        self.failure(one, "support.ambiguous", message)
            .with_spans(court.told(told(lookup).map(|spot| spot.place.span.clone()).collect()))
    }

    /// What is wrong with the first value that the passage does not carry.
    fn unsupported(
        &self,
        one: &Cited<'_>,
        passage: &Passage<'_>,
        effort: &mut Effort,
    ) -> Option<&'static str> {
        let Some(value) = one.cursor.and_then(|cursor| cursor.get("value")) else {
            return Some(UNJUDGED);
        };
        let mut leaves = Vec::new();
        gather(value, &one.cite.path.clone().key("value"), &mut leaves);
        if leaves.is_empty() {
            return Some(UNJUDGED);
        }
        leaves.iter().find_map(|(value, path)| {
            if effort.spend(one.cite.quote.len()).is_err() {
                return Some(UNJUDGED);
            }
            self.unsupported_leaf(one, *value, path, passage)
        })
    }

    fn unsupported_leaf(
        &self,
        one: &Cited<'_>,
        value: Cursor<'_>,
        path: &FieldPath,
        passage: &Passage<'_>,
    ) -> Option<&'static str> {
        let text = value.as_str();
        let scalar = match value.kind() {
            Kind::Bool => Scalar::Bool,
            Kind::Number => Scalar::Number(value.raw()),
            Kind::String => Scalar::String(text.as_deref().unwrap_or_default()),
            Kind::Null | Kind::Array | Kind::Object => Scalar::Null,
        };
        let declared = Declared {
            meaning: self.meaning(path),
            shown_as: one.cite.shown_as,
            date_order: one.cite.date_order,
        };
        match judge(scalar, declared, passage) {
            Support::Supported => None,
            Support::Mismatch => Some(MISMATCH),
            Support::DateOrder => Some(DATE_ORDER),
            Support::Unjudged => Some(UNJUDGED),
        }
    }

    /// What a string is declared to hold.
    fn meaning(&self, path: &FieldPath) -> Meaning {
        let schemas = order::schemas(path, self.schema);
        let word = |key| schemas.iter().find_map(|schema| schema.get(key)?.as_str());
        if word("format").is_some_and(exact::is_decimal) {
            return Meaning::Decimal;
        }
        match (word("format"), word("pattern")) {
            (Some("date"), _) => Meaning::Date,
            (Some("date-time"), _) | (_, Some(forms::DATE_TIME)) => Meaning::DateTime,
            (Some("time"), _) | (_, Some(forms::TIME)) => Meaning::Time,
            (_, Some(DECIMAL)) => Meaning::Decimal,
            _ => Meaning::Text,
        }
    }

    /// A failure at a quotation. The whole citation is concerned: another
    /// quotation may belong to another value, or there may be none.
    fn failure(&self, one: &Cited<'_>, code: &'static str, message: String) -> Failure {
        self.failure_at(one, "quote", code, message)
    }

    /// The same at a part of the citation; a verbatim field has none.
    fn failure_at(
        &self,
        one: &Cited<'_>,
        part: &'static str,
        code: &'static str,
        message: String,
    ) -> Failure {
        let cited = one.cite.place.is_some();
        let message = if self.may_be_null(&one.cite.path) {
            format!(
                "{message}; if the document does not state the value, give null in place of the \
                 whole {}",
                if cited { "citation" } else { "value" }
            )
        } else {
            message
        };
        let path = one.cite.path.clone();
        let found = if cited {
            one.cursor.and_then(|cursor| cursor.get(part))
        } else {
            one.cursor
        };
        let place = if cited {
            path.clone().key(part)
        } else {
            path.clone()
        };
        let related = if cited { vec![path] } else { Vec::new() };
        Failure::new(Layer::Support, FailureCode::new(code), place, message)
            .with_related(related)
            .with_found(found.and_then(Cursor::shown))
    }

    fn may_be_null(&self, path: &FieldPath) -> bool {
        let schemas = order::schemas(path, self.schema);
        schemas.iter().any(|schema| match schema.get("type") {
            Some(Value::String(kind)) => kind == "null",
            Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "null"),
            _ => false,
        })
    }
}

const NO_DOCUMENT: &str = "cites a document, and none was given to look it up in; give it with \
                           `extract::<T>().document(..)`";
const MISMATCH: &str = "stands in the document and does not hold the value itself; quote the words \
                        that do, the value among them, or correct the value to what they state";
const DATE_ORDER: &str = "holds a date whose day and month cannot be told apart; quote one that is \
                          written out, or declare the order with `date_order`";
const UNJUDGED: &str = "cannot be judged for such a value";

/// What all citations of one reply are judged with.
struct Court<'d> {
    documents: &'d [Document<'d>],
    ids: Ids<'d>,
    characters: Characters,
    effort: Effort,
}

impl<'d> Court<'d> {
    /// A spot with its document.
    fn place<'s>(&self, spot: &'s Spot) -> Option<(&'s Spot, &'d Document<'d>)> {
        Some((spot, self.documents.get(spot.document)?))
    }

    fn located(&self, spot: &Spot, document: &Document<'_>) -> Located {
        let span = spot.place.span.clone();
        let characters = |at| self.characters.before(spot.document, at);
        Located {
            source: document.name().map(str::to_owned),
            chars: characters(span.start)..characters(span.end),
            text: document.text().get(span.clone()).unwrap_or_default().into(),
            folds: spot.place.folds,
            span,
        }
    }

    /// Spans as a failure tells them: of several documents they would not say which.
    fn told(&self, spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
        if self.documents.len() == 1 {
            spans
        } else {
            Vec::new()
        }
    }
}

/// Where a quotation may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Scope {
    /// In any of the documents.
    Any,
    /// In one of them.
    One(usize),
    /// In none: what is named was not given.
    None,
}

impl Scope {
    fn holds(self, number: usize) -> bool {
        match self {
            Self::Any => true,
            Self::One(one) => one == number,
            Self::None => false,
        }
    }
}

/// The documents' numbers by their ids.
type Ids<'d> = HashMap<&'d str, usize>;

fn scope(one: &Cited<'_>, ids: &Ids<'_>) -> Scope {
    let Some(source) = one.cite.source.as_deref() else {
        return Scope::Any;
    };
    ids.get(source)
        .map_or(Scope::None, |number| Scope::One(*number))
}

fn ids<'d>(documents: &'d [Document<'_>]) -> Ids<'d> {
    let named = documents.iter().enumerate();
    named
        .filter_map(|(number, document)| Some((document.name()?, number)))
        .collect()
}

/// A verbatim text may stand in several places: the one that its siblings'
/// passage tells, or else the first, of those where least has to be set aside.
fn settle_verbatim<'l>(
    cited: &[Cited<'_>],
    numbers: &[usize],
    lookups: &'l [Lookup],
    chosen: &mut [Option<&'l Spot>],
) {
    let set_aside = |spot: &Spot| spot.place.folds.iter().count();
    for ((one, number), chosen) in cited.iter().zip(numbers).zip(chosen) {
        if one.cite.place.is_some() {
            continue;
        }
        let spots = lookups.get(*number).map(|lookup| &lookup.spots);
        let least = spots.and_then(|spots| spots.iter().min_by_key(|spot| set_aside(spot)));
        *chosen = match (*chosen, least) {
            (Some(told), Some(least)) if set_aside(told) <= set_aside(least) => Some(told),
            (_, least) => least,
        };
    }
}

/// Enough to read every quotation for several values, and for many where it is
/// short.
fn judging_effort(cited: &[Cited<'_>]) -> Effort {
    let quotes = cited.iter().map(|one| one.cite.quote.len());
    Effort::for_bytes(quotes.fold(1 << 21, usize::saturating_add))
}

/// The spots that a failure spells out.
fn told(lookup: &Lookup) -> impl Iterator<Item = &Spot> {
    lookup.spots.iter().take(TOLD)
}

/// The values within a value that hold no others. Recursion is bounded by the
/// depth that parsing allows.
fn gather<'c>(value: Cursor<'c>, path: &FieldPath, leaves: &mut Vec<(Cursor<'c>, FieldPath)>) {
    match value.kind() {
        Kind::Array => {
            for (index, element) in value.elements().enumerate() {
                gather(element, &path.clone().index(index), leaves);
            }
        }
        Kind::Object => {
            for (key, member) in value.members() {
                let key: Cow<'static, str> = key.into_owned().into();
                gather(member, &path.clone().key(key), leaves);
            }
        }
        _ => leaves.push((value, path.clone())),
    }
}

/// How many characters stand before some bytes of a document, counted in one
/// pass.
struct Characters(HashMap<(usize, usize), usize>);

/// Counts to all places that anything is said of.
fn characters(
    documents: &[Document<'_>],
    lookups: &[Lookup],
    chosen: &[Option<&Spot>],
) -> Characters {
    let chosen = chosen.iter().flatten().copied();
    let spots = chosen.chain(lookups.iter().flat_map(told));
    let ends = spots.flat_map(|spot| {
        let span = &spot.place.span;
        [span.start, span.end].map(|byte| (spot.document, byte))
    });
    Characters::at(documents, ends)
}

impl Characters {
    fn at(documents: &[Document<'_>], bytes: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut bytes: Vec<(usize, usize)> = bytes.collect();
        bytes.sort_unstable();
        bytes.dedup();
        let (mut here, mut from, mut count) = (0, 0, 0);
        let counts = bytes.into_iter().map(|(document, byte)| {
            if document != here {
                (here, from, count) = (document, 0, 0);
            }
            let text = documents.get(document).map_or("", Document::text);
            let between = text.get(from..byte).unwrap_or_default();
            count += between.chars().count();
            from = byte;
            ((document, byte), count)
        });
        Self(counts.collect())
    }

    fn before(&self, document: usize, byte: usize) -> usize {
        self.0.get(&(document, byte)).copied().unwrap_or_default()
    }
}
