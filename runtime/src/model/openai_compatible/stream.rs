//! Chunks of a streamed completion, added up to the completion they stand for.

use serde_json::{Map, Value, json};

use super::decode::{reasons, refusal};
use crate::model::{
    ModelError,
    api::{Assemble, End, Step, calls_tools},
};

/// What has come so far.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Assembly {
    content: String,
    refusal: Option<String>,
    tool_calls: bool,
    reasoned: bool,
    end: End,
    /// Which choice is read: the one that came first, by its index.
    index: Option<Value>,
    /// Everything of a choice but its delta and its end: filter results, errors.
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

    fn fault(&self) -> Option<ModelError> {
        self.end.fault()
    }

    fn body(self) -> Value {
        let mut choice = self.choice;
        if let Some(reason) = self.end.reason() {
            choice.insert("finish_reason".to_owned(), reason.clone());
        }
        // What a tool is called with does not matter to an answer in text, only that one is.
        let calls: &[Value] = if self.tool_calls { &[Value::Null] } else { &[] };
        let reasoning = self.reasoned.then_some("…");
        let message = json!({"content": self.content, "refusal": self.refusal,
            "tool_calls": calls, "reasoning": reasoning});
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
        // The last piece and the end may come in one chunk, whichever is written first.
        if let Some(delta) = choice.and_then(|choice| choice.get("delta")) {
            self.delta(delta, text);
        }
        for (key, value) in choice.into_iter().flatten() {
            match key.as_str() {
                "delta" => {}
                // An empty reason is how some hosts write that there is none yet.
                "finish_reason" if value.is_null() || value == "" => {}
                "finish_reason" => self.end.note(value),
                _ if value.is_null() => {}
                _ => {
                    self.choice.insert(key.clone(), value.clone());
                }
            }
        }
    }

    fn delta(&mut self, delta: &Value, text: &mut dyn FnMut(&str)) {
        let piece = super::decode::text(delta);
        let refusal = refusal(delta);
        let (calls, reasons) = (calls_tools(delta), reasons(delta));
        let has_content = !piece.is_empty() || refusal.is_some() || calls || reasons;
        if !self.end.admits(has_content) {
            return;
        }
        text(&piece);
        self.content.push_str(&piece);
        if let Some(refusal) = refusal {
            self.refusal.get_or_insert_default().push_str(refusal);
        }
        self.tool_calls |= calls;
        self.reasoned |= reasons;
    }
}
