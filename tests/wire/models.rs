//! The model trait itself: pointers, closures, scripts, retry delays.

use std::{sync::Arc, time::Duration};

use typed_extract::model::openai_compatible::ChatCompletions;
use typed_extract::model::{FormatCapability, ModelErrorKind, RetryPolicy, SchemaDialect};
use typed_extract::testing::{Script, Scripted};
use typed_extract::{Model, ModelError, Reply, Request, Usage, model_fn};

async fn text(model: impl Model) -> String {
    model
        .generate(&Request::new("Hi"))
        .await
        .unwrap()
        .text()
        .to_owned()
}

#[tokio::test]
async fn pointers_to_models_are_models() {
    let script = Script::new(["1", "2", "3", "4"]).with_capability(FormatCapability::Text);
    assert_eq!(text(&script).await, "1");
    assert_eq!(text(&script as &dyn Model).await, "2");
    let shared: Arc<dyn Model> = Arc::new(script);
    assert_eq!(shared.capability(), FormatCapability::Text);
    assert_eq!(text(Arc::clone(&shared)).await, "3");
    assert_eq!(text(Box::new(shared) as Box<dyn Model>).await, "4");
}

#[tokio::test]
async fn a_closure_model_can_be_spawned_and_reports_its_own_errors() {
    #[derive(Clone)]
    struct Client(Arc<str>);
    let client = Client("fine".into());
    let model = Arc::new(model_fn(
        "mine",
        FormatCapability::JsonObject,
        move |request: Request| {
            let client = client.clone();
            async move {
                tokio::task::yield_now().await;
                match request.prompt() {
                    "fail" => Err(ModelError::other(std::io::Error::other(
                        "secret in its text",
                    ))),
                    _ => Ok(Reply::new(client.0.to_string())),
                }
            }
        },
    ));
    let spawned = Arc::clone(&model);
    let reply = tokio::spawn(async move { spawned.generate(&Request::new("Hi")).await })
        .await
        .unwrap()
        .unwrap();
    assert_eq!(reply.text(), "fine");

    let error = model.generate(&Request::new("fail")).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.is_retryable()),
        (ModelErrorKind::Other, false)
    );
    assert!(!format!("{error} {error:?}").contains("secret"));
    assert!(
        std::error::Error::source(&error)
            .unwrap()
            .to_string()
            .contains("secret")
    );
}

#[tokio::test]
async fn a_script_answers_in_order_and_then_says_that_it_is_used_up() {
    let model = Script::new([
        Scripted::from("text"),
        Reply::new("reply").with_usage(Usage::new(1, 2)).into(),
        ModelError::new(ModelErrorKind::Server, "down").into(),
    ]);
    let request = Request::new("Hi");
    assert_eq!(model.generate(&request).await.unwrap().text(), "text");
    assert_eq!(
        model.generate(&request).await.unwrap().usage(),
        Some(&Usage::new(1, 2))
    );
    assert_eq!(
        model.generate(&request).await.unwrap_err().kind(),
        ModelErrorKind::Server
    );
    let error = model.generate(&request).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the call failed: the script is used up: call 4, items 3"
    );
    assert_eq!((model.calls(), model.requests().len()), (4, 4));
}

#[test]
fn delays_double_up_to_their_cap_and_keep_to_what_was_asked() {
    let second = Duration::from_secs(1);
    let policy = RetryPolicy::default()
        .retries(100)
        .base_delay(second)
        .max_delay(second * 8);
    let whole = policy.jitter(|| 1.0);
    let delays: Vec<u64> = (0..6)
        .map(|retry| whole.delay(retry, None).unwrap().as_secs())
        .collect();
    assert_eq!(delays, [1, 2, 4, 8, 8, 8]);
    assert_eq!(whole.delay(99, None), Some(second * 8), "no overflow");
    assert_eq!(policy.jitter(|| 0.0).delay(0, None), Some(second / 2));
    assert_eq!(
        policy.jitter(|| 0.0).delay(0, Some(second * 7)),
        Some(second * 7)
    );
    assert!(
        whole.delay(0, Some(second * 7)).unwrap() > second * 7,
        "never earlier than asked"
    );
    assert_eq!(
        policy.jitter(|| f64::NAN).delay(0, None).map(|_| ()),
        Some(()),
        "a bad source cannot panic"
    );
    assert_eq!(RetryPolicy::none().delay(0, None), None);
    let chance = policy.delay(0, None).unwrap();
    assert!(chance >= second / 2 && chance <= second);
}

#[test]
fn the_strict_form_is_for_openai_and_for_nobody_who_only_speaks_its_wire() {
    let dialect = |url: &str, strict: bool| {
        let model = ChatCompletions::builder(url, "m")
            .api_key("k")
            .strict(strict)
            .build();
        model.expect("a model").dialect()
    };
    for (url, strict) in [
        ("https://api.openai.com/v1", SchemaDialect::OpenAiStrict),
        (
            "https://mine.openai.azure.com/openai/v1",
            SchemaDialect::Azure,
        ),
    ] {
        assert_eq!(dialect(url, true), strict);
        assert_eq!(dialect(url, false), SchemaDialect::Full);
    }
    for url in [
        "http://localhost:8080/v1",
        "https://api.openai.com.example.org/v1",
    ] {
        assert_eq!(dialect(url, true), SchemaDialect::Full);
    }
}
