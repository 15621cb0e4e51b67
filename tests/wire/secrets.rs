//! Keys, prompts and replies stay out of everything that is printed.

use typed_extract::model::ModelErrorKind;
use typed_extract::model::openai_compatible::ChatCompletions;
use typed_extract::{Model, Reply, Request};

use super::server::{Act, Server, response};

const KEY: &str = "sk-very-secret-0123456789";

#[tokio::test]
async fn a_key_that_the_host_echoes_is_not_repeated() {
    let long = "x".repeat(280);
    for message in [format!("bad key {KEY}"), format!("{long} {KEY}")] {
        let body = serde_json::json!({"error": {"message": message, "code": KEY, "type": KEY}})
            .to_string();
        let server =
            Server::start([Act::Answer(response(401, &[("x-request-id", KEY)], &body))]).await;
        let model = server.model().api_key(KEY).build().unwrap();
        let error = model.generate(&Request::new("Hello")).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Auth);
        let printed = format!(
            "{error} {error:?} {:?} {:?}",
            error.code(),
            error.request_id()
        );
        assert!(
            printed.contains("[key]") && !printed.contains("sk-very"),
            "{printed}"
        );
    }
}

#[tokio::test]
async fn a_prompt_that_the_host_quotes_is_not_repeated() {
    let prompt = "The patient Ada Lovelace, born in 1815, complains of headaches.";
    let body =
        serde_json::json!({"error": {"message": format!("cannot read: {prompt}")}}).to_string();
    let server = Server::start([Act::Answer(response(400, &[], &body))]).await;
    let error = server
        .model()
        .build()
        .unwrap()
        .generate(&Request::new(prompt))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the request was not accepted (status 400): cannot read: [quote]."
    );
}

#[tokio::test]
async fn a_quote_of_the_system_text_or_across_lines_is_not_repeated() {
    let system = "You work for the clinic at the lake, ward 7.";
    let prompt = "Name: Ada Lovelace\nBorn: 1815\nPain: head";
    for quoted in [system, prompt] {
        let message = format!("cannot read: {quoted}");
        let body = serde_json::json!({"error": {"message": message}}).to_string();
        let server = Server::start([Act::Answer(response(400, &[], &body))]).await;
        let model = server.model().system(system).build().unwrap();
        let error = model.generate(&Request::new(prompt)).await.unwrap_err();
        let printed = format!("{error} {error:?}");
        assert!(
            !printed.contains("ward") && !printed.contains("Lovelace"),
            "{printed}"
        );
    }
}

#[test]
fn models_requests_and_replies_print_without_their_contents() {
    let builder = ChatCompletions::builder("http://localhost:1/v1", "m")
        .api_key(KEY)
        .system("private words");
    let unbuilt = format!("{builder:?}");
    let model = builder.build().unwrap();
    let request = Request::new("private words");
    let printed = format!(
        "{unbuilt} {model:?} {request:?} {:?}",
        Reply::new("private words")
    );
    assert!(
        !printed.contains("private") && !printed.contains("very-secret"),
        "{printed}"
    );
}

#[test]
fn a_base_url_with_a_password_is_refused_without_being_printed() {
    let builder = ChatCompletions::builder("https://user:hunter2@example.com/v1", "m");
    assert!(!format!("{builder:?}").contains("hunter2"));
    let error = builder.build().unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}
