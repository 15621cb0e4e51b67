//! Every recorded answer of a host, against what it must come to.

use std::{fs, path::PathBuf};

use serde_json::Value;
use typed_extract::{
    Finish, ModelError, ModelErrorKind, Reply, Usage, http::Headers, ollama, openai,
    openai_compatible, xai,
};

type Decode = fn(u16, &Headers, &[u8]) -> Result<Reply, ModelError>;
type DecodeStream = fn(&Headers, &[u8]) -> Result<Reply, ModelError>;

const CHAT: (Decode, DecodeStream) = (openai_compatible::decode, openai_compatible::decode_stream);

/// Who reads what, by the beginning of a file's name; the first that fits.
const ADAPTERS: [(&str, (Decode, DecodeStream)); 16] = [
    ("azure_openai/", CHAT),
    ("deepseek/", CHAT),
    ("fireworks/", CHAT),
    ("groq/", CHAT),
    ("llama_cpp/", CHAT),
    ("lm_studio/", CHAT),
    ("mistral/", CHAT),
    ("ollama/openai_compat_", CHAT),
    ("ollama/", (ollama::decode, ollama::decode_stream)),
    ("openai_chat/", CHAT),
    ("openai_responses/", (openai::decode, openai::decode_stream)),
    ("openrouter/", CHAT),
    ("together/", CHAT),
    ("vllm/", CHAT),
    ("xai_chat/", CHAT),
    ("xai_responses/", (xai::decode, xai::decode_stream)),
];

struct Case {
    file: String,
    status: u16,
    headers: Headers,
    body: Vec<u8>,
    streamed: bool,
    expect: Value,
}

impl Case {
    fn read(entry: &Value) -> Self {
        let file = entry["file"].as_str().unwrap().to_owned();
        let bytes = fs::read(folder().join(&file)).unwrap();
        let expect = entry["expect"].clone();
        if let Some(kind) = entry["content_type"].as_str() {
            let headers = Headers::from_iter([("content-type", kind)]);
            return Self {
                file,
                status: 200,
                headers,
                body: bytes,
                streamed: true,
                expect,
            };
        }
        let recorded: Value = serde_json::from_slice(&bytes).unwrap();
        let body = match &recorded["body"] {
            Value::String(text) => text.clone().into_bytes(),
            json => serde_json::to_vec(json).unwrap(),
        };
        let pairs = recorded["headers"].as_object().unwrap();
        let headers = pairs
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
            .collect();
        Self {
            file,
            status: u16::try_from(recorded["status"].as_u64().unwrap()).unwrap(),
            headers,
            body,
            streamed: false,
            expect,
        }
    }

    /// The same stream, ended after so many bytes.
    fn cut_at(&self, end: usize) -> Self {
        Self {
            file: self.file.clone(),
            status: self.status,
            headers: self.headers.clone(),
            body: self.body[..end].to_vec(),
            streamed: true,
            expect: Value::Null,
        }
    }

    fn decode(&self) -> Result<Reply, ModelError> {
        let adapter = ADAPTERS
            .iter()
            .find(|(prefix, _)| self.file.starts_with(prefix));
        let (_, (decode, decode_stream)) =
            adapter.unwrap_or_else(|| panic!("nobody reads {}", self.file));
        if self.streamed {
            decode_stream(&self.headers, &self.body)
        } else {
            decode(self.status, &self.headers, &self.body)
        }
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/providers")
}

fn cases() -> Vec<Case> {
    let index: Value =
        serde_json::from_slice(&fs::read(folder().join("index.json")).unwrap()).unwrap();
    index.as_array().unwrap().iter().map(Case::read).collect()
}

/// The index's word for what came out.
fn outcome(decoded: &Result<Reply, ModelError>) -> &'static str {
    match decoded {
        Ok(reply) => match reply.finish() {
            Finish::Stop if reply.text().trim().is_empty() => "empty",
            Finish::Stop => "ok",
            Finish::Truncated => "truncated",
            Finish::Refused { .. } => "refused",
            Finish::Filtered { .. } => "content_filtered",
            Finish::Unknown(word) if word == "tool_calls" => "tool_call",
            // The index tells a server that only loaded a model by its empty answer.
            Finish::Unknown(word) if word == "load" => "empty",
            other => panic!("no fixture ends in {other:?}"),
        },
        Err(error) => match error.kind() {
            ModelErrorKind::RateLimited => "rate_limited",
            ModelErrorKind::QuotaExhausted => "quota_exhausted",
            ModelErrorKind::Overloaded => "overloaded",
            ModelErrorKind::Server => "server_error",
            ModelErrorKind::Timeout => "timeout",
            ModelErrorKind::Auth => "auth",
            ModelErrorKind::NotFound => "not_found",
            ModelErrorKind::BadRequest => "invalid_request",
            ModelErrorKind::SchemaRejected => "schema_rejected",
            ModelErrorKind::ContextExceeded => "context_exceeded",
            ModelErrorKind::TooLarge => "too_large",
            ModelErrorKind::InvalidOutput => "invalid_output",
            ModelErrorKind::StreamCut => "stream_incomplete",
            other => panic!("no fixture ends in {other:?}"),
        },
    }
}

#[test]
fn every_recorded_answer_comes_to_what_it_is() {
    for case in cases() {
        let decoded = case.decode();
        assert_eq!(
            Some(outcome(&decoded)),
            case.expect["outcome"].as_str(),
            "{}: {decoded:?}",
            case.file
        );
        match &decoded {
            Ok(reply) => check_reply(&case, reply),
            Err(error) => check_error(&case, error),
        }
    }
}

fn check_reply(case: &Case, reply: &Reply) {
    let file = &case.file;
    if let Some(value) = case.expect.get("value") {
        assert_eq!(
            &serde_json::from_str::<Value>(reply.text()).unwrap(),
            value,
            "{file}"
        );
    }
    if let (Finish::Refused { message }, Some(text)) =
        (reply.finish(), case.expect["text"].as_str())
    {
        assert_eq!(message.as_deref(), Some(text), "{file}");
    }
    for category in case.expect["categories"].as_array().into_iter().flatten() {
        let Finish::Filtered { reason } = reply.finish() else {
            panic!("{file} names categories")
        };
        assert!(
            reason
                .as_deref()
                .unwrap()
                .contains(category.as_str().unwrap()),
            "{file}: {reason:?}"
        );
    }
    check_usage(case, reply.usage());
    if let Some(id) = case.headers.get("x-request-id") {
        assert_eq!(reply.request_id(), Some(id), "{file}");
    }
    assert_eq!(reply.model().is_some(), case.status == 200, "{file}");
}

/// A count of zero in the index may also be one that the host left out.
fn check_usage(case: &Case, usage: Option<&Usage>) {
    let usage = usage.copied().unwrap_or_default();
    for (name, count) in [
        ("input_tokens", usage.input_tokens()),
        ("output_tokens", usage.output_tokens()),
        ("cached_input_tokens", usage.cached_input_tokens()),
        ("cache_write_tokens", usage.cache_write_tokens()),
        ("reasoning_tokens", usage.reasoning_tokens()),
    ] {
        match case.expect[name].as_u64() {
            Some(0) => assert_eq!(count.unwrap_or(0), 0, "{}: {name}", case.file),
            Some(expected) => assert_eq!(count, Some(expected), "{}: {name}", case.file),
            None => {}
        }
    }
}

fn check_error(case: &Case, error: &ModelError) {
    let file = &case.file;
    assert_eq!(
        Some(error.is_retryable()),
        case.expect["retryable"].as_bool(),
        "{file}"
    );
    if error.kind() != ModelErrorKind::StreamCut {
        assert_eq!(error.status(), Some(case.status), "{file}");
    }
    check_usage(case, error.usage());
    let delay = error.retry_after().map(|delay| delay.as_millis());
    assert_eq!(
        delay,
        case.expect["retry_after_ms"].as_u64().map(u128::from),
        "{file}"
    );
    if let Some(id) = case.headers.get("x-request-id") {
        assert_eq!(error.request_id(), Some(id), "{file}");
    }
    assert!(
        !error.to_string().contains("flagged text"),
        "{file} quotes the prompt"
    );
}

#[test]
fn a_stream_that_is_cut_anywhere_is_no_other_answer() {
    for case in cases().into_iter().filter(|case| case.streamed) {
        let whole = case.decode().ok();
        for end in 0..case.body.len() {
            let cut = case.cut_at(end).decode();
            if let Ok(reply) = cut {
                assert_eq!(Some(&reply), whole.as_ref(), "{} to {end}", case.file);
            }
        }
    }
}
