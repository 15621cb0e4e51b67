//! Answers that landed in the field of the model's reasoning.

use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::model::http::Headers;
use typed_extract::model::{
    FinishReason, anthropic, gemini, ollama, openai, openai_compatible, xai,
};
use typed_extract::testing::Script;
use typed_extract::{Extract, ModelError, Reply, extract};

const ANSWER: &str = r#"{"a":1}"#;

type Decode = fn(u16, &Headers, &[u8]) -> Result<Reply, ModelError>;
type DecodeStream = fn(&Headers, &[u8]) -> Result<Reply, ModelError>;

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Count {
    a: u32,
}

/// What a run says of a reply that a host's answer was read as.
async fn told(read: Result<Reply, ModelError>) -> String {
    let reply = read.unwrap();
    assert_eq!(
        (reply.text().trim(), reply.finish()),
        ("", &FinishReason::Stop)
    );
    let model = Script::new([reply]);
    let run = extract::<Count>().model(&model).attempts(1).document("d");
    let error = run.await.unwrap_err();
    let failure = &error.failures()[0];
    assert_eq!(failure.code().as_str(), "parse.empty");
    failure.message().to_owned()
}

async fn is_told(read: Result<Reply, ModelError>) -> bool {
    let told = told(read).await;
    told.contains("the model put its text into the reasoning field")
        && told.contains("turn reasoning off, or allow more output tokens")
        && !told.contains(ANSWER)
}

/// Bodies whose text is this and whose reasoning is the answer, with how they end.
fn bodies(text: &str, whole: bool) -> Vec<(Decode, Value)> {
    let pick = |stop, cut| if whole { stop } else { cut };
    let chat = |message: Value| {
        let choice = json!({"message": message, "finish_reason": pick("stop", "length")});
        (
            openai_compatible::decode as Decode,
            json!({"choices": [choice]}),
        )
    };
    let output = json!([
        {"type": "reasoning", "content": [{"type": "reasoning_text", "text": ANSWER}]},
        {"type": "message", "content": [{"type": "output_text", "text": text}]},
    ]);
    let response = json!({"status": pick("completed", "incomplete"), "output": output,
        "incomplete_details": (!whole).then(|| json!({"reason": "max_output_tokens"}))});
    vec![
        chat(json!({"content": text, "reasoning_content": ANSWER})),
        chat(json!({"content": text, "reasoning": ANSWER})),
        chat(json!({"content": text, "thinking": ANSWER})),
        chat(json!({"content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": ANSWER}]},
            {"type": "text", "text": text}]})),
        (
            ollama::decode,
            json!({"message": {"content": text, "thinking": ANSWER}, "done": true,
                "done_reason": pick("stop", "length")}),
        ),
        (
            gemini::decode,
            json!({"candidates": [{"finishReason": pick("STOP", "MAX_TOKENS"), "content":
                {"parts": [{"text": ANSWER, "thought": true}, {"text": text}]}}]}),
        ),
        (
            anthropic::decode,
            json!({"stop_reason": pick("end_turn", "max_tokens"), "content":
                [{"type": "thinking", "thinking": ANSWER}, {"type": "text", "text": text}]}),
        ),
        (openai::decode, response.clone()),
        (xai::decode, response),
    ]
}

fn read((decode, body): &(Decode, Value)) -> Result<Reply, ModelError> {
    decode(200, &Headers::default(), body.to_string().as_bytes())
}

#[tokio::test]
async fn an_answer_in_the_reasoning_field_is_empty_and_says_so() {
    for text in ["", " \n"] {
        for case in bodies(text, true) {
            assert!(is_told(read(&case)).await, "{}", case.1);
        }
    }
}

#[test]
fn reasoning_beside_a_text_is_left_out() {
    for case in bodies("[2]", true) {
        let reply = read(&case).unwrap();
        assert_eq!((reply.text(), reply.finish()), ("[2]", &FinishReason::Stop));
    }
}

#[test]
fn reasoning_that_ate_the_output_limit_is_a_truncated_answer() {
    for case in bodies("", false) {
        let reply = read(&case).unwrap();
        assert_eq!(
            (reply.text(), reply.finish()),
            ("", &FinishReason::Truncated)
        );
    }
}

#[tokio::test]
async fn no_content_at_all_is_empty_and_says_so_too() {
    for message in [
        json!({"reasoning_content": ANSWER}),
        json!({"content": null, "reasoning": ANSWER}),
    ] {
        let body = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
        assert!(is_told(read(&(openai_compatible::decode, body))).await);
    }
}

#[tokio::test]
async fn an_empty_reasoning_field_leaves_an_empty_answer() {
    for message in [
        json!({"content": "", "reasoning_content": "", "reasoning": null, "thinking": " "}),
        json!({"content": null, "reasoning": {"effort": "low"}}),
    ] {
        let body = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
        let told = told(read(&(openai_compatible::decode, body))).await;
        assert!(!told.contains("reasoning"), "{told}");
    }
}

#[tokio::test]
async fn a_stream_whose_pieces_are_all_reasoning_says_so() {
    let chat = |delta: Value| {
        let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
        (
            openai_compatible::decode_stream as DecodeStream,
            vec![json!({"choices": [{"delta": delta}]}), end],
            "data: [DONE]\n\n",
        )
    };
    let output = json!([{"type": "reasoning", "content":
        [{"type": "reasoning_text", "text": ANSWER}]}]);
    let response = json!({"type": "response.completed",
        "response": {"status": "completed", "output": output}});
    let reasoning = json!({"type": "response.reasoning_text.delta", "delta": ANSWER});
    for (decode, messages, close) in [
        chat(json!({"reasoning_content": ANSWER})),
        chat(json!({"reasoning": ANSWER})),
        chat(json!({"content": [{"type": "thinking", "thinking": ANSWER}]})),
        (
            gemini::decode_stream,
            vec![
                json!({"candidates": [{"content":
                    {"parts": [{"text": ANSWER, "thought": true}]}}]}),
                json!({"candidates": [{"finishReason": "STOP"}]}),
            ],
            "",
        ),
        (
            anthropic::decode_stream,
            vec![
                json!({"type": "message_start", "message": {"content": []}}),
                json!({"type": "content_block_delta",
                    "delta": {"type": "thinking_delta", "thinking": ANSWER}}),
                json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
            ],
            "data: {\"type\":\"message_stop\"}\n\n",
        ),
        (openai::decode_stream, vec![reasoning, response], ""),
    ] {
        let events = messages
            .iter()
            .map(|message| format!("data: {message}\n\n"));
        let body = events.collect::<String>() + close;
        let headers = Headers::from_iter([("content-type", "text/event-stream")]);
        assert!(is_told(decode(&headers, body.as_bytes())).await, "{body}");
    }
    let lines = [
        json!({"message": {"content": "", "thinking": ANSWER}, "done": false}),
        json!({"message": {"content": ""}, "done": true, "done_reason": "stop"}),
    ];
    let body = lines.map(|line| format!("{line}\n")).concat();
    let headers = Headers::from_iter([("content-type", "application/x-ndjson")]);
    assert!(is_told(ollama::decode_stream(&headers, body.as_bytes())).await);
}
