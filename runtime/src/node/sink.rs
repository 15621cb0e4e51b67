//! Where the rules of one value report.

use std::borrow::Cow;

use super::Findings;
use crate::failure::{Failure, FailureCode, Layer};
use crate::node::checks::Place;
use crate::path::At;
use crate::rule::{Field, RuleInfo, RuleKind, RuleOutcome, Violation};

/// Where the rules of one value report.
#[doc(hidden)]
#[derive(Debug)]
pub struct Sink<'s> {
    pub(super) at: &'s At<'s>,
    pub(super) fields: &'static [Field],
    pub(super) findings: &'s mut Findings,
}

impl Sink<'_> {
    /// Notes which rule or check runs next.
    #[inline]
    pub fn enter(&mut self, name: &'static str) {
        self.findings.running = Some(name);
    }

    /// Reports what a rule returned.
    #[inline]
    pub fn outcome(&mut self, info: &'static RuleInfo, outcome: impl RuleOutcome) {
        for violation in outcome.violations(info.sentence) {
            self.report(info, violation);
        }
        self.left();
    }

    /// Notes that what ran has come to its end.
    pub(crate) fn left(&mut self) {
        self.findings.running = None;
    }

    /// How much has been found so far.
    pub fn count(&self) -> usize {
        self.findings.failures.len() + self.findings.omitted
    }

    /// Reports a failed check of the validator crate as a rule named `code`.
    #[cold]
    pub(crate) fn invalid(&mut self, place: Place, code: Cow<'static, str>, message: String) {
        let at = self.at;
        self.findings.fail(|| {
            let path = at.to_path();
            let path = match place {
                Place::Here => path,
                Place::Key(key) => path.key(key),
                Place::Index(index) => path.index(index),
            };
            Failure::new(Layer::Rule, FailureCode::new("rule"), path, message).with_rule(code)
        });
    }

    #[cold]
    fn report(&mut self, info: &'static RuleInfo, violation: Violation) {
        let (at, fields) = (self.at, self.fields);
        let make = || failure(at, fields, info, violation);
        match info.kind {
            RuleKind::Check => self.findings.warn(make),
            RuleKind::Rule | RuleKind::Policy => self.findings.fail(make),
        }
    }
}

/// What a rule reports: at its first field, the others named beside it.
fn failure(
    at: &At<'_>,
    fields: &'static [Field],
    info: &'static RuleInfo,
    violation: Violation,
) -> Failure {
    let base = at.to_path();
    let mut places = info
        .fields
        .iter()
        .filter_map(|rust| Field::find(fields, rust)?.wire)
        .map(|wire| base.clone().key(wire));
    let first = places.next().unwrap_or_else(|| base.clone());
    let related = places.collect();
    let (message, place) = violation.into_parts();
    let path = place.map_or(first, |place| base.join(&place));
    let (layer, code) = match info.kind {
        RuleKind::Policy => (Layer::Policy, FailureCode::new("policy")),
        RuleKind::Rule | RuleKind::Check => (Layer::Rule, FailureCode::new("rule")),
    };
    Failure::new(layer, code, path, message)
        .with_rule(info.name)
        .with_related(related)
}
