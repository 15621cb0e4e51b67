//! The type that another is made from (`from`, `try_from`): assembled where it
//! derives `Extract`, else read by serde.

use std::fmt::Display;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use super::{Describe, Node, Walk};
use crate::json::{Cursor, Members};
use crate::path::At;

/// Chooses how `R` is read: expanded code borrows it twice, and of the two
/// traits below the one of fewer borrows that fits is taken.
#[doc(hidden)]
#[derive(Debug)]
pub struct Source<R, C: ?Sized>(PhantomData<fn(&C) -> R>);

impl<R, C: ?Sized> Source<R, C> {
    pub const NEW: Self = Self(PhantomData);

    /// Converts what was read. The conversion's refusal stands where `value`
    /// does, or among the members of the object at `at`.
    pub fn convert<T, E: Display>(
        &self,
        read: Option<R>,
        convert: impl FnOnce(R) -> Result<T, E>,
        (value, at): (Option<Cursor<'_>>, &At<'_>),
        cx: &mut Walk<'_, C>,
    ) -> Option<T> {
        convert(read?)
            .map_err(|error| cx.refuse_conversion(value, at, error))
            .ok()
    }
}

/// A source that the flow can look into.
#[doc(hidden)]
pub trait ReadNode<R, C: ?Sized> {
    /// Whether it has rules, so that it is always assembled.
    fn walks(&self) -> bool;
    fn describe(&self, cx: &mut Describe);
    fn read(&self, cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<R>;
    fn read_flat(&self, members: &Members<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<R>;
    fn claims(&self, members: &Members<'_>) -> bool;
}

impl<R: Node<C>, C: ?Sized> ReadNode<R, C> for &Source<R, C> {
    fn walks(&self) -> bool {
        R::WALKS
    }

    fn describe(&self, cx: &mut Describe) {
        R::describe(cx);
    }

    fn read(&self, cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<R> {
        R::probe(Some(cursor), at, cx)
    }

    fn read_flat(&self, members: &Members<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<R> {
        R::assemble_flat(members, at, cx)
    }

    fn claims(&self, members: &Members<'_>) -> bool {
        R::claims(members)
    }
}

/// A source that serde reads alone.
#[doc(hidden)]
pub trait ReadForeign<R, C: ?Sized> {
    fn walks(&self) -> bool {
        false
    }

    fn describe(&self, cx: &mut Describe) {
        let _ = cx;
    }

    fn read(&self, cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<R>;
    fn read_flat(&self, members: &Members<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<R>;
    fn claims(&self, members: &Members<'_>) -> bool;
}

impl<R: DeserializeOwned, C: ?Sized> ReadForeign<R, C> for Source<R, C> {
    fn read(&self, cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<R> {
        cx.probe_with(cursor, at, |value| R::deserialize(value))
    }

    fn read_flat(&self, members: &Members<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<R> {
        cx.flat_with(members, at, R::deserialize)
    }

    fn claims(&self, members: &Members<'_>) -> bool {
        members.first_left().is_some()
    }
}
