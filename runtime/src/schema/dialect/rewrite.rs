//! From a schema to what a dialect carries of it, one schema at a time: first
//! what must hold together is made one, then choices are taken apart, then the
//! keywords of what is left go through the table.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::exclusive::are_exclusive;
use super::merge::merge;
use super::normal::{self, Misfit};
use super::profile::Profile;
use super::reference::Definition;
use super::shape::{Id, Shape, Shapes};
use super::{DroppedKeyword, Unsupported};
use crate::path::FieldPath;

/// How deep schemas may stand in one another, what they refer to included.
pub(super) const DEPTH: usize = 128;

/// How many schemas the wire may hold.
const SCHEMAS: usize = 20_000;

/// What is said of a schema and constrains nothing.
const WORDS: [&str; 3] = ["description", "title", "default"];

/// Where a schema stands, in the source and in a reply.
#[derive(Debug, Clone, Default)]
pub(super) struct Here {
    pub(super) place: String,
    pub(super) path: FieldPath,
    /// Stands under a key of its type that may be left out.
    pub(super) optional: bool,
    depth: usize,
}

impl Here {
    /// A schema below that stands for the same value.
    pub(super) fn below(&self, steps: &[&str]) -> Self {
        let mut place = self.place.clone();
        for step in steps {
            place.push('/');
            place.push_str(&step.replace('~', "~0").replace('/', "~1"));
        }
        Self {
            place,
            path: self.path.clone(),
            optional: self.optional,
            depth: self.depth + 1,
        }
    }

    pub(super) fn key(&self, keyword: &str, key: &str) -> Self {
        let mut here = self.below(&[keyword, key]);
        here.path = here.path.key(key.to_owned());
        here
    }

    pub(super) fn index(&self, keyword: &str, index: usize) -> Self {
        let mut here = self.below(&[keyword, &index.to_string()]);
        here.path = here.path.index(index);
        here
    }

    pub(super) fn at(&self, pointer: &str) -> Self {
        Self {
            place: pointer.to_owned(),
            path: self.path.clone(),
            optional: self.optional,
            depth: self.depth + 1,
        }
    }
}

/// A schema of the wire, and what replies under it look like.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) node: Map<String, Value>,
    pub(super) shape: Id,
}

pub(super) type Made<T> = Result<T, Unsupported>;

/// The work on one schema.
#[derive(Debug)]
pub(super) struct Rewriter<'s> {
    pub(super) root: &'s Value,
    /// The schema that replies are checked against; it may require less.
    pub(super) canonical: &'s Value,
    pub(super) profile: &'static Profile,
    pub(super) dropped: Vec<DroppedKeyword>,
    pub(super) shapes: Shapes,
    pub(super) definitions: Vec<Definition>,
    pub(super) defined: HashMap<String, usize>,
    pub(super) recursive: HashMap<String, bool>,
    schemas: usize,
    /// References to types that hold themselves, met so far.
    pub(super) turns: usize,
    /// Choices that stand only because a key is asked for, seen so far.
    pub(super) avoidable: usize,
    /// How many of those may stay.
    pub(super) unions_left: usize,
    /// What bounds on lists may still add up to.
    pub(super) items_left: u64,
    /// The choices made, with their branches.
    pub(super) choices: Vec<(Here, Vec<Id>)>,
}

/// What the bounds on all lists may add up to, where a dialect adds them up: Gemini was seen to
/// refuse a sum of about 960.
const ITEMS: u64 = 900;

impl<'s> Rewriter<'s> {
    pub(super) fn new(
        root: &'s Value,
        canonical: &'s Value,
        profile: &'static Profile,
        unions_left: usize,
    ) -> Self {
        Self {
            root,
            canonical,
            profile,
            dropped: Vec::new(),
            shapes: Shapes::default(),
            definitions: Vec::new(),
            defined: HashMap::new(),
            recursive: HashMap::new(),
            schemas: 0,
            turns: 0,
            avoidable: 0,
            unions_left,
            items_left: ITEMS,
            choices: Vec::new(),
        }
    }

    pub(super) fn refuse(
        &self,
        here: &Here,
        keyword: impl Into<String>,
        message: impl Into<String>,
    ) -> Unsupported {
        Unsupported {
            dialect: self.profile.dialect,
            path: here.path.clone(),
            keyword: keyword.into(),
            message: message.into(),
        }
    }

    pub(super) fn misfit(&self, here: &Here, misfit: Misfit) -> Unsupported {
        self.refuse(here, misfit.keyword, misfit.message)
    }

    /// Lists a keyword that the wire does not carry, at the schema that has it.
    pub(super) fn drop(&mut self, here: &Here, keyword: &str) {
        let dropped = origin(self.root, &here.place, keyword);
        let (place, keyword) = dropped.unwrap_or((&here.place, keyword));
        let dropped = DroppedKeyword::new(place, keyword);
        if !self.dropped.contains(&dropped) {
            self.dropped.push(dropped);
        }
    }

    /// One schema and all below it.
    pub(super) fn piece(&mut self, schema: &Value, here: &Here) -> Made<Piece> {
        self.schemas += 1;
        if here.depth > DEPTH {
            return Err(self.refuse(here, "$ref", "schemas that stand too deep in one another"));
        }
        if self.schemas > SCHEMAS {
            let message = "more schemas than a wire can carry, references followed";
            return Err(self.refuse(here, "$ref", message));
        }
        let node = normal::node(schema, self.profile).map_err(|one| self.misfit(here, one))?;
        let node = self.combined(node, here)?;
        if node.contains_key("$ref") {
            return self.reference(node, here);
        }
        for keyword in ["anyOf", "oneOf"] {
            if node.contains_key(keyword) {
                return self.choice(node, keyword, here);
            }
        }
        if let Some(choice) = self.split(&node) {
            return self.choice(choice, "anyOf", here);
        }
        self.plain(node, here)
    }

    /// The schema with all that must hold beside it made part of it.
    fn combined(&mut self, mut node: Map<String, Value>, here: &Here) -> Made<Map<String, Value>> {
        let mut rounds = 0;
        while let Some(Value::Array(members)) = node.shift_remove("allOf") {
            rounds += 1;
            if rounds > DEPTH {
                return Err(self.refuse(here, "allOf", "schemas that require themselves"));
            }
            node = self.inlined(node, here)?;
            let alone = members.len() == 1 && is_words(&node);
            for member in &members {
                let made = normal::node(member, self.profile);
                let mut member = made.map_err(|one| self.misfit(here, one))?;
                if !alone {
                    member = self.inlined(member, here)?;
                }
                node = merge(node, member).map_err(|one| self.misfit(here, one))?;
            }
        }
        Ok(node)
    }

    /// Several schemas of which one holds. What must hold whichever it is goes
    /// into each of them.
    fn choice(&mut self, mut node: Map<String, Value>, keyword: &str, here: &Here) -> Made<Piece> {
        let Some(Value::Array(branches)) = node.shift_remove(keyword) else {
            return Err(self.refuse(here, keyword, "a choice that is no list"));
        };
        if branches
            .iter()
            .all(|branch| *branch == json!({"type": "null"}))
        {
            return Err(self.refuse(here, keyword, "a choice of nothing"));
        }
        if keyword == "oneOf" && !are_exclusive(self.root, &branches) {
            self.drop(here, keyword);
        }
        self.omit_default(&mut node, here);
        let (mut outer, base): (Map<String, Value>, Map<String, Value>) = node
            .into_iter()
            .partition(|(keyword, _)| WORDS.contains(&keyword.as_str()));
        let mut wire = Vec::with_capacity(branches.len());
        let mut shapes = Vec::with_capacity(branches.len());
        for (at, branch) in branches.iter().enumerate() {
            let below = here.below(&[keyword, &at.to_string()]);
            let made = if base.is_empty() && *branch == json!({"type": "null"}) {
                self.null()
            } else if base.is_empty() {
                self.piece(branch, &below)?
            } else {
                let branch = normal::node(branch, self.profile);
                let branch = branch.map_err(|one| self.misfit(&below, one))?;
                let branch = self.combined(branch, &below)?;
                let branch = self.inlined(branch, &below)?;
                let merged = merge(base.clone(), branch);
                let merged = merged.map_err(|one| self.misfit(&below, one))?;
                self.piece(&Value::Object(merged), &below)?
            };
            wire.push(Value::Object(made.node));
            shapes.push(made.shape);
        }
        outer.insert("anyOf".to_owned(), Value::Array(wire));
        self.choices.push((here.clone(), shapes.clone()));
        let shape = self.shapes.add(Shape::choice(shapes));
        Ok(Piece { node: outer, shape })
    }

    /// The branch that takes null; alone it is more than some dialects can say.
    fn null(&mut self) -> Piece {
        let mut node = Map::new();
        node.insert("type".to_owned(), json!("null"));
        let shape = self.shapes.add(Shape::of(&node));
        Piece { node, shape }
    }
}

/// What keywords were called before an object became a list of pairs.
const RENAMED: [(&str, &str); 4] = [
    ("minItems", "minProperties"),
    ("maxItems", "maxProperties"),
    ("propertyNames", "patternProperties"),
    ("pattern", "patternProperties"),
];

/// The schema of the source that a keyword is from, and its name there: a branch
/// may have it from the choice around it, and the keys of a map from the map.
fn origin<'p>(root: &Value, place: &'p str, keyword: &'p str) -> Option<(&'p str, &'p str)> {
    let schema = root.pointer(place);
    let renamed = RENAMED.iter().filter(|(now, _)| *now == keyword);
    let mut names = std::iter::once(keyword).chain(renamed.map(|(_, before)| *before));
    let found = names.find(|name| schema.is_some_and(|schema| schema.get(*name).is_some()));
    if let Some(name) = found {
        return Some((place, name));
    }
    let (outer, last) = place.rsplit_once('/')?;
    if last == "propertyNames" {
        return origin(root, outer, keyword);
    }
    let (choice, word) = outer.rsplit_once('/')?;
    if matches!(word, "anyOf" | "oneOf" | "allOf") {
        return origin(root, choice, keyword);
    }
    None
}

/// Whether nothing in a schema constrains a value.
pub(super) fn is_words(node: &Map<String, Value>) -> bool {
    node.keys().all(|keyword| WORDS.contains(&keyword.as_str()))
}
