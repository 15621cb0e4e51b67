//! The members of one object, each taken by one reader.

use std::cell::{Cell, RefCell};

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};

use super::bind::{Key, Variant};
use super::{BindError, Cursor, Kind, Pairs, text};

/// The members of an object, and which of them somebody has taken.
#[doc(hidden)]
#[derive(Debug)]
pub struct Members<'c> {
    object: Cursor<'c>,
    taken: RefCell<Vec<bool>>,
    /// Where the next name is looked for first: replies keep the declared order.
    hint: Cell<Position>,
    /// Whether no earlier layer failed at the object.
    pub(crate) trusted: bool,
}

/// The place of a member: its number, and the id of its key.
#[derive(Debug, Clone, Copy)]
struct Position {
    number: usize,
    key: u32,
}

impl<'c> Members<'c> {
    pub(crate) fn new(object: Cursor<'c>, trusted: bool) -> Self {
        Self {
            object,
            taken: RefCell::new(vec![false; object.len()]),
            hint: Cell::new(Self::first(object)),
            trusted,
        }
    }

    fn first(object: Cursor<'_>) -> Position {
        Position {
            number: 0,
            key: object.id() + 1,
        }
    }

    /// The object itself.
    pub fn object(&self) -> Cursor<'c> {
        self.object
    }

    /// Takes the value of the first of these names that is there.
    pub(crate) fn take(&self, names: &[&str]) -> Option<Cursor<'c>> {
        let found = names.iter().find_map(|name| self.find(name));
        let (number, value) = found?;
        self.mark(number);
        Some(value)
    }

    /// Takes the first member that has one of these names.
    pub(crate) fn take_any(&self, names: &[&str]) -> Option<(Cursor<'c>, Cursor<'c>)> {
        let is_named = |key: Cursor<'_>| key.as_str().is_some_and(|key| names.contains(&&*key));
        let (number, key, value) = self.left().find(|(_, key, _)| is_named(*key))?;
        self.mark(number);
        Some((key, value))
    }

    /// Takes all that nobody has taken: each key and its value.
    pub(crate) fn take_rest(&self) -> Vec<(Cursor<'c>, Cursor<'c>)> {
        let rest = self.left().map(|(_, key, value)| (key, value)).collect();
        self.taken.borrow_mut().fill(true);
        rest
    }

    /// Whether one of these names is there, with a value, and not taken.
    pub fn has(&self, names: &[&str]) -> bool {
        let is_there = |name: &&str| {
            let found = self.find(name);
            found.is_some_and(|(_, value)| value.kind() != Kind::Null)
        };
        names.iter().any(is_there)
    }

    /// The key and value of the first member that nobody has taken, of those that
    /// say something: null says that nothing is there.
    pub(crate) fn first_left(&self) -> Option<(Cursor<'c>, Cursor<'c>)> {
        self.values_left().next()
    }

    /// How many such members there are.
    pub(crate) fn count_left(&self) -> usize {
        self.values_left().count()
    }

    fn values_left(&self) -> impl Iterator<Item = (Cursor<'c>, Cursor<'c>)> {
        let left = self.left().map(|(_, key, value)| (key, value));
        left.filter(|(_, value)| value.kind() != Kind::Null)
    }

    /// What has been taken so far, to be put back after a trial.
    pub(crate) fn taken(&self) -> Vec<bool> {
        self.taken.borrow().clone()
    }

    pub(crate) fn put_back(&self, taken: Vec<bool>) {
        self.taken.replace(taken);
    }

    fn left(&self) -> impl Iterator<Item = (usize, Cursor<'c>, Cursor<'c>)> {
        let taken = self.taken.borrow().clone();
        let all = self.object.pairs().enumerate();
        let all = all.map(|(number, (key, value))| (number, key, value));
        all.filter(move |(number, ..)| !taken.get(*number).copied().unwrap_or(true))
    }

    fn mark(&self, number: usize) {
        if let Some(place) = self.taken.borrow_mut().get_mut(number) {
            *place = true;
        }
    }

    fn is_taken(&self, number: usize) -> bool {
        self.taken.borrow().get(number).copied().unwrap_or(true)
    }

    /// Looks from the hint to the end, then from the start to the hint.
    fn find(&self, name: &str) -> Option<(usize, Cursor<'c>)> {
        let hash = text::hash(name.as_bytes());
        let hint = self.hint.get();
        let later = self.search(hint, usize::MAX, hash, name);
        later.or_else(|| self.search(Self::first(self.object), hint.number, hash, name))
    }

    fn search(
        &self,
        from: Position,
        end: usize,
        hash: u32,
        name: &str,
    ) -> Option<(usize, Cursor<'c>)> {
        let left = self.object.len().saturating_sub(from.number);
        let pairs = Pairs {
            next: self.object.at(from.key),
            left: u32::try_from(left).unwrap_or(0),
        };
        let within = end.saturating_sub(from.number);
        for (step, (key, value)) in pairs.take(within).enumerate() {
            let number = from.number + step;
            if key.node().link == hash && key.is_text(name) && !self.is_taken(number) {
                self.hint.set(Position {
                    number: number + 1,
                    key: value.after(),
                });
                return Some((number, value));
            }
        }
        None
    }
}

/// The members that nobody has taken, as a type of serde's reads them that the
/// flow cannot look into. What it reads it takes.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Rest<'m, 'c>(pub(crate) &'m Members<'c>);

impl<'de> Deserializer<'de> for Rest<'_, 'de> {
    type Error = BindError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        visitor.visit_map(RestMap::new(self.0.take_rest()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BindError> {
        let named = fields.iter().filter_map(|name| self.0.take_any(&[*name]));
        visitor.visit_map(RestMap::new(named.collect()))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BindError> {
        let Some((name, value)) = self.0.take_any(variants) else {
            return Err(BindError::custom(format_args!(
                "one of the keys {} is required and missing",
                variants.join(", ")
            )));
        };
        visitor.visit_enum(Variant {
            name,
            value: Some(value),
        })
    }

    /// An optional is there where anything is left for it.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        if self.0.first_left().is_some() {
            visitor.visit_some(self)
        } else {
            visitor.visit_none()
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        seq tuple tuple_struct map identifier
    }
}

/// Members as a map, in their order.
struct RestMap<'c> {
    members: std::vec::IntoIter<(Cursor<'c>, Cursor<'c>)>,
    value: Option<Cursor<'c>>,
}

impl<'c> RestMap<'c> {
    fn new(members: Vec<(Cursor<'c>, Cursor<'c>)>) -> Self {
        Self {
            members: members.into_iter(),
            value: None,
        }
    }
}

impl<'c> MapAccess<'c> for RestMap<'c> {
    type Error = BindError;

    fn next_key_seed<S: DeserializeSeed<'c>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, BindError> {
        let Some((key, value)) = self.members.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        let read = seed.deserialize(Key(key));
        read.map(Some).map_err(|error| error.at(key.id()))
    }

    fn next_value_seed<S: DeserializeSeed<'c>>(&mut self, seed: S) -> Result<S::Value, BindError> {
        let value = self
            .value
            .take()
            .ok_or_else(|| BindError::custom("a value was asked for before its key"))?;
        value.seed(seed)
    }
}
