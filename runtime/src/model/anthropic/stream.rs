//! Events of a stream, added up to the message they stand for.

use serde_json::{Map, Value, json};

use super::decode::is_thinking;
use crate::model::api::{Assemble, Step, TEXT_AFTER_END};

/// What has come so far.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Assembly {
    text: String,
    thinks: bool,
    /// Whether text came after a stop reason.
    after_end: bool,
    /// Everything of the message but its content.
    message: Map<String, Value>,
    /// The counts, each as it was told last.
    usage: Map<String, Value>,
}

impl Assemble for Assembly {
    fn message(&mut self, event: Value, text: &mut dyn FnMut(&str)) -> Step {
        match event.get("type").and_then(Value::as_str) {
            Some("message_start") => self.merge(event.get("message")),
            Some("content_block_start") => {
                let block = event.get("content_block");
                self.thinks |= block.is_some_and(is_thinking);
                self.text_of(block, "text", text);
            }
            Some("content_block_delta") => self.text_of(event.get("delta"), "text_delta", text),
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

    fn body(self) -> Value {
        let mut body = self.message;
        // A stream that never began is no empty message.
        if !body.is_empty() {
            let mut content = vec![json!({"type": "text", "text": self.text})];
            content.extend(self.thinks.then(|| json!({"type": "thinking"})));
            body.insert("content".to_owned(), content.into());
            if self.after_end {
                body.insert("stop_reason".to_owned(), TEXT_AFTER_END.into());
            }
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
            if key == "usage" {
                self.count(Some(value));
            } else {
                self.message.insert(key.clone(), value.clone());
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

    fn text_of(&mut self, part: Option<&Value>, kind: &str, text: &mut dyn FnMut(&str)) {
        let part = part.filter(|part| part.get("type").is_some_and(|found| found == kind));
        if let Some(piece) = part.and_then(|part| part.get("text")?.as_str()) {
            text(piece);
            self.text.push_str(piece);
            let ended = self.message.get("stop_reason");
            self.after_end |= !piece.is_empty() && ended.is_some_and(|reason| !reason.is_null());
        }
    }
}
