//! What a provider refuses a schema for when its size is looked at.

use serde_json::{Map, Value};

use super::profile::Profile;
use super::rewrite::Made;
use super::{Unsupported, rewrite::Here};
use crate::path::FieldPath;

/// How many values a list of texts may have before its length counts.
const MANY_VALUES: usize = 250;

/// What a schema comes to.
#[derive(Debug, Default)]
struct Count {
    properties: usize,
    values: usize,
    characters: usize,
    optional: usize,
    unions: usize,
}

/// Adds up a wire schema and refuses it at the place where a limit is passed.
pub(super) fn check(wire: &Map<String, Value>, profile: &Profile) -> Made<()> {
    let mut counting = Counting {
        profile,
        count: Count::default(),
    };
    counting.node(wire, &Here::default(), 0)?;
    let definitions = wire.get("$defs").and_then(Value::as_object);
    for (name, definition) in definitions.into_iter().flatten() {
        counting.count.characters += name.chars().count();
        counting.schema(definition, &Here::default(), 0)?;
    }
    Ok(())
}

/// How many schemas are a choice of types or branches.
pub(super) fn unions(schema: &Map<String, Value>) -> usize {
    let listed = |keyword: &str| schema.get(keyword).is_some_and(Value::is_array);
    let own = listed("anyOf") || listed("type");
    let below = |value: &Value| match value {
        Value::Object(node) => unions(node),
        Value::Array(all) => all.iter().filter_map(Value::as_object).map(unions).sum(),
        _ => 0,
    };
    usize::from(own) + schema.values().map(below).sum::<usize>()
}

struct Counting<'p> {
    profile: &'p Profile,
    count: Count,
}

impl Counting<'_> {
    fn schema(&mut self, schema: &Value, here: &Here, depth: usize) -> Made<()> {
        match schema {
            Value::Object(node) => self.node(node, here, depth),
            _ => Ok(()),
        }
    }

    fn node(&mut self, node: &Map<String, Value>, here: &Here, mut depth: usize) -> Made<()> {
        if node.contains_key("anyOf") || node.get("type").is_some_and(Value::is_array) {
            self.count.unions += 1;
        }
        self.values(node, here)?;
        if let Some(Value::Object(properties)) = node.get("properties") {
            depth += 1;
            let most = self.profile.limits.depth;
            self.within(
                depth,
                most,
                here,
                "properties",
                "objects inside one another",
            )?;
            let required = node.get("required").and_then(Value::as_array);
            for (key, property) in properties {
                let below = here.key("properties", key);
                let required = required.is_some_and(|all| all.iter().any(|one| one == key));
                self.property(key, required, &below)?;
                self.schema(property, &below, depth)?;
            }
        }
        for keyword in ["items", "additionalProperties"] {
            if let Some(schema) = node.get(keyword) {
                self.schema(schema, here, depth)?;
            }
        }
        for keyword in ["anyOf", "prefixItems"] {
            let members = node.get(keyword).and_then(Value::as_array);
            for member in members.into_iter().flatten() {
                self.schema(member, here, depth)?;
            }
        }
        let unions = (self.count.unions, self.profile.limits.unions);
        self.within(
            unions.0,
            unions.1,
            here,
            "anyOf",
            "choices of types or branches",
        )
    }

    fn property(&mut self, key: &str, required: bool, here: &Here) -> Made<()> {
        let limits = self.profile.limits;
        self.count.properties += 1;
        self.count.characters += key.chars().count();
        self.count.optional += usize::from(!required);
        let (properties, optional) = (self.count.properties, self.count.optional);
        self.within(
            properties,
            limits.properties,
            here,
            "properties",
            "properties in all",
        )?;
        let what = "properties that may be left out";
        self.within(optional, limits.optional, here, "required", what)?;
        self.characters(here)
    }

    fn values(&mut self, node: &Map<String, Value>, here: &Here) -> Made<()> {
        let limits = self.profile.limits;
        let listed = node.get("enum").and_then(Value::as_array);
        let listed = listed.map(Vec::as_slice).unwrap_or_default();
        let length = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
        let characters: usize = listed.iter().chain(node.get("const")).map(length).sum();
        self.count.values += listed.len();
        self.count.characters += characters;
        let values = self.count.values;
        self.within(values, limits.values, here, "enum", "listed values in all")?;
        if listed.len() > MANY_VALUES {
            let what = "characters in one list of values";
            self.within(characters, limits.long_enum, here, "enum", what)?;
        }
        self.characters(here)
    }

    fn characters(&self, here: &Here) -> Made<()> {
        let what = "characters of names and listed values";
        let most = self.profile.limits.characters;
        self.within(self.count.characters, most, here, "enum", what)
    }

    fn within(
        &self,
        found: usize,
        most: usize,
        here: &Here,
        keyword: &str,
        what: &str,
    ) -> Made<()> {
        if found <= most {
            return Ok(());
        }
        Err(Unsupported {
            dialect: self.profile.dialect,
            path: FieldPath::clone(&here.path),
            keyword: keyword.to_owned(),
            message: format!("more than {most} {what}"),
        })
    }
}
