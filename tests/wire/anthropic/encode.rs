//! Requests as bytes, and what cannot be requested.

use serde_json::json;
use typed_extract::Request;
use typed_extract::model::anthropic::{DEFAULT_MAX_TOKENS, Messages, MessagesBuilder, encode};
use typed_extract::model::{FormatCapability, ModelErrorKind};

use super::builder;
use crate::encode::parcel;

fn body(builder: MessagesBuilder, request: &Request) -> String {
    let model = builder.build().unwrap();
    let bytes = encode(model.settings(), request);
    assert_eq!(
        bytes,
        encode(model.settings(), request),
        "the same each time"
    );
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_plain_request_has_a_cap_and_little_else() {
    assert_eq!(
        body(builder(), &Request::new("Hi")),
        concat!(
            r#"{"model":"claude-sonnet-5","max_tokens":8192,"#,
            r#""messages":[{"role":"user","content":"Hi"}],"stream":false}"#,
        )
    );
    assert_eq!(DEFAULT_MAX_TOKENS, 8192);
}

#[test]
fn the_schema_travels_without_name_in_the_order_it_was_written() {
    assert_eq!(
        body(builder(), &parcel()),
        concat!(
            r#"{"model":"claude-sonnet-5","max_tokens":8192,"#,
            r#""messages":[{"role":"user","content":"Extract \"it\"."}],"#,
            r#""output_config":{"format":{"type":"json_schema","schema":"#,
            r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"null"}}}}},"#,
            r#""stream":false}"#,
        )
    );
}

#[test]
fn every_option_has_its_field_in_a_streamed_request_too() {
    let extra = json!({"thinking": {"type": "adaptive"}});
    let builder = builder()
        .system("Be brief.")
        .temperature(0.0)
        .max_output_tokens(900)
        .effort("low")
        .extra(extra.as_object().unwrap().clone());
    assert_eq!(
        body(builder, &parcel().with_max_output_tokens(64).streamed()),
        concat!(
            r#"{"model":"claude-sonnet-5","max_tokens":64,"system":"Be brief.","#,
            r#""messages":[{"role":"user","content":"Extract \"it\"."}],"#,
            r#""output_config":{"effort":"low","format":{"type":"json_schema","schema":"#,
            r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"null"}}}}},"#,
            r#""temperature":0.0,"stream":true,"thinking":{"type":"adaptive"}}"#,
        )
    );
}

#[test]
fn without_capability_the_schema_stays_at_home() {
    let text = body(builder().capability(FormatCapability::Text), &parcel());
    assert!(!text.contains("output_config"), "{text}");
}

#[test]
fn what_cannot_work_is_refused_with_what_to_write() {
    let extra = json!({"output_config": {}}).as_object().unwrap().clone();
    for (builder, advice) in [
        (
            builder().capability(FormatCapability::JsonObject),
            "`JsonSchema`",
        ),
        (builder().version(""), "2023-06-01"),
        (builder().version("2023\r\nx: y"), "2023-06-01"),
        (builder().extra(extra), "`output_config`"),
        (
            builder().base_url("https://host/v1/messages"),
            "leave that off",
        ),
        (Messages::builder(""), "model name"),
    ] {
        let error = builder.build().unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Config);
        assert!(error.to_string().contains(advice), "{error}");
    }
}
