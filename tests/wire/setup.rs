//! What cannot work is refused when the model is built, with what to write instead.

use serde_json::json;
use typed_extract::model::{
    ModelErrorKind,
    openai_compatible::{ChatCompletions, ChatCompletionsBuilder},
};

fn complaint(builder: ChatCompletionsBuilder) -> String {
    let error = builder.build().unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Config);
    error.to_string()
}

fn at(base: &str) -> ChatCompletionsBuilder {
    ChatCompletions::builder(base, "m")
}

#[test]
fn a_base_url_must_be_plain_http_or_https() {
    for (base, advice) in [
        ("", "https://api.openai.com/v1"),
        ("api.openai.com/v1", "https://api.openai.com/v1"),
        ("ftp://host/v1", "https://api.openai.com/v1"),
        ("localhost:8080", "https://api.openai.com/v1"),
        ("https://user:pass@host/v1", ".api_key"),
        ("https://host/v1?key=1", ".api_key"),
        ("https://host/v1#x", "leave it out"),
        ("https://host/v1/chat/completions/", "leave that off"),
    ] {
        let complaint = complaint(at(base));
        assert!(complaint.contains(advice), "{base}: {complaint}");
    }
}

#[test]
fn a_key_goes_over_plain_http_to_this_machine_only() {
    assert!(complaint(at("http://example.com/v1").api_key("k")).contains("allow_insecure(true)"));
    assert!(
        at("http://example.com/v1")
            .api_key("k")
            .allow_insecure(true)
            .build()
            .is_ok()
    );
    assert!(
        at("http://example.com/v1").build().is_ok(),
        "without a key there is none to lose"
    );
    for base in [
        "http://localhost:1/",
        "http://127.0.0.9:1",
        "http://[::1]:1/v1",
        "http://llm.localhost/v1",
    ] {
        assert!(at(base).api_key("k").build().is_ok(), "{base}");
    }
    for base in [
        "http://localhost.example.com/v1",
        "http://127.0.0.1.example.com/v1",
        "http://10.0.0.1/v1",
    ] {
        assert!(complaint(at(base).api_key("k")).contains("https"), "{base}");
    }
}

#[test]
fn keys_names_and_fields_are_checked() {
    let local = || at("http://localhost:1/v1");
    let unset = "TYPED_EXTRACT_NO_SUCH_VARIABLE";
    assert!(complaint(local().api_key_env(unset)).contains(unset));
    assert!(complaint(local().api_key(" \n")).contains("empty"));
    assert!(complaint(local().api_key("a b")).contains("blanks"));
    assert!(local().api_key("key-from-a-file\n").build().is_ok());
    assert!(
        complaint(ChatCompletions::builder("http://localhost:1/v1", " ")).contains("model name")
    );
    assert!(complaint(local().temperature(f64::NAN)).contains("temperature"));
    assert!(complaint(local().max_output_tokens(0)).contains("raise it"));
    let extra = json!({"stream": true}).as_object().unwrap().clone();
    assert!(complaint(local().extra(extra)).contains("`stream`"));
}
