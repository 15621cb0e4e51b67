//! Requests as bytes.

use serde_json::json;
use typed_extract::Request;
use typed_extract::model::openai_compatible::{
    ChatCompletions, ChatCompletionsBuilder, TokenCapField, encode,
};
use typed_extract::model::{FormatCapability, ResponseSchema};

fn body(builder: ChatCompletionsBuilder, request: &Request) -> String {
    let model = builder.build().unwrap();
    let bytes = encode(model.settings(), request);
    assert_eq!(
        bytes,
        encode(model.settings(), request),
        "the same bytes each time"
    );
    String::from_utf8(bytes).unwrap()
}

fn local() -> ChatCompletionsBuilder {
    ChatCompletions::builder("http://localhost:8080/v1", "qwen")
}

pub(crate) fn parcel() -> Request {
    let schema =
        json!({"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "null"}}});
    Request::new("Extract \"it\".").with_wire_schema(ResponseSchema::new("Page<Parcel>", schema))
}

#[test]
fn the_schema_travels_in_the_order_it_was_written() {
    assert_eq!(
        body(local(), &parcel()),
        concat!(
            r#"{"model":"qwen","messages":[{"role":"user","content":"Extract \"it\"."}],"#,
            r#""response_format":{"type":"json_schema","json_schema":{"name":"Page_Parcel_","#,
            r#""schema":{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"null"}}},"strict":true}},"#,
            r#""stream":false}"#,
        )
    );
}

#[test]
fn the_format_follows_the_capability_and_not_the_request() {
    let object = body(local().capability(FormatCapability::JsonObject), &parcel());
    assert!(
        object.contains(r#""response_format":{"type":"json_object"}"#),
        "{object}"
    );
    for text in [
        body(local().capability(FormatCapability::Text), &parcel()),
        body(local(), &Request::new("no schema to send")),
    ] {
        assert!(!text.contains("response_format"), "{text}");
    }
}

#[test]
fn every_option_has_its_field() {
    let extra = json!({"reasoning_effort": "low", "provider": {"require_parameters": true}});
    let builder = local()
        .strict(false)
        .system("Be brief.")
        .temperature(0.0)
        .seed(7)
        .max_output_tokens(900)
        .token_cap_field(TokenCapField::MaxCompletionTokens)
        .extra(extra.as_object().unwrap().clone());
    assert_eq!(
        body(builder, &Request::new("Hi")),
        concat!(
            r#"{"model":"qwen","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}],"#,
            r#""max_completion_tokens":900,"temperature":0.0,"seed":7,"stream":false,"#,
            r#""reasoning_effort":"low","provider":{"require_parameters":true}}"#,
        )
    );
}

#[test]
fn the_cap_of_the_request_goes_before_the_models() {
    let text = body(
        local().max_output_tokens(900),
        &Request::new("Hi").with_max_output_tokens(64),
    );
    assert!(text.contains(r#""max_tokens":64"#), "{text}");
}

#[test]
fn the_cap_has_the_name_that_the_host_takes() {
    for (base, field) in [
        ("https://api.openai.com/v1", "max_completion_tokens"),
        (
            "https://unit.openai.azure.com/openai/v1",
            "max_completion_tokens",
        ),
        ("https://api.deepseek.com", "max_tokens"),
    ] {
        let builder = ChatCompletions::builder(base, "m").max_output_tokens(5);
        assert!(
            body(builder, &Request::new("Hi")).contains(&format!("\"{field}\":5")),
            "{base}"
        );
    }
}

#[test]
fn a_schema_name_keeps_to_the_alphabet_and_length() {
    let name = |name: &str| {
        let request = Request::new("p").with_wire_schema(ResponseSchema::new(name, json!({})));
        let body: serde_json::Value = serde_json::from_str(&body(local(), &request)).unwrap();
        body["response_format"]["json_schema"]["name"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(name("Größe-1"), "Gr__e-1");
    assert_eq!(name(""), "answer");
    assert_eq!(name(&"x".repeat(100)).len(), 64);
}
