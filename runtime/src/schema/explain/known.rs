//! Which keys of an object are named by a schema and by those that stand beside it.

use super::choice::Choice;
use super::program::{Id, ObjectRule, Rule};
use super::walk::{Mode, Walker};
use crate::json::Cursor;

/// The keys that one schema names, and which of them are there.
#[derive(Debug)]
pub(super) struct Known<'p> {
    pub(super) object: &'p ObjectRule,
    there: Vec<bool>,
}

impl<'p> Known<'p> {
    pub(super) fn new(object: &'p ObjectRule) -> Self {
        Self {
            object,
            there: vec![false; object.names.len()],
        }
    }

    pub(super) fn mark(&mut self, slot: Option<usize>) {
        if let Some(there) = slot.and_then(|slot| self.there.get_mut(slot)) {
            *there = true;
        }
    }

    pub(super) fn has(&self, slot: usize) -> bool {
        self.there.get(slot).copied().unwrap_or(false)
    }

    /// The key that is not there and of which `key` is another name or spelling.
    pub(super) fn meant(&self, key: &str) -> Option<&'p str> {
        let slot = self.object.alias(key).or_else(|| self.object.near(key))?;
        (!self.has(slot)).then(|| self.object.name(slot))
    }
}

impl<'p, 'c> Walker<'p, 'c> {
    /// The keys that `rule` and all that applies beside it name; nothing where they name all.
    pub(super) fn known_keys(
        &mut self,
        rule: &'p Rule,
        cursor: Cursor<'c>,
        mode: Mode,
    ) -> Option<Vec<Known<'p>>> {
        let rules = self.beside(rule, cursor, mode);
        let mut known = Vec::new();
        for one in rules {
            let Some(object) = one.object.as_deref() else {
                continue;
            };
            let others = object.unevaluated.is_some() && !std::ptr::eq(one, rule);
            if object.additional.is_some() || others {
                return None;
            }
            let mut keys = Known::new(object);
            for (key, _) in cursor.members() {
                let slot = object.slot(&key).or_else(|| self.other_name(object, &key));
                keys.mark(slot);
            }
            known.push(keys);
        }
        Some(known)
    }

    /// A schema and all that apply to the same value because of it.
    pub(super) fn beside(
        &mut self,
        rule: &'p Rule,
        cursor: Cursor<'c>,
        mode: Mode,
    ) -> Vec<&'p Rule> {
        let program = self.program;
        let mut all: Vec<&'p Rule> = vec![rule];
        let mut at = 0;
        while let Some(one) = all.get(at).copied() {
            at += 1;
            if !self.spend() {
                break;
            }
            let mut next: Vec<Id> = one
                .reference
                .into_iter()
                .chain(one.all_of.clone())
                .collect();
            next.extend(self.branches(&one.any_of, cursor, mode));
            next.extend(self.branches(&one.one_of, cursor, mode));
            if let Some(condition) = one.condition {
                let holds = self.asks(condition.when, cursor);
                next.extend(holds.then_some(condition.when));
                next.extend(self.consequence(condition, cursor));
            }
            let dependent = one.object.iter().flat_map(|object| {
                let there = |slot: &usize| cursor.get(object.name(*slot)).is_some();
                let schemas = object.dependent_schemas.iter();
                schemas
                    .filter(move |(slot, _)| there(slot))
                    .map(|(_, id)| *id)
            });
            next.extend(dependent);
            let next = next.into_iter().map(|id| program.rule(id));
            let new: Vec<_> = next
                .filter(|rule| !all.iter().any(|known| std::ptr::eq(*known, *rule)))
                .collect();
            all.extend(new);
        }
        all
    }

    /// The branches of a union that apply: those that hold; where none does, the one that was
    /// meant, or any that may have been.
    fn branches(&mut self, all: &[Id], cursor: Cursor<'c>, mode: Mode) -> Vec<Id> {
        let mut holding = all.to_vec();
        holding.retain(|id| self.asks(*id, cursor));
        if !holding.is_empty() || mode == Mode::Ask || all.is_empty() {
            return holding;
        }
        match self.choose(all, cursor) {
            Choice::Meant(id) => vec![id],
            Choice::Among(_) | Choice::None => all.to_vec(),
        }
    }
}
