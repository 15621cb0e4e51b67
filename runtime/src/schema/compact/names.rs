//! Names for the schemas that others refer to.

use serde_json::Value;

/// The keywords that only give names, or hold what is named.
pub(super) const KEYWORDS: &[&str] = &["$schema", "$id", "$anchor", "$defs", "definitions"];

/// The places that references point to, each with a name, in the order of their
/// first reference.
#[derive(Default)]
pub(super) struct Names(Vec<(String, String)>);

impl Names {
    pub(super) fn of(root: &Value) -> Self {
        let mut names = Self::default();
        names.gather(root);
        names
    }

    /// Reads all references. What only looks like one, inside a `const` say, at
    /// worst names a type that is not needed; where nothing stands there, it is
    /// left alone.
    fn gather(&mut self, root: &Value) {
        let mut open = vec![root];
        while let Some(value) = open.pop() {
            match value {
                Value::Array(list) => open.extend(list.iter().rev()),
                Value::Object(object) => {
                    let target = object.get("$ref").and_then(Value::as_str);
                    let pointer = target.and_then(|target| target.strip_prefix('#'));
                    if let Some(pointer) = pointer.filter(|one| root.pointer(one).is_some()) {
                        self.name(pointer);
                    }
                    open.extend(object.values().rev());
                }
                _ => {}
            }
        }
    }

    fn name(&mut self, pointer: &str) {
        if self.0.iter().any(|(known, _)| known == pointer) {
            return;
        }
        let last = pointer.rsplit('/').next().unwrap_or_default();
        let letters = last.chars().map(|c| if fits(c) { c } else { '_' });
        let mut name: String = letters.collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            name.insert_str(0, if name.is_empty() { "Root" } else { "T" });
        }
        while self.is_taken(&name) {
            name.push('_');
        }
        self.0.push((pointer.to_owned(), name));
    }

    fn is_taken(&self, name: &str) -> bool {
        let words = ["any", "never", "int", "number", "string", "boolean", "null"];
        words.contains(&name) || self.0.iter().any(|(_, known)| known == name)
    }

    /// The name of what a reference points to.
    pub(super) fn get(&self, reference: &str) -> Option<&str> {
        let pointer = reference.strip_prefix('#')?;
        let known = self.0.iter().find(|(known, _)| known == pointer);
        known.map(|(_, name)| name.as_str())
    }

    /// The name under which the root is defined already.
    pub(super) fn of_root(&self, root: &Value) -> Option<&str> {
        let bare = without_definitions(root);
        let same = |pointer: &str| {
            let target = root.pointer(pointer);
            target.is_some_and(|target| without_definitions(target) == bare)
        };
        let known = self.0.iter().find(|(pointer, _)| same(pointer));
        known.map(|(_, name)| name.as_str())
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.0.iter();
        all.map(|(pointer, name)| (pointer.as_str(), name.as_str()))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn fits(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn without_definitions(schema: &Value) -> Vec<(&String, &Value)> {
    let members = schema.as_object().into_iter().flatten();
    members
        .filter(|(key, _)| !KEYWORDS.contains(&key.as_str()))
        .collect()
}
