//! The field types of std.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Describe, Node, Walk};
use crate::evidence::support::ShownAs;
use crate::flow::tape::{Cursor, Kind};
use crate::path::At;

/// Field types that hold nothing of ours.
macro_rules! leaves {
    ($($(#[$attribute:meta])* $type:ty),* $(,)?) => {
        $($(#[$attribute])* impl<C: ?Sized> Node<C> for $type {})*
    };
}

pub(super) use leaves;

leaves!(
    bool,
    char,
    String,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    isize,
    u8,
    u16,
    u32,
    u64,
    usize,
    (),
    Value,
    std::path::PathBuf,
    std::num::NonZeroU8,
    std::num::NonZeroU16,
    std::num::NonZeroU32,
    std::num::NonZeroU64,
    std::num::NonZeroUsize,
    std::num::NonZeroI8,
    std::num::NonZeroI16,
    std::num::NonZeroI32,
    std::num::NonZeroI64,
    std::num::NonZeroIsize,
    std::net::IpAddr,
    std::net::Ipv4Addr,
    std::net::Ipv6Addr,
    std::net::SocketAddr,
    std::net::SocketAddrV4,
    std::net::SocketAddrV6,
    std::time::Duration,
    std::time::SystemTime,
);

/// Marks a type parameter that no value has.
impl<C: ?Sized, T: ?Sized + 'static> Node<C> for std::marker::PhantomData<T> {}

macro_rules! wide {
    ($($type:ty),*) => {
        $(impl<C: ?Sized> Node<C> for $type {
            fn describe(cx: &mut Describe) {
                cx.wide_integer(stringify!($type));
            }
        })*
    };
}

wide!(i128, u128, std::num::NonZeroI128, std::num::NonZeroU128);

impl<C: ?Sized, T: Node<C>> Node<C> for Option<T> {
    const WALKS: bool = T::WALKS;
    const SHOWN_AS: ShownAs = T::SHOWN_AS;

    fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
        if let Some(value) = self {
            value.walk(at, cx);
        }
    }

    fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
        if cursor.kind() != Kind::Null {
            T::probe_parts(cursor, at, cx);
        }
    }

    fn probe_flat(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
        T::probe_flat(cursor, at, cx);
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn describe(cx: &mut Describe) {
        T::describe(cx);
    }

    fn optional_group(generator: &mut SchemaGenerator) -> Option<Schema> {
        T::declared_keys(generator)
    }
}

/// Walks the elements of a sequence.
pub(super) fn walk_all<'v, C: ?Sized, T: Node<C>>(
    values: impl IntoIterator<Item = &'v T>,
    at: &At<'_>,
    cx: &mut Walk<'_, C>,
) {
    if T::WALKS {
        for (index, value) in values.into_iter().enumerate() {
            value.walk(&at.index(index), cx);
        }
    }
}

/// Probes the elements of an array on the tape.
pub(super) fn probe_all<C: ?Sized, T: Node<C>>(
    cursor: Cursor<'_>,
    at: &At<'_>,
    cx: &mut Walk<'_, C>,
) {
    if cursor.kind() == Kind::Array {
        for (index, element) in cursor.elements().enumerate() {
            cx.probe::<T>(element, &at.index(index));
        }
    }
}

macro_rules! sequences {
    ($($type:ty where [$($bound:tt)*];)*) => {
        $(impl<C: ?Sized, T: Node<C> + $($bound)*> Node<C> for $type {
            const WALKS: bool = T::WALKS;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                walk_all(self, at, cx);
            }

            fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
                probe_all::<C, T>(cursor, at, cx);
            }

            fn describe(cx: &mut Describe) {
                cx.step("[]".to_owned(), T::describe);
            }
        })*
    };
}

sequences!(
    Vec<T> where [Sized];
    std::collections::VecDeque<T> where [Sized];
    std::collections::LinkedList<T> where [Sized];
    std::collections::BTreeSet<T> where [Ord];
    HashSet<T> where [Eq + Hash];
);

macro_rules! arrays {
    ($($size:literal)*) => {
        $(impl<C: ?Sized, T: Node<C>> Node<C> for [T; $size] {
            const WALKS: bool = T::WALKS;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                walk_all(self, at, cx);
            }

            fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
                probe_all::<C, T>(cursor, at, cx);
            }

            fn describe(cx: &mut Describe) {
                cx.step("[]".to_owned(), T::describe);
            }
        })*
    };
}

// The sizes that serde and schemars both know.
arrays!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);

macro_rules! maps {
    ($($type:ty where [$($bound:tt)*];)*) => {
        $(impl<C: ?Sized, K, T: Node<C>> Node<C> for $type
        where
            K: DeserializeOwned + JsonSchema + ToString + 'static + $($bound)*
        {
            const WALKS: bool = T::WALKS;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                if T::WALKS {
                    for (key, value) in self {
                        value.walk(&at.key(&key.to_string()), cx);
                    }
                }
            }

            fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
                if cursor.kind() == Kind::Object {
                    for (key, value) in cursor.members() {
                        cx.probe::<T>(value, &at.key(&key));
                    }
                }
            }

            fn describe(cx: &mut Describe) {
                cx.step(".*".to_owned(), T::describe);
            }
        })*
    };
}

maps!(
    HashMap<K, T> where [Eq + Hash];
    BTreeMap<K, T> where [Ord];
);

/// Tuples hold one value a place.
macro_rules! tuples {
    ($(($($name:ident $place:tt)+))*) => {
        $(impl<C: ?Sized, $($name: Node<C>),+> Node<C> for ($($name,)+) {
            const WALKS: bool = $($name::WALKS)||+;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                $(if $name::WALKS { self.$place.walk(&at.index($place), cx); })+
            }

            fn probe_parts(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) {
                if cursor.kind() == Kind::Array {
                    let mut elements = cursor.elements();
                    $(if let Some(element) = elements.next() {
                        cx.probe::<$name>(element, &at.index($place));
                    })+
                }
            }

            fn describe(cx: &mut Describe) {
                $(cx.step(format!("[{}]", $place), $name::describe);)+
            }
        })*
    };
}

// The lengths that serde and schemars both know.
tuples!(
    (A 0)
    (A 0 B 1)
    (A 0 B 1 D 2)
    (A 0 B 1 D 2 E 3)
    (A 0 B 1 D 2 E 3 F 4)
    (A 0 B 1 D 2 E 3 F 4 G 5)
    (A 0 B 1 D 2 E 3 F 4 G 5 H 6)
    (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7)
    (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8)
    (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9)
    (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10)
    (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11)
    (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11 N 12)
    (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11 N 12 O 13)
    (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11 N 12 O 13 P 14)
    (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11 N 12 O 13 P 14 Q 15)
);
