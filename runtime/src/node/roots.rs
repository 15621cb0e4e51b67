//! Field types that are extracted by themselves: a text, a number, a date, a list, a map, a tuple.
//!
//! A reply is an object, so that such a value stands in a wrapper unless it is an object itself, as
//! maps are.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::extract_trait::{Extract, Hints};
use super::{Cited, Node};
use crate::rule::Rule;

/// Types that hold nothing of ours.
macro_rules! leaf_roots {
    ($($type:ty),* $(,)?) => {
        $(impl $crate::node::Extract for $type {
            type Context = ();

            fn rules() -> Vec<$crate::rule::Rule> {
                Vec::new()
            }
        })*
    };
}

leaf_roots!(
    bool,
    char,
    String,
    Box<str>,
    Arc<str>,
    Cow<'static, str>,
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
    std::time::Duration,
);

#[cfg(feature = "chrono")]
leaf_roots!(
    chrono::NaiveDate,
    chrono::NaiveTime,
    chrono::NaiveDateTime,
    chrono::DateTime<chrono::Utc>,
    chrono::DateTime<chrono::FixedOffset>,
    chrono::Weekday,
    chrono::TimeDelta,
);

#[cfg(feature = "rust_decimal")]
leaf_roots!(rust_decimal::Decimal);

#[cfg(feature = "uuid")]
leaf_roots!(uuid::Uuid);

#[cfg(feature = "url")]
leaf_roots!(url::Url);

#[cfg(feature = "jiff")]
leaf_roots!(
    jiff::Timestamp,
    jiff::Zoned,
    jiff::Span,
    jiff::SignedDuration,
    jiff::civil::Date,
    jiff::civil::Time,
    jiff::civil::DateTime,
);

/// Types that hold values of one type, whose context they share. The rules of that type run for
/// each value; the container has none. What names top-level fields does not concern it.
macro_rules! containers {
    ($([$($parameters:tt)*] $type:ty where [$($bounds:tt)*];)*) => {
        $(impl<T: Extract, $($parameters)*> Extract for $type
        where
            $($bounds)*
        {
            type Context = T::Context;

            fn rules() -> Vec<Rule> {
                Vec::new()
            }

            fn hints() -> Hints {
                Hints {
                    keep_delimiters: &[],
                    ..T::hints()
                }
            }
        })*
    };
}

containers!(
    [] Option<T> where [];
    [] Vec<T> where [];
    [] VecDeque<T> where [];
    [] LinkedList<T> where [];
    [] Box<[T]> where [];
    [] Arc<[T]> where [T: Sync];
    [] BTreeSet<T> where [T: Ord];
    [S: BuildHasher + Default + Send + 'static] HashSet<T, S> where [T: Eq + Hash];
    [K] BTreeMap<K, T> where [K: DeserializeOwned + JsonSchema + Send + Ord + 'static];
    [K, S: BuildHasher + Default + Send + 'static] HashMap<K, T, S>
        where [K: DeserializeOwned + JsonSchema + Send + Eq + Hash + 'static];
    [] Cited<T> where [];
);

impl<T: Extract, const N: usize> Extract for [T; N]
where
    Self: Node<T::Context> + JsonSchema,
{
    type Context = T::Context;

    fn rules() -> Vec<Rule> {
        Vec::new()
    }

    fn hints() -> Hints {
        <Vec<T> as Extract>::hints()
    }
}

/// Pointers that are looked through.
macro_rules! pointers {
    ($($type:ty where [$($bounds:tt)*];)*) => {
        $(impl<T: Extract> Extract for $type
        where
            $($bounds)*
        {
            type Context = T::Context;

            fn rules() -> Vec<Rule> {
                T::rules()
            }

            fn hints() -> Hints {
                T::hints()
            }
        })*
    };
}

pointers!(
    Box<T> where [];
    Arc<T> where [T: Sync];
);

/// Tuples, whose places share one context.
macro_rules! tuples {
    ($(($first:ident $($rest:ident)*))*) => {
        $(impl<$first: Extract $(, $rest: Extract<Context = $first::Context>)*> Extract
            for ($first, $($rest,)*)
        {
            type Context = $first::Context;

            fn rules() -> Vec<Rule> {
                Vec::new()
            }
        })*
    };
}

// The lengths that serde and schemars both know.
tuples!(
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G)
    (A B C D E F G H)
    (A B C D E F G H I)
    (A B C D E F G H I J)
    (A B C D E F G H I J K)
    (A B C D E F G H I J K L)
    (A B C D E F G H I J K L M)
    (A B C D E F G H I J K L M N)
    (A B C D E F G H I J K L M N O)
    (A B C D E F G H I J K L M N O P)
);
