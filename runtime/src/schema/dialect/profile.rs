//! What each dialect does with each keyword, as a table.

use crate::model::SchemaDialect;

/// What becomes of a keyword on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Treatment {
    /// It is carried.
    Keep,
    /// It is said in the description instead, and listed.
    Tell,
    /// It is left out and listed: nothing in it constrains a value.
    Omit,
    /// Carried for whole numbers only, else told.
    WholeNumbers,
    /// Becomes the inclusive bound for whole numbers, else told.
    Inclusive,
    /// Carried up to the bound that the dialect enforces, else told.
    Capped,
    /// Carried while all bounds of this kind add up to what the dialect compiles, else told.
    Summed,
    /// Carried where it is 0 or 1, else told.
    ZeroOrOne,
    /// Carried where no pattern stands beside it, else told.
    WithoutPattern,
    /// Carried where the dialect knows the format, else told.
    KnownFormat,
    /// Carried where it holds nothing that the dialect's engine refuses, else told.
    PlainPattern,
    /// As [`PlainPattern`](Self::PlainPattern), written to match the whole text.
    WholePattern,
    /// A constant becomes a list of one value.
    OneValue,
}

use Treatment::{
    Capped as C, Inclusive as N, Keep as K, KnownFormat as F, Omit as O, OneValue as E,
    PlainPattern as P, Summed as S, Tell as T, WholeNumbers as I, WholePattern as A,
    WithoutPattern as L, ZeroOrOne as Z,
};

/// One row a keyword, one column a dialect. A keyword that a provider's documents leave open is
/// told, never sent.
#[rustfmt::skip]
const KEYWORDS: &[(&str, [Treatment; 10])] = &[
    //                     OpenAI Azure Anth xAI GemJ GemO Groq llama xgr llg
    ("title",              [K,    K,    K,   K,  K,   K,   K,   K,    K,  K]),
    ("default",            [O,    O,    O,   O,  O,   O,   O,   O,    O,  O]),
    ("enum",               [K,    K,    K,   K,  K,   K,   K,   K,    K,  K]),
    ("const",              [K,    E,    K,   K,  E,   E,   E,   K,    K,  K]),
    ("format",             [F,    T,    F,   F,  F,   F,   T,   F,    F,  F]),
    ("pattern",            [P,    T,    P,   A,  T,   T,   T,   A,    P,  P]),
    ("minLength",          [K,    T,    T,   C,  T,   T,   T,   C,    L,  K]),
    ("maxLength",          [K,    T,    T,   C,  T,   T,   T,   C,    L,  K]),
    ("minimum",            [K,    T,    T,   K,  K,   K,   T,   I,    K,  K]),
    ("maximum",            [K,    T,    T,   K,  K,   K,   T,   I,    K,  K]),
    ("exclusiveMinimum",   [K,    T,    T,   K,  N,   N,   T,   I,    K,  K]),
    ("exclusiveMaximum",   [K,    T,    T,   K,  N,   N,   T,   I,    K,  K]),
    ("multipleOf",         [K,    T,    T,   T,  T,   T,   T,   T,    K,  K]),
    ("minItems",           [K,    T,    Z,   C,  K,   K,   T,   C,    K,  K]),
    ("maxItems",           [K,    T,    T,   C,  S,   S,   T,   C,    K,  K]),
    ("minProperties",      [T,    T,    T,   C,  T,   T,   T,   T,    T,  T]),
    ("maxProperties",      [T,    T,    T,   C,  T,   T,   T,   T,    T,  T]),
];

/// Keywords that no dialect of a provider carries: what they ask for is told.
pub(super) const TOLD: &[&str] = &[
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
];

/// What happens to objects whose keys are not known beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Maps {
    /// `additionalProperties` holds the schema of their values.
    Open,
    /// They travel as an array of key and value.
    Pairs,
}

/// What happens to a type that holds itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recursion {
    Kept,
    /// It is followed for a few turns, and so kept where the key it stands under
    /// may be left out.
    Optional,
    Refused,
}

/// Which values a list of values may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Any,
    Scalars,
    StringsAndNumbers,
    Strings,
}

/// What a schema of a dialect may come to; `usize::MAX` where no bound is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Properties of all objects together.
    pub(super) properties: usize,
    /// Objects inside one another, without following references.
    pub(super) depth: usize,
    /// Listed values of all enums together.
    pub(super) values: usize,
    /// Characters of all names and listed values together.
    pub(super) characters: usize,
    /// Characters of one enum of strings with more than 250 values.
    pub(super) long_enum: usize,
    /// Properties that may be left out.
    pub(super) optional: usize,
    /// Schemas with a choice of types or branches.
    pub(super) unions: usize,
}

const UNLIMITED: Limits = Limits {
    properties: usize::MAX,
    depth: usize::MAX,
    values: usize::MAX,
    characters: usize::MAX,
    long_enum: usize::MAX,
    optional: usize::MAX,
    unions: usize::MAX,
};

const OPENAI: Limits = Limits {
    properties: 5_000,
    depth: 10,
    values: 1_000,
    characters: 120_000,
    long_enum: 15_000,
    ..UNLIMITED
};

/// The whole of a dialect.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // Each is one independent question.
pub(super) struct Profile {
    pub(super) dialect: SchemaDialect,
    column: usize,
    /// References stay; else what they refer to stands in their place.
    pub(super) references: bool,
    pub(super) recursion: Recursion,
    pub(super) all_required: bool,
    /// The root is an object with named keys, not a choice.
    pub(super) object_root: bool,
    /// A schema that takes any value can be sent.
    pub(super) any_value: bool,
    /// An object without keys can be sent.
    pub(super) empty_objects: bool,
    /// A list whose elements may be anything can be sent.
    pub(super) any_list: bool,
    pub(super) tuples: bool,
    pub(super) maps: Maps,
    pub(super) values: Values,
    /// Listed values may come back in another case.
    pub(super) folds_case: bool,
    /// Types in capitals, `nullable`, `propertyOrdering`.
    pub(super) openapi: bool,
    pub(super) formats: &'static [&'static str],
    /// Patterns may hold `\\d`, `\\w` and `\\s`.
    pub(super) class_escapes: bool,
    pub(super) longest_text: u64,
    pub(super) most_items: u64,
    pub(super) most_keys: u64,
    pub(super) limits: Limits,
}

const STRICT_FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

const STRICT_FORMATS_AND_URI: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
    "uri",
];

const STRICT: Profile = Profile {
    dialect: SchemaDialect::OpenAiStrict,
    column: 0,
    references: true,
    recursion: Recursion::Kept,
    all_required: true,
    object_root: true,
    any_value: false,
    empty_objects: true,
    any_list: false,
    tuples: false,
    maps: Maps::Pairs,
    values: Values::Any,
    folds_case: false,
    openapi: false,
    formats: STRICT_FORMATS,
    class_escapes: true,
    longest_text: u64::MAX,
    most_items: u64::MAX,
    most_keys: u64::MAX,
    limits: OPENAI,
};

const LOCAL: Profile = Profile {
    dialect: SchemaDialect::Llguidance,
    column: 9,
    all_required: false,
    object_root: false,
    any_value: true,
    any_list: true,
    tuples: true,
    maps: Maps::Open,
    formats: STRICT_FORMATS_AND_URI,
    limits: UNLIMITED,
    ..STRICT
};

static PROFILES: [Profile; 10] = [
    STRICT,
    Profile {
        dialect: SchemaDialect::Azure,
        column: 1,
        limits: Limits {
            properties: 100,
            depth: 5,
            ..OPENAI
        },
        ..STRICT
    },
    Profile {
        dialect: SchemaDialect::Anthropic,
        column: 2,
        recursion: Recursion::Refused,
        all_required: false,
        values: Values::Scalars,
        folds_case: true,
        formats: STRICT_FORMATS_AND_URI,
        limits: Limits {
            optional: 24,
            unions: 16,
            ..UNLIMITED
        },
        ..STRICT
    },
    Profile {
        dialect: SchemaDialect::XAi,
        column: 3,
        recursion: Recursion::Refused,
        all_required: false,
        tuples: true,
        maps: Maps::Open,
        formats: &[
            "date",
            "time",
            "date-time",
            "email",
            "uuid",
            "ipv4",
            "ipv6",
            "uri",
        ],
        longest_text: 2_048,
        most_items: 256,
        most_keys: 64,
        limits: UNLIMITED,
        ..STRICT
    },
    // Maps are accepted by Gemini and come back empty, so they travel as pairs.
    Profile {
        dialect: SchemaDialect::GeminiJsonSchema,
        column: 4,
        recursion: Recursion::Optional,
        all_required: false,
        object_root: false,
        any_value: true,
        tuples: true,
        values: Values::StringsAndNumbers,
        formats: &["date-time", "date", "time"],
        limits: UNLIMITED,
        ..STRICT
    },
    Profile {
        dialect: SchemaDialect::GeminiOpenApi,
        column: 5,
        references: false,
        recursion: Recursion::Refused,
        all_required: false,
        object_root: false,
        empty_objects: false,
        values: Values::Strings,
        openapi: true,
        formats: &["date-time"],
        limits: UNLIMITED,
        ..STRICT
    },
    Profile {
        dialect: SchemaDialect::Groq,
        column: 6,
        references: false,
        recursion: Recursion::Refused,
        formats: &[],
        limits: UNLIMITED,
        ..STRICT
    },
    Profile {
        dialect: SchemaDialect::LlamaCpp,
        column: 7,
        any_value: false,
        empty_objects: false,
        class_escapes: false,
        formats: &["date", "time", "date-time", "uuid"],
        // Its grammar repeats a rule once for each.
        longest_text: 1_999,
        most_items: 1_999,
        ..LOCAL
    },
    Profile {
        dialect: SchemaDialect::Xgrammar,
        column: 8,
        ..LOCAL
    },
    LOCAL,
];

impl Profile {
    /// The profile of a dialect; none for the one that takes everything.
    pub(super) fn of(dialect: SchemaDialect) -> Option<&'static Self> {
        PROFILES.iter().find(|profile| profile.dialect == dialect)
    }

    /// What becomes of a keyword; nothing where it is not known.
    pub(super) fn treatment(&self, keyword: &str) -> Option<Treatment> {
        if TOLD.contains(&keyword) {
            return Some(Treatment::Tell);
        }
        let (_, row) = KEYWORDS.iter().find(|(name, _)| *name == keyword)?;
        row.get(self.column).copied()
    }
}
