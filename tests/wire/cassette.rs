//! Recordings of exchanges: what is kept, what is not, and how strictly it is replayed.

use std::{fmt::Write as _, fs, path::PathBuf};

use serde_json::json;
use typed_extract::model::openai_compatible::ChatCompletions;
use typed_extract::model::{Delta, ModelErrorKind};
use typed_extract::testing::{Cassette, Scrubber};
use typed_extract::{Model, Request};

use super::server::{Act, Server, completion, response};

/// A file of this test's own, removed at the end.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("typed-extract-{}-{name}.json", std::process::id())))
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn model(server: &Server, cassette: &Cassette) -> ChatCompletions {
    server
        .model()
        .api_key("sk-very-secret")
        .transport(cassette.clone())
        .build()
        .unwrap()
}

#[tokio::test]
async fn nothing_private_is_recorded_and_what_is_replays_as_it_was() {
    let body = json!({
        "id": "chatcmpl-77", "model": "m-2026", "user": "u-9",
        "choices": [{"message": {"content": "{\"who\":\"Åse \\\"A\\\" Müller\"}"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        "note": "for sk-very-secret",
    });
    let headers = [
        ("x-request-id", "req-very-own"),
        ("set-cookie", "session=1"),
        ("retry-after", "3"),
    ];
    let server = Server::start([Act::Answer(response(200, &headers, &body.to_string()))]).await;
    let scrubber = Scrubber::new().field("/user").text("Åse \"A\" Müller");
    let file = File::new("private");

    let recording = Cassette::record(scrubber.clone());
    let request = Request::new("Who is Åse \"A\" Müller?");
    let live = model(&server, &recording).generate(&request).await.unwrap();
    assert!(live.text().contains("Müller"), "the caller gets what came");
    recording.save(&file.0).unwrap();
    let text = file.text();
    for private in [
        "sk-very",
        "Müller",
        "u-9",
        "chatcmpl-77",
        "req-very-own",
        "session",
    ] {
        assert!(!text.contains(private), "{private} is in the recording");
    }
    assert!(!format!("{recording:?} {scrubber:?}").contains("Müller"));

    let replay = Cassette::replay(&file.0, scrubber).unwrap();
    let played = model(&server, &replay).generate(&request).await.unwrap();
    assert_eq!(played.text(), "{\"who\":\"[scrubbed]\"}");
    assert_eq!(played.usage(), live.usage());
    assert_eq!((replay.left(), replay.len()), (0, 1));
}

#[tokio::test]
async fn a_replay_takes_the_same_requests_in_the_same_order_only() {
    let server = Server::start(["1", "2"].map(|text| Act::Answer(completion(text)))).await;
    let file = File::new("order");
    let recording = Cassette::record(Scrubber::new());
    let recorded = model(&server, &recording);
    for prompt in ["Read the first page.", "Read the second page."] {
        recorded.generate(&Request::new(prompt)).await.unwrap();
    }
    recording.save(&file.0).unwrap();

    let cassette = Cassette::replay(&file.0, Scrubber::new()).unwrap();
    let replayed = model(&server, &cassette);
    let second = Request::new("Read the second page.");
    let error = replayed.generate(&second).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Other);
    assert!(!error.is_retryable());
    let said = error.to_string();
    for part in [
        "exchange 1",
        "/messages/0/content, character 9",
        "\"first page.\"",
        "\"second page.\"",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let capped = Request::new("Read the first page.").with_max_output_tokens(5);
    let said = replayed.generate(&capped).await.unwrap_err().to_string();
    assert!(
        said.contains("/max_tokens is in this request and not recorded"),
        "{said}"
    );

    let first = Request::new("Read the first page.");
    assert_eq!(replayed.generate(&first).await.unwrap().text(), "1");
    assert_eq!(replayed.generate(&second).await.unwrap().text(), "2");
    let said = replayed.generate(&second).await.unwrap_err().to_string();
    assert!(said.contains("holds 2 exchanges"), "{said}");
}

#[tokio::test]
async fn a_stream_is_replayed_in_pieces() {
    let chunk = |text: &str| {
        format!(
            "data: {}\n\n",
            json!({"id": "chatcmpl-1", "choices": [{"delta": {"content": text}}]})
        )
    };
    let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    let body = format!(
        "{}{}data: {end}\n\ndata: [DONE]\n\n",
        chunk("{\"a\":"),
        chunk("1}")
    );
    let kind = [("content-type", "text/event-stream")];
    let server = Server::start([Act::Answer(response(200, &kind, &body))]).await;
    let file = File::new("stream");
    let recording = Cassette::record(Scrubber::new());
    let request = Request::new("Hello");
    model(&server, &recording)
        .stream(&request, &mut |_| {})
        .await
        .unwrap();
    recording.save(&file.0).unwrap();
    assert!(!file.text().contains("chatcmpl-1"));

    let cassette = Cassette::replay(&file.0, Scrubber::new()).unwrap();
    let mut pieces = Vec::new();
    let mut note = |delta: Delta<'_>| {
        if let Delta::Text(text) = delta {
            pieces.push(text.to_owned());
        }
    };
    let reply = model(&server, &cassette)
        .stream(&request, &mut note)
        .await
        .unwrap();
    assert_eq!(reply.text(), "{\"a\":1}");
    assert_eq!(pieces, ["{\"a\":", "1}"]);
}

#[test]
fn a_file_that_is_no_recording_is_an_error() {
    let file = File::new("other");
    fs::write(&file.0, r#"{"version":2,"exchanges":[]}"#).unwrap();
    let said = Cassette::replay(&file.0, Scrubber::new())
        .unwrap_err()
        .to_string();
    assert!(said.contains("version 2"), "{said}");
    fs::write(&file.0, "{}").unwrap();
    assert!(Cassette::replay(&file.0, Scrubber::new()).is_err());
    assert!(Cassette::replay("/no/such/file", Scrubber::new()).is_err());
}

fn streamed(pieces: &[&str]) -> Vec<u8> {
    let mut body = String::new();
    for piece in pieces {
        let delta = json!({"delta": {"content": piece}});
        let chunk = json!({"id": "chatcmpl-77", "user": "u-9", "choices": [delta]});
        let _ = write!(body, "data: {chunk}\n\n");
    }
    body.push_str(
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    );
    super::streams::chunked("text/event-stream", body.as_bytes(), 64)
}

#[tokio::test]
async fn a_longer_text_is_taken_out_whole_and_in_every_spelling() {
    let body = r#"{"id":"chatcmpl","request_id":"chatcmpl-77","choices":[{"message":{"content":"M\u00fcller \u0026 Sons, M\u00dcLLER"},"finish_reason":"stop"}]}"#;
    let server = Server::start([Act::Answer(response(200, &[], body))]).await;
    let scrubber = Scrubber::new().text("Müller").text("Müller & Sons");
    let file = File::new("spellings");
    let recording = Cassette::record(scrubber);
    let request = Request::new("Who are Müller & Sons?");
    model(&server, &recording).generate(&request).await.unwrap();
    recording.save(&file.0).unwrap();
    let text = file.text();
    for private in ["Sons", "fcller", "[id]-77"] {
        assert!(!text.contains(private), "{private} is in the recording");
    }
    assert!(text.contains("LLER"), "another text stays");
}

#[tokio::test]
async fn a_field_is_emptied_in_each_message_of_a_stream() {
    let server = Server::start([Act::Bytes(streamed(&["{", "}"]))]).await;
    let scrubber = Scrubber::new().field("/user");
    let file = File::new("stream-field");
    let recording = Cassette::record(scrubber.clone());
    let live = super::streams::follow(&model(&server, &recording)).await;
    recording.save(&file.0).unwrap();
    assert!(!file.text().contains("u-9"));
    let replay = Cassette::replay(&file.0, scrubber).unwrap();
    let played = super::streams::follow(&model(&server, &replay)).await;
    assert_eq!(played.0.unwrap().text(), live.0.unwrap().text());
}

#[tokio::test]
async fn a_text_that_a_stream_cuts_in_pieces_is_not_recorded() {
    let server = Server::start([Act::Bytes(streamed(&["{\"who\": \"Åse Mü", "ller\"}"]))]).await;
    let recording = Cassette::record(Scrubber::new().text("Åse Müller"));
    let (reply, _) = super::streams::follow(&model(&server, &recording)).await;
    let error = reply.unwrap_err().to_string();
    assert!(
        error.contains("without streaming") && !error.contains("Åse"),
        "{error}"
    );
    assert!(recording.is_empty());
}
