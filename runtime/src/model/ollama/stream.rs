//! Lines of a streamed answer, added up to the answer they stand for.

use serde_json::{Map, Value, json};

use super::decode::{content, reasons};
use crate::model::{
    ModelError,
    api::{Assemble, End, Step, calls_tools},
};

/// What has come so far.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Assembly {
    content: String,
    tool_calls: bool,
    reasoned: bool,
    end: End,
    /// Everything of the lines but their messages and the end: counts, an error.
    rest: Map<String, Value>,
}

impl Assemble for Assembly {
    fn message(&mut self, message: Value, text: &mut dyn FnMut(&str)) -> Step {
        let Value::Object(line) = message else {
            return Step::More;
        };
        if let Some(message) = line.get("message") {
            self.piece(message, text);
        }
        if line.get("done") == Some(&Value::Bool(true)) {
            let reason = line.get("done_reason").unwrap_or(&Value::Null);
            self.end.note(reason);
        }
        for (key, value) in line {
            let is_content = matches!(key.as_str(), "message" | "done" | "done_reason");
            if !is_content && !value.is_null() {
                self.rest.insert(key, value);
            }
        }
        if self.rest.contains_key("error") {
            Step::Done
        } else {
            Step::More
        }
    }

    /// The line that is done has no marker after it: the connection just closes.
    fn may_end(&self) -> bool {
        self.end.reason().is_some()
    }

    fn fault(&self) -> Option<ModelError> {
        self.end.fault()
    }

    fn body(self) -> Value {
        // What a tool is called with does not matter to an answer in text, only that one is.
        let calls: &[Value] = if self.tool_calls { &[Value::Null] } else { &[] };
        let mut body = self.rest;
        if let Some(reason) = self.end.reason() {
            body.insert("done".to_owned(), Value::Bool(true));
            body.insert("done_reason".to_owned(), reason.clone());
        }
        let thinking = self.reasoned.then_some("…");
        let message = json!({"content": self.content, "tool_calls": calls, "thinking": thinking});
        body.insert("message".to_owned(), message);
        Value::Object(body)
    }
}

impl Assembly {
    fn piece(&mut self, message: &Value, text: &mut dyn FnMut(&str)) {
        let piece = content(message);
        let (calls, reasons) = (calls_tools(message), reasons(message));
        if self.end.admits(!piece.is_empty() || calls || reasons) {
            text(piece);
            self.content.push_str(piece);
            self.tool_calls |= calls;
            self.reasoned |= reasons;
        }
    }
}
