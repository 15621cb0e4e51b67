//! Every recorded answer of a provider, against what it must come to.

use std::{fs, path::PathBuf};

use serde_json::Value;
use typed_extract::{
    Delta, Finish, Model, ModelError, ModelErrorKind, Reply, Request, RetryPolicy, anthropic,
    gemini, http::Headers, openai_compatible,
};

use super::{
    server::{Act, Server},
    streams::chunked,
};

type Decode = fn(u16, &Headers, &[u8]) -> Result<Reply, ModelError>;
type DecodeStream = fn(&Headers, &[u8]) -> Result<Reply, ModelError>;

/// What reads a provider's answers.
#[derive(Clone, Copy)]
struct Adapter {
    decode: Decode,
    decode_stream: DecodeStream,
    /// A model at this address that sends every request once.
    model: fn(&str) -> Box<dyn Model>,
}

const CHAT: Adapter = Adapter {
    decode: openai_compatible::decode,
    decode_stream: openai_compatible::decode_stream,
    model: |base| {
        let builder = openai_compatible::ChatCompletions::builder(base, "m");
        Box::new(builder.retries(RetryPolicy::none()).build().unwrap())
    },
};

const ANTHROPIC: Adapter = Adapter {
    decode: anthropic::decode,
    decode_stream: anthropic::decode_stream,
    model: |base| {
        let builder = anthropic::Messages::builder("m").base_url(base);
        Box::new(builder.retries(RetryPolicy::none()).build().unwrap())
    },
};

const GEMINI: Adapter = Adapter {
    decode: gemini::decode,
    decode_stream: gemini::decode_stream,
    model: |base| {
        let builder = gemini::GenerateContent::builder("m").base_url(base);
        Box::new(builder.retries(RetryPolicy::none()).build().unwrap())
    },
};

/// Which adapter reads the answers in which folder.
const ADAPTERS: [(&str, Adapter); 15] = [
    ("openai_chat", CHAT),
    ("azure_openai", CHAT),
    ("anthropic", ANTHROPIC),
    ("xai_chat", CHAT),
    ("gemini", GEMINI),
    ("deepseek", CHAT),
    ("openrouter", CHAT),
    ("mistral", CHAT),
    ("groq", CHAT),
    ("together", CHAT),
    ("fireworks", CHAT),
    ("ollama", CHAT),
    ("llama_cpp", CHAT),
    ("vllm", CHAT),
    ("lm_studio", CHAT),
];

/// What no adapter is meant to read, and why. Each must fail closed all the same.
const SKIPPED: [(&str, &str); 8] = [
    ("gemini/interactions_success.json", INTERACTIONS),
    ("ollama/success_json.json", OLLAMA),
    ("ollama/success_json_thinking.json", OLLAMA),
    ("ollama/truncation.json", OLLAMA),
    ("ollama/empty_content.json", OLLAMA),
    ("ollama/model_loaded_only.json", OLLAMA),
    ("ollama/stream_success.ndjson", OLLAMA),
    ("ollama/stream_error.ndjson", OLLAMA),
];
const INTERACTIONS: &str = "Gemini's Interactions API is another wire";
const OLLAMA: &str = "Ollama's own /api/chat is another wire";

/// Where an adapter comes to something else than the index says, what, and why.
const OTHERWISE: [(&str, &str, &str); 2] = [
    (
        "anthropic/success_tool_strict.json",
        "tool_call",
        "the adapter offers no tools, so a call of one is no answer",
    ),
    (
        "anthropic/enum_case_changed.json",
        "ok",
        "what an enum allows is for validation to say, not for the adapter",
    ),
];

struct Case {
    file: String,
    adapter: Adapter,
    status: u16,
    headers: Headers,
    body: Vec<u8>,
    expect: Value,
}

impl Case {
    fn read(entry: &Value) -> Self {
        let file = entry["file"].as_str().unwrap().to_owned();
        let adapter = adapter(&file);
        let bytes = fs::read(folder().join(&file)).unwrap();
        let expect = entry["expect"].clone();
        if let Some(kind) = entry["content_type"].as_str() {
            let headers = Headers::from_iter([("content-type", kind)]);
            return Self {
                file,
                adapter,
                status: 200,
                headers,
                body: bytes,
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
            adapter,
            status: u16::try_from(recorded["status"].as_u64().unwrap()).unwrap(),
            headers,
            body,
            expect,
        }
    }

    /// The id in the headers, where the provider has one.
    fn request_id(&self) -> Option<&str> {
        ["x-request-id", "request-id"]
            .into_iter()
            .find_map(|name| self.headers.get(name))
    }

    fn is_stream(&self) -> bool {
        !self.file.ends_with(".json")
    }

    fn decode(&self) -> Result<Reply, ModelError> {
        if self.is_stream() {
            (self.adapter.decode_stream)(&self.headers, &self.body)
        } else {
            (self.adapter.decode)(self.status, &self.headers, &self.body)
        }
    }

    fn skip_reason(&self) -> Option<&'static str> {
        let mut skipped = SKIPPED.iter();
        skipped
            .find(|(file, _)| *file == self.file)
            .map(|(_, reason)| *reason)
    }

    /// What the index says, or what stands in [`OTHERWISE`].
    fn outcome(&self) -> &str {
        let otherwise = OTHERWISE.iter().find(|(file, ..)| *file == self.file);
        match otherwise {
            Some((file, outcome, reason)) => {
                println!("{file} comes to {outcome}: {reason}");
                outcome
            }
            None => self.expect["outcome"].as_str().unwrap(),
        }
    }

    fn check(&self, decoded: &Result<Reply, ModelError>) {
        let outcome = outcome(decoded);
        assert_eq!(outcome, self.outcome(), "{}: {decoded:?}", self.file);
        match decoded {
            Ok(reply) if outcome == "ok" => {
                check_value(self, reply);
                check_reply(self, reply);
            }
            Ok(reply) => check_reply(self, reply),
            Err(error) => check_error(self, error),
        }
    }

    /// The same stream over a socket, in pieces of this many bytes, with the text handed on.
    async fn streamed(&self, piece: usize) -> (Result<Reply, ModelError>, String) {
        let kind = self.headers.get("content-type").unwrap();
        let server = Server::start([Act::Bytes(chunked(kind, &self.body, piece))]).await;
        let model = (self.adapter.model)(server.base());
        let mut text = String::new();
        let mut deltas = |delta: Delta<'_>| match delta {
            Delta::Text(piece) => text.push_str(piece),
            _ => text.clear(),
        };
        let reply = model.stream(&Request::new("Hello"), &mut deltas).await;
        (reply, text)
    }
}

fn adapter(file: &str) -> Adapter {
    let (folder, _) = file.split_once('/').unwrap();
    let mut adapters = ADAPTERS.iter();
    match adapters.find(|(name, _)| *name == folder) {
        Some((_, adapter)) => *adapter,
        None => panic!("no adapter reads {folder}"),
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
            Finish::Unknown(word) if word == "pause_turn" => "paused",
            Finish::Unknown(_) => "unknown_stop",
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
    let mut read = 0;
    for case in cases().iter().filter(|case| case.skip_reason().is_none()) {
        case.check(&case.decode());
        read += 1;
    }
    assert_eq!(
        read,
        cases().len() - SKIPPED.len(),
        "nothing is left out unsaid"
    );
}

#[test]
fn what_is_skipped_exists_has_a_reason_and_fails_closed() {
    let cases = cases();
    let skipped = cases
        .iter()
        .filter_map(|case| Some((case, case.skip_reason()?)));
    let mut found = 0;
    for (case, reason) in skipped {
        println!("{} is skipped: {reason}", case.file);
        let error = (case.adapter.decode)(case.status, &case.headers, &case.body);
        let error = error.expect_err(&case.file);
        assert_eq!(error.kind(), ModelErrorKind::Decode, "{}", case.file);
        assert!(error.maybe_billed(), "{}", case.file);
        found += 1;
    }
    assert_eq!(found, SKIPPED.len());
}

#[tokio::test]
async fn every_recorded_stream_is_the_same_in_odd_pieces_over_a_socket() {
    let mut read = 0;
    for case in cases()
        .iter()
        .filter(|case| case.is_stream() && case.skip_reason().is_none())
    {
        for piece in [1, 7, 61] {
            let (reply, text) = case.streamed(piece).await;
            case.check(&reply);
            if let Ok(reply) = &reply {
                assert_eq!(reply.text(), text, "{} by {piece}", case.file);
                assert_eq!(Some(reply), case.decode().ok().as_ref(), "{}", case.file);
            }
        }
        read += 1;
    }
    assert!(read > 10, "{read} streams");
}

fn check_value(case: &Case, reply: &Reply) {
    let found: Value = serde_json::from_str(reply.text()).unwrap();
    if let Some(value) = case.expect.get("value") {
        assert_eq!(&found, value, "{}", case.file);
    }
    for allowed in case.expect["schema_enum"].as_array().into_iter().flatten() {
        let (found, allowed) = (found["status"].as_str(), allowed.as_str());
        let same = found.unwrap().eq_ignore_ascii_case(allowed.unwrap());
        assert!(same && found != allowed, "{}", case.file);
    }
}

fn check_reply(case: &Case, reply: &Reply) {
    let file = &case.file;
    if let (Finish::Refused { message }, Some(text)) =
        (reply.finish(), case.expect["text"].as_str())
    {
        assert_eq!(message.as_deref(), Some(text), "{file}");
    }
    if let (Finish::Refused { message }, Some(category)) =
        (reply.finish(), case.expect["category"].as_str())
    {
        assert!(message.as_deref().unwrap().contains(category), "{file}");
    }
    if let Some(told) = case.expect["reason"].as_str() {
        let reason = match reply.finish() {
            Finish::Filtered { reason } => reason.as_deref().unwrap(),
            other => other.as_str(),
        };
        assert!(reason.starts_with(told), "{file}: {reason}");
    }
    if matches!(reply.finish(), Finish::Refused { .. }) {
        assert_eq!(reply.text(), "", "{file}: a refusal makes all text void");
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
    check_usage(case, reply);
    if let Some(id) = case.request_id() {
        assert_eq!(reply.request_id(), Some(id), "{file}");
    }
    assert_eq!(reply.model().is_some(), case.status == 200, "{file}");
}

/// A count of zero in the index may also be one that the host left out.
fn check_usage(case: &Case, reply: &Reply) {
    let usage = reply.usage().copied().unwrap_or_default();
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
    assert_eq!(error.status(), Some(case.status), "{file}");
    let delay = error.retry_after().map(|delay| delay.as_millis());
    assert_eq!(
        delay,
        case.expect["retry_after_ms"].as_u64().map(u128::from),
        "{file}"
    );
    if let Some(id) = case.request_id() {
        assert_eq!(error.request_id(), Some(id), "{file}");
    }
    assert!(
        !error.to_string().contains("flagged text"),
        "{file} quotes the prompt"
    );
}
