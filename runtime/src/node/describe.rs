//! The rules of a type and of all below it, and what serde would lose of it.

use std::any::TypeId;
use std::collections::HashSet;

use super::Declared;
use crate::path::Path;
use crate::rule::{Field, Rule, RuleInfo};

/// The rules of a type and of all below it, gathered once per type.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Describe {
    pub(crate) rules: Vec<DescribedRule>,
    pub(crate) unsupported: Vec<(Path, &'static str)>,
    path: Vec<String>,
    seen: HashSet<TypeId>,
    /// Inside a shape that serde buffers, where wide integers are lost.
    buffered: bool,
}

/// A rule and where its type stands, such as `lines[]`.
#[derive(Debug)]
pub(crate) struct DescribedRule {
    pub(crate) place: String,
    pub(crate) rule: Rule,
}

impl Describe {
    /// Lists a type's own rules, then what `below` lists; a type inside itself
    /// is listed once.
    pub fn node<T: Declared + 'static>(
        &mut self,
        block: &'static [RuleInfo],
        below: impl FnOnce(&mut Self),
    ) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        for infos in [T::RULES, block, T::CHECKS] {
            self.list(infos, T::FIELDS);
        }
        below(self);
        self.seen.remove(&TypeId::of::<T>());
    }

    /// Lists rules that stand here.
    pub fn list(&mut self, infos: &'static [RuleInfo], fields: &'static [Field]) {
        let place = self.path.concat();
        for info in infos {
            self.rules.push(DescribedRule {
                place: place.clone(),
                rule: Rule::new(info, fields),
            });
        }
    }

    /// Describes what serde reads through a buffer: the content of an untagged
    /// or internally tagged enum.
    pub fn buffer(&mut self, below: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.buffered, true);
        below(self);
        self.buffered = outer;
    }

    /// Describes a field.
    pub fn field(&mut self, key: &str, below: fn(&mut Self)) {
        self.under(key, below);
    }

    /// Describes a field whose keys stand among its parent's.
    pub fn flat(&mut self, below: fn(&mut Self)) {
        self.buffer(below);
    }

    /// Describes an element of a tuple.
    pub fn element(&mut self, index: usize, below: fn(&mut Self)) {
        self.step(format!("[{index}]"), below);
    }

    /// Describes the content of a variant under `key`.
    pub fn under(&mut self, key: &str, below: impl FnOnce(&mut Self)) {
        let dot = if self.path.is_empty() { "" } else { "." };
        self.step(format!("{dot}{key}"), below);
    }

    pub(super) fn step(&mut self, step: String, below: impl FnOnce(&mut Self)) {
        self.path.push(step);
        below(self);
        self.path.pop();
    }

    pub(super) fn wide_integer(&mut self, name: &'static str) {
        if self.buffered {
            let path = std::iter::once(self.path.concat()).fold(Path::root(), Path::key);
            self.unsupported.push((path, name));
        }
    }
}
