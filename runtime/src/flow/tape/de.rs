//! Serde binds from the tape: numbers exact, objects only from objects.

use serde::de::{
    DeserializeSeed, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected, VariantAccess,
    Visitor,
};
use serde::{Deserializer, forward_to_deserialize_any};

use super::cursor::{Elements, Members};
use super::error::{BindError, BindKind};
use super::{Cursor, Kind, scan};

type Bound<T> = Result<T, BindError>;

impl<'de> Cursor<'de> {
    #[inline]
    fn visit_string<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        if self.entry().flagged() {
            visitor.visit_string(scan::unescaped(self.inner()))
        } else {
            visitor.visit_borrowed_str(self.inner())
        }
    }

    #[inline]
    fn visit_number<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        let text = self.inner();
        if !self.is_integer() {
            return visitor.visit_f64(scan::float(text));
        }
        if let Some(value) = short_unsigned(text) {
            return visitor.visit_u64(value);
        }
        if let Ok(value) = text.parse() {
            return visitor.visit_u64(value);
        }
        match text.parse() {
            Ok(value) => visitor.visit_i64(value),
            // A float would change the number; the type must ask for more.
            Err(_) => Err(BindError::new(
                BindKind::Range,
                format!("the integer {text} does not fit into 64 bits"),
            )),
        }
    }

    #[inline]
    fn visit<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        match self.kind() {
            Kind::Null => visitor.visit_unit(),
            Kind::Bool => visitor.visit_bool(self.inner() == "true"),
            Kind::Number => self.visit_number(visitor),
            Kind::String => self.visit_string(visitor),
            Kind::Array => self.visit_array(visitor),
            Kind::Object => visitor.visit_map(MemberAccess {
                members: self.members(),
                value: None,
            }),
        }
    }

    fn visit_array<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        let mut access = ElementAccess {
            elements: self.elements(),
            left: self.len(),
        };
        let value = visitor.visit_seq(&mut access)?;
        if access.left == 0 {
            return Ok(value);
        }
        Err(BindError::new(
            BindKind::Type,
            "the array has elements too many",
        ))
    }

    fn unexpected(self) -> Unexpected<'de> {
        match self.kind() {
            Kind::Null => Unexpected::Unit,
            Kind::Bool => Unexpected::Bool(self.inner() == "true"),
            Kind::Number if self.is_integer() => Unexpected::Other("integer"),
            Kind::Number => Unexpected::Float(scan::float(self.inner())),
            Kind::String => Unexpected::Str(self.inner()),
            Kind::Array => Unexpected::Seq,
            Kind::Object => Unexpected::Map,
        }
    }

    fn wide<T: std::str::FromStr, V: Visitor<'de>>(
        self,
        visitor: V,
        give: impl FnOnce(V, T) -> Bound<V::Value>,
    ) -> Bound<V::Value> {
        if self.kind() != Kind::Number || !self.is_integer() {
            return Err(BindError::invalid_type(self.unexpected(), &visitor));
        }
        match self.inner().parse() {
            Ok(value) => give(visitor, value),
            Err(_) => Err(BindError::new(
                BindKind::Range,
                format!("the integer {} is out of range", self.inner()),
            )),
        }
    }
}

/// An integer of at most 18 digits, which cannot overflow.
#[inline]
fn short_unsigned(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    if bytes.len() > 18 {
        return None;
    }
    let mut value: u64 = 0;
    for byte in bytes {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = value * 10 + u64::from(byte - b'0');
    }
    Some(value)
}

impl<'de> Deserializer<'de> for Cursor<'de> {
    type Error = BindError;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        self.visit(visitor)
            .map_err(|error: BindError| error.at(self.id()))
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        if self.kind() == Kind::Null {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        if self.kind() == Kind::Number {
            return visitor
                .visit_f64(scan::float(self.inner()))
                .map_err(|error: BindError| error.at(self.id()));
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        match self.inner().parse::<f32>() {
            Ok(value) if self.kind() == Kind::Number && value.is_finite() => visitor
                .visit_f32(value)
                .map_err(|error: BindError| error.at(self.id())),
            Ok(_) if self.kind() == Kind::Number => {
                let message = "the number does not fit into a 32-bit float";
                Err(BindError::new(BindKind::Range, message).at(self.id()))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        self.wide(visitor, V::visit_i128)
            .map_err(|error: BindError| error.at(self.id()))
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        self.wide(visitor, V::visit_u128)
            .map_err(|error: BindError| error.at(self.id()))
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Bound<V::Value> {
        if self.kind() == Kind::Object {
            return self.deserialize_any(visitor);
        }
        // Serde would bind a struct from an array by position.
        Err(BindError::invalid_type(self.unexpected(), &visitor).at(self.id()))
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Bound<V::Value> {
        visitor
            .visit_newtype_struct(self)
            .map_err(|error: BindError| error.at(self.id()))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Bound<V::Value> {
        let variant = match self.kind() {
            Kind::String => Variant {
                name: self,
                content: None,
            },
            Kind::Object if self.len() == 1 => {
                let Some((name, content)) = self.members().step() else {
                    return Err(BindError::invalid_type(self.unexpected(), &visitor).at(self.id()));
                };
                Variant {
                    name,
                    content: Some(content),
                }
            }
            _ => return Err(BindError::invalid_type(self.unexpected(), &visitor).at(self.id())),
        };
        visitor
            .visit_enum(variant)
            .map_err(|error: BindError| error.at(self.id()))
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map identifier
    }
}

struct ElementAccess<'de> {
    elements: Elements<'de>,
    left: usize,
}

impl<'de> SeqAccess<'de> for &mut ElementAccess<'de> {
    type Error = BindError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Bound<Option<S::Value>> {
        let Some(element) = self.elements.next() else {
            return Ok(None);
        };
        self.left -= 1;
        seed.deserialize(element).map(Some)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

struct MemberAccess<'de> {
    members: Members<'de>,
    value: Option<Cursor<'de>>,
}

impl<'de> MapAccess<'de> for MemberAccess<'de> {
    type Error = BindError;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Bound<Option<S::Value>> {
        let Some((key, value)) = self.members.step() else {
            return Ok(None);
        };
        self.value = Some(value);
        seed.deserialize(Key(key)).map(Some)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Bound<S::Value> {
        match self.value.take() {
            Some(value) => seed.deserialize(value),
            None => Err(BindError::new(
                BindKind::Value,
                "a value was asked for before its key",
            )),
        }
    }
}

/// A key. It may stand for a number, as the keys of a map with number keys do.
struct Key<'de>(Cursor<'de>);

macro_rules! number_keys {
    ($($deserialize:ident $visit:ident)*) => {
        $(fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
            match self.0.inner().parse() {
                Ok(value) => visitor.$visit(value).map_err(|error: BindError| error.at(self.0.id())),
                Err(_) => self.deserialize_any(visitor),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = BindError;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        self.0
            .visit_string(visitor)
            .map_err(|error| error.at(self.0.id()))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Bound<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Bound<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Bound<V::Value> {
        visitor.visit_enum(Variant {
            name: self.0,
            content: None,
        })
    }

    number_keys! {
        deserialize_bool visit_bool
        deserialize_i8 visit_i8
        deserialize_i16 visit_i16
        deserialize_i32 visit_i32
        deserialize_i64 visit_i64
        deserialize_i128 visit_i128
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_u128 visit_u128
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

/// A variant of an enum: its name, and its content if it has any.
struct Variant<'de> {
    name: Cursor<'de>,
    content: Option<Cursor<'de>>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = BindError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Bound<(S::Value, Self)> {
        let name = seed.deserialize(Key(self.name))?;
        Ok((name, self))
    }
}

impl<'de> Variant<'de> {
    fn content(&self) -> Bound<Cursor<'de>> {
        self.content.ok_or_else(|| {
            BindError::new(BindKind::Type, "this variant has content").at(self.name.id())
        })
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = BindError;

    fn unit_variant(self) -> Bound<()> {
        match self.content {
            None => Ok(()),
            Some(content) if content.kind() == Kind::Null => Ok(()),
            Some(content) => {
                Err(BindError::new(BindKind::Type, "this variant has no content").at(content.id()))
            }
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Bound<S::Value> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Bound<V::Value> {
        let content = self.content()?;
        if content.kind() == Kind::Array {
            return content.deserialize_any(visitor);
        }
        Err(BindError::invalid_type(content.unexpected(), &visitor).at(content.id()))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Bound<V::Value> {
        self.content()?.deserialize_struct("", fields, visitor)
    }
}
