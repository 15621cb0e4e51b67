//! The keywords of objects.

use std::borrow::Cow;

use jsonschema::json::Json as _;

use super::finding::Finding;
use super::known::Known;
use super::program::{Id, ObjectRule, Rule};
use super::reading::Change;
use super::walk::{Mode, Step, Walker};
use crate::json::{Cursor, Kind, TapeJson};

impl<'p, 'c> Walker<'p, 'c> {
    pub(super) fn object(&mut self, rule: &'p Rule, cursor: Cursor<'c>, mode: Mode) -> bool {
        let Some(object) = rule.object.as_deref() else {
            return true;
        };
        if cursor.kind() != Kind::Object {
            return true;
        }
        let mut known = Known::new(object);
        let parts: [Part<'p, 'c>; 5] = [
            Self::members,
            Self::aliases,
            Self::required,
            Self::dependents,
            Self::additional,
        ];
        let mut fits = true;
        for part in parts {
            fits &= part(self, &mut known, cursor, mode);
            if mode == Mode::Ask && !fits {
                return false;
            }
        }
        fits & self.unevaluated_keys(rule, cursor, mode)
    }

    /// Each member under the schemas that its key names.
    fn members(&mut self, known: &mut Known<'p>, cursor: Cursor<'c>, mode: Mode) -> bool {
        let mut fits = true;
        for (key, value) in cursor.members() {
            if !self.spend() || mode == Mode::Ask && !fits {
                break;
            }
            fits &= self.key_fits(known.object, &key, cursor, mode);
            let slot = known.object.slot(&key);
            known.mark(slot);
            let declared = slot.and_then(|slot| known.object.property(slot));
            for id in declared
                .into_iter()
                .chain(self.patterns(known.object, &key))
            {
                fits &= self.below(|| Step::Key(key.clone()), id, value, mode);
            }
        }
        fits
    }

    fn patterns(&self, object: &'p ObjectRule, key: &str) -> Vec<Id> {
        let checks = &self.program.checks;
        let matching = object
            .patterns
            .iter()
            .filter(|(check, _)| checks.takes_key(*check, key));
        matching.map(|(_, id)| *id).collect()
    }

    fn key_fits(
        &mut self,
        object: &'p ObjectRule,
        key: &str,
        cursor: Cursor<'c>,
        mode: Mode,
    ) -> bool {
        let Some(id) = object.names_schema else {
            return true;
        };
        let mut buffer = <TapeJson as jsonschema::json::Json>::StringBuffer::default();
        let broken = TapeJson::with_string_node(&mut buffer, key, |node| self.key_fault(id, node));
        let Some(message) = broken else {
            return true;
        };
        self.tell(
            mode,
            |place| {
                let message = format!("a key here is not allowed: {message}");
                Finding::at(&place, "schema.property_names", message)
            },
            cursor,
        );
        false
    }

    /// Members under another name of theirs; the validator knows none.
    fn aliases(&mut self, known: &mut Known<'p>, cursor: Cursor<'c>, mode: Mode) -> bool {
        if mode == Mode::Ask || !known.object.has_aliases() {
            return true;
        }
        let mut fits = true;
        for (key, value) in cursor.members() {
            let Some(slot) = self.other_name(known.object, &key) else {
                fits &= self.unread_alias(known.object, key, value, mode);
                continue;
            };
            fits = false;
            let name = known.object.name(slot);
            if known.has(slot) {
                let twice = |place| Finding::twice(&place, name);
                self.tell_member(mode, key, twice, value);
                continue;
            }
            known.mark(Some(slot));
            self.read_member(key.clone(), value, Change::Rename(name));
            if let Some(id) = known.object.property(slot) {
                self.below(|| Step::Key(key), id, value, mode);
            }
        }
        fits
    }

    /// Tells another name that is not read, where keys of any name are taken;
    /// elsewhere it is told as one that is not known.
    fn unread_alias(
        &mut self,
        object: &'p ObjectRule,
        key: Cow<'c, str>,
        value: Cursor<'c>,
        mode: Mode,
    ) -> bool {
        let slot = object.alias(&key).filter(|_| object.slot(&key).is_none());
        let takes_more = |id: Id| !self.program.rule(id).never;
        let Some(slot) = slot.filter(|_| object.additional.is_some_and(takes_more)) else {
            return true;
        };
        let name = object.name(slot);
        self.tell_member(
            mode,
            key,
            |place| Finding::unknown_key(&place, Some(name)),
            value,
        );
        false
    }

    /// The key of which this is another name, where names are read.
    pub(super) fn other_name(&self, object: &ObjectRule, key: &str) -> Option<usize> {
        let slot = object.alias(key).filter(|_| self.readable.aliases)?;
        object.slot(key).is_none().then_some(slot)
    }

    fn required(&mut self, known: &mut Known<'p>, cursor: Cursor<'c>, mode: Mode) -> bool {
        let object = known.object;
        self.all_there(known, &object.required, cursor, mode)
    }

    fn all_there(
        &mut self,
        known: &Known<'p>,
        wanted: &[usize],
        cursor: Cursor<'c>,
        mode: Mode,
    ) -> bool {
        let missing = wanted.iter().filter(|slot| !known.has(**slot));
        let mut fits = true;
        for slot in missing {
            fits = false;
            let name = known.object.name(*slot);
            self.tell(mode, |place| Finding::missing_key(&place, name), cursor);
        }
        fits
    }

    fn dependents(&mut self, known: &mut Known<'p>, cursor: Cursor<'c>, mode: Mode) -> bool {
        let object = known.object;
        let mut fits = true;
        for (slot, wanted) in &object.dependent {
            if known.has(*slot) {
                fits &= self.all_there(known, wanted, cursor, mode);
            }
        }
        for (slot, id) in &object.dependent_schemas {
            if known.has(*slot) {
                fits &= self.check(*id, cursor, mode);
            }
        }
        fits
    }

    fn additional(&mut self, known: &mut Known<'p>, cursor: Cursor<'c>, mode: Mode) -> bool {
        let Some(rest) = known.object.additional else {
            return true;
        };
        self.strangers(std::slice::from_ref(known), rest, cursor, mode)
    }

    fn unevaluated_keys(&mut self, rule: &'p Rule, cursor: Cursor<'c>, mode: Mode) -> bool {
        let rest = rule.object.as_ref().and_then(|object| object.unevaluated);
        let Some(rest) = rest else {
            return true;
        };
        let Some(known) = self.known_keys(rule, cursor, mode) else {
            return true;
        };
        self.strangers(&known, rest, cursor, mode)
    }

    /// The members that none of `known` names, under the schema for the rest.
    fn strangers(&mut self, known: &[Known<'p>], rest: Id, cursor: Cursor<'c>, mode: Mode) -> bool {
        let never = self.program.rule(rest).never;
        let mut fits = true;
        for (key, value) in cursor.members() {
            if !self.spend() || mode == Mode::Ask && !fits {
                break;
            }
            if known
                .iter()
                .any(|one| self.is_named(one.object, &key, mode))
            {
                continue;
            }
            if never {
                fits = false;
                self.stranger(known, key, value, mode);
            } else {
                fits &= self.below(|| Step::Key(key), rest, value, mode);
            }
        }
        fits
    }

    fn is_named(&self, object: &'p ObjectRule, key: &str, mode: Mode) -> bool {
        let declared = object.slot(key).and_then(|slot| object.property(slot));
        declared.is_some()
            || mode == Mode::Tell && self.other_name(object, key).is_some()
            || !object.patterns.is_empty() && !self.patterns(object, key).is_empty()
    }

    fn stranger(&mut self, known: &[Known<'p>], key: Cow<'c, str>, value: Cursor<'c>, mode: Mode) {
        if mode == Mode::Ask {
            return;
        }
        let meant = known.iter().find_map(|one| one.meant(&key));
        if meant.is_none() && self.readable.unknown {
            return self.read_member(key, value, Change::Remove);
        }
        let asked = known.iter().find_map(|one| one.object.patterns.first());
        let asked = asked.map(|(check, _)| self.program.checks.pattern_text(*check));
        let make = |place| match asked.filter(|_| meant.is_none()) {
            Some(pattern) => Finding::odd_key(&place, pattern),
            None => Finding::unknown_key(&place, meant),
        };
        self.tell_member(mode, key, make, value);
    }
}

/// One group of keywords.
type Part<'p, 'c> = fn(&mut Walker<'p, 'c>, &mut Known<'p>, Cursor<'c>, Mode) -> bool;
