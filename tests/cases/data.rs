//! The cases as they stand in the file.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;
use typed_extract::model::http::Headers;
use typed_extract::model::{FinishReason, ModelErrorKind};
use typed_extract::model::{anthropic, gemini, openai_compatible};
use typed_extract::{Failure, ModelError, Reply};

#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    pub id: String,
    pub schema: Option<Value>,
    pub document: Option<String>,
    #[serde(default)]
    pub config: Config,
    #[serde(default)]
    pub replies: Vec<Value>,
    #[serde(default)]
    pub batch: Vec<Value>,
    pub expected: Expected,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub struct Config {
    pub max_attempts: Option<u32>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Expected {
    #[serde(default)]
    pub id: String,
    #[serde(default)]
    pub outcome: String,
    #[serde(default)]
    pub value: Option<Value>,
    #[serde(default)]
    pub recorded: Vec<String>,
    #[serde(default)]
    pub errors: Vec<Wrong>,
    #[serde(default)]
    pub first_errors: Vec<Wrong>,
    #[serde(default)]
    pub also_ok: Vec<Expected>,
    #[serde(default)]
    pub results: Vec<Expected>,
    #[serde(default)]
    pub error: Option<Wrong>,
    #[serde(default)]
    pub attempt: Option<usize>,
    #[serde(default)]
    pub calls: Option<usize>,
    #[serde(default)]
    pub usage: Option<Value>,
    #[serde(default, rename = "final")]
    pub last: Option<Value>,
    #[serde(default)]
    pub final_error: Option<Wrong>,
    #[serde(default)]
    pub partials_allowed: Vec<Value>,
    #[serde(default)]
    pub error_text_must_contain: Vec<String>,
    #[serde(default)]
    pub evidence: Option<Value>,
    /// The documents of a batch that have no value.
    #[serde(default)]
    pub missing: Option<Vec<String>>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Wrong {
    pub class: String,
    #[serde(default)]
    pub path: String,
    #[serde(default)]
    pub carries: Vec<String>,
}

/// The cases of the file about replies, values, schemas, the loop, streams,
/// transport and quotations.
pub fn all() -> Vec<Case> {
    let kinds = ["A", "B", "C", "D", "E", "F", "G"];
    kinds.into_iter().flat_map(of_kind).collect()
}

/// The cases of one kind.
pub fn of_kind(kind: &str) -> Vec<Case> {
    let text = include_str!("../fixtures/cases.jsonl");
    let start = format!("{{\"id\": \"{kind}");
    let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    text.lines()
        .filter(|line| line.starts_with(&start))
        .map(read)
        .collect()
}

pub fn one(id: &str) -> Case {
    let found = all().into_iter().find(|case| case.id == id);
    found.unwrap_or_else(|| panic!("no case {id}"))
}

/// What the model's side of one call becomes.
pub fn reply(written: &Value) -> Result<Reply, ModelError> {
    if let Some(text) = written.as_str() {
        return Ok(Reply::new(text));
    }
    if written.get("transport_error").is_some() {
        return Err(ModelError::new(
            ModelErrorKind::Connect,
            "the connection was reset",
        ));
    }
    if let Some(http) = written.get("http") {
        let status = http["status"]
            .as_u64()
            .and_then(|code| u16::try_from(code).ok());
        let body = serde_json::to_vec(&http["body"]).expect("a body");
        let decode = if http["body"].get("candidates").is_some() {
            gemini::decode
        } else if http["body"].get("stop_reason").is_some() {
            anthropic::decode
        } else {
            openai_compatible::decode
        };
        return decode(status.expect("a status"), &Headers::default(), &body);
    }
    let parts = &written["generate"];
    let times = |part: &str, count: &str| {
        let count = parts[count]
            .as_u64()
            .and_then(|count| usize::try_from(count).ok());
        parts[part]
            .as_str()
            .unwrap_or("")
            .repeat(count.unwrap_or(0))
    };
    let text = [
        parts["prefix"].as_str().unwrap_or("").to_owned(),
        times("repeat", "times"),
        times("repeat2", "times2"),
        parts["suffix"].as_str().unwrap_or("").to_owned(),
    ];
    let cut = written["finish_reason"] == "length";
    let finish = if cut {
        FinishReason::Truncated
    } else {
        FinishReason::Stop
    };
    Ok(Reply::new(text.concat()).with_finish(finish))
}

/// Failures as class and place, in any order.
pub fn classes(failures: &[Failure]) -> BTreeSet<(String, String)> {
    let pair = |failure: &Failure| (failure.code().to_string(), failure.path().pointer());
    failures.iter().map(pair).collect()
}

pub fn wanted(wrong: &[Wrong]) -> BTreeSet<(String, String)> {
    wrong
        .iter()
        .map(|one| (one.class.clone(), one.path.clone()))
        .collect()
}
