//! One small extraction with each provider whose key is in the environment.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that panics has failed, which is its purpose"
)]

use std::env;

use serde::Deserialize;
use typed_extract::model::openai_compatible::ChatCompletions;
use typed_extract::model::{FinishReason, ollama};
use typed_extract::{Event, Extract, Extracted, Model, Provider, extract};

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Parcel {
    tracking_code: String,
    weight_g: u32,
}

const DOCUMENT: &str = "Parcel ZX-4471 weighs 820 g.";

/// The variable that says whether a provider is asked, and the model where `<PROVIDER>_MODEL` is
/// not set; none where only the account knows one.
fn entry(provider: Provider) -> (&'static str, Option<&'static str>) {
    match provider {
        Provider::OpenAi => ("OPENAI_API_KEY", Some("gpt-5.6")),
        Provider::Azure => ("AZURE_OPENAI_API_KEY", None),
        Provider::Anthropic => ("ANTHROPIC_API_KEY", Some("claude-sonnet-5")),
        Provider::Gemini => ("GEMINI_API_KEY", Some("gemini-3.5-flash")),
        Provider::Vertex => ("GOOGLE_OAUTH_ACCESS_TOKEN", Some("gemini-3.5-flash")),
        Provider::XAi => ("XAI_API_KEY", Some("grok-4.6")),
        Provider::DeepSeek => ("DEEPSEEK_API_KEY", Some("deepseek-v4-flash")),
        Provider::OpenRouter => ("OPENROUTER_API_KEY", Some("openai/gpt-5.6")),
        Provider::Mistral => ("MISTRAL_API_KEY", Some("mistral-small-latest")),
        Provider::Groq => ("GROQ_API_KEY", Some("openai/gpt-oss-120b")),
        Provider::Together => ("TOGETHER_API_KEY", Some("openai/gpt-oss-20b")),
        Provider::Fireworks => {
            let model = "accounts/fireworks/models/gpt-oss-20b";
            ("FIREWORKS_API_KEY", Some(model))
        }
        Provider::Ollama => ("OLLAMA_BASE_URL", Some("qwen3:8b")),
        Provider::LlamaCpp => ("LLAMACPP_BASE_URL", Some("default")),
        Provider::LmStudio => ("LMSTUDIO_BASE_URL", None),
        Provider::Vllm => ("VLLM_BASE_URL", None),
        other => panic!("{other} has no entry here"),
    }
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// The model to ask, or why there is none. What is set and wrong is a failure.
fn model(provider: Provider) -> Result<Box<dyn Model>, String> {
    let (key, usual) = entry(provider);
    let value = variable(key).ok_or_else(|| format!("{key} is not set"))?;
    let named = format!("{}_MODEL", provider.as_str().to_ascii_uppercase());
    let name = variable(&named).or_else(|| usual.map(str::to_owned));
    let name = name.ok_or_else(|| format!("{named} is not set"))?;
    Ok(match provider {
        Provider::Ollama => Box::new(ollama::Chat::builder(name).base_url(value).build().unwrap()),
        Provider::LlamaCpp | Provider::LmStudio | Provider::Vllm => {
            let builder = ChatCompletions::on(provider, name).base_url(value);
            Box::new(builder.build().unwrap())
        }
        _ => Provider::from_env(&format!("{provider}/{name}")).unwrap(),
    })
}

fn check(provider: Provider, done: &Extracted<Parcel>) {
    let parcel = done.value();
    let found = (parcel.tracking_code.as_str(), parcel.weight_g);
    assert_eq!(found, ("ZX-4471", 820), "{provider}");
    let attempt = done.record().attempts().last().unwrap();
    assert_eq!(
        attempt.reply().unwrap().finish(),
        &FinishReason::Stop,
        "{provider}"
    );
    let usage = attempt.usage().unwrap();
    let told = usage.input_tokens().min(usage.output_tokens());
    assert!(
        told.is_some_and(|tokens| tokens > 0),
        "{provider}: {usage:?}"
    );
}

async fn ask(provider: Provider, model: &dyn Model) {
    let extraction = || extract::<Parcel>().model(model).document(DOCUMENT);
    check(provider, &extraction().run().await.unwrap());
    let mut stream = extraction().stream();
    let mut shown = 0;
    while let Some(event) = stream.next().await {
        match event {
            Event::Partial(_) => shown += 1,
            Event::Done(result) => check(provider, &result.unwrap()),
            _ => {}
        }
    }
    assert!(shown > 0, "{provider} streamed nothing");
}

#[tokio::test]
async fn every_provider_with_a_key_extracts_a_parcel() {
    for provider in Provider::ALL.iter().copied() {
        match model(provider) {
            Ok(model) => {
                ask(provider, &*model).await;
                println!("{provider}: {} is right", model.id());
            }
            Err(why) => println!("{provider} is left out: {why}"),
        }
    }
}
