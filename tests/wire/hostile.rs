//! Answers that contradict themselves, say absurd things or never end.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use typed_extract::model::http::{Headers, HttpBody, HttpRequest, HttpResponse, Transport};
use typed_extract::model::openai_compatible::ChatCompletions;
use typed_extract::model::{
    BoxFuture, Delta, FinishReason, ModelErrorKind, RetryPolicy, anthropic, gemini, ollama, openai,
    openai_compatible,
};
use typed_extract::{Model, ModelError, Reply, Request};

fn events(lines: &[&str]) -> Vec<u8> {
    let events = lines.iter().map(|line| format!("data: {line}\n\n"));
    events.collect::<String>().into_bytes()
}

fn of_events() -> Headers {
    Headers::from_iter([("content-type", "text/event-stream")])
}

fn chat(lines: &[&str]) -> Result<Reply, ModelError> {
    openai_compatible::decode_stream(&of_events(), &events(lines))
}

#[test]
fn pieces_of_a_second_choice_are_no_part_of_the_first() {
    let reply = chat(&[
        r#"{"choices":[{"index":0,"delta":{"content":"[1"}}]}"#,
        r#"{"choices":[{"index":1,"delta":{"content":"]"},"finish_reason":"stop"}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":",2"},"finish_reason":"length"}]}"#,
        r#"{"choices":[{"index":1,"delta":{},"finish_reason":"stop"}]}"#,
        "[DONE]",
    ])
    .unwrap();
    assert_eq!(
        (reply.text(), reply.finish()),
        ("[1,2", &FinishReason::Truncated)
    );
}

#[test]
fn a_chunk_without_an_index_belongs_to_the_only_choice() {
    let reply = chat(&[
        r#"{"choices":[{"index":0,"delta":{"content":"[1]"}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}"#,
        "[DONE]",
    ])
    .unwrap();
    assert_eq!((reply.text(), reply.finish()), ("[1]", &FinishReason::Stop));
}

#[test]
fn a_finish_reason_that_is_repeated_empty_or_not_yet_one_ends_nothing_twice() {
    let cut = r#"{"choices":[{"delta":{"content":"[1]"},"finish_reason":"length"}]}"#;
    let stop = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    let empty = r#"{"choices":[{"delta":{},"finish_reason":""}]}"#;
    let again = r#"{"choices":[{"delta":{"content":""},"finish_reason":"length"}]}"#;
    let cut = chat(&[cut, again, "[DONE]"]).unwrap();
    assert_eq!(
        (cut.text(), cut.finish()),
        ("[1]", &FinishReason::Truncated)
    );
    assert_eq!(
        chat(&[empty, stop, empty, "[DONE]"]).unwrap().finish(),
        &FinishReason::Stop
    );
    let part = |reason: &str| format!(r#"{{"candidates":[{{"finishReason":"{reason}"}}]}}"#);
    let body = events(&[&part("FINISH_REASON_UNSPECIFIED"), &part("STOP")]);
    let reply = gemini::decode_stream(&of_events(), &body).unwrap();
    assert_eq!(reply.finish(), &FinishReason::Stop);
}

#[test]
fn an_event_of_an_unfinished_response_does_not_carry_a_completed_one() {
    let piece = r#"{"type":"response.output_text.delta","delta":"[1]"}"#;
    for (kind, whole) in [
        ("completed", true),
        ("done", true),
        ("incomplete", false),
        ("failed", false),
    ] {
        let last = format!(
            r#"{{"type":"response.{kind}","response":{{"status":"completed","output":[{{"type":"message","content":[{{"type":"output_text","text":"[1]"}}]}}]}}}}"#
        );
        let read = openai::decode_stream(&of_events(), &events(&[piece, &last]));
        match read {
            Ok(reply) => assert!(whole && reply.text() == "[1]", "{kind}"),
            Err(error) => assert!(!whole && error.kind() == ModelErrorKind::Decode, "{kind}"),
        }
    }
}

#[test]
fn a_stream_that_only_says_that_nothing_was_blocked_is_cut() {
    let body = events(&[
        r#"{"promptFeedback":{"blockReason":null},"usageMetadata":{"promptTokenCount":3}}"#,
    ]);
    let error = gemini::decode_stream(&of_events(), &body).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::StreamCut);
    assert_eq!(error.usage().unwrap().input_tokens(), Some(3));
}

#[test]
fn an_absent_filter_is_not_a_filtered_prompt() {
    for body in [
        r#"{"error":{"message":"slow down"},"guardrails":null}"#,
        r#"{"error":{"message":"slow down","metadata":{"flagged_input":null,"reasons":null}}}"#,
    ] {
        let error = openai_compatible::decode(429, &Headers::default(), body.as_bytes());
        assert_eq!(
            error.unwrap_err().kind(),
            ModelErrorKind::RateLimited,
            "{body}"
        );
    }
}

#[test]
fn content_that_is_no_text_is_not_an_empty_answer() {
    let body = br#"{"choices":[{"message":{"content":{"a":1}},"finish_reason":"stop"}]}"#;
    let error = openai_compatible::decode(200, &Headers::default(), body).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Decode);
}

#[test]
fn what_a_broken_stream_told_before_is_kept() {
    let begun = r#"{"type":"message_start","message":{"id":"msg_1","usage":{"input_tokens":7,"output_tokens":2}}}"#;
    let error = anthropic::decode_stream(&of_events(), &events(&[begun, "{broken"])).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Decode);
    assert_eq!(error.usage().unwrap().total_tokens(), Some(9));
    assert_eq!(error.request_id(), Some("msg_1"));
}

#[test]
fn deep_json_is_an_error_wherever_it_stands() {
    let deep = "[".repeat(1 << 20);
    let headers = Headers::from_iter([("content-type", "application/x-ndjson")]);
    for body in [
        deep.clone(),
        format!("{{\"error\":{deep}"),
        format!("{{\"message\":{deep}"),
    ] {
        for status in [200, 400, 500] {
            assert!(
                openai_compatible::decode(status, &Headers::default(), body.as_bytes()).is_err()
            );
            assert!(gemini::decode(status, &Headers::default(), body.as_bytes()).is_err());
        }
        assert!(ollama::decode_stream(&headers, body.as_bytes()).is_err());
    }
    let raw = serde_json::json!({"error": {"code": 400, "metadata": {"raw": deep}}}).to_string();
    assert!(openai_compatible::decode(400, &Headers::default(), raw.as_bytes()).is_err());
}

/// Answers from a list, one piece at a time.
#[derive(Clone)]
pub(crate) struct Canned(Arc<Mutex<Vec<Answer>>>);

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) pieces: Vec<Result<Vec<u8>, ModelError>>,
}

struct Pieces(std::vec::IntoIter<Result<Vec<u8>, ModelError>>);

impl HttpBody for Pieces {
    fn chunk(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ModelError>> {
        Box::pin(std::future::ready(self.0.next().transpose()))
    }
}

impl Transport for Canned {
    fn send<'a>(&'a self, _: &'a HttpRequest) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        let answer = self.0.lock().unwrap().remove(0);
        let headers = answer.headers.into_iter().collect();
        let body = Pieces(answer.pieces.into_iter());
        Box::pin(std::future::ready(Ok(HttpResponse::new(
            answer.status,
            headers,
            body,
        ))))
    }
}

pub(crate) fn answers(answers: Vec<Answer>) -> Canned {
    Canned(Arc::new(Mutex::new(answers)))
}

fn stream_of(pieces: Vec<Result<Vec<u8>, ModelError>>) -> Answer {
    Answer {
        status: 200,
        headers: vec![("content-type", "text/event-stream".into())],
        pieces,
    }
}

#[tokio::test]
async fn a_wait_that_nobody_can_hold_ends_the_call() {
    let patient = RetryPolicy::default().max_retry_after(Duration::MAX);
    for wait in [
        "1e30",
        "18446744073709551615",
        "9223372036854775807000000000000000",
    ] {
        for policy in [RetryPolicy::default(), patient] {
            let limited = || Answer {
                status: 429,
                headers: vec![("retry-after", wait.to_owned())],
                pieces: Vec::new(),
            };
            let model = ChatCompletions::builder("http://localhost:1/v1", "m")
                .transport(answers(vec![limited(), limited()]))
                .retries(policy)
                .build()
                .unwrap();
            let error = model.generate(&Request::new("Hello")).await.unwrap_err();
            assert_eq!(error.kind(), ModelErrorKind::RateLimited, "{wait}");
        }
    }
}

#[tokio::test]
async fn a_deadline_within_a_stream_keeps_what_is_known_to_be_spent() {
    let begun = events(&[
        r#"{"type":"message_start","message":{"id":"msg_1","usage":{"input_tokens":7,"output_tokens":2}}}"#,
    ]);
    let late = ModelError::new(ModelErrorKind::Timeout, "late").with_maybe_billed(true);
    let model = anthropic::Messages::builder("m")
        .transport(Slow(answers(vec![stream_of(vec![Ok(begun), Err(late)])])))
        .build()
        .unwrap();
    let deadline = Instant::now() + Duration::from_millis(30);
    let request = Request::new("Hello").with_deadline(deadline);
    let error = model.stream(&request, &mut |_| ()).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Deadline);
    assert_eq!(error.usage().unwrap().total_tokens(), Some(9));
    assert_eq!(error.request_id(), Some("msg_1"));
}

/// Answers when the time is up.
struct Slow(Canned);

impl Transport for Slow {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        Box::pin(async move {
            tokio::time::sleep(request.timeout()).await;
            self.0.send(request).await
        })
    }
}

#[tokio::test]
async fn comments_without_end_meet_the_cap_and_single_bytes_are_read_like_any_others() {
    let noise = std::iter::repeat_with(|| Ok(b": keep-alive\n\n".to_vec())).take(100_000);
    let bytes: Vec<_> = events(&[
        r#"{"choices":[{"delta":{"content":"[1]"},"finish_reason":"stop"}]}"#,
        "[DONE]",
    ])
    .into_iter()
    .map(|byte| Ok(vec![byte]))
    .collect();
    let model = ChatCompletions::builder("http://localhost:1/v1", "m")
        .transport(answers(vec![stream_of(noise.collect()), stream_of(bytes)]))
        .max_response_bytes(1 << 20)
        .build()
        .unwrap();
    let mut texts = String::new();
    let mut deltas = |delta: Delta<'_>| {
        if let Delta::Text(text) = delta {
            texts.push_str(text);
        }
    };
    let error = model
        .stream(&Request::new("Hello"), &mut deltas)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::TooLarge);
    let reply = model
        .stream(&Request::new("Hello"), &mut deltas)
        .await
        .unwrap();
    assert_eq!((reply.text(), texts.as_str()), ("[1]", "[1]"));
}

#[tokio::test]
async fn a_million_events_are_read_in_one_go() {
    let mut body = r#"data: {"choices":[{"delta":{"content":"1"}}]}"#.to_owned() + "\n\n";
    body = body.repeat(200_000);
    body.push_str(
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    );
    let pieces = body
        .into_bytes()
        .chunks(7)
        .map(|piece| Ok(piece.to_vec()))
        .collect();
    let model = ChatCompletions::builder("http://localhost:1/v1", "m")
        .transport(answers(vec![stream_of(pieces)]))
        .max_response_bytes(1 << 30)
        .build()
        .unwrap();
    let reply = model
        .stream(&Request::new("Hello"), &mut |_| ())
        .await
        .unwrap();
    assert_eq!(reply.text().len(), 200_000);
}

#[test]
fn what_a_model_said_in_refusing_is_not_printed() {
    let finish = FinishReason::Refused {
        message: Some("I will not read the patient's file".into()),
    };
    assert!(!format!("{finish:?}").contains("patient"));
}

#[test]
fn only_status_200_is_that_of_a_whole_answer() {
    let body = br#"{"choices":[{"message":{"content":"{}"},"finish_reason":"stop"}]}"#;
    for status in [201, 202, 204, 206, 299] {
        let error = openai_compatible::decode(status, &Headers::default(), body).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Decode);
        assert!(error.maybe_billed() && error.to_string().contains(&status.to_string()));
    }
}

#[test]
fn an_object_is_no_list_of_choices_or_candidates() {
    let body = br#"{"choices":{"0":{"message":{"content":"{}"},"finish_reason":"stop"}}}"#;
    let error = openai_compatible::decode(200, &Headers::default(), body).unwrap_err();
    assert!(error.to_string().contains("no list of choices"), "{error}");
    let body =
        br#"{"candidates":{"0":{"content":{"parts":[{"text":"{}"}]},"finishReason":"STOP"}}}"#;
    let error = gemini::decode(200, &Headers::default(), body).unwrap_err();
    assert!(
        error.to_string().contains("no list of candidates"),
        "{error}"
    );
}

#[test]
fn commentary_is_no_part_of_the_answer() {
    let output = r#"[{"type":"message","phase":"commentary","content":[{"type":"output_text","text":"I look."}]},{"type":"message","phase":"final_answer","content":[{"type":"output_text","text":"{}"}]}]"#;
    let response = format!(r#"{{"status":"completed","output":{output}}}"#);
    let whole = openai::decode(200, &Headers::default(), response.as_bytes()).unwrap();
    assert_eq!(whole.text(), "{}");
    let last = format!(r#"{{"type":"response.completed","response":{response}}}"#);
    let lines = [
        r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","phase":"commentary"}}"#,
        r#"{"type":"response.output_text.delta","output_index":0,"delta":"I look."}"#,
        r#"{"type":"response.output_text.delta","output_index":1,"delta":"{}"}"#,
        &last,
    ];
    let reply = openai::decode_stream(&of_events(), &events(&lines)).unwrap();
    assert_eq!(reply.text(), "{}");
}
