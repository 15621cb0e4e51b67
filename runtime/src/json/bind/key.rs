//! The keys of objects: types of keys other than strings read themselves from a key's text.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::{Deserializer, Expected, Visitor};

use super::variant::Variant;
use super::{BindError, BindKind};
use crate::json::{Cursor, account};

/// A key of an object. Types of keys other than strings read themselves from its text.
pub(in crate::json) struct Key<'de>(pub(in crate::json) Cursor<'de>);

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
