//! Enums: which variant a reply says, in each of serde's representations.

use super::{Node, Walk};
use crate::json::{BindError, Cursor, Kind, Members, Rest};
use crate::path::At;

/// How a variant is told, as serde's attributes say it.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum Tagging {
    /// Its name is the single key, or the text alone.
    External,
    /// Its name stands among its fields, under this key.
    Internal(&'static str),
    /// Its name and its content stand under these keys.
    Adjacent(&'static str, &'static str),
    /// What it holds tells it.
    Untagged,
}

/// An enum as the macros write it down.
#[doc(hidden)]
pub trait Variants<C: ?Sized>: Node<C> {
    const TAGGING: Tagging;
    /// The wire names of each variant that is told by name, aliases included.
    const NAMES: &'static [(&'static [&'static str], usize)];
    /// The variants that are told by what they hold.
    const UNTAGGED: &'static [usize];

    /// Binds the content of a variant.
    fn variant(
        variant: usize,
        content: Content<'_, '_>,
        at: &At<'_>,
        cx: &mut Walk<'_, C>,
    ) -> Option<Self>;

    /// Whether the content of a flattened variant would take any of these.
    fn variant_claims(variant: usize, members: &Members<'_>) -> bool;
}

/// One way to read an enum that has untagged variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Reading {
    /// By the name of a variant.
    ByName,
    /// As this variant, by what it holds.
    Untagged(usize),
}

/// How badly a reading fits, worse the greater.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Misfit {
    /// How often a part of it was refused.
    pub(super) refused: usize,
    /// How many members of the object it leaves to others.
    pub(super) left: usize,
}

impl Misfit {
    /// The schema of the reading takes no such value.
    const EXCLUDED: Self = Self {
        refused: usize::MAX,
        left: 0,
    };
}

/// Where the content of a variant stands.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum Content<'m, 'c> {
    /// There is none: the name stands alone.
    Absent,
    /// A value of its own.
    Value(Cursor<'c>),
    /// Among the members of an object, beside the tag or the parent's fields.
    Beside(&'m Members<'c>),
}

impl<'m, 'c> Content<'m, 'c> {
    /// The unit variant: nothing, or null.
    pub fn unit(self) -> Option<()> {
        match self {
            Self::Absent | Self::Beside(_) => Some(()),
            Self::Value(value) => (value.kind() == Kind::Null).then_some(()),
        }
    }

    /// The value of its own, for a variant of places.
    pub fn value(self) -> Option<Cursor<'c>> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Beside(_) => None,
        }
    }

    /// The named fields of a variant.
    pub fn members<C: ?Sized, T>(
        self,
        at: &At<'_>,
        cx: &mut Walk<'_, C>,
        read: impl FnOnce(&Members<'c>, &mut Walk<'_, C>) -> Option<T>,
    ) -> Option<T> {
        match self {
            Self::Absent => None,
            Self::Value(value) => cx.in_object(value, at, read),
            Self::Beside(members) => read(members, cx),
        }
    }

    /// The one value of a newtype variant. The methods of its type are handed
    /// over, so that one which is no node is one error at the field.
    pub fn newtype<'w, C: ?Sized, T>(
        self,
        at: &At<'_>,
        cx: &mut Walk<'w, C>,
        probe: fn(Option<Cursor<'_>>, &At<'_>, &mut Walk<'w, C>) -> Option<T>,
        assemble_flat: fn(&Members<'_>, &At<'_>, &mut Walk<'w, C>) -> Option<T>,
        absent: fn() -> Option<T>,
    ) -> Option<T> {
        match self {
            Self::Absent => absent(),
            Self::Value(value) => probe(Some(value), at, cx),
            Self::Beside(members) => assemble_flat(members, at, cx),
        }
    }

    /// What a type or a function reads that the flow cannot look into.
    pub fn foreign<C: ?Sized, T>(
        self,
        at: &At<'_>,
        cx: &mut Walk<'_, C>,
        own: impl for<'v> Fn(Cursor<'v>) -> Result<T, BindError>,
        beside: impl FnOnce(Rest<'m, 'c>) -> Result<T, BindError>,
    ) -> Option<T> {
        match self {
            Self::Absent => None,
            Self::Value(value) => cx.probe_with(value, at, own),
            Self::Beside(members) => cx.flat_with(members, at, beside),
        }
    }
}

/// Whether a flattened type that the flow cannot look into would take any of
/// these members.
pub fn claims_rest(members: &Members<'_>) -> bool {
    members.first_left().is_some()
}

/// Whether a flattened enum would take any of these members.
pub fn claims_enum<T: Variants<C>, C: ?Sized>(members: &Members<'_>) -> bool {
    let tagged = match T::TAGGING {
        Tagging::External => T::NAMES.iter().any(|(names, _)| members.has(names)),
        Tagging::Internal(tag) => members.has(&[tag]),
        Tagging::Adjacent(tag, content) => members.has(&[tag, content]),
        Tagging::Untagged => false,
    };
    tagged
        || T::UNTAGGED
            .iter()
            .any(|one| T::variant_claims(*one, members))
}

impl<C: ?Sized> Walk<'_, C> {
    /// Assembles an enum from a value of its own.
    pub fn assemble_enum<T: Variants<C>>(&mut self, cursor: Cursor<'_>, at: &At<'_>) -> Option<T> {
        self.choose::<T>(cursor, None, &|reading, cx| match reading {
            Reading::ByName => cx.tagged::<T>(cursor, at),
            Reading::Untagged(variant) => T::variant(variant, Content::Value(cursor), at, cx),
        })
    }

    /// Assembles a flattened enum.
    pub fn assemble_enum_flat<T: Variants<C>>(
        &mut self,
        members: &Members<'_>,
        at: &At<'_>,
    ) -> Option<T> {
        let content = Content::Beside(members);
        self.choose::<T>(
            members.object(),
            Some(members),
            &|reading, cx| match reading {
                Reading::ByName => cx.tagged_flat::<T>(members, at),
                Reading::Untagged(variant) => T::variant(variant, content, at, cx),
            },
        )
    }

    /// The reading that accounts for everything: by the tag where one is there,
    /// else the first variant that fits, in declared order. A flattened variant
    /// leaves members to others, so that of those that fit the one is taken that
    /// leaves fewest. Where none fits, the one that is refused least often is
    /// bound for its failures.
    fn choose<T: Variants<C>>(
        &mut self,
        cursor: Cursor<'_>,
        flat: Option<&Members<'_>>,
        read: &dyn Fn(Reading, &mut Self) -> Option<T>,
    ) -> Option<T> {
        if T::UNTAGGED.is_empty() {
            return read(Reading::ByName, self);
        }
        // Where an earlier layer failed, no variant can be told from another.
        if !self.trusts(cursor) {
            return None;
        }
        let by_name = (!T::NAMES.is_empty()).then_some(Reading::ByName);
        let untagged = T::UNTAGGED.iter().copied().map(Reading::Untagged);
        let mut best: Option<(Misfit, Reading)> = None;
        for reading in by_name.into_iter().chain(untagged) {
            let place = (cursor, flat.map(Members::taken));
            let mut bound = None;
            let misfit = self.tries::<T>(place, reading, |cx| {
                if !cx.admits::<T>(reading, flat.is_some(), cursor) {
                    return Misfit::EXCLUDED;
                }
                let taken = flat.map(Members::taken);
                bound = read(reading, cx);
                let left = flat.map_or(0, Members::count_left);
                if let (Some(members), Some(taken)) = (flat, taken) {
                    members.put_back(taken);
                }
                Misfit {
                    refused: usize::from(bound.is_none()),
                    left,
                }
            });
            if best.is_none_or(|(least, _)| misfit < least) {
                best = Some((misfit, reading));
            }
            if misfit == Misfit::default() {
                // Inside another trial nothing is missing from what this one bound, so that no
                // level of a deep value is read more than twice.
                if self.tries_only() && flat.is_none() && bound.is_some() {
                    return bound;
                }
                break;
            }
        }
        best.and_then(|(_, reading)| read(reading, self))
    }

    fn tagged<T: Variants<C>>(&mut self, cursor: Cursor<'_>, at: &At<'_>) -> Option<T> {
        if !matches!(T::TAGGING, Tagging::External) {
            return self.in_object(cursor, at, |members, cx| cx.tagged_flat::<T>(members, at));
        }
        if cursor.kind() == Kind::String {
            let variant = self.named::<T>(cursor, at)?;
            return T::variant(variant, Content::Absent, at, self);
        }
        let (name, value) = cursor.only_member()?;
        let variant = self.named::<T>(name, at)?;
        T::variant(variant, Content::Value(value), at, self)
    }

    fn tagged_flat<T: Variants<C>>(&mut self, members: &Members<'_>, at: &At<'_>) -> Option<T> {
        match T::TAGGING {
            Tagging::External => self.external_flat::<T>(members, at),
            Tagging::Internal(tag) => {
                let variant = self.tag::<T>(members, at, tag)?;
                T::variant(variant, Content::Beside(members), at, self)
            }
            Tagging::Adjacent(tag, content) => {
                let variant = self.tag::<T>(members, at, tag)?;
                let content = members.take(&[content]);
                T::variant(
                    variant,
                    content.map_or(Content::Absent, Content::Value),
                    at,
                    self,
                )
            }
            Tagging::Untagged => None,
        }
    }

    fn external_flat<T: Variants<C>>(&mut self, members: &Members<'_>, at: &At<'_>) -> Option<T> {
        let found = T::NAMES
            .iter()
            .find_map(|(names, variant)| Some((members.take_any(names)?, *variant)));
        let ((_, value), variant) = found?;
        T::variant(variant, Content::Value(value), at, self)
    }

    /// The variant that the tag names.
    fn tag<T: Variants<C>>(
        &mut self,
        members: &Members<'_>,
        at: &At<'_>,
        tag: &str,
    ) -> Option<usize> {
        let at = at.key(tag);
        let name = members.take(&[tag]);
        let name = name.or_else(|| self.missing(members, &at))?;
        self.named::<T>(name, &at)
    }

    /// The variant that a text names.
    fn named<T: Variants<C>>(&mut self, name: Cursor<'_>, at: &At<'_>) -> Option<usize> {
        let text = name.as_str()?;
        let mut all = T::NAMES.iter();
        let found = all.find(|(names, _)| names.contains(&&*text));
        if found.is_none() && self.trusts(name) {
            let names = T::NAMES.iter().filter_map(|(names, _)| names.first());
            self.refuse_unknown(name, at, &names.copied().collect::<Vec<_>>());
        }
        found.map(|(_, variant)| *variant)
    }
}
