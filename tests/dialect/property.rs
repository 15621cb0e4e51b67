//! What holds for every schema and every dialect.

use proptest::prelude::*;
use serde_json::Value;
use typed_extract::__private::inspect::wire;
use typed_extract::extract_value;
use typed_extract::model::SchemaDialect;

use super::generated::{Form, Kind, behind_references, roots};
use super::keywords::{every_schema, refused};

pub const DIALECTS: [SchemaDialect; 10] = [
    SchemaDialect::OpenAiStrict,
    SchemaDialect::Azure,
    SchemaDialect::Anthropic,
    SchemaDialect::XAi,
    SchemaDialect::GeminiJsonSchema,
    SchemaDialect::GeminiOpenApi,
    SchemaDialect::Groq,
    SchemaDialect::LlamaCpp,
    SchemaDialect::Xgrammar,
    SchemaDialect::Llguidance,
];

fn form(dialect: SchemaDialect) -> Form {
    use SchemaDialect::{Anthropic, Azure, GeminiJsonSchema, GeminiOpenApi, Groq, OpenAiStrict};
    let strict = matches!(dialect, OpenAiStrict | Azure | Groq);
    let named_places = strict || matches!(dialect, Anthropic | GeminiOpenApi);
    Form {
        pairs: named_places || dialect == GeminiJsonSchema,
        named_places,
        all_required: strict,
    }
}

fn rooted() -> impl Strategy<Value = (Kind, Value)> {
    roots().prop_flat_map(|kind| {
        let values = kind.values();
        (Just(kind), values)
    })
}

/// The schema in a dialect, unless it is over a limit of the provider's.
fn carried(
    schema: &Value,
    dialect: SchemaDialect,
) -> Option<typed_extract::__private::inspect::Wired> {
    match wire(schema, dialect) {
        Ok(wired) => Some(wired),
        Err((path, keyword)) => {
            let limit = matches!(
                dialect,
                SchemaDialect::Azure | SchemaDialect::Anthropic | SchemaDialect::OpenAiStrict
            );
            assert!(limit, "{dialect} refuses {schema} at {path} for {keyword}");
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_schema_of_a_dialect_is_its_own_form_in_it(kind in roots()) {
        let schema = kind.schema();
        for dialect in DIALECTS {
            let Some(once) = carried(&schema, dialect) else { continue };
            let twice = wire(once.schema(), dialect).expect("what was carried once");
            prop_assert_eq!(once.schema().to_string(), twice.schema().to_string(), "{}", dialect);
            prop_assert!(twice.dropped().is_empty(), "{}: {:?}", dialect, twice.dropped());
        }
    }

    #[test]
    fn only_keywords_that_a_dialect_takes_are_sent(kind in roots()) {
        let schema = kind.schema();
        for dialect in DIALECTS {
            let Some(wired) = carried(&kind.schema(), dialect) else { continue };
            every_schema(wired.schema(), &mut |node| {
                let found = refused(dialect, node);
                assert!(found.is_none(), "{dialect}: {found:?} in {node:?}");
            });
            for dropped in wired.dropped() {
                let (keyword, place) = dropped.split_once(" at ").expect("a place");
                let schema = schema.pointer(if place == "the root" { "" } else { place });
                let there = schema.is_some_and(|schema| schema.get(keyword).is_some());
                prop_assert!(there, "{}: {}", dialect, dropped);
            }
        }
    }

    #[test]
    fn every_value_can_be_written_under_the_wire_schema_and_read_back(
        (kind, value) in rooted(),
        referred in any::<bool>(),
    ) {
        let schema = if referred { behind_references(kind.schema()) } else { kind.schema() };
        let canonical = extract_value(schema.clone()).expect("a sound schema").document("d");
        prop_assert!(canonical.validate(&value.to_string()).is_ok(), "{value} under {schema}");
        for dialect in DIALECTS {
            let Some(wired) = carried(&schema, dialect) else { continue };
            let written = kind.expressed(&value, form(dialect)).to_string();
            if dialect != SchemaDialect::GeminiOpenApi {
                let sent = extract_value(wired.schema().clone()).expect("a sound schema");
                let judged = sent.document("d").validate(&written);
                prop_assert!(judged.is_ok(), "{dialect}: {written} under {}: {:?}", wired.schema(), judged.err());
            }
            let back: Value = serde_json::from_str(&wired.undone(&written)).expect("JSON");
            prop_assert_eq!(&back, &value, "{}: {} under {}", dialect, written, wired.schema());
        }
    }

    #[test]
    fn a_reply_in_the_canonical_form_is_left_alone((kind, value) in rooted()) {
        for dialect in DIALECTS {
            let Some(wired) = carried(&kind.schema(), dialect) else { continue };
            let back: Value = serde_json::from_str(&wired.undone(&value.to_string())).expect("JSON");
            prop_assert_eq!(&back, &value, "{}", dialect);
        }
    }

    #[test]
    fn any_json_is_carried_or_refused(schema in written(), reply in written()) {
        for dialect in DIALECTS {
            if let Ok(wired) = wire(&schema, dialect) {
                let undone = wired.undone(&reply.to_string());
                prop_assert!(serde_json::from_str::<Value>(&undone).is_ok(), "{undone}");
            }
        }
    }
}

/// JSON made of the words of schemas, right and wrong ones.
fn written() -> impl Strategy<Value = Value> {
    let words = [
        "type",
        "string",
        "object",
        "array",
        "null",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "#",
        "#/$defs/a",
        "#/anyOf/0",
        "$defs",
        "a",
        "properties",
        "required",
        "items",
        "prefixItems",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "nullable",
        "pattern",
        "minItems",
        "maxItems",
        "minimum",
        "exclusiveMinimum",
        "default",
        "not",
        "value",
        "key",
        "item_0",
        "unevaluatedProperties",
        "dependentRequired",
        "description",
        "format",
    ];
    let leaf = prop_oneof![
        proptest::sample::select(words.to_vec()).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        (-2..3_i64).prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(6, 40, 4, move |inner| {
        let keys = proptest::sample::select(words.to_vec()).prop_map(str::to_owned);
        let members = proptest::collection::btree_map(keys, inner.clone(), 0..4);
        prop_oneof![
            proptest::collection::vec(inner, 0..3).prop_map(Value::Array),
            members.prop_map(|all| all.into_iter().collect()),
        ]
    })
}
