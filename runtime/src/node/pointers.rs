//! Pointers of std: looked through where they hold a field type, lists where
//! they hold a slice, text where they hold one.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::num::Wrapping;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use schemars::{Schema, SchemaGenerator};

use super::std_types::{leaves, walk_all};
use super::{Describe, Node, Walk};
use crate::evidence::support::ShownAs;
use crate::json::{Cursor, Members};
use crate::path::At;

/// A value around one field type, written in a reply as that type is.
macro_rules! around {
    ($($type:ty where [$($bound:tt)*], $make:expr, $value:ident => $inner:expr;)*) => {
        $(impl<C: ?Sized, T: Node<C> + $($bound)*> Node<C> for $type {
            const WALKS: bool = T::WALKS;
            const SHOWN_AS: ShownAs = T::SHOWN_AS;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                let $value = self;
                T::walk($inner, at, cx);
            }

            fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
                cx.probe(cursor, at).map($make)
            }

            fn assemble_flat(
                members: &Members<'_>,
                at: &At<'_>,
                cx: &mut Walk<'_, C>,
            ) -> Option<Self> {
                T::assemble_flat(members, at, cx).map($make)
            }

            fn claims(members: &Members<'_>) -> bool {
                T::claims(members)
            }

            fn absent() -> Option<Self> {
                T::absent().map($make)
            }

            fn describe(cx: &mut Describe) {
                cx.holder::<Self>(false, T::describe);
            }

            fn declared_keys(generator: &mut SchemaGenerator) -> Option<Schema> {
                T::declared_keys(generator)
            }

            fn optional_group(generator: &mut SchemaGenerator) -> Option<Schema> {
                T::optional_group(generator)
            }
        })*
    };
}

around!(
    Box<T> where [Sized], Box::new, value => value;
    Arc<T> where [Sized], Arc::new, value => value;
    Rc<T> where [Sized], Rc::new, value => value;
    Cow<'static, T> where [Clone], Cow::Owned, value => value;
    Wrapping<T> where [Sized], Wrapping, value => &value.0;
    Reverse<T> where [Sized], Reverse, value => &value.0;
);

leaves!(
    Box<str>,
    Arc<str>,
    Rc<str>,
    Cow<'static, str>,
    Box<Path>,
    Arc<Path>,
    Rc<Path>,
);

macro_rules! slices {
    ($($type:ty where [$($bound:tt)*];)*) => {
        $(impl<C: ?Sized, T: Node<C> + $($bound)*> Node<C> for $type {
            const WALKS: bool = T::WALKS;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                walk_all(self.iter(), at, cx);
            }

            fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
                Vec::<T>::assemble(cursor, at, cx).map(Self::from)
            }

            fn describe(cx: &mut Describe) {
                cx.holder::<Self>(false, |cx| cx.step("[]".to_owned(), T::describe));
            }
        })*
    };
}

slices!(
    Box<[T]> where [Sized];
    Arc<[T]> where [Sized];
    Rc<[T]> where [Sized];
    Cow<'static, [T]> where [Clone];
);
