//! Partial responses of a stream, added up to the response they stand for.

use serde_json::{Map, Value, json};

use super::decode::{calls_function, text, thinks};
use crate::model::api::{Assemble, Step, TEXT_AFTER_END, note_end};

/// The finish reasons of an answer that ended by itself, or goes on.
const NATURAL: [&str; 2] = ["STOP", "FINISH_REASON_UNSPECIFIED"];

/// What has come so far.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Assembly {
    text: String,
    function_call: bool,
    thinks: bool,
    /// Whether text came after a finish reason.
    after_end: bool,
    /// Everything of the candidate but its content; none before one has come.
    candidate: Option<Map<String, Value>>,
    /// Everything of a response but its candidates, each as it was told last.
    rest: Map<String, Value>,
}

impl Assemble for Assembly {
    fn message(&mut self, message: Value, text: &mut dyn FnMut(&str)) -> Step {
        let Value::Object(chunk) = message else {
            return Step::More;
        };
        let failed = chunk.get("error").is_some_and(|error| !error.is_null());
        for (key, value) in chunk {
            if key == "candidates" {
                self.candidates(&value, text);
            } else if !value.is_null() {
                self.rest.insert(key, value);
            }
        }
        if failed { Step::Done } else { Step::More }
    }

    /// The last part holds the finish reason, and after it the connection just closes.
    fn may_end(&self) -> bool {
        let blocked = self
            .rest
            .get("promptFeedback")
            .and_then(|feedback| feedback.get("blockReason"))
            .is_some_and(|reason| !reason.is_null());
        let finished = self
            .candidate
            .as_ref()
            .is_some_and(|candidate| candidate.contains_key("finishReason"));
        blocked || finished
    }

    fn body(self) -> Value {
        let mut body = self.rest;
        if let Some(mut candidate) = self.candidate {
            let mut parts = vec![json!({"text": self.text})];
            // What a function is called with does not matter to an answer in text, only that one is.
            if self.function_call {
                parts.push(json!({"functionCall": {}}));
            }
            if self.thinks {
                parts.push(json!({"text": "…", "thought": true}));
            }
            candidate.insert("content".to_owned(), json!({"parts": parts}));
            let natural = candidate
                .get("finishReason")
                .is_some_and(|reason| reason == "STOP");
            if self.after_end && natural {
                candidate.insert("finishReason".to_owned(), TEXT_AFTER_END.into());
            }
            body.insert("candidates".to_owned(), json!([candidate]));
        }
        Value::Object(body)
    }
}

impl Assembly {
    /// Only one candidate is asked for; a last part may hold none.
    fn candidates(&mut self, candidates: &Value, text_out: &mut dyn FnMut(&str)) {
        let Some(candidate) = candidates.get(0) else {
            return;
        };
        let piece = text(candidate);
        text_out(&piece);
        self.text.push_str(&piece);
        self.function_call |= calls_function(candidate);
        self.thinks |= thinks(candidate);
        let known = self.candidate.get_or_insert_default();
        // Some streams repeat the reason beside every piece.
        let ended = known.contains_key("finishReason") && candidate.get("finishReason").is_none();
        self.after_end |= !piece.is_empty() && ended;
        for (key, value) in candidate.as_object().into_iter().flatten() {
            if key == "finishReason" && !value.is_null() {
                note_end(known, key, value, &NATURAL);
            } else if key != "content" && !value.is_null() {
                known.insert(key.clone(), value.clone());
            }
        }
    }
}
