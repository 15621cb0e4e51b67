//! What a repair asks for again.

/// What the model is asked for again where a reply failed; see
/// [`Extractor::repair`](crate::Extractor::repair).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Repair {
    /// The whole reply. What had no failure must come back, known by what it holds and never by
    /// its position:
    ///
    /// - A value below keys alone that the model changed or left out is put back, and the change
    ///   is [recorded](crate::Attempt::restored).
    /// - The right elements of a list must be in the new one, as often as before and in any order.
    ///   An element that holds a failure may be changed or left out, and others may join.
    /// - A variant of an enum with another tag or other keys is taken as it came.
    /// - In a list element or a variant a value is put back only where it alone changed beside the
    ///   failing places and all else is equal, so that no value accepted mixes two replies.
    ///
    /// A reply that lost anything else which was right fails as `repair.regression`, which names
    /// what was lost. Where a reply fails in more places than are
    /// [spelled out](crate::Failures::omitted), nothing of it is known to be right, and the next
    /// reply is judged by itself.
    #[default]
    Whole,
    /// The failing places only, as one object from JSON Pointers to values, such as
    /// `{"/due_date": "2026-09-01", "/lines/2/amount": "12.50"}`, under a schema made of their
    /// subschemas. Nothing else can change, and the answer is as short as the fix.
    ///
    /// - The place of every failure must be given. The other fields of a broken rule may be given
    ///   as well, and nothing else may.
    /// - A key that the schema does not know is left out where a patch is applied, recorded as the
    ///   step `unknown_key`. Keys that its object lacks may be given, in case it was one of them
    ///   under a wrong name.
    /// - A patch is applied whole or not at all. One that breaks its schema fails the attempt,
    ///   under codes that begin with `repair.patch.`, and is asked for again.
    /// - The whole reply is asked for where it could not be read, where a failure has no place or
    ///   lies at the root, and where the reply fails in hundreds of places.
    ///
    /// The wire carries the schema of the patch where the model can enforce one. A provider that
    /// compiles a schema at its first use takes longer for such an answer.
    Patch,
    /// [`Patch`](Self::Patch) where the values at the failing places, the other fields of broken
    /// rules included, are fewer than half of the reply's bytes, else [`Whole`](Self::Whole).
    Auto,
}
