//! A short look at how well one branch of a union fits: kinds, tags and keys of the value itself.

use std::cmp::Reverse;

use super::program::{Id, ObjectRule, Rule};
use super::walk::{Walker, has_type, is_decimal_number, value_alias};
use crate::json::{Cursor, Kind};

/// Schemas beside one another that a look takes in.
const SCHEMAS: usize = 64;

/// References from one schema to the next that a look follows.
const HOPS: usize = 8;

/// Which text a branch takes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Text {
    #[default]
    None,
    /// That of a decimal, and the value is a number whose digits are one.
    Digits,
    Any,
}

/// What a look has seen.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Look {
    /// The value has another type, or is not among the values listed.
    pub(super) other_kind: bool,
    pub(super) text: Text,
    /// A tag names this branch.
    pub(super) named: bool,
    /// A tag names another one.
    pub(super) other_tag: bool,
    /// The branch has one key, which may be its name: whether that key is there.
    pub(super) only_key: Option<bool>,
    /// A member is not among the values listed for it, or of another type.
    pub(super) wrong: usize,
    pub(super) known: usize,
    pub(super) unknown: usize,
    pub(super) missing: usize,
}

impl Look {
    /// How far the value is from this branch; the less, the better.
    pub(super) fn distance(self) -> (usize, Reverse<usize>, usize) {
        let all = self.wrong + self.unknown + self.missing;
        (all, Reverse(self.known), self.wrong)
    }

    /// Takes the branch's only key for its name.
    pub(super) fn named_by_key(&mut self) {
        self.named |= self.only_key == Some(true);
        self.other_tag |= self.only_key == Some(false) && self.unknown > 0;
    }
}

impl<'p, 'c> Walker<'p, 'c> {
    pub(super) fn look(&mut self, id: Id, cursor: Cursor<'c>) -> Look {
        let rules = self.flat(id);
        let mut look = Look::default();
        for rule in &rules {
            look.other_kind |= !self.may_be(rule, cursor);
        }
        let takes_text = |rule: &&Rule| rule.types.is_some_and(|types| types.has("string"));
        let takes_digits = |rule: &&Rule| is_decimal_number(rule, cursor);
        look.text = if self.readable.decimals && rules.iter().any(takes_digits) {
            Text::Digits
        } else if rules.iter().any(takes_text) {
            Text::Any
        } else {
            Text::None
        };
        let objects: Vec<&ObjectRule> = rules
            .iter()
            .filter_map(|rule| rule.object.as_deref())
            .collect();
        if cursor.kind() == Kind::Object && !objects.is_empty() && !look.other_kind {
            self.look_at_members(&objects, cursor, &mut look);
        }
        look
    }

    /// A schema with those it refers to and those it is made of.
    fn flat(&self, id: Id) -> Vec<&'p Rule> {
        let program = self.program;
        let mut ids = vec![id];
        let mut at = 0;
        while let Some(one) = ids.get(at).copied() {
            at += 1;
            let rule = program.rule(one);
            let more = rule
                .reference
                .into_iter()
                .chain(rule.all_of.iter().copied());
            let new: Vec<Id> = more.filter(|id| !ids.contains(id)).collect();
            ids.extend(new);
            if ids.len() > SCHEMAS {
                break;
            }
        }
        ids.into_iter().map(|id| program.rule(id)).collect()
    }

    /// Whether the value's own kind is one that the schema takes.
    fn may_be(&self, rule: &Rule, cursor: Cursor<'c>) -> bool {
        let typed = rule.types.is_none_or(|types| has_type(types, cursor));
        let listed = rule.listed.as_ref().is_none_or(|all| all.has(cursor));
        !rule.never
            && (typed || self.readable.decimals && is_decimal_number(rule, cursor))
            && (listed || self.is_other_name(rule, cursor))
    }

    fn is_other_name(&self, rule: &Rule, cursor: Cursor<'c>) -> bool {
        self.readable.aliases && value_alias(rule, cursor).is_some()
    }

    fn look_at_members(&mut self, objects: &[&'p ObjectRule], cursor: Cursor<'c>, look: &mut Look) {
        let mut there: Vec<Vec<bool>> = objects
            .iter()
            .map(|object| vec![false; object.names.len()])
            .collect();
        for (key, value) in cursor.members() {
            if !self.spend() {
                break;
            }
            let mut known = false;
            for (object, there) in objects.iter().zip(&mut there) {
                let slot = object.slot(&key).or_else(|| self.other_name(object, &key));
                let Some(slot) = slot else { continue };
                if let Some(place) = there.get_mut(slot) {
                    *place = true;
                }
                if let Some(id) = object.property(slot) {
                    known = true;
                    self.look_at_member(id, value, look);
                }
            }
            look.known += usize::from(known);
            look.unknown += usize::from(!known);
        }
        for (object, there) in objects.iter().zip(&there) {
            let is_there = |slot: &&usize| there.get(**slot) == Some(&true);
            let missing = object.required.iter().filter(|slot| !is_there(slot));
            let missing = missing.count();
            look.missing += missing;
            look.only_key = object.only_key().map(|_| missing == 0).or(look.only_key);
        }
    }

    /// A member that must be one value is a tag.
    fn look_at_member(&self, id: Id, value: Cursor<'c>, look: &mut Look) {
        let rule = self.target(id);
        let fits = self.may_be(rule, value);
        let is_tag = rule
            .listed
            .as_ref()
            .is_some_and(|all| all.values.len() == 1);
        look.named |= is_tag && fits;
        look.other_tag |= is_tag && !fits;
        look.wrong += usize::from(!fits);
    }

    fn target(&self, id: Id) -> &'p Rule {
        let program = self.program;
        let mut rule = program.rule(id);
        for _ in 0..HOPS {
            match rule.reference {
                Some(next) if rule.listed.is_none() && rule.types.is_none() => {
                    rule = program.rule(next);
                }
                _ => break,
            }
        }
        rule
    }
}
