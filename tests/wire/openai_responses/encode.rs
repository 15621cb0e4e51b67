//! Requests as bytes.

use serde_json::json;
use typed_extract::Request;
use typed_extract::model::openai::{Responses, ResponsesBuilder, encode};
use typed_extract::model::{FormatCapability, ModelErrorKind, ResponseSchema};

fn body(builder: ResponsesBuilder, request: &Request) -> String {
    let model = builder.build().unwrap();
    let bytes = encode(model.settings(), request);
    assert_eq!(
        bytes,
        encode(model.settings(), request),
        "the same each time"
    );
    String::from_utf8(bytes).unwrap()
}

fn model() -> ResponsesBuilder {
    Responses::builder("gpt-5.6")
}

fn parcel() -> Request {
    let schema = json!({"type": "object", "properties": {"z": {"type": "string"}, "a": {}}});
    Request::new("Parcel ZX-4471.").with_wire_schema(ResponseSchema::new("Page<Parcel>", schema))
}

#[test]
fn a_request_with_a_schema() {
    assert_eq!(
        body(model(), &parcel()),
        concat!(
            r#"{"model":"gpt-5.6","store":false,"input":"Parcel ZX-4471.","#,
            r#""text":{"format":{"type":"json_schema","name":"Page_Parcel_","#,
            r#""schema":{"type":"object","properties":{"z":{"type":"string"},"a":{}}},"strict":true}},"#,
            r#""stream":false}"#,
        )
    );
}

#[test]
fn requests_for_an_object_and_for_text() {
    assert_eq!(
        body(model().capability(FormatCapability::JsonObject), &parcel()),
        concat!(
            r#"{"model":"gpt-5.6","store":false,"input":"Parcel ZX-4471.","#,
            r#""text":{"format":{"type":"json_object"}},"stream":false}"#,
        )
    );
    let plain = r#"{"model":"gpt-5.6","store":false,"input":"Parcel ZX-4471.","stream":false}"#;
    assert_eq!(
        body(model().capability(FormatCapability::Text), &parcel()),
        plain
    );
    assert_eq!(body(model(), &Request::new("Parcel ZX-4471.")), plain);
}

#[test]
fn every_option_has_its_field() {
    let extra = json!({"reasoning": {"effort": "low"}, "prompt_cache_key": "parcels"});
    let builder = model()
        .strict(false)
        .system("Extract the parcel.")
        .temperature(0.0)
        .max_output_tokens(512)
        .extra(extra.as_object().unwrap().clone());
    assert_eq!(
        body(builder, &parcel().with_max_output_tokens(64).streamed()),
        concat!(
            r#"{"model":"gpt-5.6","store":false,"instructions":"Extract the parcel.","#,
            r#""input":"Parcel ZX-4471.","max_output_tokens":64,"temperature":0.0,"#,
            r#""text":{"format":{"type":"json_schema","name":"Page_Parcel_","#,
            r#""schema":{"type":"object","properties":{"z":{"type":"string"},"a":{}}},"strict":false}},"#,
            r#""stream":true,"reasoning":{"effort":"low"},"prompt_cache_key":"parcels"}"#,
        )
    );
}

#[test]
fn what_the_adapter_decides_is_not_overruled() {
    for field in ["store", "text", "input", "stream", "max_output_tokens"] {
        let extra = json!({field: true}).as_object().unwrap().clone();
        let error = model().extra(extra).build().unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Config);
        assert!(error.to_string().contains(field), "{error}");
    }
    let error = model()
        .base_url("https://api.openai.com/v1/responses")
        .build();
    assert!(error.unwrap_err().to_string().contains("/responses"));
}
