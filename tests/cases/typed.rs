//! Cases that are about Rust types.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use typed_extract::rule::Violation;
use typed_extract::testing::Script;
use typed_extract::{Extract, FieldPath, Normalize, extract, rules, validate};

use super::data::{classes, one};

/// What a reply is accused of.
fn faults<T: Extract<Context = ()>>(reply: &Value) -> BTreeSet<(String, String)> {
    judged::<T>(reply, Normalize::default())
}

fn judged<T: Extract<Context = ()>>(
    reply: &Value,
    normalize: Normalize,
) -> BTreeSet<(String, String)> {
    let flow = extract::<T>().normalize(normalize).document("");
    flow.validate(&reply.to_string())
        .err()
        .map(|failures| classes(&failures))
        .unwrap_or_default()
}

fn set(pairs: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    pairs
        .iter()
        .map(|(class, path)| ((*class).to_owned(), (*path).to_owned()))
        .collect()
}

/// That a type takes and refuses what the case says, as it stands.
fn agrees<T: Extract<Context = ()>>(id: &str) {
    let case: Value = include_str!("../fixtures/cases.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a case"))
        .find(|case| case["id"] == id)
        .expect("the case");
    for accepted in case["expected"]["accepts"]
        .as_array()
        .expect("accepted values")
    {
        let found = faults::<T>(accepted);
        assert!(found.is_empty(), "{id}: {accepted} is refused: {found:?}");
    }
    for refused in case["expected"]["refuses"]
        .as_array()
        .expect("refused values")
    {
        assert!(
            !judged::<T>(refused, Normalize::none()).is_empty(),
            "{id}: {refused} is accepted"
        );
    }
}

fn schema_of<T: Extract>() -> Value {
    typed_extract::json_schema::<T>().expect("a schema")
}

#[derive(Debug, Deserialize, Extract)]
struct Serial {
    #[allow(dead_code)]
    serial: u64,
}

#[test]
fn b08_a_number_beyond_its_type_is_quoted_as_it_was_written() {
    let reply = one("B08").replies[0].as_str().unwrap().to_owned();
    let failures = validate::<Serial>(&reply).unwrap_err();
    assert_eq!(classes(&failures), set(&[("schema.range", "/serial")]));
    assert!(failures[0].to_string().contains("18446744073709551616"));
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Ticket {
    age: Option<u8>,
    ticket: Option<u32>,
}

#[test]
fn b10_every_integer_type_has_its_own_bounds() {
    assert_eq!(
        faults::<Ticket>(&json!({"age": 300, "ticket": 1})),
        set(&[("schema.range", "/age")])
    );
    assert_eq!(
        faults::<Ticket>(&json!({"age": 30, "ticket": 4_294_967_296_u64})),
        set(&[("schema.range", "/ticket")])
    );
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Tags {
    #[extract(keep_delimiters)]
    tags: Vec<String>,
}

#[test]
fn b23_where_commas_are_data_a_string_is_never_split() {
    let reply = json!({"tags": "Washington, DC, parks"});
    assert_eq!(faults::<Tags>(&reply), set(&[("schema.type", "/tags")]));
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Coords {
    lat: i32,
    lon: i32,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Berth {
    kind: String,
    #[serde(flatten)]
    coords: Option<Coords>,
}

#[test]
fn b43_half_a_group_is_an_error_and_none_of_it_is_not() {
    assert_eq!(
        faults::<Berth>(&json!({"kind": "berth", "lat": 59})),
        set(&[("schema.required", "/lon")])
    );
    let none = validate::<Berth>(r#"{"kind": "berth"}"#).unwrap();
    assert_eq!(none.coords, None);
    let both = validate::<Berth>(r#"{"kind": "berth", "lat": 59, "lon": 10}"#).unwrap();
    assert_eq!(both.coords, Some(Coords { lat: 59, lon: 10 }));
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Measured {
    Data { value: f64 },
}

#[test]
fn b45_numbers_survive_a_tagged_enum() {
    for (written, value) in [("2.75", 2.75), ("2.0", 2.0), ("1e2", 100.0), ("7", 7.0)] {
        let reply = format!(r#"{{"value": {{"type": "data", "value": {written}}}}}"#);
        assert_eq!(
            validate::<Measured>(&reply).unwrap(),
            Measured::Data { value }
        );
    }
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Wide {
    a: u128,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Flattened {
    #[serde(flatten)]
    wide: Wide,
}

#[test]
fn b46_a_wide_integer_inside_a_flattened_struct_is_bound_exactly() {
    let reply = r#"{"a": 170141183460469231731687303715884105729}"#;
    let exact = 170_141_183_460_469_231_731_687_303_715_884_105_729;
    assert_eq!(validate::<Wide>(reply).unwrap().a, exact);
    assert_eq!(validate::<Flattened>(reply).unwrap().wide.a, exact);
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
enum Extra {
    Note(#[allow(dead_code)] String),
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Doc {
    page: String,
    #[serde(flatten)]
    extra: Extra,
}

#[test]
fn c01_a_flattened_enum_closes_over_all_keys_together() {
    agrees::<Doc>("C01");
}

mod m1 {
    #[derive(Debug, serde::Deserialize, typed_extract::Extract)]
    pub struct Limits {
        #[allow(dead_code)]
        pub x: String,
    }
}

mod m2 {
    #[derive(Debug, serde::Deserialize, typed_extract::Extract)]
    pub struct Limits {
        #[allow(dead_code)]
        pub y: u32,
    }
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Two {
    a: m1::Limits,
    b: m2::Limits,
}

#[test]
fn c03_types_of_one_name_keep_their_own_schemas() {
    agrees::<Two>("C03");
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Boat {
    hull: String,
    draft_cm: u32,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Truck {
    axles: u32,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "type", rename_all = "lowercase")]
#[allow(dead_code)]
enum Vehicle {
    Boat(Boat),
    Truck(Truck),
}

#[derive(Debug, Deserialize, Extract)]
#[serde(transparent)]
struct Held<T>(#[allow(dead_code)] T);

#[test]
fn c05_a_tagged_enum_shows_the_members_of_each_branch() {
    let case = one("C05").expected;
    assert_eq!(case.outcome, "schema");
    for (value, right) in [
        (json!({"type": "boat", "hull": "oak", "draft_cm": 90}), true),
        (json!({"type": "truck", "axles": 3}), true),
        (json!({"type": "boat"}), false),
        (
            json!({"type": "truck", "hull": "oak", "draft_cm": 90}),
            false,
        ),
        (json!({"type": "train"}), false),
    ] {
        assert_eq!(
            faults::<Held<Vehicle>>(&json!({"value": value})).is_empty(),
            right,
            "{value}"
        );
    }
    let unknown = faults::<Vehicle>(&json!({"value": {"type": "train"}}));
    assert_eq!(unknown, set(&[("schema.enum", "/type")]));
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Tree {
    label: String,
    children: Vec<Tree>,
}

#[test]
fn c08_a_type_inside_itself_is_referred_to() {
    agrees::<Tree>("C08");
    let deep = json!({"label": "a", "children": [{"label": "b"}]});
    assert_eq!(
        faults::<Tree>(&deep),
        set(&[("schema.required", "/children/0/children")])
    );
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Sub {
    p: String,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Twice {
    a: Vec<Sub>,
    b: Vec<Sub>,
}

#[test]
fn c09_references_point_to_definitions_only() {
    agrees::<Twice>("C09");
    for schema in [
        schema_of::<Twice>(),
        schema_of::<Tree>(),
        schema_of::<Vec<Tree>>(),
    ] {
        let text = schema.to_string();
        for (at, _) in text.match_indices("\"$ref\":\"") {
            assert!(text[at + 8..].starts_with("#/$defs/"), "{text}");
        }
    }
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
enum Tool {
    R,
    Stata,
    Other,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Paper {
    tool: Option<Tool>,
}

#[test]
fn c15_a_nullable_enum_takes_null() {
    agrees::<Paper>("C15");
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Renamed {
    #[serde(rename = "Qty")]
    qty: i64,
    unit: i64,
    #[serde(alias = "total")]
    sum: i64,
}

#[test]
fn c17_the_name_in_the_schema_is_the_name_that_binds() {
    agrees::<Renamed>("C17");
    assert!(!schema_of::<Renamed>().to_string().contains("total"));
}

#[derive(Debug, Deserialize, Serialize, Extract)]
#[allow(dead_code)]
struct Defaults {
    a: String,
    #[serde(default)]
    n: u32,
    #[serde(skip)]
    cache: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    o: Option<String>,
}

#[test]
fn c18_the_schema_is_the_reading_contract() {
    agrees::<Defaults>("C18");
}

#[derive(Debug, Deserialize, Extract)]
struct Bill {
    net: Decimal,
}

#[test]
fn c19_money_is_exact_text() {
    agrees::<Bill>("C19");
    let bill = validate::<Bill>(r#"{"net": "1.40"}"#).unwrap();
    assert_eq!(bill.net.to_string(), "1.40");
    assert!(!schema_of::<Bill>().to_string().contains("(?"));
}

#[derive(Debug, Deserialize, Extract)]
struct Ping {}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Round {
    ping: Ping,
    note: String,
}

#[test]
fn c21_an_object_without_keys_stays_an_object() {
    agrees::<Round>("C21");
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(has_at(address), "the address contains an @", check = address.contains('@')))]
struct Sender {
    address: String,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Mail {
    sender: Sender,
}

#[test]
fn d16_rules_of_nested_types_run_by_themselves() {
    let reply = json!({"sender": {"address": "ida.holm"}});
    assert_eq!(faults::<Mail>(&reply), set(&[("rule", "/sender/address")]));
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(
    code_form(code),
    "a code is lower-case letters and one digit",
    check = code.ends_with(|c: char| c.is_ascii_digit())
        && code.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()),
))]
struct Place {
    code: String,
    main: bool,
}

#[derive(Debug, Deserialize, Extract)]
struct Harbour {
    berths: Vec<Place>,
}

#[rules]
impl Harbour {
    /// Exactly one berth is the main one.
    fn one_main(berths: &[Place]) -> bool {
        berths.iter().filter(|berth| berth.main).count() == 1
    }

    /// No two berths share a code.
    fn unique_codes(berths: &[Place]) -> Vec<Violation> {
        let twice = |at: &usize| {
            berths[..*at]
                .iter()
                .any(|other| other.code == berths[*at].code)
        };
        let place = |at| FieldPath::root().key("berths").index(at).key("code");
        (0..berths.len())
            .filter(twice)
            .map(|at| Violation::new("stands twice").at(place(at)))
            .collect()
    }
}

#[test]
fn d17_a_list_and_its_elements_fail_together() {
    let reply = json!({"berths": [{"code": "A B", "main": false}, {"code": "ok1", "main": false}]});
    assert_eq!(
        faults::<Harbour>(&reply),
        set(&[("rule", "/berths"), ("rule", "/berths/0/code")])
    );
    let reply = json!({"berths": [{"code": "a1", "main": true}, {"code": "a1", "main": false}]});
    assert_eq!(
        faults::<Harbour>(&reply),
        set(&[("rule", "/berths/1/code")])
    );
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Listed {
    code: String,
}

#[tokio::test]
async fn d19_an_outside_check_is_awaited_and_joins_the_repair() {
    let model = Script::new([r#"{"code": "K-9"}"#, r#"{"code": "K-2"}"#]);
    let catalogue = ["K-1", "K-2"];
    let done = extract::<Listed>()
        .model(&model)
        .document("K-2")
        .verify(async |listed: &Listed| {
            if catalogue.contains(&listed.code.as_str()) {
                return Vec::new();
            }
            vec![Violation::new("no such code in the catalogue").at(FieldPath::root().key("code"))]
        })
        .run()
        .await
        .unwrap();
    assert_eq!(
        classes(done.record().attempts()[0].failures()),
        set(&[("rule", "/code")])
    );
    assert_eq!(done.into_value(), Listed { code: "K-2".into() });
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(dead_code)]
enum Reading {
    Tide { level: u32 },
    Remark { text: String },
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Log {
    reading: Reading,
}

#[test]
fn d24_a_wrong_type_in_a_tagged_enum_is_reported_at_the_field() {
    let reply = json!({"reading": {"kind": "tide", "level": "seven"}});
    assert_eq!(
        faults::<Log>(&reply),
        set(&[("schema.type", "/reading/level")])
    );
}
