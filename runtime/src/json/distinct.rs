//! Maps and sets of std that serde reads: they hold one of what is equal, and
//! values of unknown types cannot be compared here.

use std::any::type_name;

/// How a collection tells its keys or elements apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Distinct {
    /// As they are written.
    Written,
    /// As their type says.
    Unknown,
}

/// Nothing where a reader keeps all that is said.
#[inline]
pub(super) fn of<V>() -> Option<Distinct> {
    let reader = type_name::<V>();
    // Only these are searched further: all structs come by here.
    let std = reader.strip_prefix("serde_core::de::impls::")?;
    if std.starts_with("<impl serde_core::de::Deserialize<'_> for alloc::vec::") {
        return None;
    }
    of_std(reader)
}

fn of_std(reader: &str) -> Option<Distinct> {
    let (collection, parameters) = reader.split_once("Visitor<")?;
    let kinds = ["::BTreeSet<", "::HashSet<", "::BTreeMap<", "::HashMap<"];
    if !kinds.iter().any(|kind| collection.contains(kind)) {
        return None;
    }
    let is_first = |name: &&str| {
        let rest = parameters.strip_prefix(*name);
        rest.is_some_and(|rest| rest.starts_with([',', '>']))
    };
    let written = WRITTEN.iter().any(is_first);
    Some(if written {
        Distinct::Written
    } else {
        Distinct::Unknown
    })
}

/// Types of which a value is written in one way.
const WRITTEN: [&str; 16] = [
    "alloc::string::String",
    "alloc::boxed::Box<str>",
    "bool",
    "char",
    "i8",
    "i16",
    "i32",
    "i64",
    "isize",
    "i128",
    "u8",
    "u16",
    "u32",
    "u64",
    "usize",
    "u128",
];
