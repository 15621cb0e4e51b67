//! What a dialect cannot express is an error with its place, before any call.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use typed_extract::__private::{inspect::wire, portable};
use typed_extract::model::SchemaDialect;
use typed_extract::testing::Script;
use typed_extract::{ErrorKind, Extract, Layer, Provider, extract, wire_schema};

use super::property::DIALECTS;

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Node {
    label: String,
    children: Vec<Node>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Ping {}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Round {
    ping: Ping,
    note: String,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Anything {
    note: String,
    rest: Value,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Spread {
    note: String,
    #[serde(flatten)]
    rest: HashMap<String, u8>,
}

/// The place and the keyword that a dialect refuses.
fn refused<T: Extract>(to: impl Into<SchemaDialect>) -> (String, String) {
    let error = wire_schema::<T>(to).expect_err("a schema that cannot be carried");
    assert_eq!(error.kind(), ErrorKind::Schema);
    let [failure] = &error.failures()[..] else {
        panic!("one failure, not {}", error.failures());
    };
    assert_eq!(failure.layer(), Layer::Schema);
    assert_eq!(failure.code(), "schema_build.unsupported");
    (failure.path().pointer(), failure.message().to_owned())
}

#[test]
fn branches_that_take_the_same_form_on_the_wire_are_refused() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let object = |keys: &[&str]| {
        let properties: Map<String, Value> = keys
            .iter()
            .map(|key| ((*key).to_owned(), json!({"type": "integer"})))
            .collect();
        json!({"type": "object", "properties": properties, "required": keys,
            "additionalProperties": false})
    };
    let tuple = json!({"type": "array", "prefixItems": [{"type": "integer"}],
        "minItems": 1, "maxItems": 1});
    let list = |items: Value| json!({"type": "array", "items": items});
    for (one, other, refused) in [
        (map.clone(), list(object(&["key", "value"])), true),
        (list(object(&["key", "value"])), map.clone(), true),
        (map.clone(), list(object(&["key", "other"])), false),
        (map, list(json!({"type": "string"})), false),
        (tuple.clone(), object(&["item_0"]), true),
        (tuple, object(&["item_1"]), false),
    ] {
        let schema = json!({"type": "object", "properties": {"v": {"anyOf": [one, other]}},
            "required": ["v"], "additionalProperties": false});
        let sent = wire(&schema, SchemaDialect::OpenAiStrict);
        let place = sent
            .err()
            .map(|(place, keyword)| format!("{keyword} at {place}"));
        let wanted = refused.then(|| "anyOf at /v".to_owned());
        assert_eq!(place, wanted, "{schema}");
    }
}

#[test]
fn a_type_inside_itself_is_refused_where_it_stands() {
    for to in [
        Provider::Anthropic,
        Provider::XAi,
        Provider::Gemini,
        Provider::Groq,
    ] {
        let (place, message) = refused::<Node>(to);
        assert_eq!(place, "/children", "{to}");
        assert!(
            message.contains("$ref") && message.contains(to.dialect().as_str()),
            "{message}"
        );
    }
    assert_eq!(refused::<Vec<Node>>(Provider::Anthropic).0, "/children");
    for to in [
        Provider::OpenAi,
        Provider::Azure,
        Provider::Ollama,
        Provider::Vllm,
    ] {
        assert!(wire_schema::<Node>(to).is_ok(), "{to}");
    }
}

#[tokio::test]
async fn nothing_is_sent_where_a_schema_cannot_be_carried() {
    let model =
        Script::new([r#"{"label": "a", "children": []}"#]).with_dialect(Provider::Anthropic);
    let error = extract::<Node>()
        .model(&model)
        .document("a")
        .await
        .unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Schema, 0));
    assert_eq!(error.failures()[0].path().to_string(), "children");
    assert!(error.to_string().contains("children"), "{error}");
}

#[test]
fn other_things_that_a_dialect_has_no_word_for() {
    let (place, message) = refused::<Round>(Provider::LlamaCpp);
    assert_eq!(place, "/ping");
    assert!(message.contains("an object without keys"), "{message}");
    assert!(wire_schema::<Round>(Provider::OpenAi).is_ok());
    assert_eq!(refused::<Anything>(Provider::OpenAi).0, "/rest");
    assert!(wire_schema::<Anything>(Provider::Vllm).is_ok());
    let (place, message) = refused::<Spread>(Provider::OpenAi);
    assert_eq!(place, "");
    assert!(message.contains("additionalProperties"), "{message}");
    assert!(wire_schema::<Spread>(Provider::Vllm).is_ok());
}

#[test]
fn a_test_for_portability_says_who_refuses_what_where() {
    assert!(portable::<Node>(&["openai", "vllm"]).is_ok());
    let refused = portable::<Node>(&["openai", "anthropic", "xai"]).unwrap_err();
    let text = format!("{refused:?}");
    for word in ["anthropic: ", "xai: ", "children", "$ref"] {
        assert!(text.contains(word), "{text}");
    }
    assert!(!text.contains("openai: "), "{text}");
}

/// A closed object with these properties, all of them required.
fn object(properties: &Map<String, Value>) -> Value {
    let keys: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "required": keys, "properties": properties,
        "additionalProperties": false})
}

fn one(schema: &Value) -> Value {
    object(&[("v".to_owned(), schema.clone())].into_iter().collect())
}

fn texts(count: usize) -> Map<String, Value> {
    (0..count)
        .map(|at| (format!("k{at}"), json!({"type": "string"})))
        .collect()
}

fn refusal(schema: &Value, to: SchemaDialect) -> Option<(String, String)> {
    wire(schema, to).err()
}

#[test]
fn the_limits_of_a_provider_are_known_before_a_call() {
    let strict = SchemaDialect::OpenAiStrict;
    let nested = |levels| (1..levels).fold(one(&json!({"type": "string"})), |inner, _| one(&inner));
    assert_eq!(refusal(&nested(10), strict), None);
    let deepest = "/v".repeat(10);
    assert_eq!(
        refusal(&nested(11), strict),
        Some((deepest, "properties".to_owned()))
    );
    assert!(refusal(&nested(6), SchemaDialect::Azure).is_some());
    assert_eq!(refusal(&object(&texts(5_000)), strict), None);
    assert_eq!(
        refusal(&object(&texts(5_001)), strict),
        Some(("/k5000".to_owned(), "properties".to_owned()))
    );
    assert!(refusal(&object(&texts(101)), SchemaDialect::Azure).is_some());
    let listed = |count, length| {
        let values: Vec<String> = (0..count).map(|at| format!("{at:0length$}")).collect();
        one(&json!({"type": "string", "enum": values}))
    };
    assert_eq!(refusal(&listed(1_000, 4), strict), None);
    assert!(refusal(&listed(1_001, 4), strict).is_some());
    assert_eq!(refusal(&listed(250, 61), strict), None);
    assert_eq!(
        refusal(&listed(251, 61), strict),
        Some(("/v".to_owned(), "enum".to_owned()))
    );
    assert!(
        refusal(&listed(240, 600), strict).is_some(),
        "over 120 000 characters"
    );
    let mut optional = object(&texts(25));
    optional["required"] = json!([]);
    assert_eq!(
        refusal(&optional, SchemaDialect::Anthropic),
        Some(("/k24".to_owned(), "required".to_owned()))
    );
}

#[test]
fn what_nobody_understands_is_refused_everywhere() {
    for (schema, keyword) in [
        (
            json!({"type": "string", "contentEncoding": "base64"}),
            "contentEncoding",
        ),
        (json!({"enum": []}), "enum"),
        (json!({"anyOf": []}), "anyOf"),
        (
            json!({"type": "object", "properties": {}, "required": ["a"]}),
            "required",
        ),
        (json!({"$ref": "#/$defs/Nowhere"}), "$ref"),
        (json!({"$ref": "https://example.com/schema"}), "$ref"),
        (
            json!({"not": 1, "allOf": [{"minimum": 1}, {"pattern": "a"}, {"pattern": "b"}]}),
            "pattern",
        ),
        (json!(false), "false"),
    ] {
        for to in DIALECTS {
            let found = refusal(&one(&schema), to).expect("a refusal");
            assert_eq!(
                found,
                ("/v".to_owned(), keyword.to_owned()),
                "{to}: {schema}"
            );
        }
    }
}

#[test]
fn schemas_that_grow_or_turn_without_end_are_refused_in_time() {
    let mut definitions: Map<String, Value> = (0..60)
        .map(|at| {
            let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
            let both: Map<String, Value> = [("a".to_owned(), next.clone()), ("b".to_owned(), next)]
                .into_iter()
                .collect();
            (format!("d{at}"), object(&both))
        })
        .collect();
    definitions.insert("d60".to_owned(), json!({"type": "string"}));
    let mut doubling = one(&json!({"$ref": "#/$defs/d0"}));
    doubling["$defs"] = Value::Object(definitions);
    assert!(refusal(&doubling, SchemaDialect::Groq).is_some());
    assert!(refusal(&doubling, SchemaDialect::Xgrammar).is_none());

    let mut turning = one(&json!({"$ref": "#/$defs/a"}));
    turning["$defs"] = json!({"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}});
    let mut choosing = one(&json!({"$ref": "#/$defs/a"}));
    choosing["$defs"] = json!({"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]}});
    let mut requiring = one(&json!({"$ref": "#/$defs/a"}));
    requiring["$defs"] = json!({"a": {"allOf": [{"$ref": "#/$defs/a"}], "minimum": 1}});
    for to in DIALECTS {
        assert!(refusal(&turning, to).is_some(), "{to}");
        assert!(refusal(&requiring, to).is_some(), "{to}");
        // A choice of itself means nothing; that it is read to an end is all.
        if let Ok(wired) = wire(&choosing, to) {
            assert_eq!(wired.undone(r#"{"v": {"v": [1]}}"#), r#"{"v": {"v": [1]}}"#);
        }
    }
}

#[test]
fn every_provider_is_found_by_its_name() {
    for provider in Provider::ALL {
        assert_eq!(provider.as_str().parse(), Ok(*provider));
    }
    let error = "OpenAI".parse::<Provider>().unwrap_err().to_string();
    assert!(
        error.contains("openai") && error.contains("vllm"),
        "{error}"
    );
}
