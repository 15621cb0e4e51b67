//! A reply to a rewritten schema, in the form that the type's own schema asks
//! for. What already has that form is left alone.

use serde_json::Value;

use crate::json::{Cursor, Kind};
use crate::json::{edit::Edit, edit::Edits, edit::quote};
use crate::normalization::{Normalization, Steps};
use crate::path::At;
use crate::schema::dialect::{
    ArrayShape, Id, KEY, Members, ObjectShape, Shape, Shapes, VALUE, place_name,
};

/// How many choices in a row are followed without a step into the reply.
const CHOICES: usize = 64;

/// How many schemas may be compared for each node of the reply, where several
/// branches of a choice look alike at first sight.
const EFFORT: usize = 64;

/// The text of the reply with everything undone, and the steps taken; nothing
/// where there is nothing to undo.
pub(crate) fn undo(shapes: &Shapes, root: Cursor<'_>) -> Option<(String, Vec<Normalization>)> {
    let nodes = (root.after() - root.id()) as usize;
    let mut undo = Undo {
        shapes,
        edits: Edits::default(),
        steps: Steps::default(),
        effort: nodes.saturating_mul(EFFORT).saturating_add(CHOICES),
    };
    undo.value(shapes.root, root, &At::ROOT);
    (!undo.edits.is_empty()).then(|| (undo.edits.apply(root), undo.steps.into_told()))
}

struct Undo<'s> {
    shapes: &'s Shapes,
    edits: Edits,
    steps: Steps,
    effort: usize,
}

/// Whether null may stand for a key that is left out.
#[derive(Clone, Copy, PartialEq)]
enum Nulls {
    Absent,
    Own,
}

impl<'s> Undo<'s> {
    /// Recursion is bounded by the depth that parsing allows.
    fn value(&mut self, id: Id, cursor: Cursor<'_>, at: &At<'_>) {
        let Some(shape) = self.chosen(id, cursor).filter(|shape| shape.rewritten) else {
            return;
        };
        match cursor.kind() {
            Kind::Object => self.object(shape, cursor, at),
            Kind::Array => self.array(shape, cursor, at),
            Kind::String => self.text(shape, cursor, at),
            _ => {}
        }
    }

    fn took(&mut self, step: &'static str, at: &At<'_>) {
        self.steps.add(step, || at.to_path());
    }

    fn object(&mut self, shape: &'s Shape, cursor: Cursor<'_>, at: &At<'_>) {
        match (&shape.object, &shape.array) {
            (Some(ObjectShape::Members(members)), _) => self.members(members, cursor, at),
            (Some(ObjectShape::Tuple(places)), _) => self.places(places, cursor, at),
            (Some(ObjectShape::Wrapped(inner)), _) => self.wrapped(*inner, cursor, at),
            (Some(ObjectShape::Map(value)), _) | (None, Some(ArrayShape::Pairs { value })) => {
                for (key, member) in cursor.members() {
                    self.value(*value, member, &at.key(&key));
                }
            }
            (None, _) => {}
        }
    }

    fn members(&mut self, members: &'s Members, cursor: Cursor<'_>, at: &At<'_>) {
        for (key, value) in cursor.members() {
            let Some(member) = members.get(&key) else {
                continue;
            };
            if member.null_is_absence && value.kind() == Kind::Null {
                self.edits.set(value, Edit::Remove);
                self.took("null_for_absent", &at.key(&key));
            } else {
                self.value(member.shape, value, &at.key(&key));
            }
        }
    }

    fn places(&mut self, places: &'s [Id], cursor: Cursor<'_>, at: &At<'_>) {
        let Some(values) = placed(places.len(), cursor) else {
            return;
        };
        self.took("named_places", at);
        for (index, (place, value)) in places.iter().zip(&values).enumerate() {
            self.value(*place, *value, &at.index(index));
        }
        let values = values.into_iter().map(Cursor::id).collect();
        self.edits.set(cursor, Edit::Elements(values));
    }

    fn wrapped(&mut self, inner: Id, cursor: Cursor<'_>, at: &At<'_>) {
        let Some(value) = cursor.get(VALUE).filter(|_| cursor.len() == 1) else {
            return;
        };
        self.took("root_wrapper", at);
        self.value(inner, value, at);
        self.edits.set(cursor, Edit::Inner(value.id()));
    }

    fn array(&mut self, shape: &'s Shape, cursor: Cursor<'_>, at: &At<'_>) {
        match (&shape.array, &shape.object) {
            (Some(ArrayShape::Items(items)), _) => {
                for (index, element) in cursor.elements().enumerate() {
                    self.value(*items, element, &at.index(index));
                }
            }
            (Some(ArrayShape::Places(places)), _) | (None, Some(ObjectShape::Tuple(places))) => {
                for (index, (place, element)) in places.iter().zip(cursor.elements()).enumerate() {
                    self.value(*place, element, &at.index(index));
                }
            }
            (Some(ArrayShape::Pairs { value }), _) => self.pairs(*value, cursor, at),
            (None, _) => {}
        }
    }

    fn pairs(&mut self, shape: Id, cursor: Cursor<'_>, at: &At<'_>) {
        let Some(pairs) = cursor.elements().map(pair).collect::<Option<Vec<_>>>() else {
            return;
        };
        self.took("pairs_to_map", at);
        for (key, value) in &pairs {
            let key = key.as_str().unwrap_or_default();
            self.value(shape, *value, &at.key(&key));
        }
        let members = pairs.into_iter().map(|(key, value)| (key.id(), value.id()));
        self.edits.set(cursor, Edit::Members(members.collect()));
    }

    fn text(&mut self, shape: &Shape, cursor: Cursor<'_>, at: &At<'_>) {
        let (Some(values), Some(text)) = (&shape.values, cursor.as_str()) else {
            return;
        };
        let own = |value: &Value| value.as_str() == Some(&text);
        if !self.shapes.folds_case || values.iter().any(own) {
            return;
        }
        let mut alike = values
            .iter()
            .filter_map(Value::as_str)
            .filter(|one| same(one, &text));
        if let (Some(one), None) = (alike.next(), alike.next()) {
            self.edits.set(cursor, Edit::Replace(quote(one)));
            self.took("enum_case", at);
        }
    }

    /// The shape that was meant: the one of a choice whose tag, keys and types
    /// fit, or where several do, the first that fits throughout. One that takes
    /// a null as it is goes before one that takes it for an absent key.
    fn chosen(&mut self, mut id: Id, cursor: Cursor<'_>) -> Option<&'s Shape> {
        let shapes = self.shapes;
        for _ in 0..CHOICES {
            let shape = shapes.get(id).filter(|shape| shape.rewritten)?;
            if shape.branches.is_empty() {
                return Some(shape);
            }
            let fitting = shape.branches.iter().copied();
            let fitting: Vec<Id> = fitting
                .filter(|branch| self.looks(*branch, cursor, CHOICES, &mut Vec::new()))
                .collect();
            id = match fitting.as_slice() {
                [one] => *one,
                several => {
                    let mut by = |nulls| {
                        let mut all = several.iter().copied();
                        all.find(|branch| self.fits(*branch, cursor, nulls, CHOICES))
                    };
                    by(Nulls::Own).or_else(|| by(Nulls::Absent))?
                }
            };
        }
        None
    }

    /// Whether a value is of a shape, as far as its own keys and tags tell. A choice that was passed
    /// before has nothing new to offer.
    fn looks(&self, id: Id, cursor: Cursor<'_>, choices: usize, passed: &mut Vec<Id>) -> bool {
        let Some(shape) = self.shapes.get(id).filter(|_| choices > 0) else {
            return false;
        };
        if !shape.branches.is_empty() {
            if passed.contains(&id) {
                return false;
            }
            passed.push(id);
            let mut branches = shape.branches.iter();
            return branches.any(|branch| self.looks(*branch, cursor, choices - 1, passed));
        }
        if !takes_kind(shape, cursor) || !self.is_listed(shape, cursor) {
            return false;
        }
        match (cursor.kind(), &shape.object, &shape.array) {
            (Kind::Object, Some(ObjectShape::Members(members)), _) => {
                self.has_keys(members, cursor)
            }
            (Kind::Object, Some(ObjectShape::Tuple(places)), _) => {
                placed(places.len(), cursor).is_some()
            }
            (Kind::Array, _, Some(ArrayShape::Pairs { .. })) => cursor
                .elements()
                .next()
                .is_none_or(|first| pair(first).is_some()),
            _ => true,
        }
    }

    /// Whether an object has the keys it must have and no others, and the tags
    /// among them are the right ones.
    fn has_keys(&self, members: &Members, cursor: Cursor<'_>) -> bool {
        let mut required = members.all.iter().filter(|member| member.required).count();
        for (key, value) in cursor.members() {
            let Some(member) = members.get(&key) else {
                return false;
            };
            required -= usize::from(member.required);
            let tag = self.shapes.get(member.shape);
            if !tag.is_none_or(|tag| !tag.branches.is_empty() || self.is_listed(tag, value)) {
                return false;
            }
        }
        required == 0
    }

    fn is_listed(&self, shape: &Shape, cursor: Cursor<'_>) -> bool {
        let Some(values) = &shape.values else {
            return true;
        };
        values.iter().any(|value| match (value, cursor.kind()) {
            (Value::String(one), Kind::String) => cursor
                .as_str()
                .is_some_and(|text| *one == text || self.shapes.folds_case && same(one, &text)),
            (Value::Number(one), Kind::Number) => {
                let number: Option<serde_json::Number> = serde_json::from_str(cursor.raw()).ok();
                number.is_some_and(|number| number == *one || number.as_f64() == one.as_f64())
            }
            (Value::Bool(one), Kind::Bool) => cursor.as_bool() == Some(*one),
            (Value::Null, Kind::Null)
            | (Value::Array(_), Kind::Array)
            | (Value::Object(_), Kind::Object) => true,
            _ => false,
        })
    }

    /// Whether a value is of a shape throughout.
    fn fits(&mut self, id: Id, cursor: Cursor<'_>, nulls: Nulls, choices: usize) -> bool {
        let Some(effort) = self.effort.checked_sub(1) else {
            return false;
        };
        self.effort = effort;
        let shapes = self.shapes;
        let Some(shape) = shapes.get(id).filter(|_| choices > 0) else {
            return false;
        };
        if !shape.branches.is_empty() {
            let mut branches = shape.branches.iter();
            return branches.any(|branch| self.fits(*branch, cursor, nulls, choices - 1));
        }
        self.looks(id, cursor, choices, &mut Vec::new()) && self.parts_fit(shape, cursor, nulls)
    }

    fn parts_fit(&mut self, shape: &'s Shape, cursor: Cursor<'_>, nulls: Nulls) -> bool {
        match (cursor.kind(), &shape.object, &shape.array) {
            (Kind::Object, Some(ObjectShape::Members(members)), _) => {
                cursor.members().all(|(key, value)| {
                    let null = value.kind() == Kind::Null;
                    members.get(&key).is_some_and(|member| {
                        !(null && member.null_is_absence && nulls == Nulls::Own)
                            && self.fits(member.shape, value, nulls, CHOICES)
                    })
                })
            }
            (Kind::Object, Some(ObjectShape::Map(one)), _) => {
                let mut members = cursor.members();
                members.all(|(_, value)| self.fits(*one, value, nulls, CHOICES))
            }
            (Kind::Object, Some(ObjectShape::Tuple(places)), _) => {
                let values = placed(places.len(), cursor).unwrap_or_default();
                let mut both = places.iter().zip(values);
                both.all(|(place, value)| self.fits(*place, value, nulls, CHOICES))
            }
            (Kind::Array, _, Some(ArrayShape::Items(one))) => {
                let mut elements = cursor.elements();
                elements.all(|element| self.fits(*one, element, nulls, CHOICES))
            }
            (Kind::Array, _, Some(ArrayShape::Places(places))) => {
                let mut both = places.iter().zip(cursor.elements());
                both.all(|(place, element)| self.fits(*place, element, nulls, CHOICES))
            }
            (Kind::Array, _, Some(ArrayShape::Pairs { value })) => {
                let mut pairs = cursor.elements().map(pair);
                pairs.all(|pair| {
                    pair.is_some_and(|(_, member)| self.fits(*value, member, nulls, CHOICES))
                })
            }
            _ => true,
        }
    }
}

/// Whether two texts differ in case only. Most differ at their first character, which costs little.
fn same(one: &str, other: &str) -> bool {
    lower(one).eq(lower(other))
}

fn lower(text: &str) -> impl Iterator<Item = char> {
    // A sigma has another form at the end of a word.
    let alike = |c| if c == 'ς' { 'σ' } else { c };
    text.chars().flat_map(char::to_lowercase).map(alike)
}

fn takes_kind(shape: &Shape, cursor: Cursor<'_>) -> bool {
    let kind = match cursor.kind() {
        Kind::Null => "null",
        Kind::Bool => "boolean",
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
    };
    let whole = kind == "number" && !cursor.raw().contains(['.', 'e', 'E']);
    let takes = |own: &str| own == kind || whole && own == "integer";
    shape.kinds.is_empty() || shape.kinds.iter().any(|own| takes(own))
}

/// The key and the value of an object that stands for a member.
fn pair(cursor: Cursor<'_>) -> Option<(Cursor<'_>, Cursor<'_>)> {
    let key = cursor.get(KEY).filter(|key| key.kind() == Kind::String)?;
    let value = cursor.get(VALUE)?;
    (cursor.len() == 2).then_some((key, value))
}

/// The values of an object that stands for a tuple, in the tuple's order.
fn placed(count: usize, cursor: Cursor<'_>) -> Option<Vec<Cursor<'_>>> {
    if cursor.len() != count {
        return None;
    }
    (0..count)
        .map(|index| cursor.get(&place_name(index)))
        .collect()
}
