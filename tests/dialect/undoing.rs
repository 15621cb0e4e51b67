//! Replies to a rewritten schema, read as the type's own schema asks for them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::__private::inspect::wire;
use typed_extract::model::{FormatCapability, SchemaDialect};
use typed_extract::testing::Script;
use typed_extract::{Error, Extract, Extracted, Provider, extract, extract_value};

async fn run<T: Extract<Context = ()>>(reply: &str, to: Provider) -> Result<Extracted<T>, Error> {
    let model = Script::new([reply]).with_dialect(to);
    extract::<T>()
        .model(&model)
        .document("a document")
        .attempts(1)
        .run()
        .await
}

fn taken<T>(done: &Extracted<T>) -> Vec<String> {
    let steps = done.record().attempts()[0].normalizations();
    steps.iter().map(ToString::to_string).collect()
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
enum Priority {
    Low,
    Normal,
    High,
}

fn normal() -> Priority {
    Priority::Normal
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Ticket {
    title: String,
    #[serde(default = "normal")]
    priority: Priority,
    due: Option<String>,
}

#[tokio::test]
async fn a_null_that_the_wire_asked_for_is_an_absent_key() {
    let reply = r#"{"title": "Roof", "priority": null, "due": null}"#;
    let done = run::<Ticket>(reply, Provider::OpenAi).await.unwrap();
    assert_eq!(taken(&done), ["null_for_absent at priority"]);
    let wanted = Ticket {
        title: "Roof".into(),
        priority: Priority::Normal,
        due: None,
    };
    assert_eq!(done.into_value(), wanted);
    // Where the wire carried the schema as it is, no null was asked for.
    let error = run::<Ticket>(reply, Provider::DeepSeek).await.unwrap_err();
    assert_eq!(error.failures()[0].path().pointer(), "/priority");
    let model = Script::new([reply])
        .with_dialect(Provider::OpenAi)
        .with_capability(FormatCapability::JsonObject);
    let plain = extract::<Ticket>()
        .model(&model)
        .document("d")
        .attempts(1)
        .await;
    assert!(plain.is_err());
}

#[tokio::test]
async fn a_null_that_the_schema_takes_is_left_alone() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "string"}},
        "required": [],
        "additionalProperties": false
    });
    let model = Script::new([r#"{"a": null, "b": null}"#]).with_dialect(Provider::OpenAi);
    let extraction = extract_value(schema).unwrap();
    let done = extraction.model(&model).document("d").await.unwrap();
    assert_eq!(done, json!({"a": null}));
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Links {
    links: BTreeMap<String, Vec<(u8, String)>>,
}

#[tokio::test]
async fn pairs_and_named_places_become_maps_and_tuples() {
    let reply = r#"{"links": [{"value": [{"item_1": "B", "item_0": 7}], "key": "unit \"3\""}]}"#;
    let done = run::<Links>(reply, Provider::OpenAi).await.unwrap();
    assert_eq!(
        taken(&done),
        [
            "pairs_to_map at links",
            r#"named_places at links["unit \"3\""][0]"#
        ]
    );
    let links = &done.value().links;
    assert_eq!(links["unit \"3\""], [(7, "B".to_owned())]);
    assert_eq!(
        run::<Links>(r#"{"links": []}"#, Provider::Gemini)
            .await
            .unwrap()
            .value()
            .links
            .len(),
        0
    );
}

#[tokio::test]
async fn a_key_that_comes_twice_is_a_failure_at_its_place() {
    let pair = r#"{"key": "a", "value": []}"#;
    let same = r#"{"key": "\u0061", "value": []}"#;
    let reply = format!(r#"{{"links": [{pair}, {same}]}}"#);
    let error = run::<Links>(&reply, Provider::OpenAi).await.unwrap_err();
    let failure = &error.failures()[0];
    assert_eq!(
        (failure.code().as_str(), failure.path().pointer()),
        ("parse.duplicate_key", "/links/a".to_owned())
    );
}

#[tokio::test]
async fn what_is_no_pair_is_judged_as_it_came() {
    for odd in [
        r#"[{"key": "a"}]"#,
        r#"[{"key": 1, "value": []}]"#,
        r#"[{"key": "a", "value": [], "more": 1}]"#,
        r#"[["a", []]]"#,
        r#""a""#,
    ] {
        let error = run::<Links>(&format!(r#"{{"links": {odd}}}"#), Provider::OpenAi)
            .await
            .unwrap_err();
        assert_eq!(error.failures()[0].path().pointer(), "/links", "{odd}");
    }
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(tag = "via")]
enum Pay {
    Card {
        last4: String,
    },
    Bank {
        iban: String,
        #[serde(default)]
        fee: u8,
    },
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Order {
    pay: Pay,
    colours: Vec<Colour>,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
enum Colour {
    Red,
    Green,
    #[serde(rename = "GREEN")]
    Loud,
}

#[tokio::test]
async fn a_value_in_another_case_is_the_one_it_can_only_be() {
    let reply = r#"{"pay": {"via": "BANK", "iban": "CH"}, "colours": ["red", "Green", "GREEN"]}"#;
    let done = run::<Order>(reply, Provider::Anthropic).await.unwrap();
    assert_eq!(
        taken(&done),
        ["enum_case at pay.via", "enum_case at colours[0]"]
    );
    assert_eq!(
        done.value().colours,
        [Colour::Red, Colour::Green, Colour::Loud]
    );
    // Two values differ only in case: choosing would be a guess.
    let reply = r#"{"pay": {"via": "Card", "last4": "1"}, "colours": ["green"]}"#;
    let error = run::<Order>(reply, Provider::Anthropic).await.unwrap_err();
    assert_eq!(error.failures()[0].path().pointer(), "/colours/0");
    let strict = run::<Order>(
        r#"{"pay": {"via": "card", "last4": "1"}, "colours": []}"#,
        Provider::OpenAi,
    );
    assert!(strict.await.is_err());
}

#[tokio::test]
async fn the_branch_of_a_choice_is_told_by_its_tag() {
    let reply = r#"{"pay": {"via": "Bank", "iban": "CH", "fee": null}, "colours": []}"#;
    let done = run::<Order>(reply, Provider::OpenAi).await.unwrap();
    assert_eq!(taken(&done), ["null_for_absent at pay.fee"]);
    assert_eq!(
        done.value().pay,
        Pay::Bank {
            iban: "CH".into(),
            fee: 0
        }
    );
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum Held {
    Numbers(BTreeMap<String, u8>),
    Texts(BTreeMap<String, String>),
    Both((u8, String)),
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Shelf {
    held: Vec<Held>,
}

#[tokio::test]
async fn the_branch_of_a_choice_without_a_tag_is_told_by_its_shape() {
    let reply = r#"{"held": [
        [{"key": "a", "value": "x"}],
        [{"key": "a", "value": 1}],
        {"item_0": 1, "item_1": "x"}
    ]}"#;
    let done = run::<Shelf>(reply, Provider::OpenAi).await.unwrap();
    let map = |value: &Value| serde_json::from_value(value.clone()).unwrap();
    assert_eq!(done.value().held[0], Held::Texts(map(&json!({"a": "x"}))));
    assert!(matches!(done.value().held[1], Held::Numbers(_)));
    assert_eq!(done.value().held[2], Held::Both((1, "x".into())));
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
enum Extra {
    Note(String),
    Code(u8),
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Doc {
    page: String,
    #[serde(flatten)]
    extra: Extra,
}

#[tokio::test]
async fn a_root_that_had_to_be_wrapped_comes_back_bare() {
    let reply = r#"{"value": {"page": "p", "code": 7}}"#;
    let done = run::<Doc>(reply, Provider::OpenAi).await.unwrap();
    assert_eq!(taken(&done), ["root_wrapper"]);
    assert_eq!(done.value().extra, Extra::Code(7));
    let wrong = run::<Doc>(r#"{"value": {"page": 1, "code": 7}}"#, Provider::OpenAi)
        .await
        .unwrap_err();
    assert_eq!(wrong.failures()[0].path().pointer(), "/page");
}

#[tokio::test]
async fn the_repair_speaks_of_the_type_and_not_of_the_wire() {
    let wrong = r#"{"links": [{"key": "a", "value": [{"item_0": 700, "item_1": "x"}]}]}"#;
    let right = r#"{"links": [{"key": "a", "value": [{"item_0": 70, "item_1": "x"}]}]}"#;
    let model = Script::new([wrong, right]).with_dialect(Provider::OpenAi);
    let done = extract::<Links>()
        .model(&model)
        .document("d")
        .run()
        .await
        .unwrap();
    let first = &done.record().attempts()[0];
    assert_eq!(first.failures()[0].path().pointer(), "/links/a/0/0");
    assert_eq!(first.reply().unwrap().text(), wrong);
    let repair = model.requests()[1].prompt().to_owned();
    assert!(
        repair.contains(r#"{"links": {"a": [[700, "x"]]}}"#),
        "{repair}"
    );
    assert_eq!(done.value().links["a"], [(70, "x".to_owned())]);
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Part {
    name: String,
    #[serde(default)]
    weights: BTreeMap<String, u8>,
    inner: Option<Box<Part>>,
    #[serde(default)]
    parts: Vec<Part>,
}

#[tokio::test]
async fn what_stands_below_a_reference_is_undone_too() {
    let leaf =
        r#"{"name": "leaf", "weights": [{"key": "g", "value": 2}], "inner": null, "parts": null}"#;
    let reply = format!(
        r#"{{"name": "root", "weights": null, "inner": {leaf}, "parts": [{leaf}, {leaf}]}}"#
    );
    let done = run::<Part>(&reply, Provider::OpenAi).await.unwrap();
    let part = done.value();
    assert_eq!(part.parts[1].weights["g"], 2);
    assert_eq!(part.inner.as_ref().unwrap().weights["g"], 2);
    assert!(taken(&done).contains(&"null_for_absent at parts[1].parts".to_owned()));
}

#[test]
fn hostile_replies_are_read_to_an_end() {
    let schema = json!({
        "type": "object",
        "properties": {"v": {"$ref": "#/$defs/t"}},
        "required": ["v"],
        "additionalProperties": false,
        "$defs": {"t": {"anyOf": [
            {"type": "array", "items": {"$ref": "#/$defs/t"}},
            {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/t"}, {"type": "integer"}]}},
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/t"}},
            {"type": "string"}
        ]}}
    });
    let wired = wire(&schema, SchemaDialect::OpenAiStrict).unwrap();
    for inner in ["1", "\"x\"", "null", r#"{"key": "a", "value": "b"}"#] {
        let wide = format!("[{}]", vec![inner; 5_000].join(","));
        let deep = format!("{}{inner}{}", "[".repeat(60), "]".repeat(60));
        for value in [wide, deep] {
            let reply = format!(r#"{{"v": {value}}}"#);
            let undone = wired.undone(&reply);
            assert!(serde_json::from_str::<Value>(&undone).is_ok());
        }
    }
}

#[test]
fn choices_that_lead_only_to_themselves_are_followed_to_an_end() {
    let schema = json!({
        "type": "object",
        "properties": {"v": {"$ref": "#/$defs/t"}},
        "required": ["v"],
        "additionalProperties": false,
        "$defs": {"t": {"anyOf": [
            {"$ref": "#/$defs/t"},
            {"anyOf": [{"$ref": "#/$defs/t"}, {"$ref": "#/$defs/t"}]},
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/t"}},
            {"type": "string"}
        ]}}
    });
    let wired = wire(&schema, SchemaDialect::OpenAiStrict).unwrap();
    for value in ["1", r#"[{"key": "a", "value": 1}]"#] {
        let reply = format!(r#"{{"v": {value}}}"#);
        assert!(serde_json::from_str::<Value>(&wired.undone(&reply)).is_ok());
    }
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
enum Way {
    #[serde(rename = "ΟΔΟΣ")]
    Road,
    #[serde(rename = "Straße")]
    Street,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Ways {
    ways: Vec<Way>,
}

#[tokio::test]
async fn case_is_folded_in_any_script() {
    let reply = r#"{"ways": ["οδος", "STRAßE", "ΟΔΟΣ"]}"#;
    let done = run::<Ways>(reply, Provider::Anthropic).await.unwrap();
    assert_eq!(done.value().ways, [Way::Road, Way::Street, Way::Road]);
}
