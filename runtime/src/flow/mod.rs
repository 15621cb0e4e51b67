//! The judgement: a reply in, a verdict out. Pure and synchronous.
//!
//! Each layer runs on whatever the earlier ones could save, so that one verdict
//! names everything that is wrong.

mod evidence;
pub(crate) mod normalize;
mod path_lookup;
mod plan;
mod read;
mod text;
mod verdict;

use std::sync::OnceLock;

pub(crate) use plan::Plan;
pub(crate) use read::{Reading, Unread};
pub(crate) use verdict::Accepted;

use crate::evidence::Citation;
use crate::evidence::Index;
use crate::evidence::document::Document;
use crate::failure::{Failure, FailureCode, Failures, Layer};
use crate::json::account::accounted;
use crate::json::{Cursor, Kind, Limits, Tape};
use crate::node::{Faults, Findings, PendingCitation, Walk};
use crate::normalization::{Normalization, Normalize};
use crate::path::{At, FieldPath, Segment};
use crate::schema::dialect::Shapes;
use crate::schema::explain::{self, Readable};
use crate::schema::{Schema, WRAPPER_KEY};
use evidence::{Checked, Cited, Evidence};
use path_lookup::PathLookup;

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

const IN_WRAPPER: At<'static> = At::ROOT.key(WRAPPER_KEY);

/// What the flow says of one reply, every place as it stands in the reply.
#[derive(Debug)]
pub(crate) struct Judgement<T> {
    pub(crate) verdict: Result<Accepted<T>, Failures>,
    pub(crate) warnings: Vec<Failure>,
    pub(crate) normalizations: Vec<Normalization>,
    /// What of it was found in the document.
    pub(crate) citations: Vec<Citation>,
}

impl<T> Judgement<T> {
    /// A judgement that comes to failures alone.
    pub(crate) fn failed(failures: Failures, normalizations: Vec<Normalization>) -> Self {
        Self {
            verdict: Err(failures),
            warnings: Vec::new(),
            normalizations,
            citations: Vec::new(),
        }
    }

    /// The judgement with every place as the caller sees it.
    pub(crate) fn for_user(self, schema: &Schema) -> Self {
        if !schema.wrapped {
            return self;
        }
        let to_user = |path| schema.to_user_path(path);
        let warnings = self.warnings.into_iter();
        let steps = self.normalizations.into_iter();
        let citations = self.citations.into_iter();
        Self {
            verdict: self.verdict.map_err(|all| all.map_paths(to_user)),
            warnings: warnings.map(|one| one.map_paths(to_user)).collect(),
            normalizations: steps.map(|step| step.map_path(to_user)).collect(),
            citations: citations.map(|one| one.map_path(to_user)).collect(),
        }
    }
}

impl<'a, T, C: ?Sized> Flow<'a, T, C> {
    /// A flow without documents.
    pub(crate) fn new(plan: &'a Plan<T, C>, context: &'a C, normalize: Normalize) -> Self {
        Self {
            plan,
            normalize,
            limits: Limits::default(),
            context,
            documents: &[],
            wire: None,
            index: OnceLock::new(),
        }
    }

    /// A flow whose replies may cite these documents.
    pub(crate) fn with_documents(self, documents: &'a [Document<'a>]) -> Self {
        Self { documents, ..self }
    }
    /// Judges the text of a reply that ended by itself, for the caller.
    pub(crate) fn judge(&self, text: &str) -> Judgement<T> {
        let judgement = match self.read(text) {
            Ok(reading) => self.check(&reading.tape, reading.steps),
            Err(unread) => self.unread(unread),
        };
        judgement.for_user(&self.plan.schema)
    }

    /// The judgement of a reply that is not one JSON value.
    pub(crate) fn unread(&self, unread: Unread) -> Judgement<T> {
        let failures = self.named(Failures::new(vec![*unread.failure]));
        Judgement::failed(failures, unread.steps)
    }

    /// Failures that know which keys of their places the schema names.
    pub(crate) fn named(&self, failures: Failures) -> Failures {
        failures.declared_by(|key| self.plan.schema.names(key))
    }

    /// Judges a reply that was read: schema, binding, rules and policies.
    pub(crate) fn check(&self, tape: &Tape<'_>, steps: Vec<Normalization>) -> Judgement<T> {
        self.check_read(tape, steps, Readable::of(self.normalize))
    }

    /// Judges a reply of which `readable` may yet be read in another form.
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
        if let Some(other) = self.in_other_form(root, readings) {
            let other = other.after(steps);
            return self.check_read(&other.tape, other.steps, Readable::default());
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
                (self.plan.walk)(&bound, &self.place_of_value(), &mut walk);
                Some(bound)
            }
            Some(Err(_)) | None => (self.plan.probe)(value, &self.place_of_value(), &mut walk),
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
        let mut findings = Findings::of(failures.collect(), omitted);
        // Where not every fault is known, no value can be trusted.
        if let Some(value) = self.value(root).filter(|_| omitted == 0) {
            findings.gather(|findings| {
                let mut walk = Walk::new(self.context, findings, Some(&faults), &self.plan.types);
                (self.plan.probe)(value, &self.place_of_value(), &mut walk);
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
        let unread = findings.too_many_citations();
        let Findings {
            mut failures,
            citations,
            mut omitted,
            ..
        } = findings;
        let warnings = self.named(Failures::new(warnings)).into_iter().collect();
        let mut places = PathLookup::new(root);
        let checked = self.evidence(root, citations, &mut places);
        failures.extend(checked.failures);
        failures.extend(unread);
        omitted += checked.omitted;
        for failure in &mut failures {
            quote(&mut places, failure);
        }
        if value.is_none() && failures.is_empty() {
            failures.push(unexplained(root));
        }
        let mut normalizations = steps;
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
        places: &mut PathLookup<'c>,
    ) -> Checked {
        let cited: Vec<Cited<'_>> = citations
            .into_iter()
            .map(|cite| Cited {
                cursor: match cite.node {
                    Some(node) => Some(root.at(node)),
                    None => places.find(&cite.path),
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

    /// Where the value stands in a reply.
    fn place_of_value(&self) -> At<'static> {
        if self.plan.schema.wrapped {
            IN_WRAPPER
        } else {
            At::ROOT
        }
    }

    /// A place of the reply as a JSON Pointer into the value that the caller sees.
    pub(crate) fn pointer(&self, path: &FieldPath) -> String {
        self.plan.schema.to_user_path(path.clone()).pointer()
    }

    /// The value itself, out of its wrapper if it travels in one.
    fn value<'c>(&self, root: Cursor<'c>) -> Option<Cursor<'c>> {
        if self.plan.schema.wrapped {
            root.get(WRAPPER_KEY)
        } else {
            Some(root)
        }
    }
}

/// Adds what stands at a broken rule's place, where that is a plain value.
fn quote(places: &mut PathLookup<'_>, failure: &mut Failure) {
    if failure.rule().is_none() {
        return;
    }
    let place = places.find(failure.path());
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
