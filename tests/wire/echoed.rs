//! Hosts that echo the key, or send words that no terminal should see.

use serde_json::{Value, json};
use typed_extract::model::http::Headers;
use typed_extract::model::{
    FinishReason, ModelErrorKind, RetryPolicy, anthropic, gemini, ollama, openai,
    openai_compatible, xai,
};
use typed_extract::{Model, ModelError, Reply, Request};

use super::hostile::{Answer, answers};

/// Longer than the longest word that is kept, as real keys are.
const LONG: &str =
    "sk-proj-Zq7Lr2Vw9Xc4Tb8Nm1Kd6Hf3Js5Gp0Ya-Ue7Ri2Wo9Qx4Cv8Bn1Mk6Jh3Gf5Ds0Pz-Lw7Ty2Eu9";
const SHORT: &str = "k3y-s3cr3t";

/// Makes a model of one adapter that has this key and gets this answer.
type Build = fn(&str, Answer) -> Box<dyn Model>;

struct Adapter {
    name: &'static str,
    build: Build,
    /// Bodies with the key in every place that is read.
    bodies: fn(&str) -> Vec<Value>,
    lines: bool,
}

macro_rules! build {
    ($builder:expr) => {
        |key, answer| {
            let builder = $builder.transport(answers(vec![answer]));
            let builder = builder.api_key(key).retries(RetryPolicy::none());
            Box::new(builder.build().unwrap())
        }
    };
}

fn responses(key: &str) -> Vec<Value> {
    let response = |status: &str, more: Value| {
        let mut body = json!({"id": key, "model": key, "status": status, "output": []});
        let fields = more.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(fields);
        body
    };
    let refusal = json!([{"type": "message", "content": [{"type": "refusal", "refusal": key}]}]);
    let half = json!([{"type": "message", "status": key, "content": []}]);
    vec![
        response(key, json!({})),
        response("incomplete", json!({"incomplete_details": {"reason": key}})),
        response("completed", json!({"output": refusal})),
        response("completed", json!({"output": half})),
        response("failed", json!({"error": {"message": key, "code": key}})),
    ]
}

fn adapters() -> [Adapter; 6] {
    [
        Adapter {
            name: "chat",
            build: build!(openai_compatible::ChatCompletions::builder(
                "http://localhost:1/v1",
                "m"
            )),
            bodies: |key| {
                let body = |choice: Value| json!({"id": key, "model": key, "choices": [choice]});
                vec![
                    body(json!({"message": {"content": "{}"}, "finish_reason": key})),
                    body(json!({"message": {"refusal": key}, "finish_reason": "stop"})),
                    body(json!({"finish_reason": "content_filter",
                        "content_filter_results": {key: {"filtered": true},
                            "hate": {"filtered": true}}})),
                    body(json!({"error": {"message": key, "code": key}})),
                    json!({"error": {"code": "content_filter",
                        "metadata": {"reasons": [key, "hate"]}}}),
                ]
            },
            lines: false,
        },
        Adapter {
            name: "anthropic",
            build: build!(anthropic::Messages::builder("m")),
            bodies: |key| {
                let body = |reason: &str| {
                    json!({"id": key, "model": key, "content": [], "stop_reason": reason,
                        "stop_details": {"category": key, "explanation": key}})
                };
                vec![body(key), body("refusal")]
            },
            lines: false,
        },
        Adapter {
            name: "gemini",
            build: build!(gemini::GenerateContent::builder("m")),
            bodies: |key| {
                let rated = json!([{"category": key, "blocked": true},
                    {"category": "HARM", "blocked": true}]);
                let body = |reason: &str| {
                    json!({"responseId": key, "modelVersion": key, "candidates":
                        [{"finishReason": reason, "safetyRatings": rated}]})
                };
                vec![
                    body(key),
                    body("SAFETY"),
                    json!({"promptFeedback": {"blockReason": key, "safetyRatings": rated}}),
                    json!({"promptFeedback": {"blockReason": {key: key}}}),
                ]
            },
            lines: false,
        },
        Adapter {
            name: "ollama",
            build: build!(ollama::Chat::builder("m")),
            bodies: |key| {
                vec![
                    json!({"id": key, "model": key, "message": {"content": "{}"},
                    "done": true, "done_reason": key}),
                ]
            },
            lines: true,
        },
        Adapter {
            name: "openai",
            build: build!(openai::Responses::builder("m")),
            bodies: responses,
            lines: false,
        },
        Adapter {
            name: "xai",
            build: build!(xai::Responses::builder("m")),
            bodies: responses,
            lines: false,
        },
    ]
}

/// Bodies that every adapter reads as a fault.
fn faults(key: &str) -> Vec<Value> {
    let error = json!({"message": key, "code": key, "type": key, "param": key, "status": key});
    let around = format!("the key {key} is not allowed; {key}");
    vec![
        json!({"error": error, "request_id": key}),
        json!({"error": {"message": around, "code": format!("x{key}x")}}),
        json!({"error": around, "code": key}),
        json!({"error": key}),
        json!({"detail": [{"msg": key}]}),
        json!([{"error": error}]),
        json!({"error": {"message": "upstream", "metadata":
            {"raw": json!({"error": {"message": around, "code": key}}).to_string()}}}),
    ]
}

fn answer(status: u16, kind: &str, key: &str, body: String) -> Answer {
    Answer {
        status,
        headers: vec![
            ("content-type", kind.to_owned()),
            ("x-request-id", key.to_owned()),
            ("retry-after", key.to_owned()),
            ("x-should-retry", key.to_owned()),
        ],
        pieces: vec![Ok(body.into_bytes())],
    }
}

/// Everything of an answer that can be printed, and all its words.
fn printed(answer: &Result<Reply, ModelError>) -> String {
    match answer {
        Ok(reply) => {
            let word = match reply.finish() {
                FinishReason::Refused { message } => message.clone(),
                FinishReason::Filtered { reason } => reason.clone(),
                other => Some(other.as_str().to_owned()),
            };
            let (id, model) = (reply.request_id(), reply.model());
            format!("{reply:?} {:?} {word:?} {id:?} {model:?}", reply.finish())
        }
        Err(error) => {
            let (code, id) = (error.code(), error.request_id());
            format!("{error} {error:?} {code:?} {id:?}")
        }
    }
}

fn shows(printed: &str, key: &str) -> bool {
    let key: Vec<char> = key.chars().collect();
    let mut runs = key.windows(key.len().min(12));
    runs.any(|run| printed.contains(&run.iter().collect::<String>()))
}

async fn whole(adapter: &Adapter, key: &str, answer: Answer) -> Result<Reply, ModelError> {
    (adapter.build)(key, answer)
        .generate(&Request::new("Hello"))
        .await
}

async fn streamed(adapter: &Adapter, key: &str, body: &Value) -> Result<Reply, ModelError> {
    let (kind, text) = if adapter.lines {
        ("application/x-ndjson", format!("{body}\n"))
    } else {
        (
            "text/event-stream",
            format!("data: {body}\n\ndata: [DONE]\n\n"),
        )
    };
    let model = (adapter.build)(key, answer(200, kind, key, text));
    model.stream(&Request::new("Hello"), &mut |_| ()).await
}

#[tokio::test]
async fn the_key_is_shown_in_no_place_that_a_host_echoes_it_in() {
    for adapter in adapters() {
        for key in [LONG, SHORT] {
            let mut bodies = (adapter.bodies)(key);
            bodies.extend(faults(key));
            for body in bodies {
                for status in [200, 400, 401, 404, 429, 500] {
                    let answer = answer(status, "application/json", key, body.to_string());
                    let printed = printed(&whole(&adapter, key, answer).await);
                    assert!(
                        !shows(&printed, key),
                        "{} {status} {body}: {printed}",
                        adapter.name
                    );
                }
                let printed = printed(&streamed(&adapter, key, &body).await);
                assert!(!shows(&printed, key), "{} {body}: {printed}", adapter.name);
            }
        }
    }
}

#[tokio::test]
async fn the_key_is_shown_in_no_event_of_a_stream() {
    for adapter in adapters() {
        for key in [LONG, SHORT] {
            let last = responses(key)
                .into_iter()
                .map(|response| json!({"type": "response.incomplete", "response": response}));
            let events = last.chain([
                json!({"type": "error", "code": key, "message": key, "param": key}),
                json!({"type": "error", "error": {"type": key, "message": key}}),
                json!({"type": "message_delta", "delta": {"stop_reason": key}}),
                json!({"choices": [{"delta": {"content": "{"}, "finish_reason": key}]}),
                json!({"choices": [{"delta": {}, "error": {"message": key}}]}),
            ]);
            for event in events {
                let printed = printed(&streamed(&adapter, key, &event).await);
                assert!(!shows(&printed, key), "{} {event}: {printed}", adapter.name);
            }
        }
    }
}

#[tokio::test]
async fn the_key_is_not_shown_as_a_content_type() {
    for adapter in adapters() {
        for key in [LONG, SHORT] {
            for kind in [key.to_owned(), format!("text/{key}")] {
                let answer = answer(200, &kind, key, "<html>".to_owned());
                let read = whole(&adapter, key, answer).await;
                assert_eq!(read.as_ref().unwrap_err().kind(), ModelErrorKind::Decode);
                let printed = printed(&read);
                assert!(!shows(&printed, key), "{}: {printed}", adapter.name);
            }
        }
    }
}

#[test]
fn headers_print_without_names_and_values() {
    let headers = Headers::from_iter([("x-request-id", LONG), (LONG, "x")]);
    let printed = format!("{headers:?}");
    assert!(!shows(&printed, LONG) && printed.contains('2'), "{printed}");
}

fn is_plain(text: &str) -> bool {
    let odd =
        |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !text.contains(odd)
}

#[tokio::test]
async fn a_hosts_words_are_short_and_on_one_line() {
    let odd = "\u{1b}[31mred\u{202e}\n\u{2066}\0".repeat(5_000);
    for adapter in adapters() {
        let mut bodies = (adapter.bodies)(&odd);
        bodies.extend(faults(&odd));
        for body in bodies {
            for status in [200, 400] {
                let mut answer = answer(status, "application/json", "", body.to_string());
                answer.headers.truncate(1);
                let printed = printed(&whole(&adapter, SHORT, answer).await);
                assert!(is_plain(&printed), "{}: {printed:?}", adapter.name);
                assert!(
                    printed.len() < 20_000,
                    "{}: {}",
                    adapter.name,
                    printed.len()
                );
            }
        }
    }
}

#[test]
fn words_of_an_application_s_own_client_are_shown_short_and_on_one_line() {
    let odd = "\u{202e}\u{1b}x".repeat(50_000);
    let finish = [
        FinishReason::Unknown(odd.clone()),
        FinishReason::Filtered {
            reason: Some(odd.clone()),
        },
    ];
    for finish in finish {
        let reply = Reply::new("{}")
            .with_request_id(odd.as_str())
            .with_model(odd.as_str());
        let printed = format!("{finish:?} {:?}", reply.with_finish(finish.clone()));
        assert!(
            is_plain(&printed) && printed.len() < 20_000,
            "{}",
            printed.len()
        );
    }
    let error = ModelError::new(ModelErrorKind::Other, odd.as_str()).with_code(odd.as_str());
    let printed = format!("{error} {error:?}");
    assert!(
        is_plain(&printed) && printed.len() < 20_000,
        "{}",
        printed.len()
    );
}
