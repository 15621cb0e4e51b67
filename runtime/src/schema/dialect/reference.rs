//! References: kept where the dialect takes them, followed where it does not.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::merge::merge;
use super::normal;
use super::profile::Recursion;
use super::rewrite::{Here, Made, Piece, Rewriter, is_words};
use super::shape::{Id, Shape};
use crate::schema::reference::{pointer, resolved};

/// A schema that is referred to.
#[derive(Debug)]
pub(super) struct Definition {
    name: String,
    schema: Value,
    shape: Id,
}

impl<'s> Rewriter<'s> {
    /// The schema with what it refers to in place of the reference.
    pub(super) fn inlined(
        &mut self,
        mut node: Map<String, Value>,
        here: &Here,
    ) -> Made<Map<String, Value>> {
        while let Some(reference) = node.shift_remove("$ref") {
            let (pointer, target) = self.target(&reference, here)?;
            if self.is_recursive(&pointer) {
                let message = "constraints beside a reference to a type that holds itself";
                return Err(self.refuse(here, "$ref", message));
            }
            let target = normal::node(target, self.profile);
            let target = target.map_err(|one| self.misfit(here, one))?;
            node = merge(node, target).map_err(|one| self.misfit(here, one))?;
        }
        Ok(node)
    }

    /// What a reference means, where it leads to another reference what that
    /// one means.
    fn target(&self, reference: &Value, here: &Here) -> Made<(String, &'s Value)> {
        resolved(self.root, reference).map_err(|why| self.refuse(here, "$ref", why.message()))
    }

    /// A reference is kept where the dialect takes it and nothing stands beside
    /// it; else what it refers to is put in its place.
    pub(super) fn reference(&mut self, mut node: Map<String, Value>, here: &Here) -> Made<Piece> {
        let reference = node.shift_remove("$ref").unwrap_or_default();
        let (pointer, target) = self.target(&reference, here)?;
        let recursive = self.is_recursive(&pointer);
        if recursive {
            self.turns += 1;
            let kept = match self.profile.recursion {
                Recursion::Kept => true,
                Recursion::Optional => here.optional,
                Recursion::Refused => false,
            };
            if !kept {
                return Err(self.refuse(here, "$ref", "a type that holds itself"));
            }
        }
        let alone = node.is_empty();
        // Where choices are counted, a type with words of its own costs less written out.
        let counted = self.profile.limits.unions != usize::MAX;
        let kept = recursive || alone || is_words(&node) && !counted;
        if !self.profile.references || !kept {
            let place = if is_words(&node) {
                here.at(&pointer)
            } else {
                here.below(&[])
            };
            let target = normal::node(target, self.profile);
            let target = target.map_err(|one| self.misfit(here, one))?;
            let merged = merge(node, target).map_err(|one| self.misfit(here, one))?;
            return self.piece(&Value::Object(merged), &place);
        }
        if !is_words(&node) {
            let message = "constraints beside a reference to a type that holds itself";
            return Err(self.refuse(here, "$ref", message));
        }
        let (name, shape) = self.definition(&pointer, target, here)?;
        let reference = json!({"$ref": format!("#/$defs/{}", escaped(&name))});
        let Value::Object(kept) = reference else {
            return Err(self.refuse(here, "$ref", "a reference to nothing"));
        };
        if alone {
            return Ok(Piece { node: kept, shape });
        }
        self.omit_default(&mut node, here);
        node.insert("anyOf".to_owned(), json!([kept]));
        Ok(Piece { node, shape })
    }

    pub(super) fn omit_default(&mut self, node: &mut Map<String, Value>, here: &Here) {
        if node.shift_remove("default").is_some() {
            self.drop(here, "default");
        }
    }

    /// The name and shape of what a reference means, made where it is first
    /// met.
    fn definition(&mut self, pointer: &str, target: &Value, here: &Here) -> Made<(String, Id)> {
        if let Some(at) = self.defined.get(pointer)
            && let Some(known) = self.definitions.get(*at)
        {
            return Ok((known.name.clone(), known.shape));
        }
        let name = self.free_name(pointer);
        let shape = self.shapes.add(Shape::default());
        let at = self.definitions.len();
        self.defined.insert(pointer.to_owned(), at);
        self.definitions.push(Definition {
            name: name.clone(),
            schema: Value::Null,
            shape,
        });
        let mut body = here.at(pointer);
        body.optional = false;
        let made = self.piece(target, &body)?;
        self.shapes.set(shape, Shape::choice(vec![made.shape]));
        if let Some(definition) = self.definitions.get_mut(at) {
            definition.schema = Value::Object(made.node);
        }
        Ok((name, shape))
    }

    fn free_name(&self, pointer: &str) -> String {
        let last = pointer.rsplit('/').next().unwrap_or_default();
        let last = last.replace("~1", "_").replace("~0", "_");
        let safe = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let last = last.replace(|c| !safe(c), "_");
        let name = if last.is_empty() {
            "root".to_owned()
        } else {
            last
        };
        let taken = |name: &str| self.definitions.iter().any(|one| one.name == name);
        let mut free = name.clone();
        let mut count = 2;
        while taken(&free) {
            free = format!("{name}_{count}");
            count += 1;
        }
        free
    }

    /// Whether what stands at a pointer leads back to itself.
    fn is_recursive(&mut self, pointer: &str) -> bool {
        if let Some(known) = self.recursive.get(pointer) {
            return *known;
        }
        let mut open = vec![pointer.to_owned()];
        let mut seen = HashSet::new();
        let mut recursive = false;
        while let Some(next) = open.pop() {
            let mut found = Vec::new();
            if let Some(target) = self.root.pointer(&next) {
                references(target, &mut found);
            }
            for reference in found {
                recursive |= reference == pointer;
                if seen.insert(reference.clone()) {
                    open.push(reference);
                }
            }
        }
        self.recursive.insert(pointer.to_owned(), recursive);
        recursive
    }

    /// The definitions that were kept, in the order in which they were met.
    pub(super) fn take_definitions(&mut self) -> Map<String, Value> {
        let all = std::mem::take(&mut self.definitions);
        all.into_iter().map(|one| (one.name, one.schema)).collect()
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The pointers that a schema refers to, definitions inside it left out.
fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(object) => {
            for (keyword, value) in object {
                match value {
                    Value::String(text) if keyword == "$ref" => {
                        found.extend(pointer(text).ok().map(Cow::into_owned));
                    }
                    _ if keyword == "$defs" || keyword == "definitions" => {}
                    _ => references(value, found),
                }
            }
        }
        Value::Array(all) => all.iter().for_each(|one| references(one, found)),
        _ => {}
    }
}
