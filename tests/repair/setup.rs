//! A run that is set up wrongly says so before anything is sent.

use std::collections::HashMap;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;
use typed_extract::testing::Script;
use typed_extract::{ErrorKind, Extract, Normalize, extract, extract_value, json_schema};

use crate::support::{Count, RIGHT};

#[tokio::test]
async fn zero_attempts_and_an_empty_document_are_refused() {
    let model = Script::new([RIGHT]);
    let none = extract::<Count>().model(&model).attempts(0);
    let none = none.document("d").await.unwrap_err();
    assert_eq!(none.kind(), ErrorKind::Config);
    assert!(none.to_string().contains(".attempts(1)"), "{none}");
    for text in ["", " \n\t"] {
        let empty = extract::<Count>().model(&model).document(text);
        let empty = empty.await.unwrap_err();
        assert_eq!(empty.kind(), ErrorKind::Config);
        assert!(empty.to_string().contains(".document("), "{empty}");
        assert!(empty.record().attempts().is_empty());
    }
    assert_eq!(model.calls(), 0);
}

#[tokio::test]
async fn a_broken_example_is_refused_with_its_number_and_failures() {
    let model = Script::new([RIGHT]);
    let error = extract::<Count>()
        .example("two", &Count { count: 2 })
        .example("none", &Count { count: 0 })
        .model(&model)
        .document("d")
        .await
        .unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Config, 0));
    assert!(error.to_string().contains("example 2"), "{error}");
    assert_eq!(error.failures()[0].path().pointer(), "/count");
}

#[tokio::test]
async fn an_example_is_judged_as_it_is_written_whatever_replies_are_forgiven() {
    #[derive(Deserialize, Extract)]
    struct Tags {
        #[allow(dead_code)]
        tags: Vec<String>,
    }
    impl Serialize for Tags {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            HashMap::from([("tags", "a, b")]).serialize(serializer)
        }
    }
    let model = Script::new([r#"{"tags":[]}"#]);
    let error = extract::<Tags>()
        .normalize(Normalize::default())
        .example("a, b", &Tags { tags: Vec::new() })
        .model(&model)
        .document("d")
        .await
        .err()
        .unwrap();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Config, 0));
}

#[tokio::test]
async fn an_example_that_cannot_be_written_is_refused() {
    #[derive(Deserialize, Extract)]
    struct Odd {
        #[allow(dead_code)]
        count: u32,
    }
    impl Serialize for Odd {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no such number"))
        }
    }
    let model = Script::new([RIGHT]);
    let run = extract::<Odd>().example("two", &Odd { count: 2 });
    let error = run.model(&model).document("d").await.err().unwrap();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Config, 0));
    assert!(error.to_string().contains("no such number"), "{error}");
}

mod unusable {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    pub(super) struct Remote;

    impl JsonSchema for Remote {
        fn schema_name() -> Cow<'static, str> {
            "Remote".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({"$ref": "https://example.com/schema.json"})
        }
    }
}

#[derive(Debug, Deserialize, Extract)]
struct Unusable {
    #[extract(leaf)]
    #[allow(dead_code)]
    remote: unusable::Remote,
}

#[tokio::test]
async fn a_type_whose_schema_cannot_be_used_is_refused() {
    let model = Script::new([RIGHT]);
    let run = extract::<Unusable>().model(&model).document("d");
    let error = run.await.unwrap_err();
    assert_eq!((error.kind(), model.calls()), (ErrorKind::Schema, 0));
    assert_eq!(
        json_schema::<Unusable>().unwrap_err().to_string(),
        error.to_string()
    );
}

#[test]
fn a_given_schema_that_would_not_be_checked_is_refused_before_anything_is_sent() {
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "string", "format": "made-up"}}});
    let flow = extract_value(schema).unwrap().document("d");
    let error = flow.prompt().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    assert!(
        error.to_string().contains("/properties/n/format"),
        "{error}"
    );
    assert!(flow.lenient_schema(true).prompt().is_ok());
}
