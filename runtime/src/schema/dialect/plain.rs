//! A schema that is no reference and no choice: its keywords, and what it holds.

use serde_json::{Map, Value, json};

use super::normal;
use super::pattern;
use super::profile::{Treatment, Values};
use super::rewrite::{Here, Made, Piece, Rewriter};
use super::shape::Shape;
use super::tell;

/// Keywords about members and elements, which have been dealt with before the
/// table is asked.
const PARTS: [&str; 7] = [
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "items",
    "prefixItems",
];

/// What is made of a schema.
#[derive(Debug, Default)]
pub(super) struct Making {
    /// What its members and elements become.
    pub(super) parts: Map<String, Value>,
    pub(super) shape: Shape,
}

/// What becomes of one keyword.
enum Fate {
    Carried(&'static str, Value),
    Kept,
    Told,
    Omitted,
}

impl Rewriter<'_> {
    pub(super) fn plain(&mut self, mut node: Map<String, Value>, here: &Here) -> Made<Piece> {
        let kinds: Vec<String> = normal::kinds(&node)
            .into_iter()
            .map(str::to_owned)
            .collect();
        let has = |kind: &str| kinds.iter().any(|one| one == kind);
        if kinds.is_empty() && !self.profile.any_value {
            return Err(self.refuse(here, "type", "a value of any type"));
        }
        if self.profile.openapi && kinds == ["null"] {
            return Err(self.refuse(here, "type", "a value that is always null"));
        }
        let mut making = Making {
            shape: Shape::of(&node),
            parts: Map::new(),
        };
        if has("object") {
            self.object(&mut node, &mut making, here)?;
        }
        if has("array") {
            self.array(&mut node, &mut making, here)?;
        }
        let left = node
            .keys()
            .filter(|keyword| PARTS.contains(&keyword.as_str()));
        for keyword in left {
            self.drop(here, keyword);
        }
        node.retain(|keyword, _| !PARTS.contains(&keyword.as_str()));
        let mut wire = self.constraints(&node, here)?;
        wire.append(&mut making.parts);
        making.shape.kinds = normal::kinds(&node).into_iter().map(Into::into).collect();
        let shape = self.shapes.add(making.shape);
        Ok(Piece { node: wire, shape })
    }

    /// Sends every keyword through the table; what is told joins the
    /// description.
    fn constraints(&mut self, node: &Map<String, Value>, here: &Here) -> Made<Map<String, Value>> {
        let mut wire = Map::new();
        let mut told = Map::new();
        for (keyword, value) in node {
            if keyword == "type" || keyword == "description" {
                wire.insert(keyword.clone(), value.clone());
                continue;
            }
            match self.fate(keyword, value, node, here)? {
                Fate::Kept => carry(&mut wire, keyword, value.clone()),
                Fate::Carried(name, value) => carry(&mut wire, name, value),
                Fate::Told => {
                    self.drop(here, keyword);
                    told.insert(keyword.clone(), value.clone());
                }
                Fate::Omitted => self.drop(here, keyword),
            }
        }
        let words = tell::sentences(&told);
        if !words.is_empty() {
            let known = wire.get("description").and_then(Value::as_str);
            let text = known.map_or(words.clone(), |known| format!("{known} {words}"));
            wire.insert("description".to_owned(), json!(text));
        }
        Ok(wire)
    }

    fn fate(
        &mut self,
        keyword: &str,
        value: &Value,
        node: &Map<String, Value>,
        here: &Here,
    ) -> Made<Fate> {
        let Some(treatment) = self.profile.treatment(keyword) else {
            return Err(self.refuse(here, keyword, "a keyword that is not known to the dialect"));
        };
        if keyword == "enum" || keyword == "const" {
            return Ok(self.listed(keyword, value, treatment));
        }
        let profile = self.profile;
        let keep = |yes: bool| if yes { Fate::Kept } else { Fate::Told };
        let whole = normal::kinds(node)
            .iter()
            .all(|kind| matches!(*kind, "integer" | "null"));
        let text = value.as_str().unwrap_or_default();
        Ok(match treatment {
            Treatment::Keep | Treatment::OneValue => Fate::Kept,
            Treatment::Tell => Fate::Told,
            Treatment::Omit => Fate::Omitted,
            Treatment::WholeNumbers => keep(whole),
            Treatment::Inclusive => inclusive(keyword, value)
                .filter(|_| whole)
                .unwrap_or(Fate::Told),
            Treatment::Capped => keep(
                value
                    .as_u64()
                    .is_some_and(|bound| bound <= self.cap(keyword)),
            ),
            Treatment::Summed => keep(self.items_left(value)),
            Treatment::ZeroOrOne => keep(value.as_u64().is_some_and(|bound| bound <= 1)),
            Treatment::WithoutPattern => keep(!node.contains_key("pattern")),
            Treatment::KnownFormat => keep(profile.formats.contains(&text)),
            Treatment::PlainPattern | Treatment::WholePattern
                if !profile.class_escapes && pattern::has_classes(text) =>
            {
                Fate::Told
            }
            Treatment::PlainPattern => keep(pattern::is_plain(text)),
            Treatment::WholePattern => match pattern::whole(text) {
                Some(whole) => Fate::Carried("pattern", json!(whole)),
                None => Fate::Told,
            },
        })
    }

    /// Whether a bound on a list is within what is left of their sum.
    fn items_left(&mut self, bound: &Value) -> bool {
        let left = bound
            .as_u64()
            .and_then(|bound| self.items_left.checked_sub(bound));
        self.items_left = left.unwrap_or(self.items_left);
        left.is_some()
    }

    fn cap(&self, keyword: &str) -> u64 {
        match keyword {
            "minLength" | "maxLength" => self.profile.longest_text,
            "minItems" | "maxItems" => self.profile.most_items,
            _ => self.profile.most_keys,
        }
    }

    fn listed(&self, keyword: &str, value: &Value, treatment: Treatment) -> Fate {
        let one = std::slice::from_ref(value);
        let values = match value {
            Value::Array(all) if keyword == "enum" => all.as_slice(),
            _ => one,
        };
        let fits = |value: &Value| match self.profile.values {
            Values::Any => true,
            Values::Scalars => !value.is_array() && !value.is_object(),
            Values::StringsAndNumbers => value.is_string() || value.is_number(),
            Values::Strings => value.is_string() || value.is_null(),
        };
        if !values.iter().all(fits) {
            Fate::Told
        } else if treatment == Treatment::OneValue && keyword == "const" {
            Fate::Carried("enum", json!([value]))
        } else {
            Fate::Kept
        }
    }

    /// A schema of several types as a choice, where the dialect wants one type
    /// in each, and a list of values with null in it, where it wants none there.
    pub(super) fn split(&self, node: &Map<String, Value>) -> Option<Map<String, Value>> {
        let kinds = normal::kinds(node);
        let values = node.get("enum").and_then(Value::as_array);
        let nulls = self.profile.values == Values::StringsAndNumbers
            && values.is_some_and(|values| values.contains(&Value::Null));
        let several = kinds.iter().filter(|kind| **kind != "null").count() > 1;
        let splits = nulls || self.profile.openapi && several;
        if kinds.len() < 2 || !splits {
            return None;
        }
        let mut rest = node.clone();
        rest.shift_remove("enum");
        rest.shift_remove("type");
        let mut branches = Vec::new();
        for kind in kinds {
            let of_kind = |value: &&Value| normal::is_kind(value, kind);
            let mut branch = Map::new();
            branch.insert("type".to_owned(), json!(kind));
            if let Some(values) = values.filter(|_| kind != "null") {
                let values: Vec<&Value> = values.iter().filter(of_kind).collect();
                if values.is_empty() {
                    continue;
                }
                branch.insert("enum".to_owned(), json!(values));
            }
            branches.push(Value::Object(branch));
        }
        rest.insert("anyOf".to_owned(), Value::Array(branches));
        Some(rest)
    }
}

/// A bound may come in two ways; the tighter one is carried.
fn carry(wire: &mut Map<String, Value>, keyword: &str, value: Value) {
    let looser = |known: &Value| {
        let (known, new) = (known.as_f64(), value.as_f64());
        match keyword {
            "minimum" => new < known,
            "maximum" => new > known,
            _ => false,
        }
    };
    if !wire.get(keyword).is_some_and(looser) {
        wire.insert(keyword.to_owned(), value);
    }
}

/// The inclusive bound that means the same for whole numbers.
fn inclusive(keyword: &str, value: &Value) -> Option<Fate> {
    let bound = value.as_i64()?;
    Some(if keyword == "exclusiveMinimum" {
        Fate::Carried("minimum", json!(bound.checked_add(1)?))
    } else {
        Fate::Carried("maximum", json!(bound.checked_sub(1)?))
    })
}
