//! Replies that are wrong in many places, a kind for each way in which a reply can be wrong.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::{Extract, Normalize, extract, extract_value, rules};

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(positive(count), "the count is positive", check = *count > 0))]
#[allow(dead_code)]
struct Item {
    count: i64,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Items {
    items: Vec<Item>,
}

#[rules]
impl Items {
    /// There are some.
    fn some(items: &[Item]) -> bool {
        !items.is_empty()
    }
}

#[derive(Debug, Deserialize, Extract)]
#[extract(check(few(number), "the number is small", check = *number < 0))]
#[allow(dead_code)]
struct Entry {
    #[serde(alias = "no")]
    number: i64,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Entries {
    entries: Vec<Entry>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Texts {
    #[extract(verbatim)]
    texts: Vec<String>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Counts {
    counts: BTreeMap<String, i64>,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code)]
enum Tagged {
    Leaf { value: i64 },
    Not { of: Box<Tagged> },
    Maybe { of: Box<Tagged> },
    All { of: Vec<Tagged> },
}

#[derive(Debug, Deserialize, Extract)]
#[serde(untagged)]
#[allow(dead_code)]
enum Untagged {
    Leaf {
        value: i64,
    },
    One {
        of: Box<Untagged>,
    },
    Same {
        of: Box<Untagged>,
        note: Option<String>,
    },
    All {
        all: Vec<Untagged>,
    },
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct TaggedRoot {
    tree: Tagged,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct UntaggedRoot {
    tree: Untagged,
}

/// Levels of a deep reply.
const LEVELS: usize = 50;

/// Values of one `enum`.
const LISTED: usize = 2_000;

/// Branches of one `anyOf`.
const BRANCHES: usize = 50;

pub const KINDS: [&str; 21] = [
    "rules",
    "types",
    "missing",
    "unknown",
    "drop_unknown",
    "verbatim",
    "controls",
    "tagged",
    "untagged",
    "untagged_right",
    "tagged_deep",
    "untagged_deep",
    "map",
    "unique",
    "exactly_one",
    "long",
    "keys",
    "warnings",
    "aliases",
    "listed",
    "branches",
];

/// A reply with `size` faults; for the deep kinds, of that depth.
pub fn reply(kind: &str, size: usize) -> String {
    match kind {
        "rules" => list("items", size, |_| r#"{"count":-1}"#.to_owned()),
        "types" => list("items", size, |_| r#"{"count":"x"}"#.to_owned()),
        "missing" => list("items", size, |_| "{}".to_owned()),
        "unknown" | "drop_unknown" => {
            let mut text = r#"{"items":[{"count":1"#.to_owned();
            for at in 0..size {
                let _ = write!(text, ",\"k{at}\":0");
            }
            text + "}]}"
        }
        "verbatim" => list("texts", size, |_| r#""same""#.to_owned()),
        "controls" => list("texts", size, |_| r#""\u0001""#.to_owned()),
        "tagged" => tree(
            &list("of", size, |_| r#"{"kind":"leaf","value":"x"}"#.to_owned()),
            r#""kind":"all","#,
        ),
        "untagged" => tree(&list("all", size, |_| r#"{"value":"x"}"#.to_owned()), ""),
        // Right all the way down: which variant it is, each level asks.
        "untagged_right" => format!(
            "{{\"tree\":{}{}{}}}",
            r#"{"of":"#.repeat(LEVELS),
            list("all", size, |_| r#"{"value":1}"#.to_owned()),
            "}".repeat(LEVELS)
        ),
        "tagged_deep" => format!(
            "{{\"tree\":{}{}{}}}",
            r#"{"kind":"maybe","of":"#.repeat(size),
            r#"{"kind":"leaf","value":"x"}"#,
            "}".repeat(size)
        ),
        "untagged_deep" => format!(
            "{{\"tree\":{}{}{}}}",
            r#"{"of":"#.repeat(size),
            r#"{"value":"x"}"#,
            "}".repeat(size)
        ),
        "map" => {
            let members = (0..size).map(|at| format!("\"k{at}\":\"x\""));
            let members: Vec<String> = members.collect();
            format!("{{\"counts\":{{{}}}}}", members.join(","))
        }
        "unique" => list("all", size, |at| format!("{{\"a\":{at},\"b\":\"x\"}}")),
        "exactly_one" => list("all", size, |_| r#"{"a":"x"}"#.to_owned()),
        "warnings" => list("entries", size, |_| r#"{"number":1}"#.to_owned()),
        "aliases" => list("entries", size, |_| r#"{"no":1}"#.to_owned()),
        "listed" => list("all", size, |_| r#""none""#.to_owned()),
        "branches" => list("all", size, |_| r#"{"other":1}"#.to_owned()),
        "long" => list("items", 1, |_| format!("\"{}\"", "x".repeat(size))),
        "keys" => {
            let members = (0..300).map(|at| format!("\"k{at}\":\"x\""));
            let members: Vec<String> = members.collect();
            format!("{{\"{}\":{{{}}}}}", "k".repeat(size), members.join(","))
        }
        other => panic!("no kind {other}"),
    }
}

fn list(key: &str, size: usize, element: impl Fn(usize) -> String) -> String {
    let elements: Vec<String> = (0..size).map(element).collect();
    format!("{{\"{key}\":[{}]}}", elements.join(","))
}

fn tree(list: &str, tag: &str) -> String {
    format!("{{\"tree\":{{{tag}{}}}", list.trim_start_matches('{'))
}

/// Judges it, and counts what is wrong.
pub fn judge(kind: &str, reply: &str) -> usize {
    let (told, omitted) = judged(kind, reply);
    told + omitted
}

/// Judges it, and counts what is told.
#[allow(dead_code)] // The tests ask, the benchmark does not.
pub fn spelled_out(kind: &str, reply: &str) -> usize {
    judged(kind, reply).0
}

fn judged(kind: &str, reply: &str) -> (usize, usize) {
    match kind {
        "verbatim" | "controls" => told::<Texts>(reply, Normalize::default()),
        "drop_unknown" => told::<Items>(reply, Normalize::default().drop_unknown_keys(true)),
        "tagged" | "tagged_deep" => told::<TaggedRoot>(reply, Normalize::default()),
        "untagged" | "untagged_deep" | "untagged_right" => {
            told::<UntaggedRoot>(reply, Normalize::default())
        }
        "map" => told::<Counts>(reply, Normalize::default()),
        "unique" => value(
            &json!({"type": "array", "uniqueItems": true, "maxItems": 1}),
            reply,
        ),
        "exactly_one" => value(
            &json!({"type": "array", "items": {"oneOf": [
                {"type": "object", "properties": {"a": {"type": "integer"}}},
                {"type": "object", "properties": {"a": {"type": "null"}}},
            ]}}),
            reply,
        ),
        "warnings" | "aliases" => told::<Entries>(reply, Normalize::default()),
        "listed" => {
            let all: Vec<String> = (0..LISTED).map(|at| format!("v{at}")).collect();
            value(&json!({"type": "array", "items": {"enum": all}}), reply)
        }
        "branches" => {
            let branch = |at| json!({"type": "object", "required": [format!("v{at}")]});
            let all: Vec<Value> = (0..BRANCHES).map(branch).collect();
            value(&json!({"type": "array", "items": {"anyOf": all}}), reply)
        }
        "keys" => {
            let schema = json!({"type": "object", "additionalProperties": {
                "type": "object", "additionalProperties": {"type": "integer"}}});
            told_by(&schema, reply)
        }
        _ => told::<Items>(reply, Normalize::default()),
    }
}

fn told<T: Extract<Context = ()>>(reply: &str, normalize: Normalize) -> (usize, usize) {
    let flow = extract::<T>().normalize(normalize).document("a document");
    flow.validate(reply)
        .map_or_else(|failures| (failures.len(), failures.omitted()), |_| (0, 0))
}

fn value(all: &Value, reply: &str) -> (usize, usize) {
    told_by(
        &json!({"type": "object", "properties": {"all": all}}),
        reply,
    )
}

fn told_by(schema: &Value, reply: &str) -> (usize, usize) {
    let flow = extract_value(schema.clone())
        .expect("a schema")
        .document("a document");
    flow.validate(reply)
        .map_or_else(|failures| (failures.len(), failures.omitted()), |_| (0, 0))
}
