//! Requests as bytes.

use serde_json::json;
use typed_extract::Request;
use typed_extract::model::FormatCapability;
use typed_extract::model::gemini::{GenerateContent, GenerateContentBuilder, encode};

use super::{builder, object};
use crate::encode::parcel;

fn body(builder: GenerateContentBuilder, request: &Request) -> String {
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
fn a_plain_request_is_its_prompt() {
    let plain = r#"{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}"#;
    assert_eq!(body(builder(), &Request::new("Hi")), plain);
    let streamed = Request::new("Hi").streamed();
    assert_eq!(body(builder(), &streamed), plain, "only the path tells");
    let vertex = GenerateContent::vertex("p", "global", "m");
    assert_eq!(
        body(vertex, &Request::new("Hi")),
        plain,
        "one wire for both"
    );
}

#[test]
fn the_schema_travels_in_the_order_it_was_written() {
    assert_eq!(
        body(builder(), &parcel()),
        concat!(
            r#"{"contents":[{"role":"user","parts":[{"text":"Extract \"it\"."}]}],"#,
            r#""generationConfig":{"responseMimeType":"application/json","responseJsonSchema":"#,
            r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"null"}}}}}"#,
        )
    );
}

#[test]
fn the_format_follows_the_capability() {
    let json = body(
        builder().capability(FormatCapability::JsonObject),
        &parcel(),
    );
    assert!(json.ends_with(r#""generationConfig":{"responseMimeType":"application/json"}}"#));
    let text = body(builder().capability(FormatCapability::Text), &parcel());
    assert!(!text.contains("generationConfig"), "{text}");
}

#[test]
fn every_option_has_its_field() {
    let builder = builder()
        .system("Be brief.")
        .temperature(0.0)
        .seed(-7)
        .max_output_tokens(900)
        .generation_config(object(&json!({"thinkingConfig": {"thinkingLevel": "low"}})))
        .extra(object(&json!({"labels": {"team": "a"}})));
    assert_eq!(
        body(builder, &Request::new("Hi").with_max_output_tokens(64)),
        concat!(
            r#"{"systemInstruction":{"parts":[{"text":"Be brief."}]},"#,
            r#""contents":[{"role":"user","parts":[{"text":"Hi"}]}],"#,
            r#""generationConfig":{"maxOutputTokens":64,"temperature":0.0,"seed":-7,"#,
            r#""thinkingConfig":{"thinkingLevel":"low"}},"labels":{"team":"a"}}"#,
        )
    );
}
