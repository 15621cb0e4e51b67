//! The tape as a JSON representation that `jsonschema` validates directly.

use super::number::Integer;
use super::{Cursor, Elements, Node as Entry, Pairs, Tape, equal, tag, text};
use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object, cmp};
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Names the tape among the representations of `jsonschema`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TapeJson;

/// A property name, ready to be compared with the keys of a tape.
#[derive(Debug)]
pub(crate) struct PreparedKey {
    hash: u32,
    text: Box<str>,
}

/// The room for a tape of one name.
#[derive(Debug, Default)]
pub(crate) struct NameBuffer(Vec<Entry>);

impl Json for TapeJson {
    type Node<'a> = Cursor<'a>;
    type PreparedKey = PreparedKey;
    type StringBuffer = NameBuffer;

    // A lookup passes the keys too, but compares one word of each where a pass of the validator
    // compares with every declared name.
    const KEYS_PER_LOOKUP: usize = 4;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> PreparedKey {
        PreparedKey {
            hash: text::hash(key.as_bytes()),
            text: key.into(),
        }
    }

    fn with_string_node<T>(
        buffer: &mut NameBuffer,
        string: &str,
        f: impl FnOnce(Self::Node<'_>) -> T,
    ) -> T {
        let end = u32::try_from(string.len()).unwrap_or(u32::MAX);
        let mut nodes = std::mem::take(&mut buffer.0);
        nodes.clear();
        nodes.push(Entry::new(tag::STRING, 0, end));
        let tape = Tape {
            text: string.into(),
            nodes,
            controls: false,
        };
        let result = f(tape.root());
        buffer.0 = tape.nodes;
        result
    }
}

impl<'a> Node<'a, TapeJson> for Cursor<'a> {
    type Object = Self;
    type Array = Self;
    type Number = Written<'a>;

    #[inline]
    fn as_object(&self) -> Option<Self> {
        (self.node().tag() == tag::OBJECT).then_some(*self)
    }

    #[inline]
    fn as_array(&self) -> Option<Self> {
        (self.node().tag() == tag::ARRAY).then_some(*self)
    }

    #[inline]
    fn as_string(&self) -> Option<Cow<'a, str>> {
        Cursor::as_str(*self)
    }

    #[inline]
    fn as_number(&self) -> Option<Written<'a>> {
        self.node().is_number().then_some(Written(*self))
    }

    #[inline]
    fn as_boolean(&self) -> Option<bool> {
        self.as_bool()
    }

    #[inline]
    fn is_null(&self) -> bool {
        self.node().tag() == tag::NULL
    }

    #[inline]
    fn is_number(&self) -> bool {
        self.node().is_number()
    }

    #[inline]
    fn is_string(&self) -> bool {
        self.node().is_string()
    }

    #[inline]
    fn json_type(&self) -> JsonType {
        match self.node().tag() {
            tag::NULL => JsonType::Null,
            tag::FALSE | tag::TRUE => JsonType::Boolean,
            tag::STRING | tag::ESCAPED => JsonType::String,
            tag::ARRAY => JsonType::Array,
            tag::OBJECT => JsonType::Object,
            _ => JsonType::Number,
        }
    }

    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        if self.node().tag() == tag::STRING {
            // A character takes one to four bytes.
            let most = self.inner().len() as u64;
            let fewest = most.div_ceil(4);
            if most < min || fewest > max {
                return Some(false);
            }
            if min <= fewest && most <= max {
                return Some(true);
            }
        }
        let length = self.string_length()?;
        Some((min..=max).contains(&length))
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match expected {
            Value::Null => Node::is_null(self),
            Value::Bool(expected) => self.as_bool() == Some(*expected),
            Value::String(expected) => self.node().is_string() && self.is_text(expected),
            Value::Number(expected) => self.node().is_number() && equal_numbers(*self, expected),
            Value::Array(expected) => {
                Node::as_array(self).is_some()
                    && expected.len() == Cursor::len(*self)
                    && Cursor::elements(*self)
                        .zip(expected)
                        .all(|(own, other)| own.equals_value(other))
            }
            Value::Object(expected) => {
                Node::as_object(self).is_some()
                    && expected.len() == Cursor::len(*self)
                    && expected.iter().all(|(key, other)| {
                        Cursor::get(*self, key).is_some_and(|own| own.equals_value(other))
                    })
            }
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(build(*self, number_value))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        let tape = std::ptr::from_ref(self.tape) as usize;
        Some(NodeIdentity::tagged(tape, self.id))
    }
}

/// Equality as mathematics has it. Beyond 64 bits a schema holds an integer as a float, which is
/// compared by all its digits.
fn equal_numbers(own: Cursor<'_>, expected: &Number) -> bool {
    if own.node().tag() != tag::BIG {
        return cmp::equal_numbers(&Written(own), expected);
    }
    !expected.is_u64()
        && !expected.is_i64()
        && expected
            .as_f64()
            .is_some_and(|expected| whole_digits(expected) == own.inner())
}

/// All digits of a float that has no fraction.
fn whole_digits(float: f64) -> String {
    format!("{float:.0}")
}

impl Cursor<'_> {
    /// The value as `serde_json` has it; numbers beyond 64 bits are rounded.
    pub(crate) fn approximate(self) -> Value {
        build(self, number_value)
    }
}

fn build(cursor: Cursor<'_>, number: fn(Cursor<'_>) -> Value) -> Value {
    match cursor.node().tag() {
        tag::NULL => Value::Null,
        tag::FALSE => Value::Bool(false),
        tag::TRUE => Value::Bool(true),
        tag::STRING | tag::ESCAPED => {
            Value::String(cursor.as_str().unwrap_or_default().into_owned())
        }
        tag::ARRAY => Value::Array(
            Cursor::elements(cursor)
                .map(|element| build(element, number))
                .collect(),
        ),
        tag::OBJECT => {
            let members = cursor.pairs().map(|(key, value)| {
                let key = key.as_str().unwrap_or_default().into_owned();
                (key, build(value, number))
            });
            Value::Object(members.collect())
        }
        _ => number(cursor),
    }
}

fn number_value(cursor: Cursor<'_>) -> Value {
    match cursor.integer() {
        Some(Integer::Unsigned(value)) => Value::from(value),
        Some(Integer::Signed(value)) => Value::from(value),
        _ => Value::from(cursor.as_f64().unwrap_or_default()),
    }
}

/// A number as the validator reads it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written<'a>(Cursor<'a>);

impl JsonNumber for Written<'_> {
    fn as_u64(&self) -> Option<u64> {
        match self.0.integer()? {
            Integer::Unsigned(value) => Some(value),
            Integer::Signed(value) => u64::try_from(value).ok(),
            Integer::Big => None,
        }
    }

    fn as_i64(&self) -> Option<i64> {
        match self.0.integer()? {
            Integer::Unsigned(value) => i64::try_from(value).ok(),
            Integer::Signed(value) => Some(value),
            Integer::Big => None,
        }
    }

    /// An integer just below `i64::MIN` rounds up to it; since limits of that size are compared
    /// with the float, it is moved to the float below, which orders it right.
    fn as_f64(&self) -> Option<f64> {
        let value = self.0.as_f64()?;
        let rounded_up = self.0.node().tag() == tag::BIG && value >= -9_223_372_036_854_775_808.0;
        Some(if rounded_up && value < 0.0 {
            value.next_down()
        } else {
            value
        })
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0.inner())
    }

    fn to_number(&self) -> Cow<'_, Number> {
        match number_value(self.0) {
            Value::Number(number) => Cow::Owned(number),
            _ => Cow::Owned(Number::from(0)),
        }
    }

    /// Only what is written as one: `2.0` reaches no integer field, so the schema must not pass it.
    #[inline]
    fn is_integer(&self) -> bool {
        self.0.is_integer()
    }

    fn is_written_as_integer(&self) -> bool {
        self.0.is_integer()
    }
}

/// The members of an object as the validator walks them.
#[derive(Debug)]
pub(crate) struct Members<'a>(Pairs<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Cursor<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = self.0.next()?;
        Some((key.as_str().unwrap_or_default(), value))
    }
}

impl<'a> Object<'a, TapeJson> for Cursor<'a> {
    type Node = Self;
    type MemberName = Cow<'a, str>;
    type MembersIter = Members<'a>;

    #[inline]
    fn len(&self) -> usize {
        Cursor::len(*self)
    }

    #[inline]
    fn get(&self, key: &PreparedKey) -> Option<Self> {
        self.lookup(key.hash, &key.text)
    }

    #[inline]
    fn members(&self) -> Members<'a> {
        Members(self.pairs())
    }

    fn try_for_each_name_node<B>(
        &self,
        _: &mut NameBuffer,
        f: impl FnMut(<TapeJson as Json>::Node<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.pairs().map(|(key, _)| key).try_for_each(f)
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

    fn is_unique(&self) -> bool {
        let mut elements = Cursor::elements(*self);
        if elements.clone().all(|element| element.node().is_string()) {
            let mut seen = HashSet::with_capacity(Cursor::len(*self));
            return elements.all(|element| seen.insert(element.as_str()));
        }
        equal::all_differ(*self)
    }
}
