//! The walk finds something exactly where the validator says no.

use serde_json::{Value, json};

use super::{Readable, explain, holds};
use crate::json::{Limits, Tape};
use crate::schema::Schema;

/// Numbers from a fixed seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn one(&mut self, all: &[Value]) -> Value {
        all[self.below(all.len())].clone()
    }

    fn scalar(&mut self) -> Value {
        let all = json!([
            null,
            true,
            0,
            1,
            -2,
            7,
            1.5,
            "",
            "a",
            "ab",
            "x1",
            "2026-03-02"
        ]);
        self.one(all.as_array().unwrap())
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 1 } else { 4 }) {
            0 => self.scalar(),
            1 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let keys = ["a", "b", "c", "x1", "kind"];
                let members = (0..self.below(4)).map(|_| {
                    let key = keys[self.below(keys.len())];
                    (key.to_owned(), self.value(depth - 1))
                });
                Value::Object(members.collect())
            }
        }
    }

    fn schema(&mut self, depth: usize) -> Value {
        if depth == 0 {
            return self.leaf();
        }
        let below = depth - 1;
        match self.below(16) {
            0 => json!({"type": "array", "items": self.schema(below), "maxItems": 3}),
            1 => json!({"prefixItems": [self.schema(below), self.schema(below)],
                "unevaluatedItems": self.schema(below)}),
            2 => json!({"contains": self.schema(below), "minContains": self.below(3)}),
            3 => json!({"anyOf": [self.schema(below), self.schema(below)]}),
            4 => json!({"oneOf": [self.schema(below), self.schema(below), self.schema(below)]}),
            5 => json!({"allOf": [self.schema(below), self.schema(below)]}),
            6 => json!({"not": self.schema(below)}),
            7 => json!({"if": self.schema(below), "then": self.schema(below),
                "else": self.schema(below)}),
            8 => json!({"$ref": "#/$defs/Node"}),
            9 => json!({"patternProperties": {"^x": self.schema(below)},
                "propertyNames": {"maxLength": 2}}),
            10 => json!({"dependentRequired": {"a": ["b"]},
                "dependentSchemas": {"b": self.schema(below)}}),
            11 => json!({"type": "object", "properties": {"a": self.schema(below)},
                "anyOf": [{"properties": {"b": self.schema(below)}, "required": ["b"]},
                    {"properties": {"c": self.schema(below)}}],
                "unevaluatedProperties": false}),
            12 => json!({"oneOf": [
                {"type": "object", "properties": {"kind": {"const": "a"}, "a": self.schema(below)},
                    "required": ["kind"], "additionalProperties": false},
                {"type": "object", "properties": {"kind": {"const": "ab"}, "b": self.schema(below)},
                    "required": ["kind", "b"], "additionalProperties": false}]}),
            13 => json!({"uniqueItems": true, "minProperties": 1}),
            _ => json!({"type": "object",
                "properties": {"a": self.schema(below), "b": self.schema(below)},
                "required": ["a"], "additionalProperties": self.below(2) == 0}),
        }
    }

    fn leaf(&mut self) -> Value {
        self.one(&[
            json!(true),
            json!(false),
            json!({"type": "string", "minLength": 1}),
            json!({"type": ["integer", "null"], "maximum": 5}),
            json!({"enum": ["a", 1, null]}),
            json!({"const": "ab"}),
            json!({"format": "date"}),
            json!({"pattern": "^a"}),
            json!({"type": "number", "multipleOf": 2}),
            json!({"type": "object"}),
            json!({"type": "boolean"}),
        ])
    }
}

/// Every keyword that a schema may hold, over values of every kind.
#[test]
fn something_is_found_exactly_where_the_validator_says_no() {
    let mut dice = Dice(11);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..1_500 {
        let schema = json!({
            "type": "object",
            "properties": {"a": dice.schema(3), "b": dice.schema(2)},
            "$defs": {"Node": {"anyOf": [dice.leaf(), {"type": "object",
                "properties": {"a": {"$ref": "#/$defs/Node"}, "b": dice.leaf()},
                "required": ["a"], "additionalProperties": false}]}},
        });
        let compiled = Schema::given(schema.clone()).unwrap();
        for _ in 0..8 {
            let text = json!({"a": dice.value(3), "b": dice.value(2)}).to_string();
            let tape = Tape::parse(&text, Limits::default()).unwrap();
            let told = explain(&compiled, tape.root(), Readable::default());
            let holds = holds(&compiled, tape.root());
            let silent = told.findings.is_empty() && told.omitted == 0;
            assert_eq!(holds, silent, "{schema}\n{text}\n{:?}", told.findings);
            right += usize::from(holds);
            wrong += usize::from(!holds);
        }
    }
    assert!(right > 500 && wrong > 500, "{right} right, {wrong} wrong");
}

/// A walk counts its steps, so that its growth is told without a clock.
#[test]
fn the_steps_of_a_walk_grow_with_the_reply_alone() {
    let node = json!({"oneOf": [
        {"type": "object", "properties": {"of": {"$ref": "#/$defs/Node"}, "kind": {"const": "a"}},
            "required": ["kind", "of"], "additionalProperties": false},
        {"type": "object", "properties": {"of": {"$ref": "#/$defs/Node"}, "kind": {"const": "b"}},
            "required": ["kind", "of"], "additionalProperties": false},
        {"type": "object", "properties": {"of": {"$ref": "#/$defs/Node"}, "c": {"type": "string"}},
            "required": ["of"], "additionalProperties": false},
        {"type": "object", "properties": {"value": {"type": "integer"}},
            "required": ["value"], "additionalProperties": false},
        {"type": "array", "items": {"$ref": "#/$defs/Node"}},
    ]});
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/Node"}},
        "$defs": {"Node": node}});
    let compiled = Schema::given(schema).unwrap();
    let steps = |text: &str| {
        let tape = Tape::parse(text, Limits::default()).unwrap();
        let (told, steps) = super::walk::counted(&compiled, tape.root());
        assert_ne!(told.findings.len() + told.omitted, 0, "something is found");
        steps
    };
    let deep = |depth: usize| {
        let open = r#"{"kind":"b","of":"#.repeat(depth);
        format!("{{\"a\":{open}{{\"value\":\"x\"}}{}}}", "}".repeat(depth))
    };
    let untagged = |depth: usize| {
        let open = r#"{"of":"#.repeat(depth);
        format!("{{\"a\":{open}{{\"value\":\"x\"}}{}}}", "}".repeat(depth))
    };
    let wide = |width: usize| {
        let all = vec![r#"{"kind":"a","of":{"value":"x"}}"#; width];
        format!("{{\"a\":[{}]}}", all.join(","))
    };
    for (few, many, times) in [
        (steps(&deep(15)), steps(&deep(60)), 4),
        (steps(&untagged(15)), steps(&untagged(60)), 4),
        (steps(&wide(100)), steps(&wide(10_000)), 100),
    ] {
        assert!(
            many < few * times * 11 / 10 + 500,
            "{few} steps, then {many}"
        );
    }
}
