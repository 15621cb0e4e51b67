//! The members of an object, for serde.

use serde::de::{DeserializeSeed, IntoDeserializer as _, MapAccess};

use super::BindError;
use super::key::Key;
use crate::json::{CITED_NODE, Cursor, Pairs, account};

pub(super) struct Object<'de> {
    pub(super) pairs: Pairs<'de>,
    /// The value of the key that was read last.
    pub(super) value: Cursor<'de>,
    /// Of a map whose keys may be equal: whether all so far were names of variants.
    pub(super) by_name: Option<bool>,
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
pub(super) struct Citation<'de> {
    pub(super) node: Option<u32>,
    pub(super) object: Object<'de>,
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
