//! Schemas of many kinds, values that they take, and how those values are
//! written where a wire wants another form.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// A schema by what it means.
#[derive(Debug, Clone)]
pub enum Kind {
    Text {
        longest: Option<u64>,
    },
    Whole {
        least: i64,
        most: i64,
    },
    Fraction,
    Flag,
    One(Vec<&'static str>),
    Nullable(Box<Kind>),
    List(Box<Kind>, u64),
    Map(Box<Kind>),
    Tuple(Vec<Kind>),
    Object(Vec<Member>),
    /// An object told by a tag, or for `false` by its keys.
    Choice(Vec<Vec<Member>>, bool),
}

#[derive(Debug, Clone)]
pub struct Member {
    pub key: String,
    pub kind: Kind,
    pub required: bool,
}

/// How a dialect writes what it cannot take as it is.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub pairs: bool,
    pub named_places: bool,
    pub all_required: bool,
}

pub fn kinds() -> impl Strategy<Value = Kind> {
    let leaf = prop_oneof![
        proptest::option::of(0..9_u64).prop_map(|longest| Kind::Text { longest }),
        (-9..9_i64, 0..9_i64).prop_map(|(least, more)| Kind::Whole {
            least,
            most: least + more
        }),
        Just(Kind::Fraction),
        Just(Kind::Flag),
        Just(Kind::One(vec!["red", "green", "Blue"])),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let members = members(inner.clone()).boxed();
        let branches = proptest::collection::vec(members.clone(), 1..4);
        prop_oneof![
            inner
                .clone()
                .prop_filter_map("null once", |kind| match kind {
                    Kind::Nullable(_) => None,
                    kind => Some(Kind::Nullable(Box::new(kind))),
                }),
            (boxed.clone(), 0..4_u64).prop_map(|(kind, least)| Kind::List(kind, least)),
            boxed.prop_map(Kind::Map),
            proptest::collection::vec(inner, 1..3).prop_map(Kind::Tuple),
            members.prop_map(Kind::Object),
            branches
                .clone()
                .prop_map(|branches| Kind::Choice(branches, true)),
            branches.prop_map(|branches| Kind::Choice(branches, false)),
        ]
    })
}

fn members(inner: impl Strategy<Value = Kind>) -> impl Strategy<Value = Vec<Member>> {
    let member = (inner, any::<bool>());
    proptest::collection::vec(member, 1..4).prop_map(|all| {
        let named = all.into_iter().enumerate();
        let named = named.map(|(at, (kind, required))| Member {
            key: format!("m{at}"),
            kind,
            required,
        });
        named.collect()
    })
}

/// Roots are objects.
pub fn roots() -> impl Strategy<Value = Kind> {
    members(kinds()).prop_map(Kind::Object)
}

impl Kind {
    pub fn schema(&self) -> Value {
        match self {
            Self::Text { longest: None } => json!({"type": "string", "description": "A text."}),
            Self::Text {
                longest: Some(longest),
            } => json!({"type": "string", "maxLength": longest}),
            Self::Whole { least, most } => {
                json!({"type": "integer", "exclusiveMinimum": least - 1, "maximum": most})
            }
            Self::Fraction => json!({"type": "number", "multipleOf": 0.5, "default": 1}),
            Self::Flag => json!({"type": "boolean"}),
            Self::One(values) => json!({"type": "string", "enum": values}),
            Self::Nullable(kind) => json!({"anyOf": [kind.schema(), {"type": "null"}]}),
            Self::List(kind, least) => {
                json!({"type": "array", "items": kind.schema(), "minItems": least})
            }
            Self::Map(kind) => json!({"type": "object", "additionalProperties": kind.schema()}),
            Self::Tuple(kinds) => json!({
                "type": "array",
                "prefixItems": kinds.iter().map(Self::schema).collect::<Vec<_>>(),
                "minItems": kinds.len(),
                "maxItems": kinds.len(),
            }),
            Self::Object(members) => object(members, None),
            Self::Choice(branches, tagged) => {
                let branches = branches.iter().enumerate();
                let branches =
                    branches.map(|(at, members)| object(members, Some(tag(at, *tagged))));
                json!({"oneOf": branches.collect::<Vec<_>>()})
            }
        }
    }

    /// Values that the schema takes.
    pub fn values(&self) -> BoxedStrategy<Value> {
        match self {
            Self::Text { longest } => {
                let longest = usize::try_from(longest.unwrap_or(6)).expect("short");
                proptest::collection::vec(select(vec!['a', 'Z', '"', 'ß', '\n']), 0..=longest)
                    .prop_map(|all| json!(all.into_iter().collect::<String>()))
                    .boxed()
            }
            Self::Whole { least, most } => (*least..=*most).prop_map(|one| json!(one)).boxed(),
            Self::Fraction => (-9..9_i32)
                .prop_map(|one| json!(f64::from(one) / 2.0))
                .boxed(),
            Self::Flag => any::<bool>().prop_map(|one| json!(one)).boxed(),
            Self::One(values) => select(values.clone()).prop_map(|one| json!(one)).boxed(),
            Self::Nullable(kind) => prop_oneof![Just(Value::Null), kind.values()].boxed(),
            Self::List(kind, least) => {
                let least = usize::try_from(*least).expect("few");
                proptest::collection::vec(kind.values(), least..least + 3)
                    .prop_map(Value::Array)
                    .boxed()
            }
            Self::Map(kind) => {
                let keys = select(vec!["a", "b c", "key", "value", "\"", ""]);
                proptest::collection::btree_map(keys, kind.values(), 0..4)
                    .prop_map(|all| {
                        all.into_iter()
                            .map(|(key, value)| (key.to_owned(), value))
                            .collect()
                    })
                    .boxed()
            }
            Self::Tuple(kinds) => {
                let values: Vec<_> = kinds.iter().map(Self::values).collect();
                values.prop_map(Value::Array).boxed()
            }
            Self::Object(members) => objects(members, None),
            Self::Choice(branches, tagged) => {
                let all = branches.iter().enumerate();
                let all = all.map(|(at, members)| objects(members, Some(tag(at, *tagged))));
                proptest::strategy::Union::new(all.collect::<Vec<_>>()).boxed()
            }
        }
    }

    /// A value of this kind as a wire of some form has it.
    pub fn expressed(&self, value: &Value, form: Form) -> Value {
        match (self, value) {
            (Self::Nullable(_), Value::Null) => Value::Null,
            (Self::Nullable(kind), value) => kind.expressed(value, form),
            (Self::List(kind, _), Value::Array(all)) => {
                all.iter().map(|one| kind.expressed(one, form)).collect()
            }
            (Self::Map(kind), Value::Object(all)) => {
                let all = all
                    .iter()
                    .map(|(key, value)| (key, kind.expressed(value, form)));
                if form.pairs {
                    all.map(|(key, value)| json!({"key": key, "value": value}))
                        .collect()
                } else {
                    all.map(|(key, value)| (key.clone(), value)).collect()
                }
            }
            (Self::Tuple(kinds), Value::Array(all)) => {
                let all = kinds
                    .iter()
                    .zip(all)
                    .map(|(kind, one)| kind.expressed(one, form));
                if form.named_places {
                    let named = all.enumerate().map(|(at, one)| (format!("item_{at}"), one));
                    Value::Object(named.collect())
                } else {
                    all.collect()
                }
            }
            (Self::Object(members), Value::Object(object)) => expressed(members, object, form),
            (Self::Choice(branches, true), Value::Object(object)) => {
                let at = object["tag"]
                    .as_str()
                    .and_then(|tag| tag[1..].parse::<usize>().ok());
                let members = &branches[at.expect("a branch")];
                let mut all = expressed(members, object, form);
                all["tag"] = object["tag"].clone();
                all
            }
            // Branches without a tag are told by a key of their own.
            (Self::Choice(branches, false), Value::Object(object)) => {
                let own = |at: &usize| object.contains_key(&format!("only{at}"));
                let at = (0..branches.len()).find(own).expect("a branch");
                let mut all = expressed(&branches[at], object, form);
                let key = format!("only{at}");
                all[&key] = object[&key].clone();
                all
            }
            (_, value) => value.clone(),
        }
    }
}

fn expressed(members: &[Member], object: &Map<String, Value>, form: Form) -> Value {
    let mut all = Map::new();
    for member in members {
        match object.get(&member.key) {
            Some(value) => {
                all.insert(member.key.clone(), member.kind.expressed(value, form));
            }
            None if form.all_required => {
                all.insert(member.key.clone(), Value::Null);
            }
            None => {}
        }
    }
    Value::Object(all)
}

fn tag(at: usize, tagged: bool) -> (String, Value) {
    if tagged {
        let constant = json!({"type": "string", "const": format!("b{at}")});
        ("tag".to_owned(), constant)
    } else {
        (format!("only{at}"), json!({"type": "boolean"}))
    }
}

fn object(members: &[Member], tag: Option<(String, Value)>) -> Value {
    let required = members.iter().filter(|member| member.required);
    let required = required.map(|member| member.key.clone());
    let required: Vec<String> = tag
        .iter()
        .map(|(key, _)| key.clone())
        .chain(required)
        .collect();
    let named = members
        .iter()
        .map(|member| (member.key.clone(), member.kind.schema()));
    let properties: Map<String, Value> = tag.into_iter().chain(named).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn objects(members: &[Member], tag: Option<(String, Value)>) -> BoxedStrategy<Value> {
    let tag = tag.map(|(key, schema)| {
        (
            key,
            schema.get("const").cloned().unwrap_or(Value::Bool(true)),
        )
    });
    let values: Vec<_> = members
        .iter()
        .map(|member| {
            let key = member.key.clone();
            // Where null may be left out too, the wire has one null for both.
            let value = member.kind.values().prop_map(Some);
            let value = if member.required || takes_null(&member.kind) {
                value.boxed()
            } else {
                prop_oneof![Just(None), value].boxed()
            };
            value.prop_map(move |value| value.map(|value| (key.clone(), value)))
        })
        .collect();
    values
        .prop_map(move |all| {
            tag.clone()
                .into_iter()
                .chain(all.into_iter().flatten())
                .collect()
        })
        .boxed()
}

/// The same schema with every object and choice below the root behind a reference; equal ones
/// behind the same.
pub fn behind_references(mut root: Value) -> Value {
    let mut defined = Vec::new();
    each_below(&mut root, &mut |schema| refer(schema, &mut defined));
    let named = defined.into_iter().enumerate();
    let named = named.map(|(at, schema)| (format!("D{at}"), schema));
    root["$defs"] = Value::Object(named.collect());
    root
}

fn refer(schema: &mut Value, defined: &mut Vec<Value>) {
    each_below(schema, &mut |below| refer(below, defined));
    if schema["type"] != "object" && schema.get("oneOf").is_none() {
        return;
    }
    let known = defined.iter().position(|one| one == schema);
    let at = known.unwrap_or_else(|| {
        defined.push(schema.clone());
        defined.len() - 1
    });
    *schema = json!({"$ref": format!("#/$defs/D{at}")});
}

fn each_below(schema: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    let Value::Object(schema) = schema else {
        return;
    };
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(all)) => all.values_mut().for_each(&mut *change),
            ("anyOf" | "oneOf" | "prefixItems", Value::Array(all)) => {
                all.iter_mut().for_each(&mut *change);
            }
            ("items" | "additionalProperties", one @ Value::Object(_)) => change(one),
            _ => {}
        }
    }
}

fn takes_null(kind: &Kind) -> bool {
    matches!(kind, Kind::Nullable(_))
}
