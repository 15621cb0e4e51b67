//! What a run sends and records.

use serde::Deserialize;
use typed_extract::model::{FormatCapability, SchemaDialect};
use typed_extract::testing::Script;
use typed_extract::{Extract, Model, Provider, extract, json_schema, wire_schema};

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Tags {
    #[validate(length(min = 1, max = 3))]
    tags: Vec<String>,
    #[serde(default)]
    note: String,
}

const REPLY: &str = r#"{"tags": ["a"], "note": "n"}"#;

#[tokio::test]
async fn the_wire_carries_what_the_public_function_shows_and_the_prompt_stays() {
    let plain = Script::new([REPLY]);
    let _ = extract::<Tags>().model(&plain).document("d").await.unwrap();
    for provider in Provider::ALL {
        let model = Script::new([REPLY]).with_dialect(*provider);
        let done = extract::<Tags>()
            .model(&model)
            .document("d")
            .run()
            .await
            .unwrap();
        let request = &model.requests()[0];
        let shown = wire_schema::<Tags>(*provider).unwrap();
        assert_eq!(
            request.wire_schema().unwrap().schema().to_string(),
            shown.schema().to_string()
        );
        assert_eq!(request.prompt(), plain.requests()[0].prompt(), "{provider}");
        assert_eq!(done.record().wire_dialect(), Some(provider.dialect()));
        assert_eq!(done.record().dropped(), shown.dropped());
    }
}

#[tokio::test]
async fn what_the_wire_does_not_carry_is_enforced_and_recorded_on_failure_too() {
    let model = Script::new([r#"{"tags": [], "note": null}"#]).with_dialect(Provider::Azure);
    let run = extract::<Tags>()
        .model(&model)
        .document("d")
        .attempts(1)
        .run()
        .await;
    let error = run.unwrap_err();
    assert_eq!(error.failures()[0].path().pointer(), "/tags");
    let dropped: Vec<&str> = error
        .record()
        .dropped()
        .iter()
        .map(typed_extract::schema::DroppedKeyword::keyword)
        .collect();
    assert!(
        dropped.contains(&"minItems") && dropped.contains(&"maxItems"),
        "{dropped:?}"
    );
}

#[tokio::test]
async fn a_model_without_schemas_has_no_dialect_in_the_record() {
    let model = Script::new([REPLY])
        .with_capability(FormatCapability::JsonObject)
        .with_dialect(SchemaDialect::OpenAiStrict);
    let done = extract::<Tags>()
        .model(&model)
        .document("d")
        .run()
        .await
        .unwrap();
    assert_eq!(done.record().wire_dialect(), None);
    assert!(done.record().dropped().is_empty());
}

#[test]
fn a_model_behind_a_pointer_keeps_its_dialect() {
    let model: Box<dyn Model> = Box::new(Script::new([REPLY]).with_dialect(Provider::Groq));
    assert_eq!(model.dialect(), SchemaDialect::Groq);
    assert_eq!(Script::new([REPLY]).dialect(), SchemaDialect::Full);
    assert!(json_schema::<Tags>().is_ok());
}
