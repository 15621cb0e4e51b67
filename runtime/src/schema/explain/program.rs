//! A schema in the form in which it is explained: references resolved, keys in tables, so that each
//! keyword is answered without a search.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::listed::Listed;
use super::plain::{Plain, PlainChecks};
use super::reading::Readable;
use crate::schema::annotation::{self, Variant};

/// A schema's place in its program.
pub(super) type Id = u32;

/// All schemas that can be reached from a root, which is the first.
#[derive(Debug)]
pub(crate) struct Program {
    rules: Vec<Rule>,
    pub(super) checks: PlainChecks,
    decimals: bool,
    aliases: bool,
}

/// The types that a schema allows, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    /// In the order in which messages name them.
    const NAMES: [&'static str; 7] = [
        "array", "boolean", "integer", "null", "number", "object", "string",
    ];

    fn of(value: &Value) -> Self {
        let bit = |value: &Value| {
            let place = Self::NAMES.iter().position(|name| value == name);
            place.map_or(0, |place| 1 << place)
        };
        Self(match value {
            Value::Array(all) => all.iter().map(bit).fold(0, |all, one| all | one),
            one => bit(one),
        })
    }

    pub(super) fn has(self, name: &str) -> bool {
        self.names().any(|own| own == name)
    }

    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        let named = move |place: &usize| self.0 & (1 << place) != 0;
        (0..Self::NAMES.len())
            .filter(named)
            .filter_map(|place| Self::NAMES.get(place).copied())
    }
}

/// One schema.
#[derive(Debug, Default)]
pub(super) struct Rule {
    /// The schema `false`.
    pub(super) never: bool,
    pub(super) types: Option<Types>,
    /// The values of `enum` or `const`.
    pub(super) listed: Option<Listed>,
    /// Other names that serde reads for the one listed value.
    pub(super) value_aliases: Vec<Box<str>>,
    pub(super) plain: Vec<Plain>,
    pub(super) reference: Option<Id>,
    pub(super) all_of: Vec<Id>,
    pub(super) any_of: Vec<Id>,
    pub(super) one_of: Vec<Id>,
    pub(super) not: Option<Id>,
    pub(super) condition: Option<Condition>,
    pub(super) object: Option<Box<ObjectRule>>,
    pub(super) array: Option<Box<ArrayRule>>,
}

impl Rule {
    /// Whether it asks for the text of an exact decimal.
    pub(super) fn is_decimal(&self) -> bool {
        self.plain.iter().any(Plain::is_decimal)
    }

    fn has_aliases(&self) -> bool {
        let keys = self
            .object
            .as_ref()
            .is_some_and(|object| object.has_aliases());
        keys || !self.value_aliases.is_empty()
    }
}

/// `if` with its consequences.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition {
    pub(super) when: Id,
    pub(super) then: Option<Id>,
    pub(super) otherwise: Option<Id>,
}

/// What a schema says of an object's keys.
#[derive(Debug, Default)]
pub(super) struct ObjectRule {
    /// Every key that the schema names, in a table.
    slots: HashMap<Box<str>, usize>,
    pub(super) names: Vec<Box<str>>,
    /// The schema of each of them that is declared.
    pub(super) properties: Vec<Option<Id>>,
    /// Other names of keys that serde reads.
    aliases: HashMap<Box<str>, usize>,
    /// The declared names without case, underscores and hyphens.
    folded: HashMap<String, usize>,
    pub(super) required: Vec<usize>,
    pub(super) patterns: Vec<(usize, Id)>,
    pub(super) additional: Option<Id>,
    pub(super) names_schema: Option<Id>,
    pub(super) dependent: Vec<(usize, Vec<usize>)>,
    pub(super) dependent_schemas: Vec<(usize, Id)>,
    pub(super) unevaluated: Option<Id>,
}

impl ObjectRule {
    pub(super) fn slot(&self, key: &str) -> Option<usize> {
        self.slots.get(key).copied()
    }

    pub(super) fn alias(&self, key: &str) -> Option<usize> {
        self.aliases.get(key).copied()
    }

    /// The declared key that differs only in case, underscores or hyphens.
    pub(super) fn near(&self, key: &str) -> Option<usize> {
        let place = self.folded.get(&fold(key)).copied()?;
        self.property(place).map(|_| place)
    }

    pub(super) fn property(&self, slot: usize) -> Option<Id> {
        self.properties.get(slot).copied().flatten()
    }

    pub(super) fn name(&self, slot: usize) -> &str {
        self.names.get(slot).map_or("", |name| name)
    }

    /// The one key of a variant that travels under its name.
    pub(super) fn only_key(&self) -> Option<usize> {
        self.sole_key().filter(|_| self.additional.is_some())
    }

    /// The one key that is named, which must be there.
    fn sole_key(&self) -> Option<usize> {
        match self.required.as_slice() {
            [one] if self.names.len() == 1 => Some(*one),
            _ => None,
        }
    }

    pub(super) fn has_aliases(&self) -> bool {
        !self.aliases.is_empty()
    }

    fn take_all(&mut self, keys: Option<&Value>) -> Vec<usize> {
        let keys = keys.and_then(Value::as_array).into_iter().flatten();
        keys.filter_map(Value::as_str)
            .map(|key| self.take(key))
            .collect()
    }

    fn take(&mut self, key: &str) -> usize {
        if let Some(slot) = self.slots.get(key) {
            return *slot;
        }
        let slot = self.names.len();
        self.slots.insert(key.into(), slot);
        self.folded.entry(fold(key)).or_insert(slot);
        self.names.push(key.into());
        self.properties.push(None);
        slot
    }
}

fn fold(key: &str) -> String {
    key.chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// What a schema says of an array's elements.
#[derive(Debug, Default)]
pub(super) struct ArrayRule {
    pub(super) places: Vec<Id>,
    pub(super) items: Option<Id>,
    pub(super) contains: Option<Contains>,
    pub(super) unevaluated: Option<Id>,
}

/// How many elements must match a schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contains {
    pub(super) schema: Id,
    pub(super) least: usize,
    pub(super) most: usize,
}

impl Program {
    pub(super) const ROOT: Id = 0;

    pub(crate) fn new(root: &Value) -> Self {
        Compiler::new(root).run()
    }

    /// What there is to read otherwise, of what is looked for.
    pub(super) fn readable(&self, wanted: Readable) -> Readable {
        wanted.within(self.decimals, self.aliases)
    }

    /// A branch of the union at the root.
    pub(super) fn branch(&self, number: usize) -> Option<Id> {
        self.rule(Self::ROOT).any_of.get(number).copied()
    }

    pub(super) fn rule(&self, id: Id) -> &Rule {
        static NOTHING: LazyLock<Rule> = LazyLock::new(Rule::default);
        self.rules.get(id as usize).unwrap_or(&NOTHING)
    }
}

/// Takes one schema after the other, so that no chain of references is too long for the stack.
struct Compiler<'s> {
    root: &'s Value,
    /// The schemas met so far, by the address of their values; each one's place is its id.
    known: HashMap<*const Value, Id>,
    met: Vec<&'s Value>,
    checks: PlainChecks,
    /// Other names of a variant, for the schema that holds its tag.
    tags: Vec<(Id, Vec<Box<str>>)>,
}

impl<'s> Compiler<'s> {
    fn new(root: &'s Value) -> Self {
        Self {
            root,
            known: HashMap::new(),
            met: Vec::new(),
            checks: PlainChecks::default(),
            tags: Vec::new(),
        }
    }

    fn run(mut self) -> Program {
        self.meet(self.root);
        let mut rules = Vec::new();
        while let Some(value) = self.met.get(rules.len()).copied() {
            let rule = self.rule(value);
            rules.push(rule);
        }
        for (id, aliases) in self.tags {
            if let Some(rule) = rules.get_mut(id as usize) {
                rule.value_aliases.extend(aliases);
            }
        }
        Program {
            decimals: rules.iter().any(Rule::is_decimal),
            aliases: rules.iter().any(Rule::has_aliases),
            rules,
            checks: self.checks,
        }
    }

    fn meet(&mut self, value: &'s Value) -> Id {
        let next = Id::try_from(self.met.len()).unwrap_or(Id::MAX);
        let id = *self.known.entry(std::ptr::from_ref(value)).or_insert(next);
        if id == next {
            self.met.push(value);
        }
        id
    }

    fn rule(&mut self, value: &'s Value) -> Rule {
        let Value::Object(words) = value else {
            return Rule {
                never: *value == Value::Bool(false),
                ..Rule::default()
            };
        };
        let listed = words.get("const").map(|value| vec![value.clone()]);
        let listed = listed.or_else(|| Some(words.get("enum")?.as_array()?.clone()));
        let mut rule = Rule {
            types: words.get("type").map(Types::of),
            listed: listed.map(Listed::new),
            plain: self.checks.of(words),
            reference: self.reference(words),
            all_of: self.list(words, "allOf"),
            any_of: self.list(words, "anyOf"),
            one_of: self.list(words, "oneOf"),
            not: self.one(words, "not"),
            condition: self.condition(words),
            object: self.object(words).map(Box::new),
            array: self.array(words).map(Box::new),
            ..Rule::default()
        };
        self.name_variant(&mut rule, words);
        rule
    }

    /// The other names of a variant are those of its key, of its tag's value or its own.
    fn name_variant(&mut self, rule: &mut Rule, words: &Map<String, Value>) {
        let Some(Variant { tag, aliases }) = annotation::variant(words) else {
            return;
        };
        let Some(object) = &mut rule.object else {
            rule.value_aliases.extend(aliases);
            return;
        };
        if let Some(tag) = tag {
            let slot = object.slot(tag).and_then(|slot| object.property(slot));
            self.tags.extend(slot.map(|id| (id, aliases)));
        } else if let Some(key) = object.sole_key() {
            object
                .aliases
                .extend(aliases.into_iter().map(|alias| (alias, key)));
        }
    }

    fn reference(&mut self, words: &Map<String, Value>) -> Option<Id> {
        let pointer = words.get("$ref")?.as_str()?.strip_prefix('#')?;
        let target = self.root.pointer(pointer)?;
        Some(self.meet(target))
    }

    fn one(&mut self, words: &'s Map<String, Value>, keyword: &str) -> Option<Id> {
        words.get(keyword).map(|value| self.meet(value))
    }

    fn list(&mut self, words: &'s Map<String, Value>, keyword: &str) -> Vec<Id> {
        let all = words.get(keyword).and_then(Value::as_array);
        all.into_iter()
            .flatten()
            .map(|one| self.meet(one))
            .collect()
    }

    fn condition(&mut self, words: &'s Map<String, Value>) -> Option<Condition> {
        Some(Condition {
            when: self.one(words, "if")?,
            then: self.one(words, "then"),
            otherwise: self.one(words, "else"),
        })
    }

    fn object(&mut self, words: &'s Map<String, Value>) -> Option<ObjectRule> {
        if !OBJECT_KEYWORDS.iter().any(|word| words.contains_key(*word)) {
            return None;
        }
        let mut object = ObjectRule {
            additional: self.one(words, "additionalProperties"),
            names_schema: self.one(words, "propertyNames"),
            unevaluated: self.one(words, "unevaluatedProperties"),
            ..ObjectRule::default()
        };
        let properties = members(words, "properties");
        for (key, value) in properties.filter(|(_, value)| !annotation::is_reserved(value)) {
            let slot = object.take(key);
            if let Some(place) = object.properties.get_mut(slot) {
                *place = Some(self.meet(value));
            }
            let aliases = annotation::aliases(value).into_iter();
            object.aliases.extend(aliases.map(|alias| (alias, slot)));
        }
        object.required = object.take_all(words.get("required"));
        for (pattern, value) in members(words, "patternProperties") {
            let check = self.checks.pattern(pattern);
            let schema = self.meet(value);
            object.patterns.push((check, schema));
        }
        for (key, wanted) in members(words, "dependentRequired") {
            let slot = object.take(key);
            let wanted = object.take_all(Some(wanted));
            object.dependent.push((slot, wanted));
        }
        for (key, value) in members(words, "dependentSchemas") {
            let slot = object.take(key);
            let schema = self.meet(value);
            object.dependent_schemas.push((slot, schema));
        }
        Some(object)
    }

    fn array(&mut self, words: &'s Map<String, Value>) -> Option<ArrayRule> {
        if !ARRAY_KEYWORDS.iter().any(|word| words.contains_key(*word)) {
            return None;
        }
        let contains = self.one(words, "contains").map(|schema| Contains {
            schema,
            least: count(words.get("minContains")).unwrap_or(1),
            most: count(words.get("maxContains")).unwrap_or(usize::MAX),
        });
        Some(ArrayRule {
            places: self.list(words, "prefixItems"),
            items: self.one(words, "items"),
            contains,
            unevaluated: self.one(words, "unevaluatedItems"),
        })
    }
}

const OBJECT_KEYWORDS: [&str; 8] = [
    "properties",
    "required",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
];

const ARRAY_KEYWORDS: [&str; 4] = ["prefixItems", "items", "contains", "unevaluatedItems"];

fn members<'s>(
    words: &'s Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = (&'s String, &'s Value)> {
    let named = words.get(keyword).and_then(Value::as_object);
    named.into_iter().flatten()
}

/// A count may be written with a fraction of zero.
fn count(value: Option<&Value>) -> Option<usize> {
    let value = value?;
    let whole = value.as_u64().or_else(|| {
        let text = value.as_f64()?.to_string();
        text.parse().ok()
    })?;
    usize::try_from(whole).ok()
}
