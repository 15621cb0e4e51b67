//! The schema of a patch: an object whose keys are the JSON Pointers of places, each with the
//! subschema that its place has in the schema of the whole.

use serde_json::{Map, Value, json};

use super::reference;
use super::walk::each_subschema;
use super::{Schema, SchemaFault};

/// A place that a patch may set.
#[derive(Debug)]
pub(crate) struct PatchKey<'s> {
    /// Its JSON Pointer.
    pub(crate) pointer: String,
    /// Its subschema: as the type has it, as replies are checked against it, and as models are
    /// asked for it.
    pub(crate) value: &'s Value,
    pub(crate) checked: &'s Value,
    pub(crate) asked: &'s Value,
    pub(crate) required: bool,
}

impl Schema {
    /// The schema of a patch that sets these places of a value under this schema.
    pub(crate) fn patch(&self, keys: &[PatchKey<'_>]) -> Result<Self, SchemaFault> {
        let value = closed(&self.value, keys, |key| key.value);
        let checked = closed(&self.checked, keys, |key| key.checked);
        let asked = closed(&self.asked, keys, |key| key.asked);
        let mut patch = Self::compile(value, checked, asked, false)?;
        // One string stands for a list at the top level only, wherever the patch has its key.
        let listed = &self.string_lists;
        patch.string_lists.retain(|pointer| {
            let key = pointer.strip_prefix('/');
            key.is_some_and(|key| listed.iter().any(|list| **list == *key))
        });
        Ok(patch)
    }
}

fn closed<'k>(
    root: &Value,
    keys: &'k [PatchKey<'k>],
    schema: impl Fn(&PatchKey<'k>) -> &'k Value,
) -> Value {
    let mut carried = Carried::new(root);
    let properties: Map<String, Value> = keys
        .iter()
        .map(|key| (key.pointer.clone(), carried.schema(schema(key))))
        .collect();
    let required = keys.iter().filter(|key| key.required);
    let required: Vec<&str> = required.map(|key| key.pointer.as_str()).collect();
    let mut patch = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    let definitions = carried.definitions();
    if let (false, Some(object)) = (definitions.is_empty(), patch.as_object_mut()) {
        object.insert("$defs".to_owned(), Value::Object(definitions));
    }
    patch
}

/// What subschemas refer to, taken along under `$defs`.
struct Carried<'r> {
    root: &'r Value,
    /// Each reference with the name that its target gets.
    names: Vec<(String, String)>,
}

impl<'r> Carried<'r> {
    fn new(root: &'r Value) -> Self {
        Self {
            root,
            names: Vec::new(),
        }
    }

    /// A copy whose references lead to `$defs`.
    fn schema(&mut self, schema: &Value) -> Value {
        let mut copy = schema.clone();
        each_subschema(&mut copy, &mut |object| {
            // Its own definitions are reached through the root, like all others.
            object.shift_remove("$defs");
            if let Some(Value::String(reference)) = object.get_mut("$ref") {
                *reference = format!("#/$defs/{}", self.name(reference));
            }
        });
        copy
    }

    fn name(&mut self, reference: &str) -> String {
        if let Some((_, name)) = self.names.iter().find(|(known, _)| known == reference) {
            return name.clone();
        }
        let own = reference.strip_prefix("#/$defs/");
        let own = own.filter(|name| !name.contains('/'));
        let free = |name: &String| {
            !self.names.iter().any(|(_, taken)| taken == name)
                && self.root.pointer(&format!("/$defs/{name}")).is_none()
        };
        let name = own.map_or_else(
            || (1..u32::MAX).map(|n| format!("part{n}")).find(free),
            |name| Some(name.to_owned()),
        );
        let name = name.unwrap_or_default();
        self.names.push((reference.to_owned(), name.clone()));
        name
    }

    /// What is referred to, and what that refers to.
    fn definitions(mut self) -> Map<String, Value> {
        let mut definitions = Map::new();
        let mut next = 0;
        while let Some((reference, name)) = self.names.get(next).cloned() {
            next += 1;
            let target = reference::target(self.root, &json!(reference));
            let copy = self.schema(target.unwrap_or(&Value::Bool(true)));
            definitions.insert(name.replace("~1", "/").replace("~0", "~"), copy);
        }
        definitions
    }
}
