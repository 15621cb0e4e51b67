//! Types that stand in several places of a schema, generated once and referred to.
//!
//! Schemars either refers to every type, and then loses what the attributes of a field say of a
//! newtype, or writes every type out wherever it stands, which doubles with each level. Here each
//! type is written out once, and what is the same in another is replaced by a reference as soon as
//! the type around it is complete: by then the field's attributes have been applied, and what
//! they changed is no longer the same. Only the schemas of values are replaced: the keys of a
//! flattened type belong to the object around it, which closes over them.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::walk::each_value;

/// What the key of a type begins with among a generator's definitions; schemars names none so.
const MARK: char = '\0';

/// Says of a reference that null is taken as well.
const NULLABLE: &str = "nullable";

/// What is said of a schema and constrains nothing.
const WORDS: [&str; 7] = [
    "description",
    "title",
    "default",
    "deprecated",
    "examples",
    "readOnly",
    "writeOnly",
];

/// From how many bytes a schema without parts is worth a definition.
const WORTH: usize = 200;

/// A type's schema, made once for each generator.
pub fn shared(
    generator: &mut SchemaGenerator,
    type_name: &str,
    name: &str,
    make: impl FnOnce(&mut SchemaGenerator) -> Schema,
) -> Schema {
    let key = format!("{MARK}{type_name}");
    if let Some(known) = stored(generator.definitions(), &key) {
        return schema_of(known.clone());
    }
    let mut schema = make(generator).to_value();
    // A type that holds itself has been made below.
    if let Some(known) = stored(generator.definitions(), &key) {
        return schema_of(known.clone());
    }
    let types = types(generator.definitions());
    each_value(&mut schema, false, &mut |value| refer(value, &types));
    let entry = json!({"name": name, "schema": schema});
    generator.definitions_mut().insert(key, entry);
    schema_of(schema)
}

fn stored<'d>(definitions: &'d Map<String, Value>, key: &str) -> Option<&'d Value> {
    definitions.get(key)?.get("schema")
}

fn schema_of(value: Value) -> Schema {
    Schema::try_from(value).unwrap_or_default()
}

/// A type and what replies of it look like.
struct Known<'d> {
    key: &'d str,
    schema: &'d Map<String, Value>,
}

/// The types that are worth a reference.
fn types(definitions: &Map<String, Value>) -> Vec<Known<'_>> {
    let marked = definitions.iter().filter(|(key, _)| is_mark(key));
    marked
        .filter_map(|(key, entry)| {
            let schema = entry.get("schema")?.as_object()?;
            is_worth(schema).then_some(Known { key, schema })
        })
        .collect()
}

pub(super) fn is_mark(key: &str) -> bool {
    key.starts_with(MARK)
}

fn is_worth(schema: &Map<String, Value>) -> bool {
    let parts = ["properties", "oneOf", "anyOf"];
    parts.iter().any(|keyword| schema.contains_key(*keyword))
        || schema.contains_key("enum") && json!(schema).to_string().len() > WORTH
}

/// Puts a reference in the place of a schema that is a type's, null aside; what it says in other
/// words stands beside.
fn refer(value: &mut Map<String, Value>, types: &[Known<'_>]) {
    let without = without_null(value);
    let found = types.iter().find_map(|known| {
        let plain = same(value, known.schema);
        let nullable = || without.as_ref().is_some_and(|one| same(one, known.schema));
        (plain || nullable()).then_some((known, !plain))
    });
    let Some((known, nullable)) = found else {
        return;
    };
    let mut reference = Map::new();
    reference.insert("$ref".to_owned(), json!(known.key));
    if nullable {
        reference.insert(NULLABLE.to_owned(), Value::Bool(true));
    }
    let words = value
        .iter()
        .filter(|(word, said)| is_word(word) && known.schema.get(*word) != Some(said));
    reference.extend(words.map(|(word, said)| (word.clone(), said.clone())));
    *value = reference;
}

fn is_word(keyword: &str) -> bool {
    WORDS.contains(&keyword)
}

/// Whether two schemas constrain a value alike, and nothing that the second says is unsaid.
fn same(one: &Map<String, Value>, known: &Map<String, Value>) -> bool {
    let count = |schema: &Map<String, Value>| schema.keys().filter(|key| !is_word(key)).count();
    count(one) == count(known)
        && known.iter().all(|(key, value)| match one.get(key) {
            Some(own) => is_word(key) || own == value,
            None => false,
        })
}

fn without_null(value: &Map<String, Value>) -> Option<Map<String, Value>> {
    let kinds = value.get("type")?.as_array()?;
    let mut left = kinds.iter().filter(|kind| *kind != "null");
    let (only, None) = (left.next()?, left.next()) else {
        return None;
    };
    let mut without = value.clone();
    without.insert("type".to_owned(), only.clone());
    if let Some(Value::Array(values)) = without.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    Some(without)
}

/// Takes `marked` apart into a type's own name and schema.
pub(super) fn parts(marked: Value) -> Option<(String, Value)> {
    let Value::Object(mut entry) = marked else {
        return None;
    };
    let name = entry.get("name")?.as_str()?.to_owned();
    Some((name, entry.shift_remove("schema")?))
}

/// Refers to types from the branches of choices too, once no type is flattened any more.
pub(super) fn refer_branches(schema: &mut Value, definitions: &Map<String, Value>) {
    let types = types(definitions);
    each_value(schema, true, &mut |value| refer(value, &types));
}

/// A reference to `target`, what stood beside it kept.
pub(super) fn kept(mut reference: Map<String, Value>, target: &str) -> Map<String, Value> {
    let nullable = reference.shift_remove(NULLABLE).is_some();
    if nullable {
        reference.shift_remove("$ref");
        let either = json!([{"$ref": target}, {"type": "null"}]);
        reference.insert("anyOf".to_owned(), either);
    } else {
        reference.insert("$ref".to_owned(), json!(target));
    }
    reference
}

/// What a reference means, written out in its place.
pub(super) fn written_out(
    mut reference: Map<String, Value>,
    target: &Map<String, Value>,
) -> Map<String, Value> {
    let nullable = reference.shift_remove(NULLABLE).is_some();
    reference.shift_remove("$ref");
    let mut schema = target.clone();
    if nullable {
        allow_null(&mut schema);
    }
    schema.extend(reference);
    schema
}

fn allow_null(schema: &mut Map<String, Value>) {
    if let Some(kind @ Value::String(_)) = schema.get("type").cloned() {
        schema.insert("type".to_owned(), json!([kind, "null"]));
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
}
