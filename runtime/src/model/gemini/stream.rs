//! Partial responses of a stream, added up to the response they stand for.

use serde_json::{Map, Value, json};

use super::decode::{calls_function, reasons, text};
use crate::model::{
    ModelError,
    api::{Assemble, End, Step},
};

/// The reason that says there is none yet.
const GOES_ON: &str = "FINISH_REASON_UNSPECIFIED";

/// What has come so far.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Assembly {
    text: String,
    function_call: bool,
    reasoned: bool,
    end: End,
    /// Everything of the candidate but its content and its end; none before one has come.
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
        blocked || self.end.reason().is_some()
    }

    fn fault(&self) -> Option<ModelError> {
        self.end.fault()
    }

    fn body(self) -> Value {
        let mut body = self.rest;
        if let Some(mut candidate) = self.candidate {
            let mut parts = vec![json!({"text": self.text})];
            // What a function is called with does not matter to an answer in text, only that one is.
            if self.function_call {
                parts.push(json!({"functionCall": {}}));
            }
            if self.reasoned {
                parts.push(json!({"text": "…", "thought": true}));
            }
            if let Some(reason) = self.end.reason() {
                candidate.insert("finishReason".to_owned(), reason.clone());
            }
            candidate.insert("content".to_owned(), json!({"parts": parts}));
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
        self.content(candidate, text_out);
        let known = self.candidate.get_or_insert_default();
        for (key, value) in candidate.as_object().into_iter().flatten() {
            match key.as_str() {
                "content" => {}
                _ if value.is_null() => {}
                "finishReason" if value == "" || value == GOES_ON => {}
                "finishReason" => self.end.note(value),
                _ => {
                    known.insert(key.clone(), value.clone());
                }
            }
        }
    }

    fn content(&mut self, candidate: &Value, text_out: &mut dyn FnMut(&str)) {
        let piece = text(candidate);
        let (calls, reasons) = (calls_function(candidate), reasons(candidate));
        if self.end.admits(!piece.is_empty() || calls || reasons) {
            text_out(&piece);
            self.text.push_str(&piece);
            self.function_call |= calls;
            self.reasoned |= reasons;
        }
    }
}
