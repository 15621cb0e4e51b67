//! Where failures stand: every shape that serde knows has its own path.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Deserializer};
use serde_json::json;
use typed_extract::{Extract, rules};

use crate::support::{probed, walked};

#[derive(Debug, Clone, Default, PartialEq, Deserialize, Extract)]
#[extract(rule(positive(n), "n is positive", check = *n > 0))]
struct Amt {
    n: i64,
}

#[derive(Debug, Deserialize, Extract)]
struct Wrapper(Amt);

#[derive(Debug, Deserialize, Extract)]
#[serde(transparent)]
struct Transparent {
    inner: Amt,
    #[serde(skip)]
    note: String,
}

#[derive(Debug, Deserialize, Extract)]
struct Pair(Amt, #[serde(skip)] u8, Amt);

#[derive(Debug, Deserialize, Extract)]
struct Unit;

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "camelCase")]
struct Everything {
    plain_one: Amt,
    maybe: Option<Amt>,
    boxed: Box<Amt>,
    list: Vec<Option<Amt>>,
    fixed: [Amt; 2],
    map: BTreeMap<String, Amt>,
    hash: HashMap<u8, Vec<Amt>>,
    tuple: (u8, Amt),
    wrapper: Wrapper,
    transparent: Transparent,
    pair: Pair,
    unit: Unit,
    #[serde(rename = "a.b")]
    odd: Amt,
    #[serde(flatten)]
    flat: Flat,
}

#[derive(Debug, Deserialize, Extract)]
struct Flat {
    below: Amt,
}

fn everything(n: i64) -> serde_json::Value {
    let amt = json!({ "n": n });
    json!({
        "plainOne": amt, "maybe": amt, "boxed": amt, "list": [null, amt], "fixed": [amt, amt],
        "map": {"k": amt}, "hash": {"7": [amt]}, "tuple": [1, amt], "wrapper": amt,
        "transparent": amt, "pair": [amt, amt], "unit": null, "a.b": amt, "below": amt,
    })
}

const PLACES: [&str; 15] = [
    "plainOne.n",
    "maybe.n",
    "boxed.n",
    "list[1].n",
    "fixed[0].n",
    "fixed[1].n",
    "map.k.n",
    "hash.7[0].n",
    "tuple[1].n",
    "wrapper.n",
    "transparent.n",
    "pair[0].n",
    "pair[1].n",
    "[\"a.b\"].n",
    "below.n",
];

#[test]
fn every_shape_has_its_place() {
    assert!(walked::<Everything>(&everything(1)).is_empty());
    // A map of other keys than texts is assembled, so that no walk meets its keys.
    let walked_places = PLACES.iter().filter(|place| !place.starts_with("hash"));
    let expected: Vec<String> = walked_places
        .map(|place| format!("{place}: positive"))
        .collect();
    assert_eq!(walked::<Everything>(&everything(0)), expected);
}

#[test]
fn a_broken_reply_has_the_same_places() {
    let mut reply = everything(0);
    reply["unit"] = json!(5);
    let mut found = probed::<Everything>(&reply);
    found.retain(|line| line != "unit: bind.type");
    assert_eq!(found, PLACES.map(|place| format!("{place}: positive")));
}

#[test]
fn every_bind_error_is_found() {
    let found = probed::<Everything>(&everything_of("x"));
    assert_eq!(found, PLACES.map(|place| format!("{place}: bind.type")));
}

fn everything_of(n: &str) -> serde_json::Value {
    let text = everything(0).to_string().replace(":0", &format!(":{n:?}"));
    serde_json::from_str(&text).expect("JSON")
}

fn five() -> i64 {
    5
}

fn halved<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    i64::deserialize(deserializer).map(|n| n / 2)
}

/// A type that knows nothing of rules.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Foreign(u8);

#[derive(Debug, Deserialize, Extract)]
#[extract(
    rule(defaults(a, b), "a is b", check = a == b),
    rule(skipped_is_there(c), "c is zero", check = *c == 0),
    rule(leaf_is_there(e), "e is absent", check = e.is_none()),
    rule(function_binds(d), "d is even", check = d % 2 == 0),
    rule(renamed(f), "f is not 1", check = *f != 1)
)]
struct Bound {
    #[serde(default)]
    a: i64,
    #[serde(default = "five")]
    b: i64,
    #[serde(skip)]
    c: i64,
    #[serde(deserialize_with = "halved")]
    d: i64,
    #[extract(leaf)]
    e: Option<Foreign>,
    #[serde(rename = "eff", alias = "ef")]
    f: i64,
    broken: u8,
}

#[test]
fn fields_of_a_broken_reply_are_bound_as_serde_would() {
    let found = probed::<Bound>(&json!({"d": 6, "ef": 1, "broken": "x"}));
    let expected = [
        "broken: bind.type",
        "a: defaults",
        "d: function_binds",
        "eff: renamed",
    ];
    assert_eq!(found, expected);
    let found = probed::<Bound>(&json!({"a": 5, "d": "6", "e": "x", "eff": 2, "broken": 1}));
    assert_eq!(found, ["d: bind.type", "e: bind.type"]);
}

#[derive(Debug, Deserialize, Extract)]
#[serde(default)]
#[extract(rule(apart(low, high), "low is below high", check = low < high))]
struct Span {
    low: i64,
    high: i64,
    broken: u8,
}

impl Default for Span {
    fn default() -> Self {
        Self {
            low: 3,
            high: 4,
            broken: 0,
        }
    }
}

#[test]
fn a_default_of_the_container_stands_for_absent_fields() {
    assert_eq!(
        probed::<Span>(&json!({"low": 4, "broken": "x"})),
        ["broken: bind.type", "low: apart"]
    );
    assert_eq!(
        probed::<Span>(&json!({"low": 3, "broken": "x"})),
        ["broken: bind.type"]
    );
}

#[derive(Debug, Deserialize, Extract)]
#[serde(try_from = "String")]
#[extract(rule(short(text), "the text is short", check = text.len() < 3))]
struct Converted {
    text: String,
}

impl TryFrom<String> for Converted {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.is_empty() {
            return Err("empty".to_owned());
        }
        Ok(Self { text })
    }
}

#[derive(Debug, Deserialize, Extract)]
struct Holder {
    converted: Converted,
}

#[test]
fn the_inside_of_a_converted_type_has_no_place_of_its_own() {
    assert_eq!(
        walked::<Holder>(&json!({"converted": "long"})),
        ["converted: short"]
    );
    assert_eq!(
        probed::<Holder>(&json!({"converted": ""})),
        ["converted: bind.value"]
    );
}

#[derive(Debug, Deserialize, Extract)]
struct Whole {
    a: u8,
    b: u8,
}

#[rules]
impl Whole {
    /// a is not b
    fn differ(&self) -> bool {
        self.a != self.b
    }
}

#[test]
fn a_rule_over_the_whole_waits_for_the_whole() {
    assert_eq!(
        walked::<Whole>(&json!({"a": 1, "b": 1})),
        ["(root): differ"]
    );
    assert_eq!(
        probed::<Whole>(&json!({"a": 1, "b": "1"})),
        ["b: bind.type"]
    );
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(few(rest), "few", check = rest.is_empty()))]
struct Open {
    n: u8,
    #[serde(flatten)]
    #[extract(leaf)]
    rest: BTreeMap<String, serde_json::Value>,
}

#[test]
fn a_flattened_leaf_is_not_taken_for_the_whole() {
    assert_eq!(walked::<Open>(&json!({"n": 1, "m": 1})), ["(root): few"]);
    assert_eq!(probed::<Open>(&json!({"n": "x"})), ["n: bind.type"]);
}

#[derive(Debug, Deserialize, Extract)]
struct Tree {
    amt: Amt,
    children: Vec<Tree>,
    next: Option<Box<Tree>>,
}

#[test]
fn a_type_may_hold_itself() {
    let leaf = |n: i64| json!({"amt": {"n": n}, "children": [], "next": null});
    let mut tree = leaf(1);
    tree["children"] = json!([leaf(0)]);
    tree["next"] = leaf(0);
    let expected = ["children[0].amt.n: positive", "next.amt.n: positive"];
    assert_eq!(walked::<Tree>(&tree), expected);
    assert_eq!(crate::support::described::<Tree>().len(), 1);
}
