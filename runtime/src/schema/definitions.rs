//! Which types stand under `$defs`: those that hold themselves and those that are used more than
//! once. What is used once is written out where it stands, which is easier to read and to check.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::shared::{self, is_mark};
use super::walk::each_subschema;

/// How long a name of a definition may be.
const NAME: usize = 64;

/// The schema at `root` with what it refers to under `$defs`.
pub(super) fn settle(
    root: Value,
    generated: Map<String, Value>,
    adjust: impl Fn(&mut Value),
) -> Value {
    let (marked, own): (Map<_, _>, Map<_, _>) =
        generated.into_iter().partition(|(key, _)| is_mark(key));
    let mut types = HashMap::new();
    let mut names = HashMap::new();
    for (name, schema) in own {
        let key = reference(&name);
        names.insert(key.clone(), name);
        types.insert(key, schema);
    }
    let ready = |mut schema: Value| {
        shared::refer_branches(&mut schema, &marked);
        adjust(&mut schema);
        schema
    };
    let root = ready(root);
    for schema in types.values_mut() {
        *schema = ready(std::mem::take(schema));
    }
    let mut twins = HashMap::new();
    for (key, entry) in &marked {
        let Some((name, schema)) = shared::parts(entry.clone()) else {
            continue;
        };
        let schema = ready(schema);
        let mut own = types.iter().filter(|(twin, _)| !is_mark(twin));
        if let Some((twin, _)) = own.find(|(_, other)| **other == schema) {
            twins.insert(key.clone(), twin.clone());
        }
        names.insert(key.clone(), name);
        types.insert(key.clone(), schema);
    }
    let mut settling = Settling {
        types,
        twins,
        names,
        uses: HashMap::new(),
        kept: Vec::new(),
    };
    settling.count(&root);
    settling.place(root)
}

/// How schemars refers to a definition.
fn reference(name: &str) -> String {
    let mut escaped = String::new();
    for byte in name.bytes() {
        match byte {
            b'~' => escaped.push_str("~0"),
            b'/' => escaped.push_str("~1"),
            b'!' | b'$' | b'&'..=b';' | b'=' | b'?'..=b'Z' | b'_' | b'a'..=b'z' => {
                escaped.push(char::from(byte));
            }
            _ => {
                // Writing to a text cannot fail.
                let _ = write!(escaped, "%{byte:2X}");
            }
        }
    }
    format!("#/$defs/{escaped}")
}

struct Settling {
    /// Each type by the reference to it.
    types: HashMap<String, Value>,
    /// What is referred to in two ways.
    twins: HashMap<String, String>,
    names: HashMap<String, String>,
    uses: HashMap<String, usize>,
    /// What stands under `$defs`, in the order in which it is met: reference, name.
    kept: Vec<(String, String)>,
}

impl Settling {
    /// What a reference is known by. A type that holds itself is written out where it is used but
    /// once from outside.
    fn key<'k>(&'k self, reference: &'k str) -> &'k str {
        let twin = self
            .twins
            .get(reference)
            .filter(|_| self.is_shared(reference));
        twin.map_or(reference, String::as_str)
    }

    fn is_shared(&self, reference: &str) -> bool {
        self.uses.get(reference).is_some_and(|uses| *uses > 1)
    }

    /// Counts the references from a schema and from all that it refers to, each read once.
    fn count(&mut self, root: &Value) {
        let mut open = references(root);
        while let Some(found) = open.pop() {
            let uses = self.uses.entry(found.clone()).or_default();
            *uses += 1;
            if *uses == 1 {
                open.extend(self.types.get(&found).map(references).unwrap_or_default());
            }
        }
    }

    fn place(mut self, root: Value) -> Value {
        let mut root = root;
        self.resolve(&mut root);
        let mut definitions = Map::new();
        let mut next = 0;
        while let Some((key, name)) = self.kept.get(next).cloned() {
            next += 1;
            let mut schema = self.types.get(&key).cloned().unwrap_or_default();
            self.resolve(&mut schema);
            definitions.insert(name, schema);
        }
        if let (false, Some(object)) = (definitions.is_empty(), root.as_object_mut()) {
            object.insert("$defs".to_owned(), Value::Object(definitions));
        }
        root
    }

    /// Writes out what is used once and refers to the rest. A type that is written out refers only
    /// to types that were complete before it, so this ends.
    fn resolve(&mut self, schema: &mut Value) {
        each_subschema(schema, &mut |object| {
            while let Some(Value::String(reference)) = object.get("$ref") {
                let key = self.key(reference).to_owned();
                let once = is_mark(&key) && !self.is_shared(&key);
                let target = self.types.get(&key).and_then(Value::as_object);
                if let (true, Some(target)) = (once, target) {
                    *object = shared::written_out(std::mem::take(object), target);
                    continue;
                }
                if self.types.contains_key(&key) {
                    let target = format!("#/$defs/{}", self.name(&key));
                    *object = shared::kept(std::mem::take(object), &target);
                }
                break;
            }
        });
    }

    /// The name of a definition: letters, digits, `_`, `-` and `.`, which every wire takes.
    fn name(&mut self, key: &str) -> String {
        if let Some((_, name)) = self.kept.iter().find(|(known, _)| known == key) {
            return name.clone();
        }
        let own = self.names.get(key).map(String::as_str).unwrap_or_default();
        let safe = |c: char| {
            if c.is_ascii_alphanumeric() || "_-.".contains(c) {
                c
            } else {
                '_'
            }
        };
        let mut base: String = own.chars().map(safe).take(NAME).collect();
        if base.is_empty() {
            "Type".clone_into(&mut base);
        }
        let taken = |name: &str| self.kept.iter().any(|(_, known)| known == name);
        let mut name = base.clone();
        let mut count = 2;
        while taken(&name) {
            name = format!("{base}{count}");
            count += 1;
        }
        self.kept.push((key.to_owned(), name.clone()));
        name
    }
}

fn references(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut schema = schema.clone();
    each_subschema(&mut schema, &mut |object| {
        found.extend(
            object
                .get("$ref")
                .and_then(Value::as_str)
                .map(str::to_owned),
        );
    });
    found
}
