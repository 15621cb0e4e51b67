//! What models are asked for, and what is taken from them.

use serde::Deserialize;
use serde_json::json;
use typed_extract::testing::Script;
use typed_extract::{Extract, extract};

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Contact {
    handle: String,
    phone: Option<String>,
    desk: Option<Desk>,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Desk {
    floor: Option<u8>,
}

#[tokio::test]
async fn a_key_that_may_be_null_is_asked_for_and_may_be_left_out() {
    let model = Script::new([r#"{"handle": "ida", "desk": {}}"#]);
    let contact = extract::<Contact>()
        .model(&model)
        .document("ida")
        .await
        .unwrap();
    assert!(contact.phone.is_none() && contact.desk.is_some_and(|desk| desk.floor.is_none()));
    let request = model.requests()[0].clone();
    let schema = request.wire_schema().unwrap().schema();
    assert_eq!(schema["required"], json!(["handle", "phone", "desk"]));
    assert!(
        request.prompt().contains(&schema.to_string()),
        "prompt and wire say the same"
    );
    let desk = &schema["properties"]["desk"];
    assert_eq!(desk["required"], json!(["floor"]));
}
