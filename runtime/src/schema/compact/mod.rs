//! A schema as types in the manner of TypeScript.
//!
//! Every keyword has its place: in a type, among the limits in parentheses, in
//! a comment, or, where none of these fits, in a `jsonschema(…)` beside the
//! type. Only what neither asks for nor says anything is left out: `$schema`,
//! `$id`, `$anchor` and definitions that nothing refers to.

mod comment;
mod limits;
mod names;
mod shape;

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::walk::each_subschema;
use comment::Comment;
use names::Names;

/// Says which notation follows, in the place of the schema.
const HEADER: &str = "// TypeScript-like; no other keys\n";

/// The schema's text in this notation. Nothing is indented: the brackets say it
/// all, and a model pays for white space.
pub(super) fn compact(root: &Value) -> String {
    let names = Names::of(root);
    let printer = Printer { names: &names };
    let mut text = HEADER.to_owned();
    for (pointer, name) in names.all() {
        let Some(target) = root.pointer(pointer) else {
            continue;
        };
        Comment::of(target).lines(&mut text);
        let target = printer.uncommented(target, Keys::Own);
        let _ = writeln!(text, "type {name} = {}", target.text);
    }
    if let Some(name) = names.of_root(root) {
        let _ = writeln!(text, "reply: {name}");
        return text;
    }
    Comment::of(root).lines(&mut text);
    if !names.is_empty() {
        text.push_str("reply: ");
    }
    text.push_str(&printer.uncommented(root, Keys::Own).text);
    text.push('\n');
    text
}

/// Who says which keys there may be beside those that an object names.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Keys {
    /// The object itself.
    Own,
    /// One that it adds its keys to.
    Outside,
}

/// A type's text, and whether something may be put behind it.
struct Printed {
    text: String,
    binding: Binding,
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Union,
    Both,
    Commented,
    Tight,
}

impl Printed {
    fn tight(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            binding: Binding::Tight,
        }
    }

    /// The text, in brackets where it would not hold together with a `least`
    /// binding.
    fn within(self, least: Binding) -> String {
        if self.binding >= least {
            self.text
        } else {
            format!("({})", self.text)
        }
    }

    fn join(mut parts: Vec<Self>, sign: &str, binding: Binding) -> Option<Self> {
        if parts.len() < 2 {
            return parts.pop();
        }
        let texts = parts.into_iter().map(|part| part.within(binding));
        Some(Self {
            text: texts.collect::<Vec<_>>().join(sign),
            binding,
        })
    }
}

struct Printer<'n> {
    names: &'n Names,
}

impl Printer<'_> {
    /// A schema with its comment before it in the line.
    fn print(&self, schema: &Value, keys: Keys) -> Printed {
        let printed = self.uncommented(schema, keys);
        match Comment::of(schema).inline() {
            Some(comment) => Printed {
                text: format!("{comment} {}", printed.within(Binding::Commented)),
                binding: Binding::Commented,
            },
            None => printed,
        }
    }

    /// A schema whose comment stands elsewhere.
    fn uncommented(&self, schema: &Value, keys: Keys) -> Printed {
        let object = match schema {
            Value::Object(object) => object,
            Value::Bool(false) => return Printed::tight("never"),
            _ => return Printed::tight("any"),
        };
        let mut keywords = Keywords::of(object);
        let mut parts = Vec::new();
        parts.extend(self.reference(&mut keywords));
        parts.extend(self.listed_or_typed(&mut keywords, keys));
        parts.extend(self.combined(&mut keywords, keys));
        parts.extend(self.rest(&keywords));
        Printed::join(parts, " & ", Binding::Both).unwrap_or_else(|| Printed::tight("any"))
    }

    fn reference(&self, keywords: &mut Keywords<'_>) -> Option<Printed> {
        let name = keywords.take("$ref", |target| self.names.get(target.as_str()?))?;
        Some(Printed::tight(name))
    }

    fn listed_or_typed(&self, keywords: &mut Keywords<'_>, keys: Keys) -> Vec<Printed> {
        let constant = keywords.take("const", |value| Some(std::slice::from_ref(value)));
        let listed = keywords.take("enum", |values| Some(values.as_array()?.as_slice()));
        let mut parts: Vec<Printed> = [constant, listed]
            .into_iter()
            .flatten()
            .filter_map(|values| {
                let texts = values.iter().map(|one| Printed::tight(one.to_string()));
                Printed::join(texts.collect(), " | ", Binding::Union)
            })
            .collect();
        let told_by_values = constant.or(listed).is_some_and(|values| {
            let kind = keywords.object.get("type");
            kind.is_some_and(|kind| values.iter().all(|value| is_of(value, kind)))
        });
        if told_by_values {
            keywords.take("type", Some);
        } else {
            parts.extend(self.typed(keywords, keys));
        }
        parts
    }

    /// What stands in `allOf`, `anyOf` and `oneOf`.
    fn combined(&self, keywords: &mut Keywords<'_>, keys: Keys) -> Vec<Printed> {
        let closes = |key| keywords.object.get(key) == Some(&Value::Bool(false));
        let keys = if closes("unevaluatedProperties") {
            Keys::Outside
        } else {
            keys
        };
        let mut members = |key| {
            let list = keywords.take(key, Value::as_array)?;
            Some(list.iter().map(|member| self.print(member, keys)))
        };
        let mut parts: Vec<Printed> = members("allOf").into_iter().flatten().collect();
        for key in ["anyOf", "oneOf"] {
            let branches = members(key).map(Iterator::collect);
            parts.extend(
                branches.and_then(|branches| Printed::join(branches, " | ", Binding::Union)),
            );
        }
        if ["allOf", "anyOf", "oneOf"]
            .iter()
            .any(|key| keywords.is_used(key))
        {
            keywords.take("unevaluatedProperties", |value| {
                (*value == Value::Bool(false)).then_some(())
            });
        }
        parts
    }

    /// The keywords that have no form here, as they are.
    fn rest(&self, keywords: &Keywords<'_>) -> Option<Printed> {
        let rest = keywords.unused();
        if rest.is_empty() {
            return None;
        }
        let mut rest = Value::Object(rest);
        each_subschema(&mut rest, &mut |object| {
            let name = object.get("$ref").and_then(Value::as_str);
            if let Some(name) = name.and_then(|target| self.names.get(target)) {
                object.insert("$ref".to_owned(), Value::from(name));
            }
        });
        Some(Printed::tight(format!("jsonschema({rest})")))
    }
}

/// The keywords of one schema, and which of them have been said.
struct Keywords<'s> {
    object: &'s Map<String, Value>,
    used: Vec<&'static str>,
}

impl<'s> Keywords<'s> {
    fn of(object: &'s Map<String, Value>) -> Self {
        let used = [comment::KEYWORDS, names::KEYWORDS].concat();
        Self { object, used }
    }

    /// What a keyword says; it counts as said where `read` understands it.
    fn take<R>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&'s Value) -> Option<R>,
    ) -> Option<R> {
        let read = self.object.get(key).and_then(read)?;
        self.used.push(key);
        Some(read)
    }

    fn is_used(&self, key: &str) -> bool {
        self.object.contains_key(key) && self.used.contains(&key)
    }

    fn unused(&self) -> Map<String, Value> {
        let all = self.object.iter();
        let unused = all.filter(|(key, _)| !self.used.contains(&key.as_str()));
        unused
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }
}

/// Whether a value is of a declared type.
fn is_of(value: &Value, kind: &Value) -> bool {
    let fits = |kind: &Value| match kind.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        _ => false,
    };
    match kind {
        Value::Array(kinds) => kinds.iter().any(fits),
        one => fits(one),
    }
}
