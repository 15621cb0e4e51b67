//! Cases about the schemas that go over the wire, and replies to them.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use typed_extract::__private::inspect::wire;
use typed_extract::model::SchemaDialect;
use typed_extract::testing::Script;
use typed_extract::{
    ErrorKind, Extract, Provider, extract, extract_value, json_schema, validate, wire_schema,
};

use super::data::{all, one};

const STRICT: SchemaDialect = SchemaDialect::OpenAiStrict;

fn sent<T: Extract>(to: impl Into<SchemaDialect>) -> Value {
    wire_schema::<T>(to)
        .expect("a schema that can be carried")
        .schema()
        .clone()
}

/// The whole case, as it stands in the file.
fn written(id: &str) -> Value {
    let lines = include_str!("../fixtures/cases.jsonl").lines();
    let mut cases = lines.map(|line| serde_json::from_str::<Value>(line).expect("a case"));
    cases.find(|case| case["id"] == id).expect("the case")
}

/// That the type itself takes and refuses what the case says.
fn agrees<T: Extract<Context = ()>>(id: &str) {
    let expected = &written(id)["expected"];
    for value in expected["accepts"].as_array().expect("accepted values") {
        let failures = validate::<T>(&value.to_string()).err();
        assert!(failures.is_none(), "{id}: {value} is refused: {failures:?}");
    }
    for value in expected["refuses"].as_array().expect("refused values") {
        assert!(
            validate::<T>(&value.to_string()).is_err(),
            "{id}: {value} is accepted"
        );
    }
}

/// Calls `look` on every object of a JSON value.
fn objects(value: &Value, look: &mut impl FnMut(&Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            look(object);
            object.values().for_each(|one| objects(one, look));
        }
        Value::Array(all) => all.iter().for_each(|one| objects(one, look)),
        _ => {}
    }
}

fn default_priority() -> String {
    "normal".into()
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Task {
    title: String,
    #[serde(default = "default_priority")]
    #[schemars(extend("enum" = ["low", "normal", "high"]))]
    priority: String,
}

#[tokio::test]
async fn b47_a_null_that_the_strict_form_asked_for_is_the_default() {
    let case = one("B47");
    let reply = case.replies[0].as_str().unwrap();
    let model = Script::new([reply]).with_dialect(STRICT);
    let done = extract::<Task>()
        .model(&model)
        .document("d")
        .run()
        .await
        .unwrap();
    let steps: Vec<String> = done.record().attempts()[0]
        .normalizations()
        .iter()
        .map(|step| format!("{}:{}", step.name(), step.path().pointer()))
        .collect();
    assert_eq!(steps, ["null_for_absent:/priority"]);
    let wanted = case.expected.value.unwrap();
    let task = done.into_value();
    assert_eq!(
        json!({"title": task.title, "priority": task.priority}),
        wanted
    );
    // Without a type there is no default to take: the key is absent, never null.
    let model = Script::new([reply]).with_dialect(STRICT);
    let schema = extract_value(case.schema.unwrap()).unwrap();
    let value = schema.model(&model).document("d").await.unwrap();
    assert_eq!(value, json!({"title": "Roof"}));
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Figure {
    caption: String,
    parts: Vec<Figure>,
}

#[derive(Debug, Default, Deserialize, Extract)]
#[allow(dead_code)]
enum Mode {
    #[default]
    Plain,
    Wide,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Article {
    /// the lead picture
    lead: Figure,
    #[serde(default)]
    mode: Mode,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct OtherWayRound {
    #[serde(default)]
    mode: Mode,
    #[doc = "the lead picture"]
    #[serde(rename = "lead")]
    picture: Figure,
}

#[test]
fn c07_nothing_stands_beside_a_reference_and_nothing_said_is_lost() {
    for schema in [sent::<Article>(STRICT), sent::<OtherWayRound>(STRICT)] {
        assert_eq!(
            schema["properties"]["lead"]["description"],
            "the lead picture"
        );
        objects(&schema, &mut |object| {
            assert!(
                !object.contains_key("$ref") || object.len() == 1,
                "{object:?}"
            );
            assert!(!object.contains_key("default"), "{object:?}");
        });
    }
    // A reference with words beside it, as generators write it.
    let given = json!({
        "type": "object",
        "properties": {"lead": {"$ref": "#/$defs/Figure", "description": "the lead picture"}},
        "required": ["lead"],
        "additionalProperties": false,
        "$defs": {"Figure": {"type": "object", "properties": {"parts": {
            "type": "array", "items": {"$ref": "#/$defs/Figure"}
        }}, "required": ["parts"], "additionalProperties": false}}
    });
    let schema = wire(&given, STRICT).unwrap();
    let lead = &schema.schema()["properties"]["lead"];
    assert_eq!(
        lead,
        &json!({"description": "the lead picture", "anyOf": [{"$ref": "#/$defs/Figure"}]})
    );
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Node {
    label: String,
    children: Vec<Node>,
}

#[tokio::test]
async fn c08_recursion_is_referred_to_or_refused_and_never_expanded() {
    agrees::<Node>("C08");
    assert!(sent::<Node>(STRICT).to_string().contains("#/$defs/Node"));
    for provider in [
        Provider::Anthropic,
        Provider::XAi,
        Provider::Gemini,
        Provider::Vertex,
    ] {
        let model = Script::new(["{}"]).with_dialect(provider);
        let error = extract::<Node>()
            .model(&model)
            .document("d")
            .await
            .unwrap_err();
        assert_eq!((error.kind(), model.calls()), (ErrorKind::Schema, 0));
        let failure = &error.failures()[0];
        assert_eq!(failure.code(), "schema_build.unsupported");
        assert_eq!(failure.path().pointer(), "/children");
    }
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "via")]
#[allow(dead_code)]
enum Pay {
    Card { last4: String },
    Bank { iban_len: u8 },
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Order {
    pay: Pay,
}

#[test]
fn c10_a_tagged_enum_is_sent_as_any_of() {
    agrees::<Order>("C10");
    let schema = sent::<Order>(STRICT);
    assert_eq!(
        schema["properties"]["pay"]["anyOf"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert!(!schema.to_string().contains("oneOf"), "{schema}");
    assert!(
        json_schema::<Order>()
            .unwrap()
            .to_string()
            .contains("oneOf")
    );
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Desk {
    floor: Option<String>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Contact {
    handle: String,
    phone: Option<String>,
    desk: Option<Desk>,
}

#[test]
fn c12_every_key_is_required_and_optional_ones_take_null() {
    agrees::<Contact>("C12");
    let schema = sent::<Contact>(STRICT);
    assert_eq!(schema["required"], json!(["handle", "phone", "desk"]));
    assert_eq!(
        schema["properties"]["phone"]["type"],
        json!(["string", "null"])
    );
    let desk = &schema["properties"]["desk"];
    assert_eq!(desk["type"], json!(["object", "null"]));
    assert_eq!(desk["required"], json!(["floor"]));
    assert_eq!(
        desk["properties"]["floor"]["type"],
        json!(["string", "null"])
    );
    for object in [&schema, desk] {
        assert_eq!(object["additionalProperties"], false);
    }
    for absent in [
        r#"{"handle": "a"}"#,
        r#"{"handle": "a", "phone": null, "desk": null}"#,
    ] {
        let contact = validate::<Contact>(absent).unwrap();
        assert!(contact.phone.is_none() && contact.desk.is_none());
    }
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Audit {
    links: HashMap<String, Vec<String>>,
}

#[tokio::test]
async fn c13_a_map_is_sent_as_pairs_and_comes_back_as_a_map() {
    agrees::<Audit>("C13");
    for to in [
        SchemaDialect::GeminiJsonSchema,
        SchemaDialect::GeminiOpenApi,
        STRICT,
    ] {
        let schema = sent::<Audit>(to);
        let pair = &schema["properties"]["links"]["items"];
        assert_eq!(pair["required"], json!(["key", "value"]), "{to}: {schema}");
        let reply = r#"{"links": [{"key": "unit-3", "value": ["B.7"]}]}"#;
        let model = Script::new([reply]).with_dialect(to);
        let done = extract::<Audit>()
            .model(&model)
            .document("d")
            .run()
            .await
            .unwrap();
        assert_eq!(done.value().links["unit-3"], ["B.7"]);
        let steps = done.record().attempts()[0].normalizations();
        assert_eq!(steps[0].to_string(), "pairs_to_map at links");
    }
}

#[derive(Debug, Deserialize, Extract)]
struct Ping {}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Round {
    ping: Ping,
    note: String,
}

#[test]
fn c21_an_object_without_keys_is_refused_here_and_not_by_the_server() {
    agrees::<Round>("C21");
    for to in [SchemaDialect::LlamaCpp, SchemaDialect::GeminiOpenApi] {
        let error = wire_schema::<Round>(to).unwrap_err();
        let failure = &error.failures()[0];
        assert_eq!(failure.code(), "schema_build.unsupported");
        assert_eq!(failure.path().pointer(), "/ping");
    }
    assert_eq!(
        sent::<Round>(STRICT)["properties"]["ping"]["additionalProperties"],
        false
    );
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Size {
    width: u16,
    depth: Option<u16>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Parcel {
    label: String,
    size: Size,
}

const EVERY: [SchemaDialect; 10] = [
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

/// What an extraction sends, by way of its requests.
async fn requested<T: Extract<Context = ()>>(to: SchemaDialect) -> Value {
    let model = Script::new(["{}"]).with_dialect(to);
    let _ = extract::<T>()
        .model(&model)
        .document("d")
        .attempts(1)
        .run()
        .await;
    model.requests()[0]
        .wire_schema()
        .expect("a schema")
        .schema()
        .clone()
}

async fn closed<T: Extract<Context = ()>>() {
    for to in EVERY {
        let Ok(once) = wire_schema::<T>(to) else {
            continue;
        };
        let twice = wire(once.schema(), to).expect("what was carried once");
        assert_eq!(
            once.schema().to_string(),
            twice.schema().to_string(),
            "{to}"
        );
        assert_eq!(
            requested::<T>(to).await.to_string(),
            once.schema().to_string(),
            "{to}"
        );
    }
}

#[tokio::test]
async fn c26_rewriting_is_closed_and_every_way_to_it_gives_the_same() {
    closed::<Article>().await;
    closed::<Node>().await;
    closed::<Order>().await;
    closed::<Contact>().await;
    closed::<Audit>().await;
    closed::<Round>().await;
    closed::<Parcel>().await;
    closed::<Vec<Parcel>>().await;
    closed::<Option<Order>>().await;
    for case in all().iter().filter(|case| case.schema.is_some()) {
        let schema = case.schema.as_ref().expect("a schema");
        for to in EVERY {
            let Ok(once) = wire(schema, to) else { continue };
            let twice = wire(once.schema(), to).expect("what was carried once");
            assert_eq!(
                once.schema().to_string(),
                twice.schema().to_string(),
                "{} {to}",
                case.id
            );
        }
    }
}

#[tokio::test]
async fn c27_the_reduced_field_holds_no_word_that_it_refuses() {
    let refused = ["$schema", "$defs", "$ref", "additionalProperties"];
    let schema = requested::<Parcel>(SchemaDialect::GeminiOpenApi).await;
    objects(&schema, &mut |object| {
        assert!(
            refused.iter().all(|word| !object.contains_key(*word)),
            "{object:?}"
        );
    });
    assert_eq!(
        schema["properties"]["size"]["properties"]["width"]["type"],
        "INTEGER"
    );
    let schema = requested::<Parcel>(Provider::Gemini.dialect()).await;
    assert_eq!(schema["properties"]["size"]["additionalProperties"], false);
}
