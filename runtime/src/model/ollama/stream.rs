//! Lines of a streamed answer, added up to the answer they stand for.

use serde_json::{Map, Value, json};

use super::decode::{content, thinks};
use crate::model::api::{Assemble, Step, calls_tools};

/// What has come so far.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Assembly {
    content: String,
    tool_calls: bool,
    thinks: bool,
    /// Everything of the lines but their messages: how it ended, counts, an error.
    rest: Map<String, Value>,
}

impl Assemble for Assembly {
    fn message(&mut self, message: Value, text: &mut dyn FnMut(&str)) -> Step {
        let Value::Object(line) = message else {
            return Step::More;
        };
        for (key, value) in line {
            if key == "message" {
                let piece = content(&value);
                text(piece);
                self.content.push_str(piece);
                self.tool_calls |= calls_tools(&value);
                self.thinks |= thinks(&value);
            } else if !value.is_null() {
                self.rest.insert(key, value);
            }
        }
        let ended = self.rest.get("done") == Some(&Value::Bool(true));
        if ended || self.rest.contains_key("error") {
            Step::Done
        } else {
            Step::More
        }
    }

    fn body(self) -> Value {
        // What a tool is called with does not matter to an answer in text, only that one is.
        let calls: &[Value] = if self.tool_calls { &[Value::Null] } else { &[] };
        let mut body = self.rest;
        let thinking = self.thinks.then_some("…");
        let message = json!({"content": self.content, "tool_calls": calls, "thinking": thinking});
        body.insert("message".to_owned(), message);
        Value::Object(body)
    }
}
