//! What comparing two replies costs, in nodes read.

use serde_json::{Value, json};

use super::{Baseline, Comparison};
use crate::json::{Limits, READS, Tape};
use crate::path::FieldPath;

fn compare(
    first: &Value,
    second: &Value,
    failing: Vec<FieldPath>,
    schema: &Value,
) -> (Comparison, u64) {
    let limits = Limits {
        nodes: 1 << 22,
        ..Limits::default()
    };
    let baseline = Baseline::new(first.to_string(), Some(failing));
    let second = second.to_string();
    let earlier = Tape::parse(&baseline.text, limits).unwrap();
    let new = Tape::parse(&second, limits).unwrap();
    let before = READS.get();
    let comparison = baseline.compare(earlier.root(), new.root(), schema);
    (comparison, READS.get() - before)
}

/// Two replies of a size, where the first failed, and their schema.
type Case = fn(usize) -> (Value, Value, Vec<FieldPath>, Value);

fn turned(key: &str, mut list: Vec<Value>) -> Value {
    list.reverse();
    json!({ key: list })
}

fn lists(_: &str) -> Value {
    json!({"properties": {"a": {"items": {"properties": {"rows": {"items": {}}}}}}})
}

const CASES: [(&str, Case); 7] = [
    ("half of the elements failed and all have moved", |n| {
        let list: Vec<Value> = (0..n).map(|at| json!({"name": at, "sum": 1})).collect();
        let failing = (0..n / 2).map(|at| FieldPath::from("a").index(2 * at).key("sum"));
        let first = json!({"a": list});
        (first, turned("a", list), failing.collect(), lists("a"))
    }),
    ("all elements are equal and some are gone", |n| {
        let list = vec![json!({"name": "x"}); n];
        let failing = vec![FieldPath::from("a[0].name")];
        let second = json!({"a": list.get(n / 2..)});
        (json!({"a": list}), second, failing, lists("a"))
    }),
    ("one value changed among elements that are alike", |n| {
        let list: Vec<Value> = (0..n)
            .map(|at| json!({"name": at, "unit": "x", "sum": 1}))
            .collect();
        let mut second = list.clone();
        second[n / 2] = json!({"name": n / 2, "unit": "y", "sum": 2});
        let failing = vec![FieldPath::from("a").index(n / 2).key("sum")];
        (
            json!({"a": list}),
            json!({"a": second}),
            failing,
            lists("a"),
        )
    }),
    ("an element failed in a list inside each element", |n| {
        let list: Vec<Value> = (0..n)
            .map(|at| json!({"title": at, "rows": [at, at + 1]}))
            .collect();
        let failing = (0..n).map(|at| FieldPath::from("a").index(at).key("rows").index(0));
        let first = json!({"a": list});
        (first, turned("a", list), failing.collect(), lists("a"))
    }),
    ("lists of lists, which nothing tells apart", |n| {
        let list: Vec<Value> = (0..n).map(|at| json!([at, at + 1])).collect();
        let failing = (0..n).map(|at| FieldPath::from("a").index(at).index(0));
        let first = json!({"a": list});
        (first, turned("a", list), failing.collect(), lists("a"))
    }),
    ("each entry of a map failed in part", |n| {
        let entry = |at: usize, note: &str| (format!("k{at}"), json!({"sum": 0, "note": note}));
        let map = |note| Value::Object((0..n).map(|at| entry(at, note)).collect());
        let failing = (0..n).map(|at| FieldPath::from("a").key(format!("k{at}")).key("sum"));
        let schema = json!({"properties": {"a": {"additionalProperties": {
            "properties": {"sum": {}, "note": {}}}}}});
        let replies = (json!({"a": map("x")}), json!({"a": map("y")}));
        (replies.0, replies.1, failing.collect(), schema)
    }),
    ("a variant with very many keys changed them all", |n| {
        let keys = |value: i32| {
            let keys = (0..n).map(|at| (format!("k{at}"), json!(value)));
            let tag = ("art".to_owned(), json!("x"));
            json!({"a": Value::Object(keys.chain([tag]).collect())})
        };
        let branch = |tag: &str| json!({"properties": {"art": {"const": tag}}});
        let schema = json!({"properties": {"a": {"oneOf": [branch("x"), branch("y")]}}});
        (keys(1), keys(2), vec![FieldPath::from("a.k0")], schema)
    }),
];

#[test]
fn the_work_grows_as_the_replies_do() {
    for (name, case) in CASES {
        let work = |size| {
            let (first, second, failing, schema) = case(size);
            let (_, reads) = compare(&first, &second, failing, &schema);
            u32::try_from(reads).map(f64::from).unwrap()
        };
        let (small, large) = (work(400), work(6_400));
        let exponent = (large / small).log2() / 4.0;
        assert!(
            exponent < 1.1,
            "{name}: {small} and {large}, to the {exponent}"
        );
        assert!(large < 6_400.0 * 300.0, "{name}: {large}");
    }
}

#[test]
fn what_is_not_known_to_be_right_is_not_compared() {
    let text = r#"{"a":[1,2]}"#;
    let baseline = Baseline::new(text.to_owned(), None);
    let earlier = Tape::parse(text, Limits::default()).unwrap();
    let new = Tape::parse("{}", Limits::default()).unwrap();
    let comparison = baseline.compare(earlier.root(), new.root(), &json!({}));
    assert!(comparison.edits.is_empty() && comparison.regressions.is_empty());
}

#[test]
fn a_place_of_very_many_steps_is_no_place_of_the_reply() {
    let deep: FieldPath = (0..1_000_000).fold(FieldPath::root(), |path, _| path.key("a"));
    let value = json!({"a": {"b": 1}});
    let (comparison, _) = compare(&value, &json!({"a": {"b": 2}}), vec![deep], &json!({}));
    assert_eq!(comparison.restored, [FieldPath::from("a.b")]);
}
