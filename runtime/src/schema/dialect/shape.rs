//! What a reply under a rewritten schema looks like, and what each part of it
//! stood for before.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::normal;

/// A place in a [`Shapes`].
pub(crate) type Id = usize;

/// The shapes of a schema; they may refer to each other in circles.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    all: Vec<Shape>,
    pub(crate) root: Id,
    /// Listed values may come back in another case.
    pub(crate) folds_case: bool,
}

/// One schema of the wire.
#[derive(Debug, Default, Clone)]
pub(crate) struct Shape {
    /// The types it takes; none are named where it is a choice.
    pub(crate) kinds: Vec<Box<str>>,
    /// The values it takes, where they are listed.
    pub(crate) values: Option<Vec<Value>>,
    pub(crate) object: Option<ObjectShape>,
    pub(crate) array: Option<ArrayShape>,
    /// The choice it is.
    pub(crate) branches: Vec<Id>,
    /// Whether anything in it or below was rewritten.
    pub(crate) rewritten: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum ObjectShape {
    Members(Members),
    /// Keys that are not known beforehand.
    Map(Id),
    /// A tuple, its places under names.
    Tuple(Vec<Id>),
    /// A root that may not be what it is.
    Wrapped(Id),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Members {
    pub(crate) all: Vec<Member>,
    index: HashMap<Box<str>, usize>,
}

#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) shape: Id,
    pub(crate) required: bool,
    /// Null stands for a key that is left out.
    pub(crate) null_is_absence: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum ArrayShape {
    Items(Id),
    Places(Vec<Id>),
    /// An object whose keys are not known beforehand, as key and value.
    Pairs {
        value: Id,
    },
}

impl Members {
    pub(super) fn add(&mut self, key: &str, member: Member) {
        self.index.insert(key.into(), self.all.len());
        self.all.push(member);
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Member> {
        self.all.get(*self.index.get(key)?)
    }
}

impl Shape {
    /// What takes the types and values that a schema names.
    pub(super) fn of(node: &Map<String, Value>) -> Self {
        let values = match (node.get("const"), node.get("enum")) {
            (Some(value), _) => Some(vec![value.clone()]),
            (None, Some(Value::Array(values))) => Some(values.clone()),
            _ => None,
        };
        Self {
            kinds: normal::kinds(node).into_iter().map(Into::into).collect(),
            values,
            ..Self::default()
        }
    }

    /// A choice.
    pub(super) fn choice(branches: Vec<Id>) -> Self {
        Self {
            branches,
            ..Self::default()
        }
    }

    fn parts(&self) -> Vec<Id> {
        let mut parts = self.branches.clone();
        match &self.object {
            Some(ObjectShape::Members(members)) => {
                parts.extend(members.all.iter().map(|member| member.shape));
            }
            Some(ObjectShape::Map(one) | ObjectShape::Wrapped(one)) => parts.push(*one),
            Some(ObjectShape::Tuple(all)) => parts.extend(all),
            None => {}
        }
        match &self.array {
            Some(ArrayShape::Items(one) | ArrayShape::Pairs { value: one }) => parts.push(*one),
            Some(ArrayShape::Places(all)) => parts.extend(all),
            None => {}
        }
        parts
    }

    fn is_rewritten(&self, folds_case: bool) -> bool {
        let object = match &self.object {
            Some(ObjectShape::Members(members)) => {
                members.all.iter().any(|member| member.null_is_absence)
            }
            Some(ObjectShape::Tuple(_) | ObjectShape::Wrapped(_)) => true,
            _ => false,
        };
        let text = |values: &Vec<Value>| values.iter().any(Value::is_string);
        object
            || matches!(self.array, Some(ArrayShape::Pairs { .. }))
            || folds_case && self.values.as_ref().is_some_and(text)
    }
}

impl Shapes {
    pub(super) fn add(&mut self, shape: Shape) -> Id {
        self.all.push(shape);
        self.all.len() - 1
    }

    pub(crate) fn get(&self, id: Id) -> Option<&Shape> {
        self.all.get(id)
    }

    pub(super) fn set(&mut self, id: Id, shape: Shape) {
        if let Some(place) = self.all.get_mut(id) {
            *place = shape;
        }
    }

    /// The shape with the types it takes beside null.
    pub(super) fn add_null(&mut self, id: Id) -> Id {
        let null = Shape {
            kinds: vec!["null".into()],
            ..Shape::default()
        };
        let null = self.add(null);
        self.add(Shape::choice(vec![id, null]))
    }

    /// The shapes that a shape comes to, choices taken apart.
    pub(super) fn leaves(&self, id: Id) -> Vec<&Shape> {
        let mut open = vec![id];
        let mut seen = HashSet::new();
        let mut leaves = Vec::new();
        while let Some(id) = open.pop() {
            let Some(shape) = self.get(id).filter(|_| seen.insert(id)) else {
                continue;
            };
            if shape.branches.is_empty() {
                leaves.push(shape);
            } else {
                open.extend(&shape.branches);
            }
        }
        leaves
    }

    /// Marks what was rewritten and all that holds it; whether anything was.
    pub(super) fn settle(&mut self, root: Id, folds_case: bool) -> bool {
        (self.root, self.folds_case) = (root, folds_case);
        let mut holders: Vec<Vec<Id>> = vec![Vec::new(); self.all.len()];
        let mut open = Vec::new();
        for (id, shape) in self.all.iter().enumerate() {
            if shape.is_rewritten(folds_case) {
                open.push(id);
            }
            for part in shape.parts() {
                if let Some(list) = holders.get_mut(part) {
                    list.push(id);
                }
            }
        }
        while let Some(id) = open.pop() {
            let Some(shape) = self.all.get_mut(id).filter(|shape| !shape.rewritten) else {
                continue;
            };
            shape.rewritten = true;
            open.extend(holders.get(id).into_iter().flatten());
        }
        self.get(root).is_some_and(|shape| shape.rewritten)
    }
}
