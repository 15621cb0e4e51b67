//! Any reply, any failing places, any second reply: what is accepted is the second reply with what
//! was put back, holds all that was right, and mixes nothing.

use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;
use serde_json::{Value, json};
use typed_extract::failure::Segment;
use typed_extract::record::Attempt;
use typed_extract::rule::Violation;
use typed_extract::testing::Script;
use typed_extract::{Error, Extracted, FieldPath, extract_value};

fn schema() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let object = |properties: Value| {
        let keys: Vec<&String> = properties.as_object().unwrap().keys().collect();
        json!({
            "type": "object",
            "required": keys,
            "properties": properties,
            "additionalProperties": false,
        })
    };
    let list = |items: Value| json!({"type": "array", "items": items});
    let line = object(json!({"name": text, "unit": text, "cents": number}));
    let section = object(json!({"title": text, "rows": list(line.clone())}));
    let device = |kind: &str, size: &str| {
        object(json!({"kind": {"const": kind}, size: number, "name": text}))
    };
    object(json!({
        "vendor": text,
        "total": number,
        "lines": list(line.clone()),
        "sections": list(section),
        "table": list(list(number.clone())),
        "device": {"oneOf": [device("valve", "size"), device("pump", "size"), device("pipe", "length")]},
        "months": {"type": "object", "additionalProperties": object(json!({"sum": number, "note": text}))},
    }))
}

fn text() -> impl Strategy<Value = Value> {
    prop::sample::select(vec!["a", "b", "c"]).prop_map(Value::from)
}

fn number() -> impl Strategy<Value = Value> {
    (0..3).prop_map(Value::from)
}

fn line() -> impl Strategy<Value = Value> {
    (text(), text(), number())
        .prop_map(|(name, unit, cents)| json!({"name": name, "unit": unit, "cents": cents}))
}

fn list(of: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec(of, 0..4).prop_map(Value::from)
}

fn device() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec!["valve", "pump", "pipe"]);
    (kind, number(), text()).prop_map(|(kind, size, name)| {
        let key = if kind == "pipe" { "length" } else { "size" };
        json!({"kind": kind, key: size, "name": name})
    })
}

fn months() -> impl Strategy<Value = Value> {
    let month = (number(), text()).prop_map(|(sum, note)| json!({"sum": sum, "note": note}));
    prop::collection::btree_map("[1-3]", month, 0..3)
        .prop_map(|months| Value::Object(months.into_iter().collect()))
}

fn reply() -> impl Strategy<Value = Value> {
    let section =
        (text(), list(line())).prop_map(|(title, rows)| json!({"title": title, "rows": rows}));
    (
        text(),
        number(),
        list(line()),
        list(section),
        list(list(number())),
        device(),
        months(),
    )
        .prop_map(|(vendor, total, lines, sections, table, device, months)| {
            json!({
                "vendor": vendor, "total": total, "lines": lines, "sections": sections,
                "table": table, "device": device, "months": months,
            })
        })
}

/// What a model may do to a value: keep it, take it from another reply, move the elements of its
/// lists, leave some out, add some. `choices` are its whims.
fn changed(value: &Value, other: &Value, choices: &mut impl FnMut(usize) -> usize) -> Value {
    if choices(6) == 0 {
        return other.clone();
    }
    match (value, other) {
        (Value::Object(members), Value::Object(others)) => {
            let member = |(key, value): (&String, &Value)| {
                let other = others.get(key).unwrap_or(value);
                (key.clone(), changed(value, other, choices))
            };
            Value::Object(members.iter().map(member).collect())
        }
        (Value::Array(elements), Value::Array(others)) => {
            let mut new = Vec::new();
            for element in elements {
                match choices(8) {
                    0 => {}
                    1 => new.push(changed(element, others.first().unwrap_or(element), choices)),
                    _ => new.push(element.clone()),
                }
            }
            if choices(4) == 0 {
                new.extend(others.first().cloned());
            }
            if choices(3) == 0 {
                new.reverse();
            }
            Value::Array(new)
        }
        _ => value.clone(),
    }
}

/// The places of a value and of all it holds.
fn places(value: &Value, here: &FieldPath, into: &mut Vec<FieldPath>) {
    into.push(here.clone());
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                places(element, &here.clone().index(index), into);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                places(member, &here.clone().key(key.clone()), into);
            }
        }
        _ => {}
    }
}

fn at<'v>(value: &'v Value, path: &FieldPath) -> Option<&'v Value> {
    let step = |value: &'v Value, segment: &Segment| match segment {
        Segment::Key(key) => value.get(key.as_ref()),
        Segment::Index(index) => value.get(*index),
    };
    path.segments().iter().try_fold(value, step)
}

fn elements<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn run(first: &Value, second: &Value, failing: &[FieldPath]) -> Result<Extracted<Value>, Error> {
    let model = Script::new([first.to_string(), second.to_string()]);
    let asked = AtomicBool::new(false);
    let violations = async |_: &Value| {
        if asked.swap(true, Ordering::Relaxed) {
            return Vec::new();
        }
        let at = |path: &FieldPath| Violation::new("is not on file").at(path.clone());
        failing.iter().map(at).collect::<Vec<_>>()
    };
    let run = extract_value(schema())
        .unwrap()
        .model(&model)
        .attempts(2)
        .document("d")
        .verify(violations);
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(run.run())
}

/// What failed, asked from outside.
struct Failing<'a>(&'a [FieldPath]);

impl Failing<'_> {
    /// Whether a place may be anything.
    fn is_free(&self, path: &FieldPath) -> bool {
        self.0.iter().any(|one| one.contains(path))
    }

    /// Whether nothing failed at, above or below a place.
    fn is_right(&self, path: &FieldPath) -> bool {
        !self.is_free(path) && !self.0.iter().any(|one| path.contains(one))
    }
}

/// Each of `right` is among `there`, as often as it is given.
fn are_there<'v>(
    right: impl IntoIterator<Item = &'v Value>,
    there: impl IntoIterator<Item = &'v Value>,
) -> Result<(), TestCaseError> {
    let mut there: Vec<&Value> = there.into_iter().collect();
    for value in right {
        let found = there.iter().position(|other| *other == value);
        prop_assert!(found.is_some(), "{value} is lost");
        there.remove(found.unwrap());
    }
    Ok(())
}

fn nothing_right_is_lost(
    first: &Value,
    accepted: &Value,
    failing: &Failing<'_>,
) -> Result<(), TestCaseError> {
    let root = FieldPath::root();
    for (key, value) in first.as_object().unwrap() {
        let path = root.clone().key(key.clone());
        if failing.is_right(&path) {
            prop_assert_eq!(value, &accepted[key]);
        }
    }
    let months = root.clone().key("months");
    for (key, month) in first["months"].as_object().unwrap() {
        if failing.is_right(&months.clone().key(key.clone())) {
            prop_assert_eq!(month, &accepted["months"][key]);
        }
    }
    for key in ["lines", "sections", "table"] {
        let list = root.clone().key(key);
        if failing.is_free(&list) {
            continue;
        }
        let right = |index: &usize| failing.is_right(&list.clone().index(*index));
        let all = elements(first, key);
        let right = (0..all.len()).filter(right).map(|index| &all[index]);
        are_there(right, elements(accepted, key))?;
    }
    let cells = |value: &Value| -> Vec<(FieldPath, Value)> {
        let mut all = Vec::new();
        places(&value["table"], &root.clone().key("table"), &mut all);
        let cell = all.into_iter().filter(|path| path.segments().len() == 3);
        cell.map(|path| (path.clone(), at(value, &path).unwrap().clone()))
            .collect()
    };
    if failing.is_free(&root.clone().key("table")) {
        return Ok(());
    }
    let before = cells(first);
    let right = before.iter().filter(|(path, _)| failing.is_right(path));
    let there = cells(accepted);
    are_there(
        right.map(|(_, value)| value),
        there.iter().map(|(_, value)| value),
    )
}

/// The members in which two objects differ.
fn differing(one: &Value, other: &Value) -> Vec<String> {
    let (one, other) = (one.as_object().unwrap(), other.as_object().unwrap());
    let keys = one
        .keys()
        .chain(other.keys().filter(|key| !one.contains_key(*key)));
    keys.filter(|key| one.get(*key) != other.get(*key))
        .cloned()
        .collect()
}

/// A record stands in one of the replies, or one value was put back into it and all else in it
/// that had not failed is equal in both.
fn is_one_reply(
    accepted: &Value,
    first: Option<&Value>,
    second: Option<&Value>,
    path: &FieldPath,
    failing: &Failing<'_>,
) -> Result<(), TestCaseError> {
    let (Some(first), Some(second)) = (first, second) else {
        return Err(TestCaseError::fail(format!(
            "{accepted} is in neither reply"
        )));
    };
    if accepted == first || accepted == second {
        return Ok(());
    }
    prop_assert_eq!(differing(accepted, second).len(), 1);
    for key in differing(accepted, first) {
        let failed = failing.is_right(&path.clone().key(key.clone()));
        prop_assert!(!failed, "{key} of {accepted} is mixed");
    }
    Ok(())
}

fn nothing_is_mixed(
    [first, second, accepted]: [&Value; 3],
    failing: &Failing<'_>,
) -> Result<(), TestCaseError> {
    let root = FieldPath::root();
    for (index, line) in elements(accepted, "lines").iter().enumerate() {
        let in_either = [first, second].map(|reply| elements(reply, "lines").contains(line));
        if in_either == [false, false] {
            let path = root.clone().key("lines").index(index);
            is_one_reply(line, at(first, &path), at(second, &path), &path, failing)?;
        }
    }
    let device = root.key("device");
    let [first, second] = [first, second].map(|reply| at(reply, &device));
    is_one_reply(&accepted["device"], first, second, &device, failing)
}

/// A value without what stands at these places.
fn without(value: &Value, attempt: &Attempt) -> Value {
    let mut value = value.clone();
    for path in attempt.restored() {
        let (last, parent) = path.segments().split_last().unwrap();
        let parent: FieldPath = parent.iter().cloned().collect();
        let Some(Value::Object(object)) = value.pointer_mut(&parent.pointer()) else {
            continue;
        };
        if let Segment::Key(key) = last {
            object.remove(key.as_ref());
        }
    }
    value
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_repair_is_one_reply_and_keeps_what_was_right(
        first in reply(),
        other in reply(),
        whims in prop::collection::vec(0..24usize, 80),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
        astray in prop::bool::weighted(0.1),
    ) {
        let mut whims = whims.into_iter().cycle();
        let second = changed(&first, &other, &mut |of| whims.next().unwrap() % of);
        let mut all = Vec::new();
        places(&first, &FieldPath::root(), &mut all);
        let mut failing: Vec<FieldPath> = picks.iter().map(|pick| all[pick.index(all.len())].clone()).collect();
        if astray {
            failing.push(FieldPath::from("lines[99].cents"));
            failing.push(FieldPath::from("nowhere.at[3]"));
        }
        let Ok(done) = run(&first, &second, &failing) else { return Ok(()) };
        let accepted = done.value();
        let failing = Failing(&failing);
        let attempt = &done.record().attempts()[1];
        prop_assert_eq!(without(accepted, attempt), without(&second, attempt));
        nothing_right_is_lost(&first, accepted, &failing)?;
        nothing_is_mixed([&first, &second, accepted], &failing)?;
    }

    #[test]
    fn a_repair_of_the_failing_values_alone_is_accepted_in_any_order(
        first in reply(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..5),
        turned in any::<[bool; 3]>(),
    ) {
        let mut all = Vec::new();
        places(&first, &FieldPath::root(), &mut all);
        all.retain(|path| at(&first, path).is_some_and(Value::is_i64));
        let failing: Vec<FieldPath> = picks.iter().map(|pick| all[pick.index(all.len())].clone()).collect();
        let mut second = first.clone();
        for path in &failing {
            *second.pointer_mut(&path.pointer()).unwrap() = json!(9);
        }
        for (key, _) in ["lines", "sections", "table"].iter().zip(turned).filter(|(_, turned)| *turned) {
            // Where nothing in a list failed it is put back in its order.
            second[*key].as_array_mut().unwrap().reverse();
        }
        let done = run(&first, &second, &failing).expect("nothing but the failing values changed");
        let failing = Failing(&failing);
        for key in ["lines", "sections", "table"] {
            let right = failing.is_right(&FieldPath::root().key(key));
            prop_assert_eq!(&done.value()[key], if right { &first[key] } else { &second[key] });
        }
    }
}
