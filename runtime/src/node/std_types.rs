//! The field types of std.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::time::{Duration, SystemTime};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Describe, Node, Walk};
use crate::evidence::support::ShownAs;
use crate::json::{BindError, BindKind, Cursor, Kind, Members};
use crate::json::{value::keeps_digits, value::to_json};
use crate::path::At;

/// Field types that hold nothing of ours.
macro_rules! leaves {
    ($($(#[$attribute:meta])* $type:ty),* $(,)?) => {
        $($(#[$attribute])* impl<C: ?Sized> $crate::node::Node<C> for $type {})*
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
    i128,
    u128,
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
    std::num::NonZeroI128,
    std::num::NonZeroU128,
    std::net::IpAddr,
    std::net::Ipv4Addr,
    std::net::Ipv6Addr,
    std::net::SocketAddr,
    std::net::SocketAddrV4,
    std::net::SocketAddrV6,
);

/// Serde would carry what is more than a second over to the seconds.
macro_rules! times {
    ($($type:ty, $nanos:literal;)*) => {
        $(impl<C: ?Sized> Node<C> for $type {
            fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
                cx.probe_with(cursor, at, |cursor| {
                    less_than_a_second(cursor.get($nanos))?;
                    cursor.bind()
                })
            }

            fn describe(cx: &mut Describe) {
                cx.holder::<Self>(true, |_| {});
            }
        })*
    };
}

times!(
    Duration, "nanos";
    SystemTime, "nanos_since_epoch";
);

fn less_than_a_second(nanos: Option<Cursor<'_>>) -> Result<(), BindError> {
    let Some(nanos) = nanos else { return Ok(()) };
    if nanos
        .bind::<u32>()
        .is_ok_and(|nanos| nanos >= 1_000_000_000)
    {
        let message = "expected less than 1000000000, which is a second".to_owned();
        return Err(BindError::new(BindKind::Range, message).at(nanos.id()));
    }
    Ok(())
}

/// Flattened they take no key.
macro_rules! units {
    ($($type:ty [$($parameter:ident)?], $value:expr;)*) => {
        $(impl<C: ?Sized $(, $parameter: ?Sized + 'static)?> Node<C> for $type {
            fn assemble_flat(_: &Members<'_>, _: &At<'_>, _: &mut Walk<'_, C>) -> Option<Self> {
                Some($value)
            }
        })*
    };
}

units!(
    () [], ();
    // Marks a type parameter that no value has.
    std::marker::PhantomData<T> [T], std::marker::PhantomData;
);

/// Where the numbers of `serde_json` keep their digits, serde's own reading would
/// round them first.
impl<C: ?Sized> Node<C> for Value {
    fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
        cx.probe_with(cursor, at, to_json)
    }

    fn assemble_flat(members: &Members<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
        Map::assemble_flat(members, at, cx).map(Value::Object)
    }

    fn claims(_: &Members<'_>) -> bool {
        true
    }

    fn describe(cx: &mut Describe) {
        cx.holder::<Self>(keeps_digits(), |_| {});
    }
}

impl<C: ?Sized> Node<C> for Map<String, Value> {
    fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
        cx.in_object(cursor, at, |members, cx| {
            Self::assemble_flat(members, at, cx)
        })
    }

    fn assemble_flat(members: &Members<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
        let mut all = Self::new();
        probe_entries(members.take_rest().into_iter(), at, cx, |key, value| {
            all.insert(key, value).is_none()
        })
        .map(|()| all)
    }

    fn claims(_: &Members<'_>) -> bool {
        true
    }

    fn describe(cx: &mut Describe) {
        cx.holder::<Self>(false, <Value as Node<C>>::describe);
    }
}

impl<C: ?Sized, T: Node<C>> Node<C> for Option<T> {
    const WALKS: bool = T::WALKS;
    const SHOWN_AS: ShownAs = T::SHOWN_AS;

    fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
        if let Some(value) = self {
            value.walk(at, cx);
        }
    }

    fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
        if cursor.kind() == Kind::Null {
            return Some(None);
        }
        cx.probe(cursor, at).map(Some)
    }

    fn assemble_flat(members: &Members<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
        if T::claims(members) {
            T::assemble_flat(members, at, cx).map(Some)
        } else {
            Some(None)
        }
    }

    fn claims(members: &Members<'_>) -> bool {
        T::claims(members)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn describe(cx: &mut Describe) {
        cx.holder::<Self>(false, T::describe);
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

/// Probes the elements of an array on the tape and hands each that binds to
/// `add`, which says whether it was there already.
fn probe_all<C: ?Sized, T: Node<C>>(
    cursor: Cursor<'_>,
    at: &At<'_>,
    cx: &mut Walk<'_, C>,
    mut add: impl FnMut(T) -> bool,
) -> Option<()> {
    if cursor.kind() != Kind::Array {
        return None;
    }
    let mut whole = Some(());
    for (index, element) in cursor.elements().enumerate() {
        let at = at.index(index);
        match cx.probe::<T>(element, &at) {
            Some(value) => {
                if !add(value) {
                    cx.refuse_merged((cursor, element), &at, "this element");
                    whole = None;
                }
            }
            None => whole = None,
        }
    }
    whole
}

macro_rules! sequences {
    ($($type:ty where [$($bound:tt)*] $(hashed by $hasher:ident)?; $lossy:expr, $add:expr;)*) => {
        $(impl<C: ?Sized, T: Node<C> + $($bound)* $(, $hasher: BuildHasher + Default + 'static)?>
            Node<C> for $type
        {
            const WALKS: bool = T::WALKS;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                walk_all(self, at, cx);
            }

            fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
                let mut all = Self::default();
                let add: fn(&mut Self, T) -> bool = $add;
                probe_all::<C, T>(cursor, at, cx, |value| add(&mut all, value)).map(|()| all)
            }

            fn describe(cx: &mut Describe) {
                cx.holder::<Self>($lossy, |cx| cx.step("[]".to_owned(), T::describe));
            }
        })*
    };
}

/// Whether equal values of a type are written in one way, so that the schema
/// alone tells them apart.
fn is_written_once<T: 'static>() -> bool {
    let id = TypeId::of::<T>();
    macro_rules! is_one_of {
        ($($type:ty)*) => { [$(TypeId::of::<$type>()),*].contains(&id) };
    }
    is_one_of!(String Box<str> bool char i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 u128)
}

sequences!(
    Vec<T> where [Sized]; false, |all, value| {
        all.push(value);
        true
    };
    VecDeque<T> where [Sized]; false, |all, value| {
        all.push_back(value);
        true
    };
    LinkedList<T> where [Sized]; false, |all, value| {
        all.push_back(value);
        true
    };
    BTreeSet<T> where [Ord]; !is_written_once::<T>(), BTreeSet::insert;
    HashSet<T, S> where [Eq + Hash] hashed by S; !is_written_once::<T>(), HashSet::insert;
);

macro_rules! arrays {
    ($($size:literal)*) => {
        $(impl<C: ?Sized, T: Node<C>> Node<C> for [T; $size] {
            const WALKS: bool = T::WALKS;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                walk_all(self, at, cx);
            }

            fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
                Vec::<T>::assemble(cursor, at, cx)?.try_into().ok()
            }

            fn describe(cx: &mut Describe) {
                cx.holder::<Self>(false, |cx| cx.step("[]".to_owned(), T::describe));
            }
        })*
    };
}

// The sizes that serde and schemars both know.
arrays!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);

/// Binds members as the entries of a map and hands each to `add`, which says
/// whether its key was there already.
fn probe_entries<'c, C: ?Sized, K: DeserializeOwned + 'static, T: Node<C>>(
    members: impl Iterator<Item = (Cursor<'c>, Cursor<'c>)>,
    at: &At<'_>,
    cx: &mut Walk<'_, C>,
    mut add: impl FnMut(K, T) -> bool,
) -> Option<()> {
    let mut whole = Some(());
    for (name, value) in members {
        let text = name.as_str().unwrap_or_default();
        let at = at.key(&text);
        let entry = (cx.key::<K>((name, value), &at), cx.probe::<T>(value, &at));
        match entry {
            (Some(key), Some(bound)) => {
                if !add(key, bound) {
                    cx.refuse_merged((value, name), &at, "this key");
                    whole = None;
                }
            }
            _ => whole = None,
        }
    }
    whole
}

macro_rules! maps {
    ($($type:ty where [$($bound:tt)*] $(hashed by $hasher:ident)?;)*) => {
        $(impl<C: ?Sized, K, T: Node<C> $(, $hasher: BuildHasher + Default + 'static)?>
            Node<C> for $type
        where
            K: DeserializeOwned + JsonSchema + 'static + $($bound)*
        {
            const WALKS: bool = T::WALKS;

            /// A map of other keys than texts is assembled, never walked.
            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                if T::WALKS {
                    for (key, value) in self {
                        let key: &dyn std::any::Any = key;
                        if let Some(key) = key.downcast_ref::<String>() {
                            value.walk(&at.key(key), cx);
                        }
                    }
                }
            }

            fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
                if cursor.kind() != Kind::Object {
                    return None;
                }
                let mut all = Self::default();
                probe_entries(cursor.entries(), at, cx, |key, value| {
                    all.insert(key, value).is_none()
                })
                .map(|()| all)
            }

            fn assemble_flat(
                members: &Members<'_>,
                at: &At<'_>,
                cx: &mut Walk<'_, C>,
            ) -> Option<Self> {
                let mut all = Self::default();
                probe_entries(members.take_rest().into_iter(), at, cx, |key, value| {
                    all.insert(key, value).is_none()
                })
                .map(|()| all)
            }

            fn claims(_: &Members<'_>) -> bool {
                true
            }

            fn describe(cx: &mut Describe) {
                let is_text = TypeId::of::<K>() == TypeId::of::<String>();
                if !is_text {
                    cx.key::<K>();
                }
                cx.holder::<Self>(!is_text, |cx| cx.step(".*".to_owned(), T::describe));
            }
        })*
    };
}

maps!(
    HashMap<K, T, S> where [Eq + Hash] hashed by S;
    BTreeMap<K, T> where [Ord];
);

/// Tuples hold one value a place.
macro_rules! tuples {
    ($($places:literal ($($name:ident $place:tt)+))*) => {
        $(impl<C: ?Sized, $($name: Node<C>),+> Node<C> for ($($name,)+) {
            const WALKS: bool = $($name::WALKS)||+;

            fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
                $(if $name::WALKS { self.$place.walk(&at.index($place), cx); })+
            }

            fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
                let places = ($(cx.probe_element(cursor, at, $place, $name::probe),)+);
                cx.places(cursor, at, $places);
                Some(($(places.$place?,)+))
            }

            fn describe(cx: &mut Describe) {
                cx.holder::<Self>(false, |cx| {
                    $(cx.step(format!("[{}]", $place), $name::describe);)+
                });
            }
        })*
    };
}

// The lengths that serde and schemars both know.
tuples!(
    1 (A 0)
    2 (A 0 B 1)
    3 (A 0 B 1 D 2)
    4 (A 0 B 1 D 2 E 3)
    5 (A 0 B 1 D 2 E 3 F 4)
    6 (A 0 B 1 D 2 E 3 F 4 G 5)
    7 (A 0 B 1 D 2 E 3 F 4 G 5 H 6)
    8 (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7)
    9 (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8)
    10 (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9)
    11 (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10)
    12 (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11)
    13 (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11 N 12)
    14 (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11 N 12 O 13)
    15 (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11 N 12 O 13 P 14)
    16 (A 0 B 1 D 2 E 3 F 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11 N 12 O 13 P 14 Q 15)
);
