//! What a walk gathers, and what it must not trust.

use std::sync::{Arc, OnceLock};

use crate::evidence::Located;
use crate::evidence::support::{DateOrder, ShownAs};
use crate::failure::{Failure, FailureCode, Layer};
use crate::json::Cursor;
use crate::node::panic;
use crate::path::FieldPath;

/// Where failures and warnings are gathered.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Findings {
    pub(crate) failures: Vec<Failure>,
    pub(crate) warnings: Vec<Failure>,
    /// How many more warnings there are.
    pub(crate) omitted_warnings: usize,
    /// What cites the document.
    pub(crate) citations: Vec<PendingCitation>,
    /// How many more there are, which are not looked up.
    unread_citations: usize,
    /// Bytes that the places of citations take.
    cited_places: usize,
    /// How many more failures there are.
    pub(crate) omitted: usize,
    /// How many of the failures are parts that did not bind.
    pub(crate) refused: usize,
    /// The rule that runs, so that its panic can be told by its name.
    pub(crate) running: Option<&'static str>,
    /// Bytes that the places of failures take.
    pub(crate) places: usize,
}

/// How many failures of rules are spelled out beside those of earlier layers.
const SPELLED_OUT: usize = 1_000;

/// Bytes that their places may take, since each spells out all keys above it.
const PLACES: usize = 1 << 18;

/// How many citations of one reply are looked up.
const CITATIONS: usize = 10_000;

/// Bytes that their places may take.
const CITED_PLACES: usize = 1 << 20;

impl Findings {
    /// What earlier layers found.
    pub(crate) fn of(failures: Vec<Failure>, omitted: usize) -> Self {
        Self {
            failures,
            omitted,
            ..Self::default()
        }
    }

    /// Adds a citation, if there is room to look it up.
    pub(super) fn cite(&mut self, cite: PendingCitation) {
        self.cited_places += cite.path.bytes();
        if self.citations.len() < CITATIONS && self.cited_places <= CITED_PLACES {
            self.citations.push(cite);
        } else {
            self.unread_citations += 1;
        }
    }

    /// The failure for citations that are not looked up: what rests on them is not known to be
    /// right.
    pub(crate) fn too_many_citations(&self) -> Option<Failure> {
        let unread = self.unread_citations;
        (unread > 0).then(|| {
            let all = self.citations.len() + unread;
            let message = format!(
                "has {all} citations, more than can be looked up in one reply; extract fewer \
                 values at once"
            );
            let code = FailureCode::new("support.too_many");
            Failure::new(Layer::Support, code, FieldPath::root(), message)
        })
    }

    /// Adds a failure; one that is not spelled out is not made either.
    pub(super) fn fail(&mut self, make: impl FnOnce() -> Failure) {
        if self.failures.len() >= SPELLED_OUT || self.places > PLACES {
            self.omitted += 1;
            return;
        }
        let failure = make();
        let places = std::iter::once(failure.path()).chain(failure.related());
        self.places += places.map(FieldPath::bytes).sum::<usize>();
        self.failures.push(failure);
    }

    /// Adds a warning; one that is not spelled out is not made either.
    pub(super) fn warn(&mut self, make: impl FnOnce() -> Failure) {
        if self.warnings.len() < SPELLED_OUT {
            self.warnings.push(make());
        } else {
            self.omitted_warnings += 1;
        }
    }

    /// The warnings; the last counts those that are not spelled out.
    pub(crate) fn take_warnings(&mut self) -> Vec<Failure> {
        let omitted = std::mem::take(&mut self.omitted_warnings);
        let mut warnings = std::mem::take(&mut self.warnings);
        if omitted > 0 {
            let message = format!(
                "{} counted and not told one by one",
                match omitted {
                    1 => "1 more warning is".to_owned(),
                    _ => format!("{omitted} more warnings are"),
                }
            );
            let more = Failure::new(
                Layer::Rule,
                FailureCode::new("rule"),
                FieldPath::root(),
                message,
            );
            warnings.push(more);
        }
        warnings
    }

    /// What a walk finds; a panic in it is a failure.
    pub(crate) fn gather(&mut self, walk: impl FnOnce(&mut Self)) {
        if let Err(message) = panic::caught(|| walk(self)) {
            let failure = match self.running.take() {
                Some(name) => panic::in_rule(name.to_owned(), &message),
                None => panic::in_binding(&message),
            };
            self.failures.push(failure);
        }
    }
}

/// A quotation in a value, to be looked up in the document.
#[derive(Debug)]
pub(crate) struct PendingCitation {
    /// Where the value stands.
    pub(crate) path: FieldPath,
    /// The same on the tape, where the value was read straight from it.
    pub(crate) node: Option<u32>,
    pub(crate) quote: String,
    /// The document that is said to be quoted.
    pub(crate) source: Option<String>,
    pub(crate) shown_as: ShownAs,
    pub(crate) date_order: Option<DateOrder>,
    /// Where the place is told; nothing for a text that is its own quotation.
    pub(crate) place: Option<Arc<OnceLock<Located>>>,
}

/// Which values of a broken reply cannot be trusted.
#[derive(Debug)]
pub(crate) struct Faults {
    /// Node ids at which an earlier layer failed, sorted.
    nodes: Vec<u32>,
}

impl Faults {
    pub(crate) fn new(mut nodes: Vec<u32>) -> Self {
        nodes.sort_unstable();
        nodes.dedup();
        Self { nodes }
    }

    /// Whether nothing failed at or below `cursor`.
    pub(super) fn spare(&self, cursor: Cursor<'_>) -> bool {
        let first = self.nodes.partition_point(|node| *node < cursor.id());
        self.nodes
            .get(first)
            .is_none_or(|node| *node >= cursor.after())
    }

    /// Whether something failed at `cursor` itself.
    pub(super) fn blame(&self, cursor: Cursor<'_>) -> bool {
        self.nodes.binary_search(&cursor.id()).is_ok()
    }
}
