//! The walk of schema and value together.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use jsonschema::json::{JsonNumber as _, Node as _};

use super::finding::{Finding, Place};
use super::listed::Listed;
use super::program::{Condition, Id, Program, Rule, Types};
use super::reading::{Change, Readable, Reading};
use super::told::Explained;
use crate::json::{Cursor, Kind};
use crate::normalization::SPELLED_OUT;
use crate::path::{FieldPath, Segment};

/// Steps that every explanation may take; a step is one value or key held against one schema.
const STEPS: u64 = 50_000;

/// Further steps for each byte of the reply.
const STEPS_A_BYTE: u64 = 10;

/// Schemas and values inside one another that are followed.
const DEPTH: u32 = 640;

/// Branches of unions that are looked into for what they lack, where none was meant.
const BRANCHES: usize = 2_000;

/// Steps that make an answer worth keeping.
const WORTH_KEEPING: u64 = 64;

/// Whether a walk only asks, and ends at the first error, or tells all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Ask,
    Tell,
}

/// One way down from the root.
#[derive(Debug, Clone)]
pub(super) enum Step<'c> {
    Key(Cow<'c, str>),
    Index(usize),
}

/// Answers about whole subtrees of one tape.
#[derive(Debug, Default)]
pub(crate) struct Answers(HashMap<(Id, u32), bool>);

/// A walk in progress.
pub(super) struct Walker<'p, 'c> {
    pub(super) program: &'p Program,
    pub(super) readable: Readable,
    trail: Vec<Step<'c>>,
    answers: Answers,
    /// Steps that the answers stand for.
    kept: u64,
    /// What was told already.
    visited: HashSet<(Id, u32)>,
    /// References that are being followed, each with its value: a schema that refers to itself says
    /// nothing more of the same value.
    open: Vec<(Id, u32)>,
    steps: u64,
    depth: u32,
    pub(super) exhausted: bool,
    pub(super) told: Explained<'p>,
    /// Branches that may yet be looked into for what they lack.
    branches: usize,
    /// How long the trail may become before values are taken as they are.
    pub(super) horizon: usize,
}

impl<'p, 'c> Walker<'p, 'c> {
    pub(super) fn new(program: &'p Program, root: Cursor<'c>, readable: Readable) -> Self {
        Self {
            program,
            readable: program.readable(readable),
            trail: Vec::new(),
            answers: Answers::default(),
            kept: 0,
            visited: HashSet::new(),
            open: Vec::new(),
            steps: STEPS + STEPS_A_BYTE * root.raw().len() as u64,
            depth: 0,
            exhausted: false,
            told: Explained::default(),
            branches: BRANCHES,
            horizon: usize::MAX,
        }
    }

    /// Whether a value satisfies a schema, with answers that were found before. The answers bound
    /// the steps. A value that lies too deep does not.
    pub(super) fn asked(
        program: &'p Program,
        id: Id,
        value: Cursor<'c>,
        answers: &mut Answers,
    ) -> bool {
        let mut walker = Walker::new(program, value, Readable::default());
        walker.steps = u64::MAX;
        walker.answers = std::mem::take(answers);
        let fits = walker.asks(id, value) && !walker.exhausted;
        *answers = walker.answers;
        fits
    }

    pub(super) fn explain(mut self, root: Cursor<'c>) -> Explained<'p> {
        self.check(Program::ROOT, root, Mode::Tell);
        if self.exhausted {
            // What was not looked at may hold any number of errors.
            self.told.omitted += 1;
            self.told.readings.clear();
        }
        self.told
    }

    /// What is wrong with a key, which is a value of its own.
    pub(super) fn key_fault(&mut self, id: Id, key: Cursor<'_>) -> Option<String> {
        let mut walker = Walker::new(self.program, key, Readable::default());
        walker.steps = self.steps;
        let fits = walker.check(id, key, Mode::Tell);
        self.steps = walker.steps;
        self.exhausted |= walker.exhausted;
        let first = walker.told.findings.into_iter().next();
        let message = first.map_or_else(|| "it has no such form".to_owned(), Finding::into_message);
        (!fits).then_some(message)
    }

    /// Takes one step, if there is one left.
    pub(super) fn spend(&mut self) -> bool {
        match self.steps.checked_sub(1) {
            Some(left) => self.steps = left,
            None => self.exhausted = true,
        }
        !self.exhausted
    }

    /// Whether a value satisfies a schema.
    pub(super) fn asks(&mut self, id: Id, cursor: Cursor<'c>) -> bool {
        self.check(id, cursor, Mode::Ask)
    }

    /// Holds a value against a schema. An exhausted walk has no objections.
    pub(super) fn check(&mut self, id: Id, cursor: Cursor<'c>, mode: Mode) -> bool {
        if !self.spend() || self.depth >= DEPTH {
            self.exhausted = true;
            return true;
        }
        self.depth += 1;
        let container = matches!(cursor.kind(), Kind::Array | Kind::Object);
        let fits = match mode {
            Mode::Ask if container => self.answer(id, cursor),
            _ => self.parts(id, cursor, mode),
        };
        self.depth -= 1;
        fits || self.exhausted
    }

    fn answer(&mut self, id: Id, cursor: Cursor<'c>) -> bool {
        if let Some(known) = self.answers.0.get(&(id, cursor.id())) {
            return *known;
        }
        let (before, kept) = (self.steps, self.kept);
        let fits = self.parts(id, cursor, Mode::Ask);
        let spent = before - self.steps;
        // What other answers below save is not saved twice.
        let below = self.kept - kept;
        if !self.exhausted && spent.saturating_sub(below) >= WORTH_KEEPING {
            self.answers.0.insert((id, cursor.id()), fits);
            self.kept = kept + spent;
        }
        fits
    }

    fn parts(&mut self, id: Id, cursor: Cursor<'c>, mode: Mode) -> bool {
        let program = self.program;
        let rule = program.rule(id);
        let beyond = mode == Mode::Tell && self.trail.len() > self.horizon;
        let parts: [Part<'p, 'c>; 7] = [
            Self::own,
            Self::reference,
            Self::all_of,
            Self::unions,
            Self::conditions,
            Self::object,
            Self::array,
        ];
        let mut fits = true;
        for part in parts.into_iter().take(if beyond { 2 } else { 7 }) {
            fits &= part(self, rule, cursor, mode);
            if mode == Mode::Ask && !fits {
                return false;
            }
        }
        fits
    }

    /// Holds what stands below a value against a schema.
    pub(super) fn below(
        &mut self,
        step: impl FnOnce() -> Step<'c>,
        id: Id,
        cursor: Cursor<'c>,
        mode: Mode,
    ) -> bool {
        if mode == Mode::Ask {
            return self.check(id, cursor, mode);
        }
        self.trail.push(step());
        let fits = self.check(id, cursor, mode);
        self.trail.pop();
        fits
    }

    /// The keywords that look at the value alone.
    fn own(&mut self, rule: &'p Rule, cursor: Cursor<'c>, mode: Mode) -> bool {
        let mut fits = true;
        if rule.never {
            fits = false;
            self.tell(
                mode,
                |place| Finding::at(&place, "schema.additional", "nothing may stand here"),
                cursor,
            );
        }
        if let Some(types) = rule.types
            && !has_type(types, cursor)
        {
            fits = false;
            self.wrong_type(rule, types, cursor, mode);
        }
        if let Some(listed) = &rule.listed
            && !listed.has(cursor)
        {
            fits = false;
            self.not_listed(rule, listed, cursor, mode);
        }
        for plain in &rule.plain {
            if !self.program.checks.holds(plain.check, cursor) {
                fits = false;
                self.tell(
                    mode,
                    |place| {
                        let (code, message) = plain.told(cursor);
                        Finding::at(&place, code, message)
                    },
                    cursor,
                );
            }
        }
        fits
    }

    fn wrong_type(&mut self, rule: &Rule, types: Types, cursor: Cursor<'c>, mode: Mode) {
        if mode == Mode::Tell && self.readable.decimals && is_decimal_number(rule, cursor) {
            return self.read(cursor, Change::Quote);
        }
        self.tell(
            mode,
            |place| Finding::not_of_types(&place, types.names().collect::<BTreeSet<_>>()),
            cursor,
        );
    }

    fn not_listed(&mut self, rule: &'p Rule, listed: &Listed, cursor: Cursor<'c>, mode: Mode) {
        let right = value_alias(rule, cursor).filter(|_| self.readable.aliases);
        match right {
            Some(right) if mode == Mode::Tell => self.read(cursor, Change::Name(right)),
            _ => self.tell(
                mode,
                |place| Finding::not_listed(&place, &listed.values),
                cursor,
            ),
        }
    }

    fn reference(&mut self, rule: &'p Rule, cursor: Cursor<'c>, mode: Mode) -> bool {
        let Some(target) = rule.reference else {
            return true;
        };
        let here = (target, cursor.id());
        let same_value = self.open.iter().rev().take_while(|(_, id)| *id == here.1);
        if same_value.clone().any(|open| *open == here) {
            return true;
        }
        if mode == Mode::Tell && !self.visited.insert(here) {
            return self.asks(target, cursor);
        }
        self.open.push(here);
        let fits = self.check(target, cursor, mode);
        self.open.pop();
        fits
    }

    fn all_of(&mut self, rule: &'p Rule, cursor: Cursor<'c>, mode: Mode) -> bool {
        let mut fits = true;
        for id in &rule.all_of {
            fits &= self.check(*id, cursor, mode);
        }
        fits
    }

    fn conditions(&mut self, rule: &'p Rule, cursor: Cursor<'c>, mode: Mode) -> bool {
        let mut fits = true;
        if let Some(not) = rule.not
            && self.asks(not, cursor)
        {
            fits = false;
            self.tell(
                mode,
                |place| Finding::at(&place, "schema.not", "has a shape that is ruled out"),
                cursor,
            );
        }
        if let Some(condition) = rule.condition
            && let Some(follows) = self.consequence(condition, cursor)
        {
            fits &= self.check(follows, cursor, mode);
        }
        fits
    }

    pub(super) fn consequence(&mut self, condition: Condition, cursor: Cursor<'c>) -> Option<Id> {
        if self.asks(condition.when, cursor) {
            condition.then
        } else {
            condition.otherwise
        }
    }

    /// Adds an error at `cursor`, which is the value that the trail leads to.
    pub(super) fn tell(
        &mut self,
        mode: Mode,
        make: impl FnOnce(Place<'c>) -> Finding,
        cursor: Cursor<'c>,
    ) {
        if mode == Mode::Ask || self.exhausted {
            return;
        }
        let trail = &self.trail;
        self.told.add(|| {
            make(Place {
                path: path(trail),
                cursor,
            })
        });
    }

    /// The same at a member of the value that the trail leads to.
    pub(super) fn tell_member(
        &mut self,
        mode: Mode,
        key: Cow<'c, str>,
        make: impl FnOnce(Place<'c>) -> Finding,
        cursor: Cursor<'c>,
    ) {
        self.trail.push(Step::Key(key));
        self.tell(mode, make, cursor);
        self.trail.pop();
    }

    /// Lists a reading of the value that the trail leads to.
    pub(super) fn read(&mut self, cursor: Cursor<'c>, change: Change<'p>) {
        let told = self.told.readings.len() < SPELLED_OUT;
        self.told.readings.push(Reading {
            node: cursor.id(),
            change,
            path: told.then(|| Box::new(path(&self.trail))),
        });
    }

    pub(super) fn read_member(
        &mut self,
        key: Cow<'c, str>,
        cursor: Cursor<'c>,
        change: Change<'p>,
    ) {
        self.trail.push(Step::Key(key));
        self.read(cursor, change);
        self.trail.pop();
    }

    /// Whether each of so many branches may be looked into.
    pub(super) fn may_look_into(&mut self, branches: usize) -> bool {
        let left = self.branches.checked_sub(branches);
        self.branches = left.unwrap_or(self.branches);
        left.is_some()
    }

    /// What a walk says of one value and its members alone.
    pub(super) fn shallow(&mut self, id: Id, cursor: Cursor<'c>) -> Vec<Finding> {
        let told = std::mem::take(&mut self.told);
        let visited = std::mem::take(&mut self.visited);
        let horizon = std::mem::replace(&mut self.horizon, self.trail.len());
        self.check(id, cursor, Mode::Tell);
        self.horizon = horizon;
        self.visited = visited;
        std::mem::replace(&mut self.told, told).findings
    }

    pub(super) fn place(&self, cursor: Cursor<'c>) -> Place<'c> {
        Place {
            path: path(&self.trail),
            cursor,
        }
    }
}

/// One group of keywords.
type Part<'p, 'c> = fn(&mut Walker<'p, 'c>, &'p Rule, Cursor<'c>, Mode) -> bool;

fn path(trail: &[Step<'_>]) -> FieldPath {
    let segment = |step: &Step<'_>| match step {
        Step::Key(key) => Segment::Key(key.clone().into_owned().into()),
        Step::Index(index) => Segment::Index(*index),
    };
    trail.iter().map(segment).collect()
}

pub(super) fn has_type(types: Types, cursor: Cursor<'_>) -> bool {
    match cursor.kind() {
        Kind::Null => types.has("null"),
        Kind::Bool => types.has("boolean"),
        Kind::String => types.has("string"),
        Kind::Array => types.has("array"),
        Kind::Object => types.has("object"),
        Kind::Number => {
            types.has("number")
                || types.has("integer")
                    && cursor.as_number().is_some_and(|number| number.is_integer())
        }
    }
}

/// Whether a JSON number stands where its digits are asked for as text.
pub(super) fn is_decimal_number(rule: &Rule, cursor: Cursor<'_>) -> bool {
    cursor.kind() == Kind::Number
        && !cursor.raw().contains(['e', 'E'])
        && rule.types.is_some_and(|types| types.has("string"))
        && rule.is_decimal()
}

/// The listed name of which the value is another one.
pub(super) fn value_alias<'p>(rule: &'p Rule, cursor: Cursor<'_>) -> Option<&'p str> {
    let text = cursor.as_str()?;
    let known = rule.value_aliases.iter().any(|alias| **alias == *text);
    rule.listed
        .as_ref()?
        .values
        .first()?
        .as_str()
        .filter(|_| known)
}

/// What is told, and the steps it took.
#[cfg(test)]
pub(super) fn counted<'p>(
    schema: &'p crate::schema::Schema,
    root: Cursor<'_>,
) -> (Explained<'p>, u64) {
    let mut walker = Walker::new(schema.program(), root, Readable::default());
    let before = walker.steps;
    walker.check(Program::ROOT, root, Mode::Tell);
    assert!(!walker.exhausted, "there are steps left");
    (walker.told, before - walker.steps)
}
