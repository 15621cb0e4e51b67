//! Serde reads its types from the tape.

mod elements;
mod entries;
mod error;
mod key;
mod variant;

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, Expected, Unexpected, Visitor,
};

pub use error::BindError;
pub(crate) use error::BindKind;
pub(super) use key::Key;
pub(super) use variant::Variant;

use super::distinct::{self, Distinct};
use super::number::Integer;
use super::{CITED, Cursor, account, equal, held, tag};
use elements::Array;
use entries::{Citation, Object};
use error::{beyond, negative_zero, too_large, too_small};

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
    pub(in crate::json) fn seed<S: DeserializeSeed<'t>>(
        self,
        seed: S,
    ) -> Result<S::Value, BindError> {
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
    pub(in crate::json) fn is_zero(self) -> bool {
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
