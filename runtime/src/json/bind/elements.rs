//! The elements of an array, for serde.

use serde::de::{DeserializeSeed, SeqAccess};

use super::BindError;
use crate::json::{Elements, account};

pub(super) struct Array<'de> {
    pub(super) left: Elements<'de>,
    /// Of a set: whether all elements so far were names of variants.
    pub(super) by_name: Option<bool>,
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
