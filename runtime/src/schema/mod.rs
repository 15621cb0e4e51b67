//! One schema source for a type or for a schema value: the canonical schema
//! that the prompt shows and every reply is checked against.

pub(crate) mod annotation;
mod branch;
mod check;
mod compact;
mod definitions;
pub(crate) mod dialect;
pub(crate) mod exact;
pub(crate) mod explain;
pub(crate) mod forms;
mod generate;
mod given;
mod key;
mod notation;
pub(crate) mod order;
mod patch;
pub(crate) mod reference;
pub(crate) mod shared;
mod walk;

use jsonschema::{PatternOptions, Retrieve, ValidationOptions, Validator};
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use schemars::JsonSchema;
use serde_json::{Value, json};

pub(crate) use branch::{BranchAnswers, Branches};
pub(crate) use check::SchemaFault;
pub use dialect::{DroppedKeyword, WireSchema};
pub(crate) use generate::{DECIMAL, SOURCED, is_nullable};
pub(crate) use key::KeyForm;
pub use notation::SchemaNotation;
pub(crate) use patch::PatchKey;

use crate::json::TapeJson;
use crate::path::{FieldPath, Segment};
use crate::schema::explain::Program;

/// The single key under which a root that is no object travels.
pub(crate) const WRAPPER_KEY: &str = "value";

/// A canonical schema, ready to check replies.
pub(crate) struct Schema {
    /// What replies are checked against, wrapper included.
    pub(crate) value: Arc<Value>,
    /// What models are asked for: the same, with the keys that may be null
    /// required.
    pub(crate) asked: Arc<Value>,
    /// The JSON text of what models are asked for.
    pub(crate) text: Arc<str>,
    /// The same in the compact notation, made at its first use.
    compact: OnceLock<String>,
    /// Whether the root travels under [`WRAPPER_KEY`].
    pub(crate) wrapped: bool,
    /// The top-level keys declared to be arrays of strings.
    pub(crate) string_lists: Vec<Box<str>>,
    pub(crate) validator: Validator<TapeJson>,
    /// What a given schema says and nothing checks.
    pub(crate) notes: Vec<DroppedKeyword>,
    /// The names of its properties, gathered at the first failure.
    names: OnceLock<HashSet<String>>,
    /// What the validator was made of.
    pub(crate) checked: Value,
    /// The same as it is explained, made at the first failure.
    program: OnceLock<Program>,
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Schema")
            .field("text", &self.text)
            .field("wrapped", &self.wrapped)
            .finish_non_exhaustive()
    }
}

impl Schema {
    /// The schema of a type; its citations name their source where `sourced`.
    pub(crate) fn of<T: JsonSchema>(sourced: bool) -> Result<Self, SchemaFault> {
        let canonical = generate::canonical::<T>(sourced);
        check::check_keywords(&canonical)?;
        let wrapped = canonical.get("type") != Some(&json!("object"));
        let mut value = if wrapped { wrap(canonical) } else { canonical };
        let checked = exact::checked(&value);
        annotation::strip(&mut value);
        let asked = generate::asked(&value);
        Self::compile(value, checked, asked, wrapped)
    }

    /// A schema known only at run time.
    pub(crate) fn given(value: Value) -> Result<Self, SchemaFault> {
        let given = given::read(value, check::is_known)?;
        check::check(&given.schema)?;
        let asked = given.schema.clone();
        let checked = given.schema.clone();
        let mut schema = Self::compile(given.schema, checked, asked, false)?;
        schema.notes = given.notes;
        Ok(schema)
    }

    /// The first thing that a given schema says and nothing checks, as a fault.
    pub(crate) fn unchecked(&self) -> Option<SchemaFault> {
        let note = self.notes.first()?;
        let place = format!("{}/{}", note.pointer(), note.keyword());
        let message = match note.keyword() {
            "format" => {
                "this format is not one that is checked; write a pattern in its place, remove it, \
                 or take it as a note with `.lenient_schema(true)`"
            }
            "pattern" => {
                "look-around and back-references are not run, since a reply could make them slow; \
                 write the pattern without them, or take it as a note with `.lenient_schema(true)`"
            }
            _ => {
                "nothing checks this; remove it, prefix it with \"x-\", or take it as a note with \
                 `.lenient_schema(true)`"
            }
        };
        Some(SchemaFault::new(place, message))
    }

    /// A place of the reply as the caller sees it, without the wrapper.
    pub(crate) fn to_user_path(&self, path: FieldPath) -> FieldPath {
        if self.wrapped && self.holds_value(&path) {
            return path.segments().iter().skip(1).cloned().collect();
        }
        path
    }

    /// A place of the caller's in the reply, with the wrapper.
    pub(crate) fn to_reply_path(&self, path: FieldPath) -> FieldPath {
        if self.wrapped {
            return FieldPath::root().key(WRAPPER_KEY).join(&path);
        }
        path
    }

    /// Whether a place of a reply lies in the value, rather than at or beside its wrapper.
    pub(crate) fn holds_value(&self, path: &FieldPath) -> bool {
        let wrapper = Segment::Key(WRAPPER_KEY.into());
        !self.wrapped || path.segments().first() == Some(&wrapper)
    }

    /// What models are asked for, in a notation.
    pub(crate) fn shown(&self, notation: SchemaNotation) -> &str {
        match notation {
            SchemaNotation::JsonSchema => &self.text,
            SchemaNotation::Compact => self.compact.get_or_init(|| compact::compact(&self.asked)),
        }
    }

    /// Whether it names a property so, anywhere.
    pub(crate) fn names(&self, key: &str) -> bool {
        let make = || property_names(Value::clone(&self.value));
        self.names.get_or_init(make).contains(key)
    }

    /// The schema as failures are explained by it.
    pub(crate) fn program(&self) -> &Program {
        self.program.get_or_init(|| Program::new(&self.checked))
    }

    fn compile(
        value: Value,
        checked: Value,
        asked: Value,
        wrapped: bool,
    ) -> Result<Self, SchemaFault> {
        let validator = built(&checked)?;
        let text = asked.to_string().into();
        let string_lists = string_lists(&value);
        Ok(Self {
            value: Arc::new(value),
            asked: Arc::new(asked),
            text,
            compact: OnceLock::new(),
            wrapped,
            string_lists,
            validator,
            notes: Vec::new(),
            names: OnceLock::new(),
            checked,
            program: OnceLock::new(),
        })
    }
}

/// What checks values against the schema of a type, exactness included.
fn validator(schema: &Value) -> Result<Validator<TapeJson>, SchemaFault> {
    built(&exact::checked(schema))
}

fn built(checked: &Value) -> Result<Validator<TapeJson>, SchemaFault> {
    options()
        .build(checked)
        .map_err(|error| SchemaFault::new(error.instance_path().as_str(), error.to_string()))
}

/// How every schema and every part of one is compiled.
pub(crate) fn options<'o>() -> ValidationOptions<'o, Arc<dyn Retrieve>, TapeJson> {
    let options = jsonschema::options_for::<TapeJson>()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .should_ignore_unknown_formats(false)
        // An engine that cannot backtrack: no reply can make it slow.
        .with_pattern_options(PatternOptions::regex());
    exact::formats(options)
}

/// The names of all properties that a schema names, at any depth.
pub(crate) fn property_names(mut schema: Value) -> HashSet<String> {
    let mut names = HashSet::new();
    walk::each_subschema(&mut schema, &mut |object| {
        let properties = object.get("properties").and_then(Value::as_object);
        names.extend(
            properties
                .into_iter()
                .flatten()
                .map(|(name, _)| name.clone()),
        );
    });
    names
}

fn string_lists(schema: &Value) -> Vec<Box<str>> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_list = |property: &Value| {
        property.get("type") == Some(&json!("array"))
            && property.pointer("/items/type") == Some(&json!("string"))
    };
    let lists = properties
        .into_iter()
        .flatten()
        .filter(|(_, property)| is_list(property));
    lists.map(|(key, _)| key.as_str().into()).collect()
}

/// An object with the single key `value`; definitions move to its root, where
/// references look for them.
fn wrap(mut schema: Value) -> Value {
    let definitions = schema
        .as_object_mut()
        .and_then(|object| object.shift_remove("$defs"));
    let mut wrapper = json!({
        "type": "object",
        "properties": {WRAPPER_KEY: schema},
        "required": [WRAPPER_KEY],
        "additionalProperties": false,
    });
    if let (Some(definitions), Some(object)) = (definitions, wrapper.as_object_mut()) {
        object.insert("$defs".to_owned(), definitions);
    }
    wrapper
}
