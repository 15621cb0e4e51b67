//! Streams that go on after they ended, or end twice in different words.

use serde_json::{Value, json};
use typed_extract::model::http::Headers;
use typed_extract::model::{ModelErrorKind, anthropic, gemini, ollama, openai, openai_compatible};
use typed_extract::{ModelError, Reply};

use super::{
    server::{Act, Server},
    streams::{chunked, follow},
};

type Decode = fn(&Headers, &[u8]) -> Result<Reply, ModelError>;

/// How one wire writes a piece, an end, and what closes the stream.
struct Wire {
    name: &'static str,
    decode: Decode,
    piece: fn(&str) -> Value,
    end: fn(&str) -> Value,
    /// Two reasons: one of an answer that is whole, one of another.
    reasons: [&'static str; 2],
    /// Facts that may come after the end.
    facts: Value,
    close: &'static str,
    lines: bool,
}

fn wires() -> [Wire; 4] {
    [
        Wire {
            name: "chat",
            decode: openai_compatible::decode_stream,
            piece: |text| json!({"choices": [{"index": 0, "delta": {"content": text}}]}),
            end: |reason| json!({"choices": [{"delta": {}, "finish_reason": reason}]}),
            reasons: ["stop", "length"],
            facts: json!({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 4}}),
            close: "data: [DONE]\n\n",
            lines: false,
        },
        Wire {
            name: "gemini",
            decode: gemini::decode_stream,
            piece: |text| json!({"candidates": [{"content": {"parts": [{"text": text}]}}]}),
            end: |reason| json!({"candidates": [{"finishReason": reason}]}),
            reasons: ["STOP", "MAX_TOKENS"],
            facts: json!({"usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 4,
                "totalTokenCount": 9}}),
            close: "",
            lines: false,
        },
        Wire {
            name: "anthropic",
            decode: anthropic::decode_stream,
            piece: |text| {
                json!({"type": "content_block_delta",
                    "delta": {"type": "text_delta", "text": text}})
            },
            end: |reason| json!({"type": "message_delta", "delta": {"stop_reason": reason}}),
            reasons: ["end_turn", "max_tokens"],
            facts: json!({"type": "message_delta", "delta": {},
                "usage": {"input_tokens": 5, "output_tokens": 4}}),
            close: "data: {\"type\":\"message_stop\"}\n\n",
            lines: false,
        },
        Wire {
            name: "ollama",
            decode: ollama::decode_stream,
            piece: |text| json!({"message": {"content": text}, "done": false}),
            end: |reason| json!({"message": {"content": ""}, "done": true, "done_reason": reason}),
            reasons: ["stop", "length"],
            facts: json!({"done": false, "prompt_eval_count": 5, "eval_count": 4}),
            close: "",
            lines: true,
        },
    ]
}

impl Wire {
    fn stream(&self, messages: &[Value]) -> Result<Reply, ModelError> {
        let (kind, body) = self.body(messages);
        (self.decode)(&Headers::from_iter([("content-type", kind)]), &body)
    }

    fn body(&self, messages: &[Value]) -> (&'static str, Vec<u8>) {
        let lines = messages.iter().map(|message| {
            if self.lines {
                format!("{message}\n")
            } else {
                format!("data: {message}\n\n")
            }
        });
        let body = lines.collect::<Vec<_>>().concat() + self.close;
        let kind = if self.lines {
            "application/x-ndjson"
        } else {
            "text/event-stream"
        };
        (kind, body.into_bytes())
    }
}

fn is_contradiction(decoded: &Result<Reply, ModelError>) -> bool {
    decoded.as_ref().is_err_and(|error| {
        error.kind() == ModelErrorKind::Decode && error.maybe_billed() && !error.is_retryable()
    })
}

#[test]
fn facts_may_come_after_the_end_and_the_end_may_be_repeated() {
    for wire in wires() {
        let [whole, _] = wire.reasons.map(wire.end);
        let reply = wire
            .stream(&[
                (wire.piece)("[1"),
                (wire.piece)("]"),
                whole.clone(),
                wire.facts.clone(),
                whole,
                (wire.piece)(""),
            ])
            .unwrap();
        assert_eq!(reply.text(), "[1]", "{}", wire.name);
        let usage = reply.usage().unwrap();
        assert_eq!(usage.total_tokens(), Some(9), "{}", wire.name);
    }
}

#[test]
fn a_second_finish_reason_that_differs_is_an_error_in_either_order() {
    for wire in wires() {
        let [whole, cut] = wire.reasons.map(wire.end);
        for (first, second) in [(&whole, &cut), (&cut, &whole)] {
            let messages = [
                (wire.piece)("[1]"),
                first.clone(),
                second.clone(),
                wire.facts.clone(),
            ];
            let decoded = wire.stream(&messages);
            assert!(is_contradiction(&decoded), "{}: {decoded:?}", wire.name);
            let error = decoded.unwrap_err();
            assert!(error.to_string().contains("second finish reason"));
            let usage = error.usage().unwrap();
            assert_eq!(usage.total_tokens(), Some(9), "{}", wire.name);
        }
    }
}

#[test]
fn text_after_the_finish_reason_is_an_error() {
    for wire in wires() {
        for reason in wire.reasons {
            let messages = [(wire.piece)("[1]"), (wire.end)(reason), (wire.piece)(",2]")];
            let decoded = wire.stream(&messages);
            assert!(is_contradiction(&decoded), "{}: {decoded:?}", wire.name);
        }
    }
}

#[test]
fn other_content_after_the_finish_reason_is_an_error_too() {
    let chat = |delta: Value| json!({"choices": [{"delta": delta}]});
    let gemini = |part: Value| json!({"candidates": [{"content": {"parts": [part]}}]});
    let late = [
        chat(json!({"refusal": "no"})),
        chat(json!({"tool_calls": [{"function": {"name": "f"}}]})),
        chat(json!({"reasoning_content": "hm"})),
        gemini(json!({"functionCall": {"name": "f"}})),
        gemini(json!({"text": "hm", "thought": true})),
        json!({"type": "content_block_start", "content_block": {"type": "tool_use"}}),
        json!({"type": "content_block_start", "content_block": {"type": "text", "text": "x"}}),
        json!({"message": {"tool_calls": [{"function": {"name": "f"}}]}, "done": false}),
    ];
    let wires = wires();
    for message in late {
        let wire = wires.iter().find(|wire| match wire.name {
            "chat" => message.get("choices").is_some(),
            "gemini" => message.get("candidates").is_some(),
            "anthropic" => message.get("type").is_some(),
            _ => message.get("message").is_some(),
        });
        let wire = wire.unwrap();
        let [whole, _] = wire.reasons.map(wire.end);
        let decoded = wire.stream(&[(wire.piece)("{}"), whole, message.clone()]);
        assert!(is_contradiction(&decoded), "{message}: {decoded:?}");
    }
}

#[test]
fn the_last_piece_may_come_with_the_end_whichever_is_written_first() {
    for choice in [
        r#"{"finish_reason":"stop","delta":{"content":"[1]"}}"#,
        r#"{"delta":{"content":"[1]"},"finish_reason":"stop"}"#,
    ] {
        let body = format!("data: {{\"choices\":[{choice}]}}\n\ndata: [DONE]\n\n");
        let headers = Headers::from_iter([("content-type", "text/event-stream")]);
        let reply = openai_compatible::decode_stream(&headers, body.as_bytes()).unwrap();
        assert_eq!(reply.text(), "[1]", "{choice}");
    }
    let line = r#"{"done":true,"done_reason":"stop","message":{"content":"[1]"}}"#;
    let headers = Headers::from_iter([("content-type", "application/x-ndjson")]);
    let reply = ollama::decode_stream(&headers, line.as_bytes()).unwrap();
    assert_eq!(reply.text(), "[1]");
}

#[tokio::test]
async fn text_after_the_end_is_not_handed_on() {
    let wires = wires();
    let wire = wires.iter().find(|wire| wire.name == "chat").unwrap();
    let [whole, _] = wire.reasons.map(wire.end);
    let (kind, body) = wire.body(&[(wire.piece)("[1]"), whole, (wire.piece)(",2]")]);
    let server = Server::start([Act::Bytes(chunked(kind, &body, 1 << 10))]).await;
    let model = server.model().build().unwrap();
    let (answer, seen) = follow(&model).await;
    assert!(is_contradiction(&answer), "{answer:?}");
    assert_eq!(seen, ["[1]"]);
}

fn responses(messages: &[Value]) -> Result<Reply, ModelError> {
    let events = messages
        .iter()
        .map(|message| format!("data: {message}\n\n"));
    let body = events.collect::<Vec<_>>().concat();
    let headers = Headers::from_iter([("content-type", "text/event-stream")]);
    openai::decode_stream(&headers, body.as_bytes())
}

fn delta(place: &Value, text: &str) -> Value {
    json!({"type": "response.output_text.delta", "output_index": place, "content_index": 0,
        "delta": text})
}

fn completed(output: &Value) -> Value {
    json!({"type": "response.completed",
        "response": {"status": "completed", "output": output}})
}

fn message(parts: &Value) -> Value {
    json!({"type": "message", "content": parts})
}

#[test]
fn a_piece_of_an_item_that_the_response_does_not_hold_is_an_error() {
    let text = json!([{"type": "output_text", "text": "{}"}]);
    let reasoning = json!({"type": "reasoning", "content": text});
    let output = json!([reasoning, message(&text)]);
    for place in [json!(1), json!(null)] {
        let reply = responses(&[delta(&place, "{}"), completed(&output)]).unwrap();
        assert_eq!(reply.text(), "{}", "{place}");
    }
    for place in [
        json!(0),
        json!(2),
        json!(u64::MAX),
        json!(-1),
        json!(1.5),
        json!("1"),
        json!([]),
    ] {
        let decoded = responses(&[delta(&place, "{}"), completed(&output)]);
        assert!(is_contradiction(&decoded), "{place}: {decoded:?}");
    }
}

#[test]
fn commentary_may_be_marked_on_a_part() {
    let parts = json!([
        {"type": "output_text", "phase": "commentary", "text": "I look."},
        {"type": "output_text", "text": "{}"},
        {"type": "refusal", "phase": "commentary", "refusal": "no"},
    ]);
    let output = json!([message(&parts)]);
    let body = json!({"status": "completed", "output": output}).to_string();
    let whole = openai::decode(200, &Headers::default(), body.as_bytes()).unwrap();
    assert_eq!(whole.text(), "{}");

    let added = json!({"type": "response.content_part.added", "output_index": 0,
        "content_index": 0, "part": {"type": "output_text", "phase": "commentary"}});
    let mut answer = delta(&json!(0), "{}");
    answer["content_index"] = json!(1);
    let mut marked = delta(&json!(0), "I look.");
    let end = completed(&output);
    let announced = [added, marked.clone(), answer.clone(), end.clone()];
    assert_eq!(responses(&announced).unwrap().text(), "{}");
    marked["phase"] = json!("commentary");
    let unannounced = [marked, answer, end];
    assert_eq!(responses(&unannounced).unwrap().text(), "{}");
}

#[test]
fn many_places_are_looked_up() {
    let many = 50_000;
    let mut messages: Vec<Value> = (0..many)
        .map(|place| {
            json!({"type": "response.output_item.added", "output_index": place,
                "item": {"type": "message", "phase": "commentary"}})
        })
        .collect();
    messages.extend((0..many).map(|place| delta(&json!(place), "x")));
    let last = many;
    messages.push(delta(&json!(last), "{}"));
    let mut output = vec![json!({"type": "message", "phase": "commentary"}); many];
    output.push(message(&json!([{"type": "output_text", "text": "{}"}])));
    messages.push(completed(&Value::Array(output)));
    assert_eq!(responses(&messages).unwrap().text(), "{}");
}
