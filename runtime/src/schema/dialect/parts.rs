//! The members of objects and the elements of arrays.

use serde_json::{Map, Value, json};

use super::merge::merge;
use super::normal;
use super::plain::Making;
use super::profile::{Maps, Recursion};
use super::rewrite::{Here, Made, Piece, Rewriter};
use super::shape::{ArrayShape, Member, Members, ObjectShape};

/// The keys of a map that travels as an array.
pub(crate) const KEY: &str = "key";
pub(crate) const VALUE: &str = "value";

/// The name under which a place of a tuple travels.
pub(crate) fn place_name(index: usize) -> String {
    format!("item_{index}")
}

/// Which keys an object takes beside those it names.
enum Open {
    No,
    /// Nothing is said: a provider would close it, and so is it closed.
    Unsaid,
    To(Value),
}

fn openness(node: &mut Map<String, Value>) -> Open {
    let additional = node.shift_remove("additionalProperties");
    let unevaluated = node.shift_remove("unevaluatedProperties");
    match additional.or(unevaluated) {
        Some(Value::Bool(false)) => Open::No,
        None => Open::Unsaid,
        Some(schema) => Open::To(schema),
    }
}

fn object_of(value: Option<Value>) -> Map<String, Value> {
    match value {
        Some(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

fn list_of(value: Option<Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(all)) => all,
        _ => Vec::new(),
    }
}

/// Puts one type in another's place.
fn retype(node: &mut Map<String, Value>, from: &str, to: &str) {
    let kinds: Vec<&str> = normal::kinds(node);
    let kinds: Vec<&str> = kinds
        .into_iter()
        .map(|kind| if kind == from { to } else { kind })
        .collect();
    let kinds = normal::kind_value(&kinds);
    node.insert("type".to_owned(), kinds);
}

/// An object with exactly these keys.
pub(super) fn closed(properties: Map<String, Value>, says_so: bool) -> Map<String, Value> {
    let keys: Vec<&String> = properties.keys().collect();
    let required = json!(keys);
    let mut object = Map::new();
    object.insert("type".to_owned(), json!("object"));
    object.insert("properties".to_owned(), Value::Object(properties));
    object.insert("required".to_owned(), required);
    if says_so {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    object
}

impl Rewriter<'_> {
    pub(super) fn object(
        &mut self,
        node: &mut Map<String, Value>,
        making: &mut Making,
        here: &Here,
    ) -> Made<()> {
        let properties = object_of(node.shift_remove("properties"));
        let patterns = object_of(node.shift_remove("patternProperties"));
        let required = list_of(node.shift_remove("required"));
        let open = openness(node);
        let named = |key: &Value| key.as_str().is_some_and(|key| properties.contains_key(key));
        if !required.iter().all(named) {
            return Err(self.refuse(
                here,
                "required",
                "a key that must be there and is not named",
            ));
        }
        let mut patterns = patterns.into_iter();
        if let Some((pattern, value)) = patterns.next() {
            if !properties.is_empty() || patterns.next().is_some() || matches!(open, Open::To(_)) {
                let message = "keys by pattern beside other keys";
                return Err(self.refuse(here, "patternProperties", message));
            }
            node.insert("propertyNames".to_owned(), json!({"pattern": pattern}));
            let below = here.below(&["patternProperties", &pattern]);
            return self.map(node, making, &value, here, &below);
        }
        match open {
            Open::No if properties.is_empty() && !self.profile.empty_objects => {
                Err(self.refuse(here, "properties", "an object without keys"))
            }
            Open::Unsaid if properties.is_empty() => {
                self.map(node, making, &Value::Bool(true), here, here)
            }
            Open::To(value) if properties.is_empty() => {
                let below = here.below(&["additionalProperties"]);
                self.map(node, making, &value, here, &below)
            }
            open => self.members(making, &properties, &required, &open, here),
        }
    }

    /// An object whose keys are not known beforehand.
    fn map(
        &mut self,
        node: &mut Map<String, Value>,
        making: &mut Making,
        value: &Value,
        here: &Here,
        below: &Here,
    ) -> Made<()> {
        if self.profile.maps == Maps::Open && *value == Value::Bool(true) {
            making
                .parts
                .insert("additionalProperties".to_owned(), Value::Bool(true));
            return Ok(());
        }
        let value = self.piece(value, below)?;
        if self.profile.maps == Maps::Open {
            let schema = Value::Object(value.node);
            making
                .parts
                .insert("additionalProperties".to_owned(), schema);
            making.shape.object = Some(ObjectShape::Map(value.shape));
            return Ok(());
        }
        if normal::kinds(node).contains(&"array") {
            let message = "keys that are not known beforehand, beside a list";
            return Err(self.refuse(here, "additionalProperties", message));
        }
        retype(node, "object", "array");
        for (from, to) in [("minProperties", "minItems"), ("maxProperties", "maxItems")] {
            if let Some(bound) = node.shift_remove(from) {
                node.insert(to.to_owned(), bound);
            }
        }
        let key = self.key(node.shift_remove("propertyNames"), here)?;
        let mut pair = Map::new();
        pair.insert(KEY.to_owned(), key);
        pair.insert(VALUE.to_owned(), Value::Object(value.node));
        let pair = Value::Object(closed(pair, !self.profile.openapi));
        making.parts.insert("items".to_owned(), pair);
        making.shape.array = Some(ArrayShape::Pairs { value: value.shape });
        Ok(())
    }

    /// The schema of a map's keys, which are texts whatever is said of them.
    fn key(&mut self, names: Option<Value>, here: &Here) -> Made<Value> {
        let mut text = Map::new();
        text.insert("type".to_owned(), json!("string"));
        let text = match names {
            Some(Value::Object(names)) => {
                merge(text, names).map_err(|one| self.misfit(here, one))?
            }
            _ => text,
        };
        let below = here.below(&["propertyNames"]);
        Ok(Value::Object(
            self.piece(&Value::Object(text), &below)?.node,
        ))
    }

    /// An object with the keys it names.
    fn members(
        &mut self,
        making: &mut Making,
        properties: &Map<String, Value>,
        required: &[Value],
        open: &Open,
        here: &Here,
    ) -> Made<()> {
        let mut members = Members::default();
        let mut wire = Map::new();
        let mut asked: Vec<&str> = Vec::new();
        for (key, property) in properties {
            let mut must = required.iter().any(|one| one == key);
            let may_be_absent = !must || self.is_optional(key, here);
            let mut below = here.key("properties", key);
            below.optional |= may_be_absent;
            let turns = self.turns;
            let mut piece = self.piece(property, &below)?;
            let nullable = normal::takes_null(self.root, property);
            let absence = self.profile.all_required && !must && !nullable;
            if absence {
                piece.node = normal::nullable(piece.node);
                piece.shape = self.shapes.add_null(piece.shape);
            }
            must |= self.profile.all_required;
            if must && may_be_absent {
                must = self.must_stay(&mut piece, nullable, turns);
            }
            if must {
                asked.push(key);
            }
            let member = Member {
                shape: piece.shape,
                required: must,
                null_is_absence: absence,
            };
            members.add(key, member);
            wire.insert(key.clone(), Value::Object(piece.node));
        }
        let asked = json!(asked);
        making
            .parts
            .insert("properties".to_owned(), Value::Object(wire));
        if self.profile.all_required || asked != json!([]) {
            making.parts.insert("required".to_owned(), asked);
        }
        making.shape.object = Some(ObjectShape::Members(members));
        self.close(making, open, here)
    }

    /// Whether replies may lack a key, whatever models are asked for.
    fn is_optional(&self, key: &str, here: &Here) -> bool {
        let Some(object) = self.canonical.pointer(&here.place) else {
            return false;
        };
        let named = object
            .get("properties")
            .is_some_and(|all| all.get(key).is_some());
        let required = object.get("required").and_then(Value::as_array);
        named && !required.is_some_and(|all| all.iter().any(|one| one == key))
    }

    /// Whether a key that may be absent is asked for all the same. It is not
    /// where a dialect wants the way back to the same type left out, or where
    /// its choices are used up: then the value alone is sent, without null.
    fn must_stay(&mut self, piece: &mut Piece, nullable: bool, turns: usize) -> bool {
        if self.profile.recursion == Recursion::Optional && self.turns > turns {
            return false;
        }
        if !nullable || self.profile.limits.unions == usize::MAX {
            return true;
        }
        let Some(narrowed) = normal::without_null(&piece.node) else {
            return true;
        };
        self.avoidable += 1;
        if self.avoidable <= self.unions_left {
            return true;
        }
        piece.node = narrowed;
        false
    }

    fn close(&mut self, making: &mut Making, open: &Open, here: &Here) -> Made<()> {
        let additional = match open {
            Open::No | Open::Unsaid if self.profile.openapi => return Ok(()),
            Open::No | Open::Unsaid => Value::Bool(false),
            Open::To(_) if self.profile.maps == Maps::Pairs => {
                let message = "keys that are not known beforehand, beside named ones";
                return Err(self.refuse(here, "additionalProperties", message));
            }
            Open::To(Value::Bool(true)) => Value::Bool(true),
            Open::To(schema) => {
                let below = here.below(&["additionalProperties"]);
                Value::Object(self.piece(schema, &below)?.node)
            }
        };
        making
            .parts
            .insert("additionalProperties".to_owned(), additional);
        Ok(())
    }

    pub(super) fn array(
        &mut self,
        node: &mut Map<String, Value>,
        making: &mut Making,
        here: &Here,
    ) -> Made<()> {
        if making.shape.array.is_some() {
            return Ok(());
        }
        let places = list_of(node.shift_remove("prefixItems"));
        let items = node.shift_remove("items");
        if !places.is_empty() {
            return self.tuple(node, making, &places, items.as_ref(), here);
        }
        match items {
            None | Some(Value::Bool(true)) if self.profile.any_list => Ok(()),
            None => Err(self.refuse(here, "items", "a list whose elements may be anything")),
            Some(items) => {
                let items = self.piece(&items, &here.below(&["items"]))?;
                making
                    .parts
                    .insert("items".to_owned(), Value::Object(items.node));
                making.shape.array = Some(ArrayShape::Items(items.shape));
                Ok(())
            }
        }
    }

    /// A list with a schema for each place.
    fn tuple(
        &mut self,
        node: &mut Map<String, Value>,
        making: &mut Making,
        places: &[Value],
        items: Option<&Value>,
        here: &Here,
    ) -> Made<()> {
        let count = json!(places.len());
        if items == Some(&Value::Bool(false)) {
            node.entry("maxItems").or_insert_with(|| count.clone());
        }
        let fixed = ["minItems", "maxItems"]
            .iter()
            .all(|keyword| node.get(*keyword) == Some(&count));
        if !fixed {
            return Err(self.refuse(here, "prefixItems", "a tuple of no fixed length"));
        }
        let mut wire = Vec::with_capacity(places.len());
        let mut shapes = Vec::with_capacity(places.len());
        for (index, place) in places.iter().enumerate() {
            let piece = self.piece(place, &here.index("prefixItems", index))?;
            wire.push(Value::Object(piece.node));
            shapes.push(piece.shape);
        }
        if self.profile.tuples {
            making
                .parts
                .insert("prefixItems".to_owned(), Value::Array(wire));
            making.shape.array = Some(ArrayShape::Places(shapes));
            return Ok(());
        }
        if normal::kinds(node).contains(&"object") {
            return Err(self.refuse(here, "prefixItems", "a tuple beside an object"));
        }
        retype(node, "array", "object");
        node.shift_remove("minItems");
        node.shift_remove("maxItems");
        let names = (0..places.len()).map(place_name);
        let mut object = closed(names.zip(wire).collect(), !self.profile.openapi);
        object.shift_remove("type");
        making.parts.append(&mut object);
        making.shape.object = Some(ObjectShape::Tuple(shapes));
        Ok(())
    }
}
