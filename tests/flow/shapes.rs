//! Types of all shapes that serde knows, with right replies for each, and what a
//! bound value lacks of a reply.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use typed_extract::Extract;

/// What a value lacks of what the reply says; nothing where it says it all.
pub(crate) fn lost(said: &Value, bound: &Value, place: &str) -> Option<String> {
    match (said, bound) {
        (Value::Object(said), Value::Object(bound)) => said.iter().find_map(|(key, value)| {
            let place = format!("{place}/{key}");
            match bound.get(key) {
                Some(bound) => lost(value, bound, &place),
                // A null says that nothing is there.
                None => (!value.is_null()).then_some(place),
            }
        }),
        (Value::Array(said), Value::Array(bound)) => {
            if said.len() != bound.len() {
                return Some(format!("{place}: {} of {}", bound.len(), said.len()));
            }
            let unlike = |one: &&Value| !bound.iter().any(|other| lost(one, other, "").is_none());
            said.iter()
                .find(unlike)
                .map(|one| format!("{place}: {one}"))
        }
        (Value::String(said), Value::String(bound)) => {
            let same_instant = instant(said).is_some() && instant(said) == instant(bound);
            (said != bound && !same_instant).then(|| format!("{place}: {said} became {bound}"))
        }
        (Value::Number(said), Value::Number(bound)) => {
            let same = said == bound || bound.is_f64() && said.as_f64() == bound.as_f64();
            // A 32-bit float is the nearest one.
            #[allow(clippy::cast_possible_truncation)]
            let near = said.as_f64().map(|one| one as f32) == bound.as_f64().map(|one| one as f32)
                && bound.is_f64();
            (!same && !near).then(|| format!("{place}: {said} became {bound}"))
        }
        _ => (said != bound).then(|| format!("{place}: {said} became {bound}")),
    }
}

fn instant(text: &str) -> Option<DateTime<Utc>> {
    text.parse().ok()
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Clone, Serialize, Deserialize, Extract)]
#[serde(try_from = "String")]
pub(crate) struct Iban(String);

impl TryFrom<String> for Iban {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.starts_with("DE") {
            Ok(Self(text))
        } else {
            Err("must begin with DE".to_owned())
        }
    }
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct Plain {
    name: String,
    amount: Option<u32>,
    #[serde(default)]
    note: String,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct Bank {
    iban: Iban,
    #[serde(skip_serializing_if = "Option::is_none")]
    bic: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatStruct {
    name: String,
    #[serde(flatten)]
    bank: Bank,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatOption {
    name: String,
    #[serde(flatten)]
    bank: Option<Bank>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct When {
    at: DateTime<Utc>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatOptions {
    name: String,
    #[serde(flatten)]
    bank: Option<Bank>,
    #[serde(flatten)]
    when: Option<When>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatDeep {
    id: u8,
    #[serde(flatten)]
    outer: Option<FlatOption>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatMap {
    name: String,
    #[serde(flatten)]
    rest: HashMap<String, u32>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatIntegers {
    name: String,
    #[serde(flatten)]
    years: BTreeMap<u32, String>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatValues {
    name: String,
    #[serde(flatten)]
    rest: serde_json::Map<String, Value>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Internal {
    None,
    Card { amount: f32, wide: Option<u128> },
    Bank(Bank),
    Years(BTreeMap<u32, u32>),
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(tag = "kind", content = "of", rename_all = "lowercase")]
pub(crate) enum Adjacent {
    None,
    Card { amount: f32 },
    Bank(Bank),
    Pair(u8, String),
    Dates(Vec<NaiveDate>),
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
pub(crate) enum External {
    None,
    Card { amount: f32 },
    Bank(Bank),
    Pair(u8, String),
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(untagged)]
pub(crate) enum Party {
    Person {
        name: String,
    },
    Company {
        name: String,
        vat: Iban,
    },
    Dated {
        name: String,
        at: NaiveDate,
    },
    Cash {
        #[serde(default)]
        tip: u32,
    },
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(untagged)]
pub(crate) enum Scalar {
    Small(u8),
    Exact(Decimal),
    Date(NaiveDate),
    Text(String),
    Many(Vec<Scalar>),
    Pair(u8, String),
    Nothing,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(untagged)]
pub(crate) enum Formula {
    Sum {
        left: Box<Formula>,
        right: Box<Formula>,
    },
    Negative {
        left: Box<Formula>,
    },
    Leaf(Iban),
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(crate) enum Tree {
    Add { parts: Vec<Tree> },
    Leaf { name: Iban },
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Fallback {
    Card {
        amount: u32,
    },
    #[serde(untagged)]
    Other {
        name: String,
        card: Option<u32>,
    },
    #[serde(untagged)]
    Text(Iban),
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct Holder<T> {
    held: T,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatInternal {
    id: u8,
    #[serde(flatten)]
    inner: Internal,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatMaybeInternal {
    id: u8,
    #[serde(flatten)]
    inner: Option<Internal>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatAdjacent {
    id: u8,
    #[serde(flatten)]
    inner: Adjacent,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatExternal {
    id: u8,
    #[serde(flatten)]
    inner: External,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatUntagged {
    id: u8,
    #[serde(flatten)]
    inner: Party,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatMaybeUntagged {
    id: u8,
    #[serde(flatten)]
    inner: Option<Party>,
}

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Coin {
    #[serde(alias = "euro")]
    Eur,
    Usd,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct Newtype(Decimal);

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(transparent)]
pub(crate) struct Transparent {
    inner: Bank,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct Pair(u8, Iban);

/// Reads a half and writes the whole.
fn halved<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    u32::deserialize(deserializer)
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct With {
    #[serde(deserialize_with = "halved")]
    amount: u32,
    #[serde(default, deserialize_with = "halved")]
    other: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RawBank {
    name: String,
    #[serde(flatten)]
    bank: Option<RawIban>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RawIban {
    iban: Iban,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(from = "RawBank", into = "RawBank")]
#[derive(Clone)]
pub(crate) struct FromForeign(RawBank);

impl From<RawBank> for FromForeign {
    fn from(raw: RawBank) -> Self {
        Self(raw)
    }
}

impl From<FromForeign> for RawBank {
    fn from(value: FromForeign) -> Self {
        value.0
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, Extract)]
pub(crate) struct OwnRaw {
    name: String,
    #[serde(flatten)]
    bank: Option<OwnIban>,
}

#[derive(Debug, Clone, Serialize, Deserialize, Extract)]
pub(crate) struct OwnIban {
    iban: Iban,
}

#[derive(Debug, Clone, Serialize, Deserialize, Extract)]
#[serde(from = "OwnRaw", into = "OwnRaw")]
pub(crate) struct FromOwn(OwnRaw);

impl From<OwnRaw> for FromOwn {
    fn from(raw: OwnRaw) -> Self {
        Self(raw)
    }
}

impl From<FromOwn> for OwnRaw {
    fn from(value: FromOwn) -> Self {
        value.0
    }
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct Leaf {
    #[extract(leaf)]
    raw: RawBank,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatLeaf {
    id: u8,
    #[extract(leaf)]
    #[serde(flatten)]
    raw: RawIban,
}

#[derive(Debug, Default, Serialize, Deserialize, Extract)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Defaults {
    first_name: String,
    #[serde(skip)]
    hidden: u8,
    amount: Option<Box<Option<u32>>>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct Floats {
    single: f32,
    double: f64,
    list: Vec<f64>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct Whole {
    tiny: i8,
    wide: u128,
    sign: i64,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct OnlyFlat {
    #[serde(flatten)]
    party: Party,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatUnit {
    id: u8,
    #[serde(flatten)]
    nothing: (),
    #[serde(flatten)]
    rest: Option<serde_json::Map<String, Value>>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatPointers {
    id: u8,
    #[serde(flatten)]
    bank: Box<Option<Bank>>,
    #[serde(flatten)]
    when: Option<Box<When>>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct TwoFlatMaps {
    id: u8,
    #[serde(flatten)]
    years: BTreeMap<u16, u32>,
    #[serde(flatten)]
    coins: HashMap<String, u32>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum FlatVariants {
    Card {
        amount: u32,
        #[serde(flatten)]
        bank: Option<Bank>,
    },
    Other {
        #[serde(flatten)]
        rest: BTreeMap<String, Decimal>,
    },
    Party {
        #[serde(flatten)]
        party: Party,
    },
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(untagged)]
pub(crate) enum Nested {
    Leaf(Iban),
    Map(BTreeMap<u8, Nested>),
    List(Vec<Nested>),
    Open {
        left: Box<Nested>,
        #[serde(flatten)]
        rest: serde_json::Map<String, Value>,
    },
}

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Extract)]
pub(crate) struct Code(u16);

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Extract)]
#[serde(transparent)]
pub(crate) struct Word {
    text: String,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
pub(crate) struct FlatCodes {
    id: u8,
    #[serde(flatten)]
    codes: BTreeMap<Code, u32>,
}

#[derive(Debug, Serialize, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Other {
    Card,
    #[serde(other)]
    Unknown,
}

/// Hands every shape to a macro: a name, a type, and right replies for it.
macro_rules! for_each_shape {
    ($shapes:ident) => {
        $shapes! {
    only_a_flattened_enum: OnlyFlat = [{"name": "n"}, {"name": "n", "vat": "DE1"}];
    a_flattened_unit: FlatUnit = [{"id": 1}, {"id": 1, "a": [1.5]}];
    flattened_pointers: FlatPointers = [
        {"id": 1}, {"id": 1, "iban": "DE1"}, {"id": 1, "at": "2026-03-02T10:00:00Z"},
    ];
    two_flattened_maps: TwoFlatMaps = [{"id": 1, "7": 1}];
    flattened_keys_in_tagged_variants: Holder<FlatVariants> = [
        {"held": {"kind": "card", "amount": 7}},
        {"held": {"kind": "card", "amount": 7, "iban": "DE1", "bic": "b"}},
        {"held": {"kind": "other", "a": "10.0", "7": "7"}},
        {"held": {"kind": "party", "name": "n", "vat": "DE1"}},
    ];
    untagged_through_maps: Holder<Nested> = [
        {"held": {"7": "DE1", "8": ["DE2", {"left": {"7": "DE3"}, "a": 1}]}},
    ];
    newtype_keys: Holder<BTreeMap<Code, u32>> = [{"held": {"7": 1, "8": 2}}];
    transparent_keys: Holder<HashMap<Word, u32>> = [{"held": {"a": 1, "b": 2}}];
    flattened_newtype_keys: FlatCodes = [{"id": 1, "7": 1, "300": 2}];
    a_set_of_structs: Holder<HashSet<Word>> = [{"held": ["a", "b"]}];
    a_set_of_tuples: Holder<BTreeSet<(u8, Decimal)>> = [{"held": [[1, "10.0"], [1, "7"]]}];
    sets_in_maps_in_maps: Holder<BTreeMap<bool, BTreeMap<u8, BTreeSet<Decimal>>>> = [
        {"held": {"true": {"7": ["10.0"]}}},
    ];
    an_enum_with_a_variant_for_all_others: Holder<Other> = [{"held": "card"}, {"held": "unknown"}];
    a_tuple_with_an_optional_place: Holder<(u8, Option<u8>)> = [{"held": [1, null]}, {"held": [1, 7]}];
    a_struct: Plain = [{"name": "n", "amount": 7}];
    a_flattened_struct: FlatStruct = [{"name": "n", "iban": "DE1", "bic": "b"}];
    a_flattened_option: FlatOption = [{"name": "n", "iban": "DE1"}, {"name": "n"}];
    two_flattened_options: FlatOptions = [
        {"name": "n", "iban": "DE1", "at": "2026-03-02T10:00:00Z"}, {"name": "n"},
    ];
    a_flattened_struct_in_another: FlatDeep = [{"id": 1, "name": "n", "iban": "DE1"}, {"id": 1}];
    a_flattened_map: FlatMap = [{"name": "n", "a": 7, "extra": 0}];
    a_flattened_map_of_integers: FlatIntegers = [{"name": "n", "7": "a", "2025": "b"}];
    a_flattened_map_of_anything: FlatValues = [{"name": "n", "a": [1.5, {"b": null}]}];
    an_internally_tagged_enum: Holder<Internal> = [
        {"held": {"kind": "none"}},
        {"held": {"kind": "card", "amount": 1.5, "wide": 300}},
        {"held": {"kind": "bank", "iban": "DE1"}},
        {"held": {"kind": "years", "7": 1, "8": 2}},
    ];
    an_adjacently_tagged_enum: Holder<Adjacent> = [
        {"held": {"kind": "none"}},
        {"held": {"of": {"amount": 1.5}, "kind": "card"}},
        {"held": {"kind": "bank", "of": {"iban": "DE1"}}},
        {"held": {"kind": "pair", "of": [7, "a"]}},
        {"held": {"kind": "dates", "of": ["2026-03-02"]}},
    ];
    an_externally_tagged_enum: Holder<External> = [
        {"held": "none"},
        {"held": {"card": {"amount": 1.5}}},
        {"held": {"bank": {"iban": "DE1"}}},
        {"held": {"pair": [7, "a"]}},
    ];
    an_untagged_enum: Holder<Party> = [
        {"held": {"name": "n"}},
        {"held": {"name": "n", "vat": "DE1"}},
        {"held": {"name": "n", "at": "2026-03-02"}},
        {"held": {"tip": 7}},
        {"held": {}},
    ];
    an_untagged_enum_of_plain_values: Holder<Scalar> = [
        {"held": 7}, {"held": "10.0"}, {"held": "2026-03-02"}, {"held": "a"},
        {"held": [1, ["a"]]}, {"held": null},
    ];
    an_untagged_root: Party = [{"name": "n", "vat": "DE1"}];
    untagged_elements: Holder<Vec<Party>> = [{"held": [{"name": "n"}, {"name": "n", "vat": "DE1"}]}];
    untagged_map_values: Holder<HashMap<String, Party>> = [{"held": {"a": {"name": "n", "vat": "DE1"}}}];
    an_optional_untagged: Holder<Option<Party>> = [{"held": {"name": "n", "vat": "DE1"}}, {"held": null}];
    a_boxed_untagged: Holder<Box<Party>> = [{"held": {"name": "n", "vat": "DE1"}}];
    a_recursive_untagged_enum: Holder<Formula> = [
        {"held": {"left": {"left": "DE1"}, "right": {"left": "DE2", "right": "DE3"}}},
    ];
    a_recursive_tagged_enum: Holder<Tree> = [
        {"held": {"op": "add", "parts": [{"op": "leaf", "name": "DE1"}, {"op": "add", "parts": []}]}},
    ];
    an_untagged_variant_among_tagged: Holder<Fallback> = [
        {"held": {"card": {"amount": 7}}}, {"held": {"name": "n", "card": 7}}, {"held": "DE1"},
    ];
    a_flattened_internal: FlatInternal = [
        {"id": 1, "kind": "card", "amount": 1.5}, {"id": 1, "kind": "bank", "iban": "DE1"},
        {"id": 1, "kind": "none"}, {"id": 1, "kind": "years", "7": 1},
    ];
    a_flattened_optional_internal: FlatMaybeInternal = [
        {"id": 1, "kind": "card", "amount": 1.5}, {"id": 1},
    ];
    a_flattened_adjacent: FlatAdjacent = [
        {"id": 1, "kind": "card", "of": {"amount": 1.5}}, {"id": 1, "kind": "none"},
    ];
    a_flattened_external: FlatExternal = [
        {"id": 1, "card": {"amount": 1.5}}, {"id": 1, "pair": [7, "a"]},
    ];
    a_flattened_untagged: FlatUntagged = [
        {"id": 1, "name": "n"}, {"id": 1, "name": "n", "vat": "DE1"}, {"id": 1, "tip": 7},
    ];
    a_flattened_optional_untagged: FlatMaybeUntagged = [
        {"id": 1, "name": "n", "vat": "DE1"}, {"id": 1},
    ];
    integer_keys: Holder<HashMap<u32, u32>> = [{"held": {"7": 1, "2025": 2}}];
    date_keys: Holder<BTreeMap<NaiveDate, u32>> = [{"held": {"2026-03-02": 1, "2026-03-03": 2}}];
    decimal_keys: Holder<BTreeMap<Decimal, u32>> = [{"held": {"10.0": 1, "7": 2}}];
    address_keys: Holder<HashMap<IpAddr, u32>> = [{"held": {"::1": 1, "127.0.0.1": 2}}];
    converted_keys: Holder<BTreeMap<Iban, u32>> = [{"held": {"DE1": 1, "DE2": 2}}];
    enum_keys: Holder<HashMap<Coin, u32>> = [{"held": {"eur": 1, "usd": 2}}];
    a_set_of_decimals: Holder<BTreeSet<Decimal>> = [{"held": ["10.0", "7"]}];
    a_set_of_instants: Holder<HashSet<DateTime<Utc>>> = [{"held": ["2026-03-02T10:00:00Z"]}];
    a_set_of_texts: Holder<BTreeSet<String>> = [{"held": ["a", "b"]}];
    a_newtype: Holder<Newtype> = [{"held": "10.0"}];
    a_transparent_struct: Holder<Transparent> = [{"held": {"iban": "DE1"}}];
    a_tuple_struct: Holder<Pair> = [{"held": [7, "DE1"]}];
    a_tuple: Holder<(u8, Party)> = [{"held": [7, {"name": "n", "vat": "DE1"}]}];
    an_array: Holder<[Decimal; 2]> = [{"held": ["10.0", "7"]}];
    a_function_of_the_users: With = [{"amount": 7, "other": 7}, {"amount": 7}];
    a_type_made_from_another_that_serde_reads: Holder<FromForeign> = [{"held": {"name": "n", "iban": "DE1"}}];
    a_type_made_from_another_that_is_known: Holder<FromOwn> = [
        {"held": {"name": "n", "iban": "DE1"}}, {"held": {"name": "n"}},
    ];
    a_leaf: Leaf = [{"raw": {"name": "n", "iban": "DE1"}}];
    a_flattened_leaf: FlatLeaf = [{"id": 1, "iban": "DE1"}];
    defaults: Defaults = [{"firstName": "n", "amount": 7}, {}];
    floats: Floats = [{"single": 1.5, "double": 1e300, "list": [0.1, 1]}];
    integers: Whole = [{"tiny": -1, "wide": 5_000_000_000_u64, "sign": 7}];
    a_cited_decimal: Holder<Cited<Decimal>> = [{"held": {"quote": "12.50", "value": "12.50"}}];
    anything: Holder<Value> = [{"held": [1, {"a": "b"}, 1.5, null]}];
        }
    };
}

pub(crate) use for_each_shape;
