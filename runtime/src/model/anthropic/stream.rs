//! Events of a stream, added up to the message they stand for.

use serde_json::{Map, Value, json};

use super::decode::reasons;
use crate::model::{
    ModelError,
    api::{Assemble, End, Step},
};

/// What has come so far.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Assembly {
    text: String,
    reasoned: bool,
    end: End,
    /// Everything of the message but its content and its end.
    message: Map<String, Value>,
    /// The counts, each as it was told last.
    usage: Map<String, Value>,
}

impl Assemble for Assembly {
    fn message(&mut self, event: Value, text: &mut dyn FnMut(&str)) -> Step {
        match event.get("type").and_then(Value::as_str) {
            Some("message_start") => self.merge(event.get("message")),
            Some("content_block_start") => self.content(event.get("content_block"), text),
            Some("content_block_delta") => self.content(event.get("delta"), text),
            Some("message_delta") => {
                self.merge(event.get("delta"));
                self.count(event.get("usage"));
            }
            Some("message_stop") => return Step::Done,
            Some("error") => {
                self.merge(Some(&event));
                return Step::Done;
            }
            // Pings, ends of blocks, and what is not known yet.
            _ => {}
        }
        Step::More
    }

    fn fault(&self) -> Option<ModelError> {
        self.end.fault()
    }

    fn body(self) -> Value {
        let mut body = self.message;
        if let Some(reason) = self.end.reason() {
            body.insert("stop_reason".to_owned(), reason.clone());
        }
        // A stream that never began is no empty message.
        if !body.is_empty() {
            let mut content = vec![json!({"type": "text", "text": self.text})];
            if self.reasoned {
                content.push(json!({"type": "thinking", "thinking": "…"}));
            }
            body.insert("content".to_owned(), Value::Array(content));
        }
        if !self.usage.is_empty() {
            body.insert("usage".to_owned(), Value::Object(self.usage));
        }
        Value::Object(body)
    }
}

impl Assembly {
    fn merge(&mut self, fields: Option<&Value>) {
        for (key, value) in fields.and_then(Value::as_object).into_iter().flatten() {
            match key.as_str() {
                "usage" => self.count(Some(value)),
                "stop_reason" if value.is_null() => {}
                "stop_reason" => self.end.note(value),
                _ => {
                    self.message.insert(key.clone(), value.clone());
                }
            }
        }
    }

    /// Counts are cumulative, and an event may tell only some of them.
    fn count(&mut self, usage: Option<&Value>) {
        for (key, value) in usage.and_then(Value::as_object).into_iter().flatten() {
            if !value.is_null() {
                self.usage.insert(key.clone(), value.clone());
            }
        }
    }

    /// The beginning of a block, or more of it.
    fn content(&mut self, part: Option<&Value>, text: &mut dyn FnMut(&str)) {
        let Some(part) = part else { return };
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        let piece = match kind {
            "text" | "text_delta" => part.get("text").and_then(Value::as_str),
            _ => None,
        };
        let piece = piece.unwrap_or_default();
        let reasons = reasons(part);
        let opens = kind == "tool_use" || kind == "input_json_delta";
        if self.end.admits(!piece.is_empty() || reasons || opens) {
            text(piece);
            self.text.push_str(piece);
            self.reasoned |= reasons;
        }
    }
}
