//! Streams that end early, contradict themselves, or hold odd events.

use serde_json::{Value, json};
use typed_extract::model::http::Headers;
use typed_extract::model::openai::decode_stream;
use typed_extract::model::{FinishReason, ModelErrorKind};
use typed_extract::{ModelError, Reply};

use super::message;

fn stream(events: &[Value]) -> Result<Reply, ModelError> {
    let headers = Headers::from_iter([("content-type", "text/event-stream")]);
    let events: Vec<String> = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    let body = events.concat();
    decode_stream(&headers, body.as_bytes())
}

fn delta(text: &str) -> Value {
    json!({"type": "response.output_text.delta", "delta": text})
}

fn last(status: &str, output: &Value) -> Value {
    json!({"type": format!("response.{status}"), "response": {"id": "resp_1", "status": status,
        "output": output, "usage": {"input_tokens": 7, "output_tokens": 3}}})
}

#[test]
fn a_stream_that_contradicts_itself_is_no_answer() {
    for (pieces, output) in [
        (vec![delta("{\"a\":1")], json!([message("{\"a\":1}")])),
        (vec![delta("{}"), delta("{}")], json!([message("{}")])),
        (vec![delta("{}")], json!([])),
        (
            vec![
                delta("{}"),
                json!({"type": "response.refusal.delta", "delta": "no"}),
            ],
            json!([message("{}")]),
        ),
    ] {
        let mut events = pieces;
        events.push(last("completed", &output));
        let error = stream(&events).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Decode, "{events:?}");
        assert!(error.maybe_billed() && !error.is_retryable());
        assert_eq!(
            error.usage().unwrap().total_tokens(),
            Some(10),
            "it is told what it cost"
        );
    }
}

#[test]
fn a_stream_without_pieces_is_its_last_event() {
    let reply = stream(&[last("completed", &json!([message("{}")]))]).unwrap();
    assert_eq!((reply.text(), reply.finish()), ("{}", &FinishReason::Stop));
    let reply = stream(&[last("completed", &json!([]))]).unwrap();
    assert_eq!((reply.text(), reply.finish()), ("", &FinishReason::Stop));
}

#[test]
fn an_unfinished_stream_keeps_what_was_handed_on() {
    for output in [json!([]), json!([message("{\"a")])] {
        let mut end = last("incomplete", &output);
        end["response"]["incomplete_details"] = json!({"reason": "max_output_tokens"});
        let reply = stream(&[delta("{\"a"), delta("\":"), end]).unwrap();
        assert_eq!(
            (reply.text(), reply.finish()),
            ("{\"a\":", &FinishReason::Truncated)
        );
    }
}

#[test]
fn a_stream_needs_its_last_event() {
    let created = json!({"type": "response.created",
        "response": {"id": "resp_1", "status": "in_progress", "output": []}});
    let half = [created.clone(), delta("{}")];
    let error = stream(&half).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::StreamCut);
    assert_eq!(error.request_id(), Some("resp_1"));

    let headers = Headers::from_iter([("content-type", "text/event-stream")]);
    let marked = format!(
        "data: {created}\n\ndata: {}\n\ndata: [DONE]\n\n",
        delta("{}")
    );
    let error = decode_stream(&headers, marked.as_bytes()).unwrap_err();
    assert_eq!(
        error.kind(),
        ModelErrorKind::StreamCut,
        "the marker alone ends nothing"
    );
    assert!(error.is_retryable() && error.maybe_billed());
}

#[test]
fn odd_events_neither_end_a_stream_nor_break_it() {
    let odd = [
        json!(7),
        json!([]),
        json!({}),
        json!({"type": 7}),
        json!({"type": "response.output_text.delta", "delta": null}),
        json!({"type": "response.output_text.done", "text": "{}"}),
        json!({"type": "response.created", "response": null}),
        json!({"type": "response.something_new", "delta": "no", "error": "no"}),
        delta("{}"),
        last("completed", &json!([message("{}")])),
        delta("after the end"),
    ];
    assert_eq!(stream(&odd).unwrap().text(), "{}");
    let empty_end = stream(&[delta("{}"), json!({"type": "response.completed"})]);
    assert_eq!(empty_end.unwrap_err().kind(), ModelErrorKind::Decode);
}
