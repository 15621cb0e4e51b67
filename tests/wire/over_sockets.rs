//! Each adapter over a real connection: where requests go, how the key travels, how streams arrive.

use serde_json::{Value, json};
use typed_extract::model::openai_compatible::ChatCompletions;
use typed_extract::model::{Delta, FinishReason, ModelErrorKind, ollama, openai, xai};
use typed_extract::{Model, ModelError, Provider, Reply, Request};

use super::server::{Act, Server, at_once, response, streamed};

const KEY: &str = "sk-very-secret-0123456789";
/// Longer in bytes than in characters, so that pieces cut inside of them.
const TEXT: &str = r#"{"name":"Åse Müller","note":"naïve – 漢字 🚚"}"#;

/// One adapter on a server: the model, where it sends, how it greets, what it streams.
struct Adapter {
    name: &'static str,
    make: fn(&str) -> Box<dyn Model>,
    path: &'static str,
    key_line: String,
    content_type: &'static str,
    stream: String,
    answer: Value,
}

fn on(base: &str) -> String {
    base.trim_end_matches("/v1").to_owned()
}

fn adapters() -> Vec<Adapter> {
    let bearer = format!("authorization: Bearer {KEY}\r\n");
    let responses = |name, make| Adapter {
        name,
        make,
        path: "/v1/responses",
        key_line: bearer.clone(),
        content_type: "text/event-stream",
        stream: response_events(),
        answer: response_body(),
    };
    vec![
        responses("openai", |base| {
            let builder = openai::Responses::builder("m").base_url(base);
            Box::new(builder.api_key(KEY).retries(at_once()).build().unwrap())
        }),
        responses("xai", |base| {
            let builder = xai::Responses::builder("m").base_url(base);
            Box::new(builder.api_key(KEY).retries(at_once()).build().unwrap())
        }),
        Adapter {
            name: "ollama",
            make: |base| {
                let builder = ollama::Chat::builder("m").base_url(on(base));
                Box::new(builder.api_key(KEY).retries(at_once()).build().unwrap())
            },
            path: "/api/chat",
            key_line: bearer.clone(),
            content_type: "application/x-ndjson",
            stream: lines(),
            answer: json!({"model": "m", "message": {"content": TEXT}, "done": true,
                "done_reason": "stop", "prompt_eval_count": 10, "eval_count": 5}),
        },
        Adapter {
            name: "azure",
            make: |base| {
                let builder = ChatCompletions::on(Provider::Azure, "m").base_url(base);
                Box::new(builder.api_key(KEY).retries(at_once()).build().unwrap())
            },
            path: "/v1/chat/completions",
            key_line: format!("api-key: {KEY}\r\n"),
            content_type: "text/event-stream",
            stream: chunks(),
            answer: json!({"model": "m", "choices": [
                {"message": {"content": TEXT}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 5}}),
        },
    ]
}

/// The text in two halves, neither of which is a value.
fn halves() -> (&'static str, &'static str) {
    TEXT.split_at(TEXT.find("ller").unwrap())
}

fn response_body() -> Value {
    json!({"id": "resp_1", "model": "m", "status": "completed", "output": [
        {"type": "message", "content": [{"type": "output_text", "text": TEXT}]}],
        "usage": {"input_tokens": 10, "output_tokens": 5}})
}

fn response_events() -> String {
    let (first, second) = halves();
    let delta = |text: &str| json!({"type": "response.output_text.delta", "delta": text});
    let end = json!({"type": "response.completed", "response": response_body()});
    format!(
        ": note\r\nevent: x\r\ndata: {}\r\n\r\ndata:{}\n\ndata: {end}\n\n",
        delta(first),
        delta(second)
    )
}

fn lines() -> String {
    let (first, second) = halves();
    let line = |text: &str| json!({"message": {"content": text}, "done": false});
    let end = json!({"message": {"content": ""}, "done": true, "done_reason": "stop",
        "prompt_eval_count": 10, "eval_count": 5});
    format!("{}\n{}\r\n{end}\n", line(first), line(second))
}

fn chunks() -> String {
    let (first, second) = halves();
    let chunk = |text: &str| json!({"choices": [{"delta": {"content": text}}]});
    let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}});
    format!(
        "data: {{\"choices\":[]}}\n\ndata: {}\n\ndata: {}\n\ndata: {end}\n\ndata: {usage}\n\ndata: [DONE]\n\n",
        chunk(first),
        chunk(second)
    )
}

/// The reply, and the text as it was handed on.
async fn follow(model: &dyn Model) -> (Result<Reply, ModelError>, String) {
    let mut text = String::new();
    let mut deltas = |delta: Delta<'_>| match delta {
        Delta::Text(piece) => text.push_str(piece),
        _ => text.clear(),
    };
    let reply = model.stream(&Request::new("Hello"), &mut deltas).await;
    (reply, text)
}

#[tokio::test]
async fn the_key_travels_in_its_header_and_nowhere_else() {
    for adapter in adapters() {
        let name = adapter.name;
        let body = adapter.answer.to_string();
        let fault = json!({"error": {"message": format!("bad key {KEY}")}}).to_string();
        let server = Server::start([
            Act::Answer(response(200, &[], &body)),
            Act::Answer(response(401, &[], &fault)),
        ])
        .await;
        let model = (adapter.make)(server.base());
        let reply = model.generate(&Request::new("Hello")).await.unwrap();
        assert_eq!(
            (reply.text(), reply.finish()),
            (TEXT, &FinishReason::Stop),
            "{name}"
        );
        assert_eq!(reply.usage().unwrap().total_tokens(), Some(15), "{name}");

        let request = &server.seen()[0];
        let line = format!("POST {} HTTP/1.1\r\n", adapter.path);
        assert!(request.starts_with(&line), "{name}: {request}");
        assert!(request.contains(&adapter.key_line), "{name}: {request}");
        assert!(
            request.contains("content-type: application/json\r\n"),
            "{name}"
        );
        assert_eq!(request.matches(KEY).count(), 1, "{name}");

        let error = model.generate(&Request::new("Hello")).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Auth, "{name}");
        assert!(
            !format!("{error} {error:?}").contains("very-secret"),
            "{name}"
        );
    }
}

#[test]
fn models_print_without_their_keys() {
    let openai = openai::Responses::builder("m")
        .api_key(KEY)
        .system("private words");
    let xai = xai::Responses::builder("m")
        .api_key(KEY)
        .system("private words");
    let ollama = ollama::Chat::builder("m")
        .api_key(KEY)
        .system("private words");
    let azure = ChatCompletions::on(Provider::Azure, "m")
        .api_key(KEY)
        .system("private words");
    let azure = azure.base_url("https://unit.openai.azure.com/openai/v1");
    let unbuilt = format!("{openai:?} {xai:?} {ollama:?} {azure:?}");
    let printed = [
        unbuilt,
        format!("{:?} {:?}", openai.build(), xai.build()),
        format!("{:?} {:?}", ollama.build(), azure.build()),
    ]
    .concat();
    assert!(
        !printed.contains("private") && !printed.contains("very-secret"),
        "{printed}"
    );
}

#[tokio::test]
async fn a_stream_means_the_same_in_whatever_pieces_it_comes() {
    for adapter in adapters() {
        for piece in [1, 2, 3, 7, 64, 10_000] {
            let act = streamed(adapter.content_type, &adapter.stream, piece, false);
            let server = Server::start([act]).await;
            let model = (adapter.make)(server.base());
            let (reply, text) = follow(&*model).await;
            let reply = reply.unwrap();
            assert_eq!((reply.text(), reply.finish()), (TEXT, &FinishReason::Stop));
            assert_eq!(text, TEXT, "{} in {piece}s", adapter.name);
            assert_eq!(reply.usage().unwrap().total_tokens(), Some(15));
            assert!(server.seen()[0].contains(r#""stream":true"#));
        }
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_is_no_answer() {
    for adapter in adapters() {
        // The last event is gone; the connection ends as it should, or breaks.
        let end = adapter.stream.trim_end().rfind('\n').unwrap();
        let part = adapter.stream.get(..=end).unwrap();
        for broken in [false, true] {
            let server = Server::start([streamed(adapter.content_type, part, 5, broken)]).await;
            let model = (adapter.make)(server.base());
            let (reply, text) = follow(&*model).await;
            let error = reply.unwrap_err();
            assert_eq!(error.kind(), ModelErrorKind::StreamCut, "{}", adapter.name);
            assert!(
                error.maybe_billed() && error.is_retryable(),
                "{}",
                adapter.name
            );
            assert_eq!(text, TEXT, "what came was handed on");
            assert_eq!(server.seen().len(), 1, "and was not asked for again");
        }
    }
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_read_at_once() {
    for adapter in adapters() {
        let headers = [("content-type", "application/json")];
        let body = adapter.answer.to_string();
        let server = Server::start([Act::Answer(response(200, &headers, &body))]).await;
        let model = (adapter.make)(server.base());
        let (reply, text) = follow(&*model).await;
        assert_eq!(
            (reply.unwrap().text(), text.as_str()),
            (TEXT, TEXT),
            "{}",
            adapter.name
        );
    }
}

#[tokio::test]
async fn a_fault_in_a_stream_that_had_begun_may_have_cost_something() {
    let fault = json!({"error": {"message": "try later", "code": 503}});
    let text = json!({"choices": [{"delta": {"content": "{"}}]});
    let before = format!("data: {fault}\n\n");
    let after = format!("data: {text}\n\n{before}");
    for (stream, sent) in [(&before, 2), (&after, 1)] {
        let acts = [stream.as_str(), &chunks()]
            .map(|body| streamed("text/event-stream", body, 999, false));
        let server = Server::start(acts).await;
        let (reply, deltas) = follow(&server.model().build().unwrap()).await;
        assert_eq!(server.seen().len(), sent, "{stream}");
        match reply {
            Ok(reply) => assert_eq!((sent, reply.text()), (2, deltas.as_str())),
            Err(error) => {
                assert_eq!(error.kind(), ModelErrorKind::Overloaded);
                assert!(error.maybe_billed() && error.is_retryable());
            }
        }
    }
}
