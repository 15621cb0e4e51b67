//! Chunks of a streamed completion, added up to the completion they stand for.

use serde_json::{Map, Value, json};

use crate::model::api::{Assemble, Step, TEXT_AFTER_END, calls_tools, note_end};

/// The finish reasons of an answer that ended by itself.
const NATURAL: [&str; 2] = ["stop", "eos"];

/// What has come so far.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Assembly {
    content: String,
    refusal: Option<String>,
    tool_calls: bool,
    reasons: bool,
    /// Whether text came after a finish reason.
    after_end: bool,
    /// Which choice is read: the one that came first, by its index.
    index: Option<Value>,
    /// Everything of a choice but its delta: finish reason, filter results, errors.
    choice: Map<String, Value>,
    /// Everything of a chunk but its choices: id, model, usage, errors.
    rest: Map<String, Value>,
}

impl Assemble for Assembly {
    fn message(&mut self, message: Value, text: &mut dyn FnMut(&str)) -> Step {
        let Value::Object(chunk) = message else {
            return Step::More;
        };
        let failed = chunk.get("error").is_some_and(|error| !error.is_null());
        for (key, value) in chunk {
            if key == "choices" {
                self.choices(&value, text);
            } else if !value.is_null() {
                self.rest.insert(key, value);
            }
        }
        if failed { Step::Done } else { Step::More }
    }

    fn body(self) -> Value {
        let mut choice = self.choice;
        // What a tool is called with does not matter to an answer in text, only that one is.
        let calls: &[Value] = if self.tool_calls { &[Value::Null] } else { &[] };
        let reasoning = self.reasons.then_some("…");
        let message = json!({
            "content": self.content, "refusal": self.refusal, "tool_calls": calls,
            "reasoning": reasoning,
        });
        let reason = choice.get("finish_reason").and_then(Value::as_str);
        if self.after_end && reason.is_some_and(|reason| NATURAL.contains(&reason)) {
            choice.insert("finish_reason".to_owned(), TEXT_AFTER_END.into());
        }
        choice.insert("message".to_owned(), message);
        let mut body = self.rest;
        body.insert("choices".to_owned(), json!([choice]));
        Value::Object(body)
    }
}

impl Assembly {
    /// Only one choice is asked for; a last chunk may hold none. Where more come, each chunk may be
    /// of another one.
    fn choices(&mut self, choices: &Value, text: &mut dyn FnMut(&str)) {
        let choices = choices.as_array().into_iter().flatten();
        let choice = choices.filter_map(Value::as_object).find(|choice| {
            // Not every host repeats the index.
            let index = choice.get("index").filter(|index| !index.is_null());
            index.is_none_or(|index| self.index.get_or_insert_with(|| index.clone()) == index)
        });
        let ended = self.choice.contains_key("finish_reason");
        for (key, value) in choice.into_iter().flatten() {
            if key == "delta" {
                self.after_end |= self.delta(value, text) && ended;
            } else if key == "finish_reason" && !value.is_null() {
                note_end(&mut self.choice, key, value, &NATURAL);
            } else if !value.is_null() {
                self.choice.insert(key.clone(), value.clone());
            }
        }
    }

    /// Adds a piece, and tells whether it held text.
    fn delta(&mut self, delta: &Value, text: &mut dyn FnMut(&str)) -> bool {
        let piece = super::decode::text(delta);
        text(&piece);
        self.content.push_str(&piece);
        if let Some(refusal) = delta.get("refusal").and_then(Value::as_str) {
            self.refusal.get_or_insert_default().push_str(refusal);
        }
        self.tool_calls |= calls_tools(delta);
        self.reasons |= super::decode::reasons(delta);
        !piece.is_empty()
    }
}
