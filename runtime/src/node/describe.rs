//! The types of a plan: their rules, and which of them serde would lose
//! something of.

use std::any::TypeId;
use std::collections::{HashMap, HashSet};

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

use super::Declared;
use super::variants::{Reading, Variants};
use crate::json::Cursor;
use crate::path::FieldPath;
use crate::rule::{Field, Rule, RuleInfo};
use crate::schema::{BranchAnswers, Branches, KeyForm, SchemaFault};

/// The rules of a type and of all below it, gathered once per type.
#[doc(hidden)]
#[derive(Default)]
pub struct Describe {
    pub(crate) rules: Vec<DescribedRule>,
    path: Vec<String>,
    /// The types that are being described, the innermost last.
    open: Vec<TypeId>,
    /// Which types hold each type.
    holders: HashMap<TypeId, HashSet<TypeId>>,
    lossy: HashSet<TypeId>,
    keys: HashMap<TypeId, Option<KeyForm>>,
    branches: HashMap<TypeId, Option<Branches>>,
    /// Types that list no rule wherever they stand.
    silent: HashSet<TypeId>,
    /// The outermost open type that was met inside itself.
    cut: Option<usize>,
    /// Schemas of what stands beside a tag, each made once.
    schemas: SchemaGenerator,
    /// The first thing that no reply can hold.
    fault: Option<SchemaFault>,
}

/// A rule and where its type stands, such as `lines[]`.
#[derive(Debug)]
pub(crate) struct DescribedRule {
    pub(crate) place: String,
    pub(crate) rule: Rule,
}

/// What the types of a plan ask of whoever binds them.
#[derive(Default)]
pub(crate) struct Types {
    /// Those that are assembled part by part: serde would lose something of them
    /// or of what they hold.
    assembled: HashSet<TypeId>,
    /// The schemas of map keys, where they are texts of a form.
    keys: HashMap<TypeId, Option<KeyForm>>,
    /// Those of the variants of untagged enums.
    branches: HashMap<TypeId, Option<Branches>>,
}

impl Types {
    pub(crate) fn assembles<T: 'static>(&self) -> bool {
        !self.assembled.is_empty() && self.assembled.contains(&TypeId::of::<T>())
    }

    /// What is wrong with a key, as its type's schema says.
    pub(crate) fn key_fault<K: 'static>(&self, key: Cursor<'_>) -> Option<String> {
        let form = self.keys.get(&TypeId::of::<K>()).and_then(Option::as_ref);
        form?.fault(key)
    }

    /// Whether a value has the form that a reading of an enum asks for, where it
    /// stands on its own or `flat` among other members.
    pub(super) fn admits<T: Variants<C>, C: ?Sized>(
        &self,
        reading: Reading,
        flat: bool,
        value: Cursor<'_>,
        answers: &mut BranchAnswers,
    ) -> bool {
        let branches = self.branches.get(&TypeId::of::<T>());
        let Some(branches) = branches.and_then(Option::as_ref) else {
            return true;
        };
        let named = usize::from(!T::NAMES.is_empty());
        let branch = match reading {
            Reading::ByName => Some(0),
            Reading::Untagged(variant) => {
                let place = T::UNTAGGED.iter().position(|one| *one == variant);
                place.map(|place| place + named)
            }
        };
        branch.is_some_and(|branch| branches.admits(branch, flat, value, answers))
    }
}

impl std::fmt::Debug for Types {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Types")
            .field("assembled", &self.assembled.len())
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Describe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Describe")
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

impl Describe {
    /// Lists a type's own rules, then what `below` lists; a type inside itself
    /// is listed once. `lossy` says that serde would lose something of it.
    pub fn node<T: Declared + 'static>(
        &mut self,
        lossy: bool,
        block: &'static [RuleInfo],
        below: impl FnOnce(&mut Self),
    ) {
        self.holder::<T>(lossy, |cx| {
            for infos in [T::RULES, block, T::CHECKS] {
                cx.list(infos, T::FIELDS);
            }
            below(cx);
        });
    }

    /// Describes a type that holds others.
    pub(crate) fn holder<T: 'static>(&mut self, lossy: bool, below: impl FnOnce(&mut Self)) {
        let id = TypeId::of::<T>();
        if let Some(outer) = self.open.last() {
            self.holders.entry(id).or_default().insert(*outer);
        }
        if lossy {
            self.lossy.insert(id);
        }
        if let Some(depth) = self.open.iter().position(|open| *open == id) {
            self.cut = Some(self.cut.map_or(depth, |cut| cut.min(depth)));
            return;
        }
        if self.silent.contains(&id) {
            return;
        }
        let (known, depth) = (self.rules.len(), self.open.len());
        let outer = self.cut.take();
        self.open.push(id);
        below(self);
        self.open.pop();
        // What was cut inside this type lies in it; what lies outside may list more elsewhere.
        let cut = self.cut.take().filter(|cut| *cut < depth);
        if cut.is_none() && self.rules.len() == known {
            self.silent.insert(id);
        }
        self.cut = [outer, cut].into_iter().flatten().min();
    }

    /// Notes the form of a type that stands as a key.
    pub(super) fn key<K: JsonSchema + 'static>(&mut self) {
        let schema = self.schemas.subschema_for::<K>();
        let definitions = self.schemas.definitions();
        if !may_be(KEYS, schema.as_value(), definitions, DEPTH) {
            self.refuse(
                "the keys of a map are texts in JSON, and this type is none; key the map by text, \
                 an integer or an enum of names, or make it a list of pairs",
            );
        }
        self.keys
            .entry(TypeId::of::<K>())
            .or_insert_with(KeyForm::of::<K>);
    }

    /// Notes the branches of an enum that has untagged variants.
    pub fn untagged<T: Variants<C> + JsonSchema, C: ?Sized>(&mut self) {
        if !T::UNTAGGED.is_empty() {
            let make = || Branches::of::<T>(!T::NAMES.is_empty(), T::UNTAGGED.len());
            self.branches.entry(TypeId::of::<T>()).or_insert_with(make);
        }
    }

    /// What was found of the types.
    pub(crate) fn into_types(self) -> (Vec<DescribedRule>, Types) {
        let mut assembled = HashSet::new();
        let mut left: Vec<TypeId> = self.lossy.into_iter().collect();
        while let Some(id) = left.pop() {
            if assembled.insert(id) {
                left.extend(self.holders.get(&id).into_iter().flatten());
            }
        }
        let types = Types {
            assembled,
            keys: self.keys,
            branches: self.branches,
        };
        (self.rules, types)
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

    /// Describes a field.
    pub fn field(&mut self, key: &str, below: fn(&mut Self)) {
        self.under(key, below);
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
        let definitions = self.schemas.definitions();
        if !may_be(BESIDE_A_TAG, schema.as_value(), definitions, DEPTH) {
            self.refuse(
                "a variant of an internally tagged enum holds something that is no object, so its \
                 tag has no place; give the variant named fields, or the enum a `content` key",
            );
        }
    }

    /// Notes something that no reply can hold.
    fn refuse(&mut self, message: &str) {
        let path = &self.path;
        self.fault.get_or_insert_with(|| {
            let place = FieldPath::root().key(path.concat());
            SchemaFault::new(place.pointer(), message)
        });
    }

    /// The first thing that no reply can hold.
    pub(crate) fn take_fault(&mut self) -> Option<SchemaFault> {
        self.fault.take()
    }
}

/// How many references and unions deep an object is looked for; beyond it
/// anything may stand there.
const DEPTH: usize = 16;

/// What can stand beside a tag. The empty tuple can: serde reads it from an object without more
/// keys.
const BESIDE_A_TAG: &[&str] = &["object", "null"];

/// What can be written as a key.
const KEYS: &[&str] = &["string", "integer", "boolean"];

/// Whether a value of one of these kinds may satisfy a schema.
fn may_be(kinds: &[&str], schema: &Value, definitions: &Map<String, Value>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return true;
    };
    let below = |one: &Value| may_be(kinds, one, definitions, depth);
    let referred = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.rsplit('/').next())
        .and_then(|name| definitions.get(name));
    let of_type = match schema.get("type") {
        Some(Value::String(kind)) => kinds.contains(&kind.as_str()),
        // The null of an optional is none of its values.
        Some(Value::Array(all)) => {
            let mut all = all.iter().filter_map(Value::as_str);
            all.any(|kind| kind != "null" && kinds.contains(&kind))
        }
        _ => true,
    };
    let branches = ["anyOf", "oneOf"]
        .into_iter()
        .filter_map(|keyword| schema.get(keyword).and_then(Value::as_array));
    of_type && referred.is_none_or(below) && branches.into_iter().all(|all| all.iter().any(below))
}
