//! Events of a streamed response, up to the one that holds the response itself.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value, json};

use super::decode::{COMPLETED, Said, is_answer_at, is_commentary};
use crate::model::{
    ModelError,
    api::{Assemble, Step, contradiction, without_end},
};

/// What has come so far.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Assembly {
    /// What the pieces add up to.
    pieces: Said,
    /// The places of the items that pieces belong to.
    places: BTreeSet<u64>,
    /// A piece came at something that is no place.
    misplaced: bool,
    /// The items, and the parts of items, that are no part of the answer.
    commentary: HashSet<(u64, Option<u64>)>,
    /// The response as the last event told it that holds one.
    response: Map<String, Value>,
    /// The terminal event, or an error in its place, has come.
    ended: bool,
    /// The terminal event was one of an answer that is not whole.
    unfinished: bool,
}

impl Assemble for Assembly {
    fn message(&mut self, message: Value, text: &mut dyn FnMut(&str)) -> Step {
        let Value::Object(mut event) = message else {
            return Step::More;
        };
        let kind = event.get("type").and_then(Value::as_str).unwrap_or("");
        match kind {
            "response.output_item.added" if event.get("item").is_some_and(is_commentary) => {
                let item = index(&event, "output_index");
                self.commentary.extend(item.map(|item| (item, None)));
            }
            "response.content_part.added" if event.get("part").is_some_and(is_commentary) => {
                let part = index(&event, "content_index");
                let item = index(&event, "output_index").filter(|_| part.is_some());
                self.commentary.extend(item.map(|item| (item, part)));
            }
            // What is said beside the answer is no part of it.
            "response.output_text.delta" | "response.refusal.delta" if self.is_beside(&event) => {}
            "response.output_text.delta" => {
                let piece = piece(&event);
                text(piece);
                self.pieces.text.push_str(piece);
                self.place(&event);
            }
            "response.refusal.delta" => {
                self.pieces.refusal.push_str(piece(&event));
                self.place(&event);
            }
            "response.completed" | "response.incomplete" | "response.failed" | "response.done" => {
                self.unfinished = matches!(kind, "response.incomplete" | "response.failed");
                self.take_response(&mut event);
                self.end(text);
            }
            "response.created" | "response.queued" | "response.in_progress" => {
                self.take_response(&mut event);
            }
            "error" => self.fail(event),
            // Without a type: an error that comes as if there were no stream.
            "" if event.get("error").is_some_and(|error| !error.is_null()) => self.fail(event),
            _ => {}
        }
        if self.ended { Step::Done } else { Step::More }
    }

    fn fault(&self) -> Option<ModelError> {
        if !self.ended {
            return Some(without_end());
        }
        let complaint = if !self.is_completed() {
            return None;
        } else if self.unfinished {
            "the stream's last event is not one of a completed response, which it holds"
        } else if Said::in_output(self.response.get("output")) != self.pieces {
            "the stream's last event holds another text than its pieces"
        } else if self.misplaced || !self.is_placed() {
            "a piece of the stream belongs to no message of the response"
        } else {
            return None;
        };
        Some(contradiction(complaint))
    }

    fn body(self) -> Value {
        let completed = self.is_completed();
        let mut body = self.response;
        // An answer that is not whole is what has been handed on of it.
        if !completed && self.pieces != Said::default() {
            let Said { text, refusal } = self.pieces;
            let parts = json!([
                {"type": "output_text", "text": text},
                {"type": "refusal", "refusal": refusal},
            ]);
            let output = json!([{"type": "message", "content": parts}]);
            body.insert("output".to_owned(), output);
        }
        Value::Object(body)
    }
}

impl Assembly {
    fn is_beside(&self, event: &Map<String, Value>) -> bool {
        let marked = event
            .get("phase")
            .is_some_and(|phase| phase == "commentary");
        let part = index(event, "content_index");
        marked
            || index(event, "output_index").is_some_and(|item| {
                self.commentary.contains(&(item, None)) || self.commentary.contains(&(item, part))
            })
    }

    /// Takes note of where a piece belongs, if it says so.
    fn place(&mut self, event: &Map<String, Value>) {
        match event.get("output_index") {
            None | Some(Value::Null) => {}
            Some(place) => match place.as_u64() {
                Some(place) => self.places.extend([place]),
                None => self.misplaced = true,
            },
        }
    }

    fn is_placed(&self) -> bool {
        let output = self.response.get("output");
        (self.places.iter()).all(|place| is_answer_at(output, *place))
    }

    fn take_response(&mut self, event: &mut Map<String, Value>) {
        if let Some(Value::Object(response)) = event.remove("response") {
            self.response = response;
        }
    }

    /// A server that sent no pieces has its text in the last event.
    fn end(&mut self, text: &mut dyn FnMut(&str)) {
        self.ended = true;
        if self.pieces == Said::default() {
            self.pieces = Said::in_output(self.response.get("output"));
            text(&self.pieces.text);
        }
    }

    /// The error stands in the event itself, or in an object of its own there.
    fn fail(&mut self, mut event: Map<String, Value>) {
        self.ended = true;
        event.remove("type");
        let error = match event.remove("error") {
            Some(nested @ Value::Object(_)) => nested,
            Some(sentence) => {
                event.insert("message".to_owned(), sentence);
                Value::Object(event)
            }
            None => Value::Object(event),
        };
        self.response.insert("error".to_owned(), error);
    }

    fn is_completed(&self) -> bool {
        self.response.get("status").and_then(Value::as_str) == Some(COMPLETED)
    }
}

fn index(event: &Map<String, Value>, key: &str) -> Option<u64> {
    event.get(key)?.as_u64()
}

fn piece(event: &Map<String, Value>) -> &str {
    event
        .get("delta")
        .and_then(Value::as_str)
        .unwrap_or_default()
}
