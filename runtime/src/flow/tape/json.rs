//! The schema validator reads the tape through its own JSON trait.

use std::borrow::Cow;
use std::ops::ControlFlow;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};
use serde::Deserialize;
use serde_json::{Number, Value};

use super::cursor::{Elements, Members};
use super::{Cursor, Kind, Limits, Tape, fingerprint, scan};
use crate::flow::edit::quote;

/// The tape as a representation of JSON.
#[derive(Debug)]
pub(crate) struct TapeJson;

/// A property name and its fingerprint.
#[derive(Debug)]
pub(crate) struct PreparedKey {
    print: u32,
    name: Box<str>,
}

impl Json for TapeJson {
    type Node<'a> = Cursor<'a>;
    type PreparedKey = PreparedKey;
    const KEYS_PER_LOOKUP: usize = 2;
    const ACYCLIC: bool = true;
    type StringBuffer = String;

    fn prepare_key(key: &str) -> PreparedKey {
        PreparedKey {
            print: fingerprint(key),
            name: key.into(),
        }
    }

    fn with_string_node<T>(
        buffer: &mut String,
        string: &str,
        f: impl FnOnce(Cursor<'_>) -> T,
    ) -> T {
        *buffer = quote(string);
        // A quoted string always parses; an empty tape would read as null.
        let limits = Limits {
            bytes: usize::MAX,
            ..Limits::default()
        };
        let tape = Tape::parse(buffer, limits).unwrap_or(Tape {
            text: "",
            entries: Vec::new(),
            controls: false,
        });
        f(tape.root())
    }
}

impl<'a> Node<'a, TapeJson> for Cursor<'a> {
    type Object = Self;
    type Array = Self;
    type Number = Self;

    #[inline]
    fn as_object(&self) -> Option<Self> {
        (self.kind() == Kind::Object).then_some(*self)
    }

    #[inline]
    fn as_array(&self) -> Option<Self> {
        (self.kind() == Kind::Array).then_some(*self)
    }

    #[inline]
    fn as_string(&self) -> Option<Cow<'a, str>> {
        Cursor::as_str(*self)
    }

    #[inline]
    fn as_number(&self) -> Option<Self> {
        self.is_number().then_some(*self)
    }

    #[inline]
    fn as_boolean(&self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.inner() == "true")
    }

    #[inline]
    fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    #[inline]
    fn is_number(&self) -> bool {
        self.kind() == Kind::Number
    }

    #[inline]
    fn is_string(&self) -> bool {
        self.kind() == Kind::String
    }

    #[inline]
    fn json_type(&self) -> JsonType {
        match self.kind() {
            Kind::Null => JsonType::Null,
            Kind::Bool => JsonType::Boolean,
            Kind::Number => JsonType::Number,
            Kind::String => JsonType::String,
            Kind::Array => JsonType::Array,
            Kind::Object => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match (self.kind(), expected) {
            (Kind::String, Value::String(text)) => Cursor::as_str(*self).as_deref() == Some(text),
            (Kind::Null, Value::Null) => true,
            (Kind::Bool, Value::Bool(bool)) => self.as_boolean() == Some(*bool),
            (Kind::Number, Value::Number(_))
            | (Kind::Array, Value::Array(_))
            | (Kind::Object, Value::Object(_)) => {
                jsonschema::json::cmp::equal(&self.to_value(), expected)
            }
            _ => false,
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(value(*self))
    }

    #[inline]
    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::tagged(
            std::ptr::from_ref(self.tape) as usize,
            self.id(),
        ))
    }
}

/// A copy of the value, for what the validator reports; numbers too large for
/// it become floats there and are quoted from the text instead.
fn value(cursor: Cursor<'_>) -> Value {
    match cursor.kind() {
        Kind::Number => Value::Number(cursor.to_number().into_owned()),
        Kind::Array => cursor.elements().map(value).collect(),
        Kind::Object => {
            let members = cursor
                .members()
                .map(|(key, member)| (key.into_owned(), value(member)));
            Value::Object(members.collect())
        }
        Kind::Null | Kind::Bool | Kind::String => Value::deserialize(cursor).unwrap_or(Value::Null),
    }
}

impl JsonNumber for Cursor<'_> {
    #[inline]
    fn as_u64(&self) -> Option<u64> {
        if self.is_integer() {
            self.inner().parse().ok()
        } else {
            None
        }
    }

    #[inline]
    fn as_i64(&self) -> Option<i64> {
        if self.is_integer() {
            self.inner().parse().ok()
        } else {
            None
        }
    }

    #[inline]
    fn as_f64(&self) -> Option<f64> {
        Some(scan::float(self.inner()))
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.inner())
    }

    fn to_number(&self) -> Cow<'_, Number> {
        let integer = self
            .as_u64()
            .map(Number::from)
            .or_else(|| self.as_i64().map(Number::from));
        let float = || Number::from_f64(scan::float(self.inner()));
        Cow::Owned(integer.or_else(float).unwrap_or_else(|| Number::from(0)))
    }

    /// Stricter than the standard, which counts `2.0`: serde's integers refuse
    /// it, so the model is told here, in the schema's words.
    #[inline]
    fn is_integer(&self) -> bool {
        Cursor::is_integer(*self)
    }

    #[inline]
    fn is_written_as_integer(&self) -> bool {
        Cursor::is_integer(*self)
    }
}

/// A key on the tape, read without a copy where it has no escapes.
pub(crate) struct MemberName<'a>(Cow<'a, str>);

impl AsRef<str> for MemberName<'_> {
    #[inline]
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl<'a> From<MemberName<'a>> for Cow<'a, str> {
    fn from(name: MemberName<'a>) -> Self {
        name.0
    }
}

/// The members of an object with their names.
pub(crate) struct NamedMembers<'a>(Members<'a>);

impl<'a> Iterator for NamedMembers<'a> {
    type Item = (MemberName<'a>, Cursor<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(name, value)| (MemberName(name), value))
    }
}

impl<'a> Object<'a, TapeJson> for Cursor<'a> {
    type Node = Self;
    type MemberName = MemberName<'a>;
    type MembersIter = NamedMembers<'a>;

    #[inline]
    fn len(&self) -> usize {
        Cursor::len(*self)
    }

    #[inline]
    fn get(&self, key: &PreparedKey) -> Option<Self> {
        self.get_prepared(key.print, &key.name)
    }

    #[inline]
    fn members(&self) -> NamedMembers<'a> {
        NamedMembers(Cursor::members(*self))
    }

    fn try_for_each_name_node<B>(
        &self,
        _: &mut String,
        mut f: impl FnMut(Cursor<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut members = Cursor::members(*self);
        while let Some((key, _)) = members.step() {
            f(key)?;
        }
        ControlFlow::Continue(())
    }
}

impl<'a> Array<'a, TapeJson> for Cursor<'a> {
    type Node = Self;
    type ElementsIter = Elements<'a>;

    #[inline]
    fn len(&self) -> usize {
        Cursor::len(*self)
    }

    #[inline]
    fn elements(&self) -> Elements<'a> {
        Cursor::elements(*self)
    }
}
