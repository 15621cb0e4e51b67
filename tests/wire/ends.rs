//! Ends that look natural and are none, on every wire that can have them.

use serde::Deserialize;
use typed_extract::model::http::Headers;
use typed_extract::testing::Script;
use typed_extract::model::{FinishReason, anthropic, gemini, ollama, openai_compatible};
use typed_extract::{Extract, ModelError, Reply, extract};

type Decode = fn(u16, &Headers, &[u8]) -> Result<Reply, ModelError>;
type Stream = fn(&Headers, &[u8]) -> Result<Reply, ModelError>;

fn end(reply: Result<Reply, ModelError>) -> String {
    match reply.unwrap().finish() {
        FinishReason::Unknown(word) => word.clone(),
        known => format!("{known:?}"),
    }
}

fn streamed(decode: Stream, body: &str) -> String {
    let headers = Headers::from_iter([("content-type", "text/event-stream")]);
    end(decode(&headers, body.as_bytes()))
}

/// What a run says of an empty reply, decoded from a host's answer.
async fn told(reply: Result<Reply, ModelError>) -> (String, String) {
    let model = Script::new([reply.unwrap()]);
    let run = extract::<Count>().model(&model).attempts(1).document("d");
    let error = run.await.unwrap_err();
    let failure = &error.failures()[0];
    (failure.code().to_string(), failure.message().to_owned())
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Count {
    count: u32,
}

#[tokio::test]
async fn an_answer_that_landed_among_the_thoughts_is_empty_and_says_so() {
    let bodies: [(Decode, &str); 5] = [
        (
            openai_compatible::decode,
            r#"{"choices":[{"message":{"content":"","reasoning_content":"{\"count\":1}"},"finish_reason":"stop"}]}"#,
        ),
        (
            openai_compatible::decode,
            r#"{"choices":[{"message":{"content":null,"reasoning":"{\"count\":1}"},"finish_reason":"stop"}]}"#,
        ),
        (
            ollama::decode,
            r#"{"message":{"content":"","thinking":"{\"count\":1}"},"done":true,"done_reason":"stop"}"#,
        ),
        (
            anthropic::decode,
            r#"{"content":[{"type":"thinking","thinking":"{\"count\":1}"}],"stop_reason":"end_turn"}"#,
        ),
        (
            gemini::decode,
            r#"{"candidates":[{"content":{"parts":[{"text":"{\"count\":1}","thought":true}]},"finishReason":"STOP"}]}"#,
        ),
    ];
    for (decode, body) in bodies {
        let (code, message) = told(decode(200, &Headers::default(), body.as_bytes())).await;
        assert_eq!(code, "parse.empty", "{body}");
        assert!(message.contains("reasoning field"), "{body}: {message}");
    }
}

#[tokio::test]
async fn an_empty_answer_without_thoughts_says_nothing_of_them() {
    let body = br#"{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}"#;
    let reply = openai_compatible::decode(200, &Headers::default(), body);
    let (code, message) = told(reply).await;
    assert_eq!(code, "parse.empty");
    assert!(!message.contains("reasoning"), "{message}");
}

#[test]
fn thoughts_beside_an_answer_are_no_fault() {
    let body =
        br#"{"choices":[{"message":{"content":"{}","reasoning":"well"},"finish_reason":"stop"}]}"#;
    let reply = openai_compatible::decode(200, &Headers::default(), body).unwrap();
    assert_eq!((reply.text(), reply.finish()), ("{}", &FinishReason::Stop));
}

#[tokio::test]
async fn a_stream_whose_text_is_among_the_thoughts_says_so() {
    let headers = Headers::from_iter([("content-type", "text/event-stream")]);
    for (decode, body) in [
        (
            openai_compatible::decode_stream as Stream,
            "data: {\"choices\":[{\"delta\":{\"reasoning\":\"{}\"}}]}\n\n\
             data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        ),
        (
            gemini::decode_stream,
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"{}\",\"thought\":true}]},\
             \"finishReason\":\"STOP\"}]}\n\n",
        ),
        (
            anthropic::decode_stream,
            "data: {\"type\":\"message_start\",\"message\":{}}\n\n\
             data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"thinking\"}}\n\n\
             data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n\
             data: {\"type\":\"message_stop\"}\n\n",
        ),
    ] {
        let (code, message) = told(decode(&headers, body.as_bytes())).await;
        assert_eq!(code, "parse.empty", "{body}");
        assert!(message.contains("reasoning field"), "{body}: {message}");
    }
}

#[test]
fn text_after_the_end_of_a_stream_is_no_natural_end() {
    for (decode, body) in [
        (
            openai_compatible::decode_stream as Stream,
            "data: {\"choices\":[{\"delta\":{\"content\":\"{}\"},\"finish_reason\":\"stop\"}]}\n\n\
             data: {\"choices\":[{\"delta\":{\"content\":\"more\"}}]}\n\ndata: [DONE]\n\n",
        ),
        (
            gemini::decode_stream,
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"{}\"}]},\
             \"finishReason\":\"STOP\"}]}\n\n\
             data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"more\"}]}}]}\n\n",
        ),
        (
            anthropic::decode_stream,
            "data: {\"type\":\"message_start\",\"message\":{}}\n\n\
             data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"{}\"}}\n\n\
             data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n\
             data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"more\"}}\n\n\
             data: {\"type\":\"message_stop\"}\n\n",
        ),
    ] {
        assert_eq!(streamed(decode, body), "text came after the end", "{body}");
    }
}

#[test]
fn a_second_finish_reason_that_differs_is_no_natural_end() {
    for second in ["length", "content_filter", "odd"] {
        let body = format!(
            "data: {{\"choices\":[{{\"delta\":{{\"content\":\"{{}}\"}},\"finish_reason\":\"stop\"}}]}}\n\n\
             data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"{second}\"}}]}}\n\n\
             data: [DONE]\n\n"
        );
        assert_ne!(
            streamed(openai_compatible::decode_stream, &body),
            "Stop",
            "{second}"
        );
    }
}
