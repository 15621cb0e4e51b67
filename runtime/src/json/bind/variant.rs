//! The variants of enums, for serde.

use serde::de::{
    DeserializeSeed, Deserializer as _, EnumAccess, Error as _, Unexpected, VariantAccess, Visitor,
};

use super::BindError;
use super::key::Key;
use crate::json::Cursor;

/// A variant by its name, with its value where an object gives one.
pub(in crate::json) struct Variant<'de> {
    pub(in crate::json) name: Cursor<'de>,
    pub(in crate::json) value: Option<Cursor<'de>>,
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
pub(in crate::json) struct Content<'de>(Option<Cursor<'de>>);

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
