//! Two schemas side by side, place by place.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::Change;
use super::keyword::{Effect, effect, missing, types, values};
use super::union;
use crate::schema::reference;

/// How deep two schemas are compared; below, any difference is taken for breaking.
const DEPTH: usize = 64;

/// After how many schemas a definition that was compared is not looked at again.
const NODES: usize = 2_000;

/// Keywords that are compared by what stands in them.
pub(super) const COMPARED: &[&str] = &[
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "definitions",
    "enum",
    "items",
    "oneOf",
    "properties",
    "required",
    "type",
];

type Object = Map<String, Value>;

pub(super) struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    /// Pairs of definitions that were compared.
    seen: HashSet<(&'a str, &'a str)>,
    /// Those that are being compared.
    open: HashSet<(&'a str, &'a str)>,
    nodes: usize,
    depth: usize,
    pub(super) changes: Vec<Change>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(old: &'a Value, new: &'a Value) -> Self {
        Self {
            old,
            new,
            seen: HashSet::new(),
            open: HashSet::new(),
            nodes: 0,
            depth: 0,
            changes: Vec::new(),
        }
    }

    pub(super) fn node(&mut self, old: &'a Value, new: &'a Value, place: &str) {
        self.nodes += 1;
        let Some(pair) = reference(old).zip(reference(new)) else {
            return self.resolved(old, new, place);
        };
        // A shared type is told at each of its places, as long as that stays small.
        let known = !self.seen.insert(pair) && self.nodes > NODES;
        if !known && self.open.insert(pair) {
            self.resolved(old, new, place);
            self.open.remove(&pair);
        }
    }

    fn resolved(&mut self, old: &'a Value, new: &'a Value, place: &str) {
        let resolved = target(self.old, old).zip(target(self.new, new));
        let Some((old, new)) = resolved.filter(|_| self.depth < DEPTH) else {
            return self.narrower(place, "changed");
        };
        self.depth += 1;
        match (old.as_object(), new.as_object()) {
            (Some(_), Some(_)) if union::is(old) || union::is(new) => {
                union::compare(self, old, new, place);
            }
            (Some(old), Some(new)) => self.objects(old, new, place),
            _ if old == new => {}
            _ if new == &Value::Bool(true) => self.wider(place, "takes any value now"),
            _ => self.narrower(place, "does not take the same values"),
        }
        self.depth -= 1;
    }

    fn objects(&mut self, old: &'a Object, new: &'a Object, place: &str) {
        self.kinds(old, new, place);
        self.listed(old, new, place);
        self.members(old, new, place);
        self.inside("items", old, new, &format!("{place}[]"));
        self.inside("additionalProperties", old, new, &join(place, "*"));
        self.keywords(old, new, place);
    }

    fn kinds(&mut self, old: &Object, new: &Object, place: &str) {
        let (was, is) = match (types(old), types(new)) {
            (Some(was), Some(is)) => (was, is),
            (None, None) => return,
            (None, Some(_)) => return self.narrower(place, "has a type now"),
            (Some(_), None) => return self.wider(place, "takes any type now"),
        };
        let whole = |one: &str, other: &str| one == "integer" && other == "number";
        let said = format!("was {} and is {}", was.join(" or "), is.join(" or "));
        if !missing(&was, &is, whole).is_empty() {
            self.narrower(place, &said);
        } else if !missing(&is, &was, |_, _| false).is_empty() {
            self.wider(place, &said);
        }
    }

    fn listed(&mut self, old: &Object, new: &Object, place: &str) {
        let (was, is) = match (values(old), values(new)) {
            (Some(was), Some(is)) => (was, is),
            (None, None) => return,
            (None, Some(_)) => return self.narrower(place, "takes only listed values now"),
            (Some(_), None) => return self.wider(place, "takes more than listed values now"),
        };
        let lost = missing(&was, &is, |_, _| false);
        if !lost.is_empty() {
            self.narrower(place, &format!("does not take {} any more", list(&lost)));
        }
        let gained = missing(&is, &was, |_, _| false);
        if !gained.is_empty() {
            self.wider(place, &format!("takes {} now", list(&gained)));
        }
    }

    fn members(&mut self, old: &'a Object, new: &'a Object, place: &str) {
        let mut came: Vec<(&str, &Value)> = named(new)
            .filter(|(key, _)| member(old, key).is_none())
            .collect();
        for (key, before) in named(old) {
            let at = join(place, key);
            if let Some(now) = member(new, key) {
                self.node(before, now, &at);
                self.requirement(key, old, new, &at);
                continue;
            }
            match came.iter().position(|(_, now)| *now == before) {
                Some(found) => {
                    let (name, _) = came.remove(found);
                    self.narrower(&at, &format!("removed, or renamed to {name}"));
                }
                None => self.narrower(&at, "removed"),
            }
        }
        for (key, _) in came {
            let at = join(place, key);
            if requires(new, key) {
                self.narrower(&at, "new required field");
            } else if closed(old) {
                self.wider(&at, "new optional field");
            } else {
                self.narrower(&at, "new field where any value could stand");
            }
        }
    }

    fn requirement(&mut self, key: &str, old: &Object, new: &Object, at: &str) {
        match (requires(old, key), requires(new, key)) {
            (false, true) => self.narrower(at, "required now"),
            (true, false) => self.wider(at, "optional now"),
            _ => {}
        }
    }

    /// A keyword that holds one schema, for elements or for other keys.
    fn inside(&mut self, keyword: &str, old: &'a Object, new: &'a Object, place: &str) {
        const REFUSED: Value = Value::Bool(false);
        match (old.get(keyword), new.get(keyword)) {
            (Some(&REFUSED), Some(now)) => {
                if now != &REFUSED {
                    self.wider(place, "allowed now");
                }
            }
            (Some(before), Some(now)) => self.node(before, now, place),
            (Some(_), None) => self.wider(place, "takes any value now"),
            (None, Some(Value::Bool(true)) | None) => {}
            (None, Some(_)) => self.narrower(place, "takes fewer values now"),
        }
    }

    pub(super) fn keywords(&mut self, old: &Object, new: &Object, place: &str) {
        let added = new.keys().filter(|key| !old.contains_key(*key));
        for keyword in old.keys().chain(added) {
            if COMPARED.contains(&keyword.as_str()) {
                continue;
            }
            let (before, now) = (old.get(keyword), new.get(keyword));
            match effect(keyword, before, now) {
                None => {}
                Some(Effect::Narrower) => self.narrower(place, &said(keyword, before, now)),
                Some(Effect::Wider) => self.wider(place, &said(keyword, before, now)),
                Some(Effect::Told) => self.wider(place, &format!("{keyword} changed")),
            }
        }
    }

    pub(super) fn narrower(&mut self, place: &str, what: &str) {
        self.change(place, what, true);
    }

    pub(super) fn wider(&mut self, place: &str, what: &str) {
        self.change(place, what, false);
    }

    fn change(&mut self, place: &str, what: &str, breaking: bool) {
        self.changes.push(Change {
            place: place.to_owned(),
            what: what.to_owned(),
            breaking,
        });
    }
}

fn said(keyword: &str, old: Option<&Value>, new: Option<&Value>) -> String {
    let scalar = |value: &&Value| !value.is_object() && !value.is_array();
    match (old.filter(scalar), new.filter(scalar)) {
        (Some(old), Some(new)) => format!("{keyword} was {old} and is {new}"),
        (None, Some(now)) if old.is_none() => format!("{keyword} is {now} now"),
        _ if new.is_none() => format!("{keyword} is gone"),
        _ => format!("{keyword} changed"),
    }
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()
}

/// What a schema says, through a reference.
fn target<'a>(root: &'a Value, schema: &'a Value) -> Option<&'a Value> {
    match reference(schema) {
        Some(_) => reference::resolved(root, schema.get("$ref")?)
            .ok()
            .map(|(_, found)| found),
        None => Some(schema),
    }
}

fn named(schema: &Object) -> impl Iterator<Item = (&str, &Value)> {
    let members = schema.get("properties").and_then(Value::as_object);
    let members = members.into_iter().flatten();
    members.map(|(key, member)| (key.as_str(), member))
}

fn member<'a>(schema: &'a Object, key: &str) -> Option<&'a Value> {
    schema.get("properties")?.get(key)
}

fn requires(schema: &Object, key: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|list| list.iter().any(|name| name == key))
}

/// Whether keys that are not named are refused.
fn closed(schema: &Object) -> bool {
    let refuses = |keyword| schema.get(keyword) == Some(&Value::Bool(false));
    refuses("additionalProperties") || refuses("unevaluatedProperties")
}

fn join(place: &str, key: &str) -> String {
    if place.is_empty() {
        key.to_owned()
    } else {
        format!("{place}.{key}")
    }
}

fn list(values: &[&Value]) -> String {
    let words: Vec<String> = values.iter().map(ToString::to_string).collect();
    words.join(", ")
}
