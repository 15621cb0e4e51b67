//! Models by their names. No test sets a variable, since all tests of a process share them.

use typed_extract::Provider;
use typed_extract::model::{FormatCapability, ModelErrorKind, openai, xai};

fn complaint(name: &str) -> String {
    let error = Provider::from_env(name).err().unwrap();
    assert_eq!(error.kind(), ModelErrorKind::Config, "{name}");
    error.to_string()
}

#[test]
fn servers_of_this_machine_need_nothing_set() {
    for (name, id) in [
        ("ollama/qwen3:8b", "qwen3:8b"),
        ("llamacpp/any", "any"),
        ("lmstudio/google/gemma-4", "google/gemma-4"),
        ("vllm/Qwen/Qwen4-8B", "Qwen/Qwen4-8B"),
    ] {
        let model = Provider::from_env(name).unwrap();
        assert_eq!(
            (model.id(), model.capability()),
            (id, FormatCapability::JsonSchema)
        );
    }
}

#[test]
fn a_variable_that_is_not_set_is_named() {
    for (name, variable) in [
        ("openai/gpt-5.6", "OPENAI_API_KEY"),
        ("azure/my-deployment", "AZURE_OPENAI_ENDPOINT"),
        ("xai/grok-4.6", "XAI_API_KEY"),
        ("deepseek/deepseek-chat", "DEEPSEEK_API_KEY"),
        ("openrouter/openai/gpt-5.6", "OPENROUTER_API_KEY"),
        ("mistral/mistral-large-latest", "MISTRAL_API_KEY"),
        ("groq/openai/gpt-oss-120b", "GROQ_API_KEY"),
        ("together/m", "TOGETHER_API_KEY"),
        ("fireworks/m", "FIREWORKS_API_KEY"),
    ] {
        if std::env::var_os(variable).is_none() {
            assert!(complaint(name).contains(variable), "{name}");
        }
    }
}

#[test]
fn each_adapter_names_the_variables_it_reads() {
    for (model, variable) in [
        (openai::Responses::from_env().err(), "OPENAI_MODEL"),
        (xai::Responses::from_env().err(), "XAI_MODEL"),
    ] {
        if std::env::var_os(variable).is_none() {
            assert!(model.unwrap().to_string().contains(variable));
        }
    }
}

#[test]
fn a_name_that_is_none_is_told_how_to_write_it() {
    for name in ["", "gpt-5.6", "openai"] {
        assert!(complaint(name).contains("openai/gpt-5.6"), "{name}");
    }
    for name in ["opnai/gpt-5.6", "/gpt-5.6", "OpenAI/gpt-5.6"] {
        let complaint = complaint(name);
        for provider in Provider::ALL {
            assert!(complaint.contains(provider.as_str()), "{complaint}");
        }
    }
    assert!(complaint("ollama/").contains("model name"));
}

#[test]
fn names_of_providers_are_read_as_they_are_written() {
    for provider in Provider::ALL {
        assert_eq!(provider.as_str().parse(), Ok(*provider));
        assert_eq!(provider.to_string(), provider.as_str());
    }
}
