//! Serde reads its types from the tape.

use super::distinct::{self, Distinct};
use super::number::Integer;
use super::{CITED, CITED_NODE, Cursor, Elements, Pairs, account, equal, held, tag};
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected,
    IntoDeserializer as _, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use std::borrow::Cow;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

/// What kind of disagreement there is between a value and the type that should hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BindKind {
    /// A value of another kind.
    Type,
    /// A number that the type cannot hold.
    Range,
    /// A key that is missing.
    Required,
    /// A key or variant that the type does not know.
    Unknown,
    /// Anything else that the type refuses.
    Value,
    /// Something that the value does not hold, although the type took the rest.
    Lost,
    /// The same, as an error shows that did not come out.
    Swallowed,
}

/// Why serde did not accept a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BindError(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    node: Option<u32>,
    kind: BindKind,
    message: String,
}

impl BindError {
    #[cold]
    pub(crate) fn new(kind: BindKind, message: String) -> Self {
        account::raise();
        Self(Box::new(Inner {
            node: None,
            kind,
            message,
        }))
    }

    /// Places the error, unless something deeper already did.
    #[cold]
    pub(crate) fn at(mut self, node: u32) -> Self {
        self.0.node.get_or_insert(node);
        self
    }

    /// The deepest value, or unknown key, the error arose at; nothing where no
    /// value placed it.
    pub(crate) fn node(&self) -> Option<u32> {
        self.0.node
    }

    pub(crate) fn kind(&self) -> BindKind {
        self.0.kind
    }

    /// Serde's words, without a position.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }
}

impl Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for BindError {}

impl de::Error for BindError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(BindKind::Value, message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let message = format!("expected {expected}, not {}", kind_of(&found));
        Self::new(BindKind::Type, message)
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let kind = match found {
            Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => {
                BindKind::Range
            }
            _ => BindKind::Value,
        };
        Self::new(kind, format!("expected {expected}"))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(
            BindKind::Value,
            format!("has {length} elements, expected {expected}"),
        )
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(
            BindKind::Unknown,
            format!("must be one of {}", expected.join(", ")),
        )
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        let known = expected.join(", ");
        Self::new(
            BindKind::Unknown,
            format!("this key is not known; known are {known}"),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(
            BindKind::Required,
            format!("the key {field} is required and missing"),
        )
    }
}

/// The kind of a value without the value, which a failure quotes beside the message.
fn kind_of(found: &Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "integer",
        Unexpected::Float(_) => "number with a fraction",
        Unexpected::Char(_)
        | Unexpected::Str(_)
        | Unexpected::Bytes(_)
        | Unexpected::Other("string") => "string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq | Unexpected::TupleVariant => "array",
        Unexpected::Other(what) if what.contains("integer") => "integer",
        _ => "object",
    }
}

impl<'t> Cursor<'t> {
    /// Reads a type of keys from this key of an object.
    pub(crate) fn bind_key<T: Deserialize<'t>>(self) -> Result<T, BindError> {
        T::deserialize(Key(self)).map_err(|error| error.at(self.id))
    }

    /// Reads a type from this value; an error is placed here or deeper.
    pub(crate) fn bind<T: Deserialize<'t>>(self) -> Result<T, BindError> {
        self.seed(PhantomData)
    }

    #[inline]
    pub(super) fn seed<S: DeserializeSeed<'t>>(self, seed: S) -> Result<S::Value, BindError> {
        seed.deserialize(self).map_err(|error| error.at(self.id))
    }

    /// Hands a string over, borrowed where its text is its value.
    #[inline]
    fn visit_text<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, BindError> {
        if self.node().tag() == tag::STRING {
            held::kept::<V>(self.inner())?;
            visitor.visit_borrowed_str(self.inner())
        } else {
            let text = self.as_str().unwrap_or_default().into_owned();
            held::kept::<V>(&text)?;
            visitor.visit_string(text)
        }
    }

    fn visit_number<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, BindError> {
        match self.integer() {
            Some(Integer::Unsigned(value)) => visitor.visit_u64(value),
            Some(Integer::Signed(0)) => Err(negative_zero(&visitor)),
            Some(Integer::Signed(value)) => visitor.visit_i64(value),
            Some(Integer::Big) => Err(beyond(64, &visitor)),
            None => self.visit_float(visitor),
        }
    }

    /// Hands a number to whoever takes any: its digits as text where the type
    /// reads them so, for a double would round them.
    fn visit_any_number<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, BindError> {
        if held::takes_digits::<V>() {
            held::kept::<V>(self.inner())?;
            return visitor.visit_borrowed_str(self.inner());
        }
        match self.integer() {
            // The sign of a zero can be kept.
            Some(Integer::Signed(0)) => visitor.visit_f64(-0.0),
            None if account::is_buffer::<V>() && !held::fits_buffer(self) => {
                Err(account::buffered())
            }
            _ => self.visit_number(visitor),
        }
    }

    /// Hands the nearest float over. Parsing refused infinite ones already.
    #[inline]
    fn visit_float<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, BindError> {
        let value = self.as_f64().unwrap_or_default();
        if value == 0.0 && !self.is_zero() {
            return Err(too_small(&visitor));
        }
        visitor.visit_f64(value)
    }

    /// Whether a number is written as zero.
    #[cold]
    pub(super) fn is_zero(self) -> bool {
        let mantissa = self.inner().split(['e', 'E']).next().unwrap_or_default();
        !mantissa.contains(|c: char| matches!(c, '1'..='9'))
    }

    #[cold]
    fn wrong_type(self, expected: &dyn Expected) -> BindError {
        BindError::invalid_type(self.unexpected(), expected)
    }

    fn unexpected(self) -> Unexpected<'t> {
        match self.node().tag() {
            tag::NULL => Unexpected::Unit,
            tag::FALSE => Unexpected::Bool(false),
            tag::TRUE => Unexpected::Bool(true),
            tag::STRING => Unexpected::Str(self.inner()),
            tag::ESCAPED => Unexpected::Other("string"),
            tag::ARRAY => Unexpected::Seq,
            tag::OBJECT => Unexpected::Map,
            _ => match self.integer() {
                Some(Integer::Unsigned(value)) => Unexpected::Unsigned(value),
                Some(Integer::Signed(value)) => Unexpected::Signed(value),
                Some(Integer::Big) => Unexpected::Other("integer of more than 64 bits"),
                None => Unexpected::Float(self.as_f64().unwrap_or_default()),
            },
        }
    }

    #[inline]
    fn visit_members<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, BindError> {
        let distinct = distinct::of::<V>().filter(|_| account::is_kept());
        let mut members = Object {
            pairs: self.pairs(),
            value: self,
            by_name: (distinct == Some(Distinct::Unknown)).then_some(true),
        };
        let value = visitor.visit_map(&mut members)?;
        unread(members.pairs.left, members.pairs.next)?;
        if members.by_name == Some(false) && self.len() > 1 {
            return Err(account::merged());
        }
        Ok(value)
    }

    #[inline]
    fn visit_elements<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, BindError> {
        let distinct = distinct::of::<V>().filter(|_| account::is_kept());
        let mut elements = Array {
            left: self.elements(),
            by_name: distinct.map(|_| true),
        };
        let value = visitor.visit_seq(&mut elements)?;
        unread(elements.left.left, elements.left.next)?;
        let differ = match (distinct, elements.by_name) {
            (None, _) => true,
            (Some(Distinct::Unknown), Some(false)) => self.len() < 2,
            _ => equal::all_differ(self),
        };
        if differ {
            Ok(value)
        } else {
            Err(account::merged())
        }
    }
}

macro_rules! integers {
    ($($method:ident)*) => {
        $(#[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
            self.deserialize_u64(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for Cursor<'de> {
    type Error = BindError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        match self.node().tag() {
            tag::NULL => visitor.visit_unit(),
            tag::FALSE => visitor.visit_bool(false),
            tag::TRUE => visitor.visit_bool(true),
            tag::STRING | tag::ESCAPED => {
                if !held::takes_digits::<V>() && account::is_buffer::<V>() {
                    held::kept_in_buffer(&self.as_str().unwrap_or_default())?;
                }
                self.visit_text(visitor)
            }
            // Bytes that are no text pass a buffer, and are none of the values of JSON.
            tag::SPOILT => visitor.visit_bytes(&[0xFF]),
            tag::ARRAY => open::<V>().and_then(|()| self.visit_elements(visitor)),
            tag::OBJECT => open::<V>().and_then(|()| self.visit_members(visitor)),
            _ => self.visit_any_number(visitor),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        if self.node().is_string() {
            self.visit_text(visitor)
        } else {
            Err(self.wrong_type(&visitor))
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        if self.node().is_number() {
            self.visit_number(visitor)
        } else {
            Err(self.wrong_type(&visitor))
        }
    }

    integers! { deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16 deserialize_u32 }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        if self.node().is_number() {
            self.visit_float(visitor)
        } else {
            Err(self.wrong_type(&visitor))
        }
    }

    /// Rounds once, from the text; by way of `f64` it would be twice.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        match self.number_text().map(str::parse::<f32>) {
            Some(Ok(0.0)) if !self.is_zero() => Err(too_small(&visitor)),
            Some(Ok(value)) if value.is_finite() => visitor.visit_f32(value),
            Some(_) => Err(too_large(&visitor)),
            None => Err(self.wrong_type(&visitor)),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        match self.integer() {
            Some(Integer::Big) => match self.inner().parse() {
                Ok(value) => visitor.visit_i128(value),
                Err(_) => Err(beyond(128, &visitor)),
            },
            _ => self.deserialize_u64(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        match self.integer() {
            Some(Integer::Big) => match self.inner().parse() {
                Ok(value) => visitor.visit_u128(value),
                Err(_) => Err(beyond(128, &visitor)),
            },
            _ => self.deserialize_u64(visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        match self.as_str() {
            Some(Cow::Borrowed(text)) => visitor.visit_borrowed_bytes(text.as_bytes()),
            Some(Cow::Owned(text)) => visitor.visit_byte_buf(text.into_bytes()),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        if self.node().tag() == tag::NULL {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        if self.node().tag() == tag::ARRAY {
            self.visit_elements(visitor)
        } else {
            Err(self.wrong_type(&visitor))
        }
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        if self.node().tag() == tag::OBJECT {
            self.visit_members(visitor)
        } else {
            Err(self.wrong_type(&visitor))
        }
    }

    /// Never from an array, although serde's visitors would take one: its positions are no names.
    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BindError> {
        if name == CITED && self.node().tag() == tag::OBJECT {
            return visitor.visit_map(Citation {
                node: Some(self.id),
                object: Object {
                    pairs: self.pairs(),
                    value: self,
                    by_name: None,
                },
            });
        }
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BindError> {
        let node = self.node();
        if node.is_string() {
            account::name(self);
            return visitor.visit_enum(Variant {
                name: self,
                value: None,
            });
        }
        match self.pairs().next() {
            Some((name, value)) if node.count() == 1 => visitor.visit_enum(Variant {
                name,
                value: Some(value),
            }),
            _ if node.tag() == tag::OBJECT => Err(BindError::invalid_value(
                Unexpected::Map,
                &"an object with a single key",
            )),
            _ => Err(self.wrong_type(&"a string or an object with a single key")),
        }
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        if account::is_kept() {
            return Err(account::ignored(self));
        }
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool char unit unit_struct tuple tuple_struct identifier
    }
}

/// The error for a number that a float would turn into zero.
#[cold]
fn too_small(expected: &dyn Expected) -> BindError {
    BindError::new(
        BindKind::Range,
        format!("expected {expected}, and this is too close to zero for it"),
    )
}

/// The error for a number that a float would turn into infinity.
#[cold]
fn too_large(expected: &dyn Expected) -> BindError {
    BindError::new(
        BindKind::Range,
        format!("expected {expected}, and this is too far from zero for it"),
    )
}

/// The error for an integer that so many bits do not hold; a float in its place would not be it.
#[cold]
fn beyond(bits: u8, expected: &dyn Expected) -> BindError {
    let message = format!("expected {expected}, and this does not fit into {bits} bits");
    BindError::new(BindKind::Range, message)
}

/// The error for the integer `-0`, whose sign no integer type holds.
#[cold]
fn negative_zero(expected: &dyn Expected) -> BindError {
    BindError::new(
        BindKind::Range,
        format!("expected {expected}, and -0 is none; write 0"),
    )
}

/// Refuses a list or an object whose reader is a buffer.
#[inline]
fn open<V>() -> Result<(), BindError> {
    if account::is_buffer::<V>() {
        return Err(account::buffered());
    }
    Ok(())
}

/// Refuses what a visitor left of a list or an object.
#[inline]
fn unread(left: u32, next: Cursor<'_>) -> Result<(), BindError> {
    if left > 0 && account::is_kept() {
        return Err(account::ignored(next));
    }
    Ok(())
}

struct Array<'de> {
    left: Elements<'de>,
    /// Of a set: whether all elements so far were names of variants.
    by_name: Option<bool>,
}

impl<'de> SeqAccess<'de> for Array<'de> {
    type Error = BindError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, BindError> {
        let Some(element) = self.left.next() else {
            return Ok(None);
        };
        let value = element.seed(seed)?;
        if let Some(by_name) = &mut self.by_name {
            *by_name &= account::is_name(element);
        }
        Ok(Some(value))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.left as usize)
    }
}

struct Object<'de> {
    pairs: Pairs<'de>,
    /// The value of the key that was read last.
    value: Cursor<'de>,
    /// Of a map whose keys may be equal: whether all so far were names of variants.
    by_name: Option<bool>,
}

impl<'de> MapAccess<'de> for Object<'de> {
    type Error = BindError;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, BindError> {
        let Some((key, value)) = self.pairs.next() else {
            return Ok(None);
        };
        self.value = value;
        let read = seed.deserialize(Key(key));
        if let Some(by_name) = &mut self.by_name {
            *by_name &= account::is_name(key);
        }
        match read {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error.at(key.id)),
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, BindError> {
        self.value.seed(seed)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.pairs.left as usize)
    }
}

/// The object of a citation, which is told first where it stands.
struct Citation<'de> {
    node: Option<u32>,
    object: Object<'de>,
}

impl<'de> MapAccess<'de> for Citation<'de> {
    type Error = BindError;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, BindError> {
        if self.node.is_some() {
            return seed.deserialize(CITED_NODE.into_deserializer()).map(Some);
        }
        self.object.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, BindError> {
        match self.node.take() {
            Some(node) => seed.deserialize(node.into_deserializer()),
            None => self.object.next_value_seed(seed),
        }
    }
}

/// A key of an object. Types of keys other than strings read themselves from its text.
pub(super) struct Key<'de>(pub(super) Cursor<'de>);

impl<'de> Key<'de> {
    /// Leaves the refusal of a text to the visitor, but for an integer that the type cannot hold:
    /// it would be told as a string.
    #[cold]
    fn refuse_spelling<V: Visitor<'de>>(
        self,
        text: &str,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("expected {}", &visitor as &dyn Expected);
            return Err(BindError::new(BindKind::Range, message));
        }
        self.0.visit_text(visitor)
    }

    /// Hands the key over as what its text spells, or else as a string, which the visitor will
    /// refuse in its own words. Two keys never spell the same value: each has one spelling.
    fn visit_spelled<V: Visitor<'de>, T: FromStr + Display>(
        self,
        visitor: V,
        visit: fn(V, T) -> Result<V::Value, BindError>,
    ) -> Result<V::Value, BindError> {
        let text = self.0.as_str().unwrap_or_default();
        let Ok(value) = text.parse::<T>() else {
            return self.refuse_spelling(&text, visitor);
        };
        let spelled = value.to_string();
        if spelled != text {
            let message = format!("this key is written {spelled}");
            return Err(BindError::new(BindKind::Value, message));
        }
        visit(visitor, value)
    }
}

macro_rules! spelled_keys {
    ($($method:ident: $visit:ident,)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
            self.visit_spelled(visitor, V::$visit)
        })*
    };
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = BindError;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        self.0.visit_text(visitor)
    }

    spelled_keys! {
        deserialize_bool: visit_bool,
        deserialize_i8: visit_i8,
        deserialize_i16: visit_i16,
        deserialize_i32: visit_i32,
        deserialize_i64: visit_i64,
        deserialize_i128: visit_i128,
        deserialize_u8: visit_u8,
        deserialize_u16: visit_u16,
        deserialize_u32: visit_u32,
        deserialize_u64: visit_u64,
        deserialize_u128: visit_u128,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BindError> {
        account::name(self.0);
        visitor.visit_enum(Variant {
            name: self.0,
            value: None,
        })
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        self.0.deserialize_bytes(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        self.0.deserialize_bytes(visitor)
    }

    serde::forward_to_deserialize_any! {
        f32 f64 char str string unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// A variant by its name, with its value where an object gives one.
pub(super) struct Variant<'de> {
    pub(super) name: Cursor<'de>,
    pub(super) value: Option<Cursor<'de>>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = BindError;
    type Variant = Content<'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), BindError> {
        match seed.deserialize(Key(self.name)) {
            Ok(variant) => Ok((variant, Content(self.value))),
            Err(error) => Err(error.at(self.name.id)),
        }
    }
}

/// What a variant holds.
pub(super) struct Content<'de>(Option<Cursor<'de>>);

impl<'de> Content<'de> {
    fn value(&self, expected: &'static str) -> Result<Cursor<'de>, BindError> {
        self.0
            .ok_or_else(|| BindError::invalid_type(Unexpected::UnitVariant, &expected))
    }
}

impl<'de> VariantAccess<'de> for Content<'de> {
    type Error = BindError;

    fn unit_variant(self) -> Result<(), BindError> {
        self.0.map_or(Ok(()), Cursor::bind)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, BindError> {
        self.value("newtype variant")?.seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, BindError> {
        let value = self.value("tuple variant")?;
        value
            .deserialize_seq(visitor)
            .map_err(|error| error.at(value.id))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BindError> {
        let value = self.value("struct variant")?;
        value
            .deserialize_map(visitor)
            .map_err(|error| error.at(value.id))
    }
}
