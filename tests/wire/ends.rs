//! Ends that look natural and are none, on every wire that can have them.

use typed_extract::http::Headers;
use typed_extract::{Finish, ModelError, Reply, anthropic, gemini, ollama, openai_compatible};

type Decode = fn(u16, &Headers, &[u8]) -> Result<Reply, ModelError>;
type Stream = fn(&Headers, &[u8]) -> Result<Reply, ModelError>;

fn end(reply: Result<Reply, ModelError>) -> String {
    match reply.unwrap().finish() {
        Finish::Unknown(word) => word.clone(),
        known => format!("{known:?}"),
    }
}

fn streamed(decode: Stream, body: &str) -> String {
    let headers = Headers::from_iter([("content-type", "text/event-stream")]);
    end(decode(&headers, body.as_bytes()))
}

#[test]
fn an_answer_that_landed_among_the_thoughts_says_so() {
    let bodies: [(Decode, &str); 5] = [
        (
            openai_compatible::decode,
            r#"{"choices":[{"message":{"content":"","reasoning_content":"{\"a\":1}"},"finish_reason":"stop"}]}"#,
        ),
        (
            openai_compatible::decode,
            r#"{"choices":[{"message":{"content":null,"reasoning":"{\"a\":1}"},"finish_reason":"stop"}]}"#,
        ),
        (
            ollama::decode,
            r#"{"message":{"content":"","thinking":"{\"a\":1}"},"done":true,"done_reason":"stop"}"#,
        ),
        (
            anthropic::decode,
            r#"{"content":[{"type":"thinking","thinking":"{\"a\":1}"}],"stop_reason":"end_turn"}"#,
        ),
        (
            gemini::decode,
            r#"{"candidates":[{"content":{"parts":[{"text":"{\"a\":1}","thought":true}]},"finishReason":"STOP"}]}"#,
        ),
    ];
    for (decode, body) in bodies {
        let told = end(decode(200, &Headers::default(), body.as_bytes()));
        assert!(told.contains("reasoning field"), "{body}: {told}");
    }
}

#[test]
fn thoughts_beside_an_answer_are_no_fault() {
    let body =
        br#"{"choices":[{"message":{"content":"{}","reasoning":"well"},"finish_reason":"stop"}]}"#;
    let reply = openai_compatible::decode(200, &Headers::default(), body).unwrap();
    assert_eq!((reply.text(), reply.finish()), ("{}", &Finish::Stop));
}

#[test]
fn a_stream_whose_text_is_among_the_thoughts_says_so() {
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
        let told = streamed(decode, body);
        assert!(told.contains("reasoning field"), "{body}: {told}");
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
