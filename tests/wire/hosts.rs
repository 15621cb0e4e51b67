//! The table of Chat Completions hosts: what each is sent.

use serde_json::json;
use typed_extract::model::openai_compatible::{ChatCompletions, ChatCompletionsBuilder, encode};
use typed_extract::model::{FormatCapability, ModelErrorKind, ResponseSchema};
use typed_extract::{Provider, Request};

const MESSAGES: &str = r#""messages":[{"role":"SYSTEM","content":"Extract."},{"role":"user","content":"Parcel ZX-4471."}]"#;
const STRICT: &str = r#""response_format":{"type":"json_schema","json_schema":{"name":"Parcel","schema":{"type":"object"},"strict":true}}"#;
const LOOSE: &str = r#""response_format":{"type":"json_schema","json_schema":{"name":"Parcel","schema":{"type":"object"},"strict":false}}"#;
const OBJECT: &str = r#""response_format":{"type":"json_object"}"#;
const ASKED: &str = r#""stream":true,"stream_options":{"include_usage":true}"#;
const UNASKED: &str = r#""stream":true"#;
/// Groq does not stream what has a format.
const AT_ONCE: &str = r#""stream":false"#;

fn on(provider: Provider, model: &str) -> ChatCompletionsBuilder {
    let builder = ChatCompletions::on(provider, model).api_key("k");
    match provider {
        Provider::Azure => builder.base_url("https://unit.openai.azure.com/openai/v1"),
        _ => builder,
    }
}

fn body(builder: ChatCompletionsBuilder) -> String {
    let schema = ResponseSchema::new("Parcel", json!({"type": "object"}));
    let request = Request::new("Parcel ZX-4471.")
        .with_wire_schema(schema)
        .streamed();
    let model = builder
        .system("Extract.")
        .max_output_tokens(512)
        .build()
        .unwrap();
    String::from_utf8(encode(model.settings(), &request)).unwrap()
}

/// One row: provider, model, role of the system text, format, cap, end of the body.
type Row = (
    Provider,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    String,
);

fn rows() -> Vec<Row> {
    use Provider::{
        Azure, DeepSeek, Fireworks, Groq, LlamaCpp, LmStudio, Mistral, Ollama, OpenAi, OpenRouter,
        Together, Vllm, XAi,
    };
    const OLD: &str = "max_tokens";
    const NEW: &str = "max_completion_tokens";
    let asked = || ASKED.to_owned();
    let unasked = || UNASKED.to_owned();
    vec![
        (OpenAi, "gpt-5.6", "developer", STRICT, NEW, asked()),
        (Azure, "my-deployment", "system", STRICT, NEW, asked()),
        (XAi, "grok-4.6", "system", STRICT, NEW, asked()),
        (DeepSeek, "deepseek-chat", "system", OBJECT, OLD, asked()),
        (
            OpenRouter,
            "openai/gpt-5.6",
            "system",
            STRICT,
            OLD,
            format!(r#"{UNASKED},"provider":{{"require_parameters":true}}"#),
        ),
        (
            Mistral,
            "mistral-large-latest",
            "system",
            STRICT,
            OLD,
            unasked(),
        ),
        (
            Groq,
            "openai/gpt-oss-120b",
            "system",
            STRICT,
            NEW,
            AT_ONCE.to_owned(),
        ),
        (
            Groq,
            "llama-3.3-70b-versatile",
            "system",
            LOOSE,
            NEW,
            AT_ONCE.to_owned(),
        ),
        (Together, "m", "system", STRICT, OLD, asked()),
        (
            Fireworks,
            "m",
            "system",
            STRICT,
            OLD,
            format!(r#"{ASKED},"context_length_exceeded_behavior":"error""#),
        ),
        (Ollama, "qwen3:8b", "system", STRICT, OLD, asked()),
        (LlamaCpp, "m", "system", STRICT, OLD, asked()),
        (LmStudio, "m", "system", STRICT, OLD, asked()),
        (Vllm, "m", "system", STRICT, NEW, asked()),
    ]
}

#[test]
fn every_host_is_sent_what_it_takes() {
    for (provider, model, role, format, cap, end) in rows() {
        let messages = MESSAGES.replace("SYSTEM", role);
        assert_eq!(
            body(on(provider, model)),
            format!(r#"{{"model":"{model}",{messages},{format},"{cap}":512,{end}}}"#),
            "{provider}"
        );
    }
}

#[test]
fn groq_streams_what_has_no_format() {
    let builder = on(Provider::Groq, "m").capability(FormatCapability::Text);
    let text = body(builder);
    assert!(
        text.ends_with(r#""max_completion_tokens":512,"stream":true}"#),
        "{text}"
    );
}

#[test]
fn every_host_has_its_address() {
    for (provider, base) in [
        (Provider::OpenAi, "https://api.openai.com/v1"),
        (Provider::XAi, "https://api.x.ai/v1"),
        (Provider::DeepSeek, "https://api.deepseek.com"),
        (Provider::OpenRouter, "https://openrouter.ai/api/v1"),
        (Provider::Mistral, "https://api.mistral.ai/v1"),
        (Provider::Groq, "https://api.groq.com/openai/v1"),
        (Provider::Together, "https://api.together.xyz/v1"),
        (Provider::Fireworks, "https://api.fireworks.ai/inference/v1"),
        (Provider::Ollama, "http://localhost:11434/v1"),
        (Provider::LlamaCpp, "http://localhost:8080/v1"),
        (Provider::LmStudio, "http://localhost:1234/v1"),
        (Provider::Vllm, "http://localhost:8000/v1"),
    ] {
        let printed = format!("{:?}", on(provider, "m").build().unwrap());
        assert!(
            printed.contains(&format!("base_url: {base:?}")),
            "{printed}"
        );
    }
}

#[test]
fn a_seed_has_the_name_that_the_host_knows_or_is_refused() {
    assert!(body(on(Provider::Mistral, "m").seed(7)).contains(r#""random_seed":7"#));
    for provider in [
        Provider::OpenAi,
        Provider::Azure,
        Provider::XAi,
        Provider::OpenRouter,
        Provider::Groq,
        Provider::Together,
        Provider::Ollama,
        Provider::LlamaCpp,
        Provider::LmStudio,
        Provider::Vllm,
    ] {
        assert!(
            body(on(provider, "m").seed(7)).contains(r#""seed":7"#),
            "{provider}"
        );
    }
    for provider in [Provider::DeepSeek, Provider::Fireworks] {
        let error = on(provider, "m").seed(7).build().unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Config, "{provider}");
        assert!(error.to_string().contains("seed"), "{error}");
    }
}

#[test]
fn what_the_table_says_can_be_said_otherwise() {
    let extra = json!({"provider": {"order": ["openai"]}})
        .as_object()
        .unwrap()
        .clone();
    let text = body(on(Provider::OpenRouter, "m").extra(extra));
    assert!(
        text.contains(r#""provider":{"order":["openai"]}"#),
        "{text}"
    );
    assert!(!text.contains("require_parameters"), "{text}");
    let text = body(
        on(Provider::Groq, "m")
            .strict(true)
            .capability(FormatCapability::JsonObject),
    );
    assert!(text.contains(OBJECT), "{text}");
    let text = body(on(Provider::Groq, "m").strict(true));
    assert!(text.contains(STRICT), "{text}");
}

#[test]
fn who_speaks_another_wire_is_refused_and_azure_needs_its_address() {
    for provider in [Provider::Anthropic, Provider::Gemini, Provider::Vertex] {
        let error = ChatCompletions::on(provider, "m").build().unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Config);
        assert!(error.to_string().contains(provider.as_str()), "{error}");
    }
    let error = ChatCompletions::on(Provider::Azure, "m")
        .api_key("k")
        .build()
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("https://<resource>.openai.azure.com/openai/v1"),
        "{error}"
    );
}

#[test]
fn local_servers_need_no_key_and_hosts_name_their_variable() {
    for provider in [
        Provider::Ollama,
        Provider::LlamaCpp,
        Provider::LmStudio,
        Provider::Vllm,
    ] {
        assert!(
            ChatCompletions::on(provider, "m").build().is_ok(),
            "{provider}"
        );
    }
    if std::env::var_os("FIREWORKS_API_KEY").is_none() {
        let error = ChatCompletions::on(Provider::Fireworks, "m")
            .build()
            .unwrap_err();
        assert!(error.to_string().contains("FIREWORKS_API_KEY"), "{error}");
    }
}
