//! The rules of a type and of all below it, and what serde would lose of it.

use std::any::TypeId;
use std::collections::HashSet;
use std::fmt;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

use super::Declared;
use crate::path::Path;
use crate::rule::{Field, Rule, RuleInfo};

/// The rules of a type and of all below it, gathered once per type.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Describe {
    pub(crate) rules: Vec<DescribedRule>,
    pub(crate) unsupported: Vec<(Path, Unsupported)>,
    path: Vec<String>,
    seen: HashSet<TypeId>,
    /// Inside a shape that serde buffers, where wide integers are lost.
    buffered: bool,
    /// Schemas of what stands beside a tag, each made once.
    schemas: SchemaGenerator,
}

/// What serde cannot read of a type.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unsupported {
    /// An integer of this type, inside a shape that serde buffers.
    Wide(&'static str),
    /// The content of an internally tagged variant that is no object.
    Tagged,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wide(name) => write!(
                f,
                "serde cannot read {name} inside a flattened or tagged type; use a narrower \
                 integer or a string"
            ),
            Self::Tagged => f.write_str(
                "a variant of an internally tagged enum holds something that is no object, so its \
                 tag has no place; give the variant named fields, or the enum a `content` key",
            ),
        }
    }
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

    /// Refuses the content of an internally tagged variant that is never an
    /// object.
    pub fn tagged<T: JsonSchema>(&mut self) {
        let schema = self.schemas.subschema_for::<T>();
        if !may_be_object(schema.as_value(), self.schemas.definitions(), DEPTH) {
            self.refuse(Unsupported::Tagged);
        }
    }

    pub(super) fn wide_integer(&mut self, name: &'static str) {
        if self.buffered {
            self.refuse(Unsupported::Wide(name));
        }
    }

    fn refuse(&mut self, what: Unsupported) {
        let path = std::iter::once(self.path.concat()).fold(Path::root(), Path::key);
        self.unsupported.push((path, what));
    }
}

/// How many references and unions deep an object is looked for; beyond it
/// anything may stand there.
const DEPTH: usize = 16;

fn may_be_object(schema: &Value, definitions: &Map<String, Value>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return true;
    };
    let below = |one: &Value| may_be_object(one, definitions, depth);
    let referred = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.rsplit('/').next())
        .and_then(|name| definitions.get(name));
    let of_type = match schema.get("type") {
        // The empty tuple: serde reads it from an object without more keys.
        Some(Value::String(kind)) => kind == "object" || kind == "null",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        _ => true,
    };
    let branches = ["anyOf", "oneOf"]
        .into_iter()
        .filter_map(|keyword| schema.get(keyword).and_then(Value::as_array));
    of_type && referred.is_none_or(below) && branches.into_iter().all(|all| all.iter().any(below))
}
