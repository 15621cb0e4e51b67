//! The judgement: a reply in, a verdict out. Pure and synchronous.
//!
//! Each layer runs on whatever the earlier ones could save, so that one verdict
//! names everything that is wrong.

mod evidence;
pub(crate) mod normalize;
mod places;
mod plan;
mod text;
mod verdict;

use std::sync::OnceLock;

pub(crate) use plan::Plan;
pub(crate) use verdict::Accepted;

use crate::evidence::Citation;
use crate::evidence::Index;
use crate::evidence::document::Document;
use crate::failure::{Failure, FailureCode, Failures, Layer};
use crate::json::account::accounted;
use crate::json::edit::Edits;
use crate::json::{Cursor, Kind, Limits, SyntaxCode, SyntaxError, Tape};
use crate::node::{Faults, Findings, PendingCitation, Walk};
use crate::normalization::{Normalization, Normalize, Steps};
use crate::path::{At, FieldPath, Segment};
use crate::schema::WRAPPER_KEY;
use crate::schema::dialect::{Shapes, undo::undo};
use crate::schema::explain::{self, Readable, Reading};
use evidence::{Checked, Cited, Evidence};
use places::Places;

/// What judges a reply: the type's plan and what the caller set.
#[derive(Debug)]
pub(crate) struct Flow<'a, T, C: ?Sized> {
    pub(crate) plan: &'a Plan<T, C>,
    pub(crate) normalize: Normalize,
    pub(crate) limits: Limits,
    pub(crate) context: &'a C,
    /// What the reply may cite; empty where nothing is given.
    pub(crate) documents: &'a [Document<'a>],
    /// What the wire asked for in another form than the schema.
    pub(crate) wire: Option<&'a Shapes>,
    /// The documents' words, listed at the first citation.
    pub(crate) index: OnceLock<Vec<Index>>,
}

/// What the flow says of one reply.
#[derive(Debug)]
pub(crate) struct Judgement<T> {
    pub(crate) verdict: Result<Accepted<T>, Failures>,
    pub(crate) warnings: Vec<Failure>,
    pub(crate) normalizations: Vec<Normalization>,
    /// What of it was found in the document.
    pub(crate) citations: Vec<Citation>,
}

/// A reply that is not one JSON value.
#[derive(Debug)]
pub(crate) struct Unread {
    pub(crate) failure: Box<Failure>,
    pub(crate) steps: Vec<Normalization>,
}

impl<T, C: ?Sized> Flow<'_, T, C> {
    /// Judges the text of a reply that ended by itself.
    pub(crate) fn judge(&self, text: &str) -> Judgement<T> {
        self.read(text, |tape, steps| self.check(tape, steps))
            .unwrap_or_else(|unread| self.unread(unread))
    }

    /// The judgement of a reply that is not one JSON value.
    pub(crate) fn unread(&self, unread: Unread) -> Judgement<T> {
        Judgement {
            verdict: Err(self.named(Failures::new(vec![*unread.failure]))),
            warnings: Vec::new(),
            normalizations: unread.steps,
            citations: Vec::new(),
        }
    }

    /// Failures that know which keys of their places the schema names.
    pub(crate) fn named(&self, failures: Failures) -> Failures {
        failures.declared_by(|key| self.plan.schema.names(key))
    }

    /// Reads the text as one JSON value and hands it on with the steps taken.
    pub(crate) fn read<R>(
        &self,
        text: &str,
        then: impl FnOnce(&Tape<'_>, Vec<Normalization>) -> R,
    ) -> Result<R, Unread> {
        match Tape::parse(text, self.limits) {
            Ok(tape) => self.undone(&tape, Vec::new(), then),
            Err(error) => self.read_unwrapped(text, &error, then),
        }
    }

    /// The raw text did not parse: what stands around the value is taken off
    /// where that is allowed.
    fn read_unwrapped<R>(
        &self,
        text: &str,
        error: &SyntaxError,
        then: impl FnOnce(&Tape<'_>, Vec<Normalization>) -> R,
    ) -> Result<R, Unread> {
        let unwrapped = normalize::unwrap(text, self.normalize);
        let (inner, mut steps) = unwrapped.map_or((text, Vec::new()), |u| (u.text, u.steps));
        let inner_error = if steps.is_empty() {
            None
        } else {
            match Tape::parse(inner, self.limits) {
                Ok(tape) => return self.undone(&tape, steps, then),
                Err(error) => Some(error),
            }
        };
        let error = inner_error.as_deref().unwrap_or(error);
        let found = if self.may_hold_answer(inner, error) {
            normalize::search(inner, self.limits)
        } else {
            normalize::Search::Nothing
        };
        let answer = self
            .normalize
            .takes_prose()
            .then(|| normalize::from_prose(&found))
            .flatten();
        let failure =
            match answer.map(|answer| (Tape::parse(answer.text, self.limits), answer.steps)) {
                Some((Ok(tape), more)) => {
                    steps.extend(more);
                    return self.undone(&tape, steps, then);
                }
                _ => syntax_failure(inner, error, &found),
            };
        Err(Unread {
            failure: Box::new(self.seen_failure(failure)),
            steps,
        })
    }

    /// Whether a search in a text that did not parse can tell anything: it is
    /// prose, or prose is asked for.
    fn may_hold_answer(&self, text: &str, error: &SyntaxError) -> bool {
        let bounded = !matches!(error.code, SyntaxCode::Depth | SyntaxCode::Size);
        let prose = !text.trim_start().starts_with(['{', '[']);
        bounded && (prose || self.normalize.takes_prose())
    }

    /// What the wire asked for in another form than the schema takes its own.
    fn undone<R>(
        &self,
        tape: &Tape<'_>,
        mut steps: Vec<Normalization>,
        then: impl FnOnce(&Tape<'_>, Vec<Normalization>) -> R,
    ) -> Result<R, Unread> {
        let undone = self.wire.and_then(|shapes| undo(shapes, tape.root()));
        // A reply that is right as it stands says what it says.
        let undone = undone.filter(|_| !self.plan.schema.validator.is_valid(tape.root()));
        let Some((text, more)) = undone else {
            return Ok(self.declared(tape, steps, then));
        };
        steps.extend(more);
        match Tape::parse(&text, self.limits) {
            Ok(undone) => Ok(self.declared(&undone, steps, then)),
            // An edit of a sound reply is sound but for keys that came twice.
            Err(error) => {
                let path = error.path.iter().cloned().collect();
                let code = FailureCode::new(error.code.word());
                let failure = Failure::new(Layer::Parse, code, path, error.message.clone());
                Err(Unread {
                    failure: Box::new(self.seen_failure(failure)),
                    steps: self.seen_steps(steps),
                })
            }
        }
    }

    fn seen_steps(&self, steps: Vec<Normalization>) -> Vec<Normalization> {
        let seen = |step: Normalization| step.map_path(|path| self.seen(path));
        steps.into_iter().map(seen).collect()
    }

    /// Strings become the arrays they were declared to be, where asked for.
    fn declared<R>(
        &self,
        tape: &Tape<'_>,
        mut steps: Vec<Normalization>,
        then: impl FnOnce(&Tape<'_>, Vec<Normalization>) -> R,
    ) -> R {
        let keep = self.plan.hints.keep_delimiters;
        let split = self
            .normalize
            .splits_strings()
            .then(|| normalize::delimited_strings(&self.plan.schema, keep, tape.root()))
            .flatten();
        let Some((text, more)) = split else {
            return then(tape, steps);
        };
        match Tape::parse(&text, self.limits) {
            Ok(split) => {
                steps.extend(more);
                then(&split, steps)
            }
            // An edit of a sound reply is sound; were it not, the reply stands.
            Err(_) => then(tape, steps),
        }
    }

    /// What may be read in another form is read so before one reply is compared with another:
    /// the same value in two forms is no change.
    pub(crate) fn known<R>(
        &self,
        tape: &Tape<'_>,
        steps: Vec<Normalization>,
        then: impl FnOnce(&Tape<'_>, Vec<Normalization>) -> R,
    ) -> R {
        let root = tape.root();
        if explain::holds(&self.plan.schema, root) {
            return then(tape, steps);
        }
        let readable = Readable::of(self.normalize);
        let readings = explain::explain(&self.plan.schema, root, readable).readings;
        let read = read_otherwise(root, readings);
        let parsed = read
            .as_ref()
            .and_then(|(text, more)| Some((Tape::parse(text, self.limits).ok()?, more)));
        match parsed {
            Some((known, more)) => then(&known, [&*steps, &**more].concat()),
            None => then(tape, steps),
        }
    }

    /// Judges a value on the tape: schema, binding, rules and policies.
    pub(crate) fn check(&self, tape: &Tape<'_>, steps: Vec<Normalization>) -> Judgement<T> {
        self.check_read(tape, steps, Readable::of(self.normalize))
    }

    /// The same, with the readings that may yet be tried.
    fn check_read(
        &self,
        tape: &Tape<'_>,
        steps: Vec<Normalization>,
        readable: Readable,
    ) -> Judgement<T> {
        let root = tape.root();
        let suspicious = text::control_characters(tape, self.documents);
        if suspicious.is_empty() && explain::holds(&self.plan.schema, root) {
            return self.check_bound(root, steps);
        }
        let mut broken = explain::explain(&self.plan.schema, root, readable);
        let readings = std::mem::take(&mut broken.readings);
        // It is read once: what is left then is wrong.
        if let Some((text, more)) = read_otherwise(root, readings)
            && let Ok(tape) = Tape::parse(&text, self.limits)
        {
            let steps = steps.into_iter().chain(more).collect();
            return self.check_read(&tape, steps, Readable::default());
        }
        self.check_broken(root, suspicious, broken, steps)
    }

    /// The schema holds: bind the whole value and run its rules.
    fn check_bound(&self, root: Cursor<'_>, steps: Vec<Normalization>) -> Judgement<T> {
        let mut findings = Findings::default();
        let mut bound = None;
        if let Some(value) = self.value(root) {
            findings.gather(|findings| bound = self.bind(value, findings));
        }
        self.judgement(bound, root, findings, steps)
    }

    /// Binds a value whole and walks it, or part by part where serde would lose
    /// something of it or does not take it.
    fn bind(&self, value: Cursor<'_>, findings: &mut Findings) -> Option<T> {
        let mut walk = Walk::new(self.context, findings, None, &self.plan.types);
        let whole = self.plan.bind.map(|bind| accounted(value, bind));
        match whole {
            Some(Ok(bound)) => {
                (self.plan.walk)(&bound, &At::ROOT, &mut walk);
                Some(bound)
            }
            Some(Err(_)) | None => (self.plan.probe)(value, &At::ROOT, &mut walk),
        }
    }

    /// The schema does not hold: bind and check what it does not concern.
    fn check_broken(
        &self,
        root: Cursor<'_>,
        suspicious: text::Controls,
        broken: explain::Explained<'_>,
        steps: Vec<Normalization>,
    ) -> Judgement<T> {
        let omitted = broken.omitted + suspicious.omitted;
        let (broken, suspicious) = (broken.findings, suspicious.found);
        let tainted = suspicious.iter().map(|(_, node)| *node);
        let faults = Faults::new(tainted.chain(broken.iter().map(|one| one.node)).collect());
        let failures = suspicious.into_iter().map(|(failure, _)| failure);
        let failures = failures.chain(broken.into_iter().map(explain::Finding::into_failure));
        let mut findings = Findings {
            failures: failures.map(|failure| self.seen_failure(failure)).collect(),
            omitted,
            ..Findings::default()
        };
        // Where not every fault is known, no value can be trusted.
        if let Some(value) = self.value(root).filter(|_| omitted == 0) {
            findings.gather(|findings| {
                let mut walk = Walk::new(self.context, findings, Some(&faults), &self.plan.types);
                (self.plan.probe)(value, &At::ROOT, &mut walk);
            });
        }
        self.judgement(None, root, findings, steps)
    }

    fn judgement(
        &self,
        value: Option<T>,
        root: Cursor<'_>,
        mut findings: Findings,
        steps: Vec<Normalization>,
    ) -> Judgement<T> {
        let warnings = findings.take_warnings();
        let Findings {
            mut failures,
            citations,
            mut omitted,
            ..
        } = findings;
        let warnings = self.named(Failures::new(warnings)).into_iter().collect();
        let mut places = self.value(root).map(Places::new);
        let checked = self.evidence(root, citations, places.as_mut());
        failures.extend(checked.failures);
        omitted += checked.omitted;
        for failure in &mut failures {
            quote(places.as_mut(), failure);
        }
        if value.is_none() && failures.is_empty() {
            failures.push(unexplained(root));
        }
        let mut normalizations = self.seen_steps(steps);
        normalizations.extend(checked.steps.into_told());
        Judgement {
            verdict: verdict::decide(value, failures, omitted, &self.plan.schema),
            warnings,
            normalizations,
            citations: checked.citations,
        }
    }

    /// Holds what cites the document against it.
    fn evidence<'c>(
        &self,
        root: Cursor<'c>,
        citations: Vec<PendingCitation>,
        mut places: Option<&mut Places<'c>>,
    ) -> Checked {
        let cited: Vec<Cited<'_>> = citations
            .into_iter()
            .map(|cite| Cited {
                own: self.own(&cite.path),
                cursor: match cite.node {
                    Some(node) => Some(root.at(node)),
                    None => places.as_mut().and_then(|places| places.find(&cite.path)),
                },
                cite,
            })
            .collect();
        let evidence = Evidence {
            documents: self.documents,
            index: &self.index,
            schema: &self.plan.schema.checked,
        };
        evidence.check(&cited)
    }

    /// The value itself, out of its wrapper if it travels in one.
    fn value<'c>(&self, root: Cursor<'c>) -> Option<Cursor<'c>> {
        if self.plan.schema.wrapped {
            root.get(WRAPPER_KEY)
        } else {
            Some(root)
        }
    }

    /// A place of the caller's in the reply, with the wrapper.
    pub(crate) fn own(&self, path: &FieldPath) -> FieldPath {
        if self.plan.schema.wrapped {
            FieldPath::root().key(WRAPPER_KEY).join(path)
        } else {
            path.clone()
        }
    }

    /// A place as the caller sees it, without the wrapper.
    pub(crate) fn seen(&self, path: FieldPath) -> FieldPath {
        self.plan.schema.seen(path)
    }

    /// A failure at a place of the reply as the caller sees it. It still tells whether its place
    /// lies at or beside the wrapper, where the caller's places do not lead.
    pub(crate) fn seen_failure(&self, failure: Failure) -> Failure {
        let outside = !self.plan.schema.holds_value(failure.path());
        let failure = failure.map_paths(|path| self.seen(path));
        failure.with_outside(outside)
    }

    /// A place of a failure as it stands in the reply.
    pub(crate) fn in_reply(&self, failure: &Failure, path: &FieldPath) -> FieldPath {
        if failure.is_outside() {
            path.clone()
        } else {
            self.own(path)
        }
    }
}

/// A reply with all that may be read in another form, and the steps taken; nothing where there is
/// none.
fn read_otherwise(
    root: Cursor<'_>,
    readings: Vec<Reading<'_>>,
) -> Option<(String, Vec<Normalization>)> {
    let mut edits = Edits::default();
    let mut steps = Steps::default();
    for reading in readings {
        reading.take(root, &mut edits, &mut steps);
    }
    (!edits.is_empty()).then(|| (edits.apply(root), steps.into_told()))
}

/// Adds what stands at a broken rule's place, where that is a plain value.
fn quote(places: Option<&mut Places<'_>>, failure: &mut Failure) {
    if failure.rule().is_none() {
        return;
    }
    let place = places.and_then(|places| places.find(failure.path()));
    let plain = |value: &Cursor<'_>| !matches!(value.kind(), Kind::Object | Kind::Array);
    if let Some(found) = place.filter(plain).and_then(Cursor::shown) {
        failure.quote(found);
    }
}

pub(crate) fn step<'c>(here: Cursor<'c>, segment: &Segment) -> Option<Cursor<'c>> {
    match segment {
        Segment::Key(key) => here.get(key),
        Segment::Index(index) => here.elements().nth(*index),
    }
}

fn syntax_failure(text: &str, error: &SyntaxError, found: &normalize::Search<'_>) -> Failure {
    let (code, message) = normalize::misfit(text, error, found);
    let (line, column) = error.line_column(text);
    let message = if matches!(code, "parse.empty" | "parse.no_json") {
        message
    } else {
        format!("{message} (line {line}, column {column})")
    };
    // Where the text breaks, no place in the value is known.
    let broken = matches!(error.code, SyntaxCode::Syntax | SyntaxCode::Depth);
    let path = error.path.iter().filter(|_| !broken).cloned().collect();
    Failure::new(Layer::Parse, FailureCode::new(code), path, message)
}

/// A value that no layer let through must not leave without a word.
fn unexplained(root: Cursor<'_>) -> Failure {
    let message = "the value does not match, and no single place could be named";
    Failure::new(
        Layer::Schema,
        FailureCode::new("schema.other"),
        FieldPath::root(),
        message,
    )
    .with_found(root.shown())
}
